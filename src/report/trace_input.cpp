#include "report/trace_input.h"

#include <utility>

#include <fmt/format.h>

#include "base/files.h"
#include "report/trail.h"

namespace spoor {

std::optional<TraceFile> load_trace_file(const std::string& path, InputError& error) {
  TraceFile file;
  file.path = path;
  std::string reason;
  std::optional<std::string> text = read_file(path, reason);
  if (!text) {
    error.message = fmt::format("cannot read '{}': {}", path, reason);
    return std::nullopt;
  }
  file.text = std::move(*text);
  if (is_trail(file.text)) return file;
  if (!is_trace_file(file.text)) {
    error.message = fmt::format(
        "'{}' is neither a trace written by spoor (JSON) nor a trail of SPIN (lines of three numbers)", path);
    return std::nullopt;
  }
  file.record = parse_trace_file(file.text, reason);
  if (!file.record) {
    error.message = fmt::format("cannot use '{}': {}", path, reason);
    return std::nullopt;
  }
  return file;
}

bool has_cycle(const TraceFile& file) {
  if (file.record) return file.record->loop.has_value();
  std::string ignored;
  std::uint32_t line = 0;
  const std::optional<Trail> trail = parse_trail(file.text, ignored, line);
  return trail && trail->cycle_start;
}

ModelOptions options_for(const TraceFile& file, const ModelOptions& given) {
  ModelOptions options = given;
  if (!file.record) return options;
  if (options.defines.empty()) options.defines = file.record->options.defines;
  options.reduce = to_text(with_values(parse_reductions(file.record->options.reduce).value_or(Reductions{})));
  options.strict = options.strict || file.record->options.strict;
  options.lose_messages = options.lose_messages || file.record->options.lose_messages;
  return options;
}

std::optional<FollowedTrace> follow(const TraceFile& file, const LoadedModel& model, InputError& error,
                                    bool may_be_empty) {
  FollowResult result;
  if (file.record) {
    result = follow_record(*model.system, *file.record);
    if (!result.error.empty() && file.record->model_sha256 != model.sha256) {
      result.error += " (the model differs from the model that the trace was made with)";
    }
  } else {
    const std::optional<Trail> trail = parse_trail(file.text, result.error, result.line);
    if (trail) result = follow_trail(*model.system, *trail);
  }
  // SPIN writes an empty trail for an error in the initial state.
  if (!may_be_empty && result.error.empty() && result.steps.empty() && !result.loop &&
      show_trace(*model.system, {}).findings.empty()) {
    result.error = "the trace is empty, and the initial state shows no error";
  }
  if (result.error.empty()) return FollowedTrace{std::move(result.steps), result.loop};
  const std::string line = result.line == 0 ? "" : fmt::format(":{}", result.line);
  error.message = fmt::format("{}{}: {}", file.path, line, result.error);
  return std::nullopt;
}

}  // namespace spoor
