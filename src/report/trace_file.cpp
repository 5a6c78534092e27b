#include "report/trace_file.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "report/json.h"
#include "version.h"

namespace spoor {
namespace {

constexpr int kFormatVersion = 1;

// The trace in a trace file, or in the first violation of a report.
const Json* find_trace(const Json& json, std::string& error) {
  if (!json.is_object()) {
    error = "it is JSON, but not an object";
    return nullptr;
  }
  if (json.contains("violations")) {
    const Json& violations = json["violations"];
    if (!violations.is_array() || violations.empty()) {
      error = "it is a report without a violation, so it holds no trace";
      return nullptr;
    }
    return &violations[0].at("trace");
  }
  if (json.value("format", "") != "spoor-trace") {
    error = "it is JSON, but neither a trace nor a report of `spoor check --json`";
    return nullptr;
  }
  if (json.value("format_version", 0) != kFormatVersion) {
    error = fmt::format("its format version is not {}", kFormatVersion);
    return nullptr;
  }
  return &json.at("trace");
}

RecordedTrace record_of(const Json& file, const Json& trace) {
  RecordedTrace record;
  for (const Json& step : trace.at("attempts")) {
    record.steps.push_back({StepId(step.get<std::uint64_t>()), {}});
  }
  for (const Json& action : trace.at("steps")) {
    const auto step = action.at("step").get<std::uint32_t>();
    if (step == 0 || step > record.steps.size()) continue;
    const Json& process = action.at("process");
    record.steps[step - 1].actions.push_back(
        {process.is_null() ? -1 : process.at("pid").get<int>(), action.at("key").get<std::string>()});
  }
  const auto loop = trace.find("loop");
  if (loop != trace.end() && loop->is_number_unsigned() && *loop >= 1u)
    record.loop = loop->get<std::size_t>() - 1;
  record.model_sha256 = file.value("model_sha256", "");
  if (file.contains("options")) {
    record.options.defines = file["options"].value("defines", std::vector<std::string>());
    record.options.strict = file["options"].value("strict", false);
    record.options.lose_messages = file["options"].value("lose_messages", false);
    record.options.reduce = file["options"].value("reduce", "none");
  }
  if (file.contains("violations"))
    record.options.reduce = file["violations"][0].value("reduce", record.options.reduce);
  return record;
}

// A recorded trace may end inside its last step (see show_trace).
bool agrees(const Explanation& step, const RecordedStep& recorded, bool is_last) {
  const bool is_whole = step.actions.size() == recorded.actions.size();
  const bool is_part = step.actions.size() > recorded.actions.size() && !recorded.actions.empty();
  if (!is_whole && !(is_part && is_last)) return false;
  return std::equal(
      recorded.actions.begin(), recorded.actions.end(), step.actions.begin(),
      [](const RecordedAction& a, const Action& b) { return a.process == b.process && a.key == b.key; });
}

}  // namespace

bool is_trace_file(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

std::optional<RecordedTrace> parse_trace_file(std::string_view text, std::string& error) {
  try {
    const Json file = Json::parse(text);
    const Json* trace = find_trace(file, error);
    if (!trace) return std::nullopt;
    RecordedTrace record = record_of(file, *trace);
    if (parse_reductions(record.options.reduce)) return record;
    error =
        fmt::format("it was made with --reduce {}, which this version does not have", record.options.reduce);
    return std::nullopt;
  } catch (const Json::exception& exception) {
    // The library's messages open with "[json.exception.parse_error.101] ".
    const std::string_view what = exception.what();
    const std::size_t bracket = what.find("] ");
    error = fmt::format("it is not a trace: {}",
                        bracket == std::string_view::npos ? what : what.substr(bracket + 2));
    return std::nullopt;
  }
}

FollowResult follow_record(const TransitionSystem& system, const RecordedTrace& record) {
  FollowResult result;
  result.loop = record.loop;
  std::vector<std::byte> state = system.initial_state();
  Expansion expansion;
  for (std::size_t i = 0; i < record.steps.size(); ++i) {
    const RecordedStep& recorded = record.steps[i];
    expansion.clear();
    system.expand(state, expansion);
    std::vector<StepId> steps = step_ids_of(expansion);
    // The recorded ordinal is tried first: only it distinguishes steps with equal actions.
    std::stable_partition(steps.begin(), steps.end(), [&](StepId step) { return step == recorded.step; });
    bool found = false;
    for (const StepId step : steps) {
      Explanation taken = system.explain(state, step);
      if (!agrees(taken, recorded, i + 1 == record.steps.size())) continue;
      found = true;
      result.steps.push_back(step);
      state = std::move(taken.target);
      break;
    }
    if (!found) {
      return {{},
              {},
              fmt::format("the trace does not fit the model: step {} of {} ({}) is not possible here", i + 1,
                          record.steps.size(),
                          recorded.actions.empty() ? "of unknown name" : recorded.actions.front().key),
              0};
    }
    const bool leads_nowhere = state.empty();
    if (leads_nowhere) break;
  }
  return result;
}

std::string write_trace_file(const TraceFileHeader& header, const ShownTrace& trace,
                             const SourceSet& sources) {
  Json findings = Json::array();
  for (const ShownFinding& finding : trace.findings) findings.push_back(to_json(sources, finding));
  return dump({{"format", "spoor-trace"},
               {"format_version", kFormatVersion},
               {"model", header.model},
               {"model_sha256", header.model_sha256},
               {"options",
                {{"defines", header.options.defines},
                 {"strict", header.options.strict},
                 {"lose_messages", header.options.lose_messages},
                 {"reduce", header.options.reduce}}},
               {"findings", std::move(findings)},
               {"trace", to_json(sources, trace)},
               {"version", kVersion}});
}

}  // namespace spoor
