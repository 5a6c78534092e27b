#include "report/json.h"

#include <algorithm>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "estimate/dillinger.h"
#include "estimate/stern.h"
#include "version.h"

namespace spoor {
namespace {

Json process_json(const Action& action) {
  if (action.process < 0 && action.process_name.empty()) return nullptr;
  return {{"pid", action.process}, {"name", action.process_name}};
}

Json action_json(const SourceSet& sources, const ShownAction& shown) {
  const Action& action = shown.action;
  Json json = {{"step", shown.step},
               {"process", process_json(action)},
               {"location", to_json(sources, action.position)},
               {"statement", action.statement},
               {"changes", action.changes},
               {"output", action.output},
               {"key", action.key}};
  if (shown.claim) {
    Json atoms = Json::object();
    for (const auto& [text, holds] : shown.claim->atoms) atoms[text] = holds;
    json["claim"] = {{"state", shown.claim->state ? Json(*shown.claim->state) : Json(nullptr)},
                     {"atoms", std::move(atoms)}};
  }
  if (action.message) {
    static constexpr const char* kRoles[] = {"send", "receive", "copy"};
    json["message"] = {{"role", kRoles[static_cast<int>(action.message->role)]},
                       {"channel", action.message->channel},
                       {"name", action.message->channel_name},
                       {"text", action.message->text}};
  }
  return json;
}

Json limit_json(double limit) { return limit == 0 ? Json(nullptr) : Json(limit); }
Json limit_json(std::uint64_t limit) { return limit == 0 ? Json(nullptr) : Json(limit); }

Json unreached_json(const SourceSet& sources, const std::vector<Element>& elements) {
  Json list = Json::array();
  for (const Element& element : elements) {
    list.push_back({{"location", to_json(sources, element.position)}, {"statement", element.text}});
  }
  return list;
}

Json diagnostics_json(const SourceSet& sources, const std::vector<Diagnostic>& diagnostics) {
  Json list = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) list.push_back(to_json(sources, diagnostic));
  return list;
}

Json waiting_json(const SourceSet& sources, const Waiting& process) {
  Json options = Json::array();
  for (const Waiting::Option& option : process.options) {
    options.push_back({{"statement", option.statement},
                       {"location", to_json(sources, option.position)},
                       {"reason", option.reason.empty() ? Json(nullptr) : Json(option.reason)}});
  }
  return {{"process", process.process},
          {"location", to_json(sources, process.position)},
          {"valid_end", process.may_end_here},
          {"options", std::move(options)}};
}

Json numbers_of(const std::vector<StepId>& steps) {
  Json numbers = Json::array();
  for (const StepId step : steps) numbers.push_back(step.number());
  return numbers;
}

}  // namespace

Json to_json(const SourceSet& sources, Position position) {
  if (!position.is_known() || position.file >= sources.size()) return nullptr;
  return {{"file", sources.file(position.file).name}, {"line", position.line}, {"column", position.column}};
}

Json to_json(const SourceSet& sources, const Diagnostic& diagnostic) {
  return {{"code", diagnostic.code},
          {"severity", diagnostic.severity == Severity::kError ? "error" : "warning"},
          {"message", diagnostic.message},
          {"hint", diagnostic.hint},
          {"location", to_json(sources, diagnostic.range.begin)},
          {"length", diagnostic.range.length}};
}

Json to_json(const SourceSet& sources, const ShownTrace& trace) {
  Json steps = Json::array();
  for (const ShownAction& shown : trace.actions) steps.push_back(action_json(sources, shown));
  Json waiting = Json::array();
  for (const Waiting& process : trace.waiting) waiting.push_back(waiting_json(sources, process));
  return {{"length", trace.actions.size()},   {"loop", trace.loop ? Json(*trace.loop + 1) : Json(nullptr)},
          {"steps", std::move(steps)},        {"attempts", numbers_of(trace.steps)},
          {"final_state", trace.final_state}, {"waiting", std::move(waiting)}};
}

Json to_json(const SourceSet& sources, const ShownFinding& finding) {
  return {{"kind", to_string(finding.kind)},
          {"message", finding.message},
          {"location", to_json(sources, finding.position)}};
}

Json to_json(const CheckOptions& options) {
  return {{"search", row_of(options.order).name},
          {"store", to_string(options.store)},
          {"swarm", options.swarm},
          {"coverage", to_string(options.coverage)},
          {"accept_coverage", options.accept_coverage},
          {"repeat", options.repeat},
          {"threads", options.threads},
          {"time_s", limit_json(options.limits.seconds)},
          {"memory_bytes", limit_json(options.limits.memory_bytes)},
          {"depth", limit_json(options.limits.depth)},
          {"all_errors", options.all_errors},
          {"reduce", options.model.reduce},
          {"property", options.property.empty() ? "default" : options.property},
          {"ltl", options.formula.empty() ? Json(nullptr) : Json(options.formula)},
          {"invariant", text_or_null(options.invariant)},
          {"fair", options.model.is_fair},
          {"exec", to_string(options.exec)},
          {"end_states", options.end_states},
          {"check_reduction", options.check_reduction},
          {"regression", to_string(options.reuse)},
          {"strict", options.model.strict},
          {"lose_messages", options.model.lose_messages},
          {"allow_c", options.model.allow_c},
          {"defines", options.model.defines}};
}

const char* tier_name(Execution::Tier tier) {
  switch (tier) {
    case Execution::Tier::kNone: break;
    case Execution::Tier::kInterpreter: return "interpreter";
    case Execution::Tier::kNative: return "native";
    case Execution::Tier::kBoth: return "both";
  }
  return "none";
}

// With the reason where only the interpreter was used.
Json to_json(const Execution& execution, const CheckOptions& options) {
  Json reason = nullptr;
  if (execution.tier == Execution::Tier::kInterpreter) {
    reason = options.exec == ExecutionChoice::kInterpreter ? "it was asked for (--exec interp)"
             : execution.no_native_code.empty()            ? "the search ended before native code was ready"
                                                           : execution.no_native_code;
  }
  return {{"tier", tier_name(execution.tier)}, {"reason", reason}};
}

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json to_json(const FilterFigures& filter) {
  return {{"bits", filter.options.bits},
          {"hashes", filter.options.hashes},
          {"kind", to_string(filter.options.kind)},
          {"seed", filter.options.seed},
          {"states", filter.states},
          {"bits_set", filter.bits_set},
          {"met", optional_json(filter.met)},
          {"fraction_set", filter.fraction_set},
          {"hash_factor", optional_json(filter.hash_factor)},
          {"uninterrupted", optional_json(filter.uninterrupted)},
          {"coverage_stern", optional_json(coverage_by(Stern(), filter))},
          {"coverage_dillinger", optional_json(coverage_by(Dillinger(), filter))}};
}

Json to_json(const WalkFigures& walks) {
  return {{"steps", walks.steps},
          {"states", walks.different},
          {"states_in_sample", walks.known},
          {"share_of_new_states", walks.share_of_new},
          {"has_error", walks.has_error}};
}

Json to_json(const ReuseFigures& reuse) {
  Json json = {{"used", reuse.is_used},
               {"why_not_used", text_or_null(reuse.why_not)},
               {"why_not_recorded", text_or_null(reuse.why_not_recorded)},
               {"walks", reuse.walks ? to_json(*reuse.walks) : Json(nullptr)}};
  if (reuse.is_used) {
    json["locations"] = reuse.locations;
    json["changed_locations"] = reuse.changed;
    json["recorded_states"] = reuse.recorded;
    json["expanded_states"] = reuse.expanded;
    json["pruned_states"] = reuse.pruned;
    json["is_bound"] = reuse.is_bound;
  }
  return json;
}

Json to_json(const SwarmFigures& swarm) {
  Json members = Json::array();
  for (const SwarmMember& member : swarm.members) {
    members.push_back({{"seed", member.filter.options.seed},
                       {"states", member.filter.states},
                       {"transitions", member.transitions},
                       {"met", optional_json(member.filter.met)},
                       {"seen_by_all", member.seen_by_all}});
  }
  return {
      {"seen", swarm.seen}, {"stopped_growing", swarm.has_stopped_growing}, {"searches", std::move(members)}};
}

Json to_json(const FoundTrace& found) {
  if (found.method.empty()) return nullptr;
  return {{"method", found.method},
          {"steps", found.length},
          {"expansions", found.counts.expansions},
          {"states_taken", found.counts.taken},
          {"elapsed_s", found.elapsed_s}};
}

Json to_json(const HuntFigures& hunt) {
  return {{"method", hunt.method},
          {"heuristic", hunt.heuristic},
          {"seed", hunt.seed},
          {"first", to_json(hunt.first)},
          {"best", to_json(hunt.best)},
          {"most_expansions", limit_json(hunt.most_expansions)},
          {"expansions", hunt.counts.expansions},
          {"states_taken", hunt.counts.taken},
          {"states_seen", std::llround(hunt.seen)},
          {"steps_replayed", hunt.counts.steps}};
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

const char* verdict_name(const Outcome& outcome) {
  return std::visit(
      [](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, Holds>) return "holds";
        if constexpr (std::is_same_v<T, Violated>) return "violated";
        if constexpr (std::is_same_v<T, HoldsProbably>) return "probably-holds";
        if constexpr (std::is_same_v<T, Unknown>) return "unknown";
      },
      outcome);
}

namespace {

// The verdict and its certainty.
void add_certainty(const SearchResult& result, Json& json) {
  json["verdict"] = verdict_name(result.outcome);
  json["limit"] = result.limit ? Json(to_string(*result.limit)) : Json(nullptr);
  json.erase("omission_probability");
  if (const auto* probably = std::get_if<HoldsProbably>(&result.outcome)) {
    json["omission_probability"] = probably->omission_probability;
  }
}

// What the number of states means.
const char* scope_of(const CheckReport& report) {
  if (!report.why_not_checked.empty() || report.is_trivial) return "none";
  const bool has_ended_early =
      std::holds_alternative<Violated>(report.result.outcome) && !report.options.all_errors;
  if (report.result.limit || has_ended_early || traits_of(report.result.store).confuses_states) return "part";
  if (report.result.has_revisits()) return "visits";
  if (report.reuse && report.reuse->pruned != 0) return "pruned";
  if (report.reuse && report.reuse->is_bound) return "bound";
  return report.reductions == Reductions{} ? "all" : "reduced";
}

// The members of one property.
Json result_json(const CheckReport& report, const SourceSet& sources) {
  const Statistics& statistics = report.result.statistics;
  Json violations = Json::array();
  for (const ShownViolation& violation : report.violations) {
    Json json = to_json(sources, violation.finding);
    json["property"] = report.property;
    json["reduce"] = to_text(violation.reductions);
    json["is_shortest"] = violation.is_shortest;
    json["trace"] = to_json(sources, violation.trace);
    violations.push_back(std::move(json));
  }
  Json json = {{"verdict", verdict_name(report.result.outcome)},
               {"violations", std::move(violations)},
               {"states", statistics.states},
               {"transitions", statistics.transitions},
               {"matched", statistics.matched},
               {"inner_steps", statistics.inner_steps},
               {"depth", statistics.depth},
               {"findings", statistics.findings},
               {"elapsed_s", statistics.elapsed_s},
               {"cpu_s", statistics.cpu_s},
               {"memory_bytes", report.peak_memory_bytes},
               {"search_memory_bytes", statistics.memory_bytes},
               {"store", to_string(report.result.store)}};
  if (report.hunt) json["hunt"] = to_json(*report.hunt);
  if (report.hunt || (report.reuse && report.reuse->is_bound)) {
    for (const char* const unknown : {"transitions", "matched", "inner_steps", "depth"})
      json[unknown] = nullptr;
    if (report.hunt) json["depth"] = statistics.depth;
  }
  add_certainty(report.result, json);
  if (report.result.filter) json["filter"] = to_json(*report.result.filter);
  if (const auto& cache = report.result.cache) {
    json["cache"] = {{"policy", to_string(cache->policy)},
                     {"limit", limit_json(report.options.cache.states)},
                     {"kept", cache->kept},
                     {"evictions", cache->evicted},
                     {"distinct_states", cache->evicted == 0 ? Json(statistics.states) : Json(nullptr)}};
  }
  if (report.swarm) json["swarm"] = to_json(*report.swarm);
  json["coverage"] = report.coverage ? to_json(*report.coverage) : Json(nullptr);
  json["ledger"] = report.reuse ? to_json(*report.reuse) : Json(nullptr);
  if (const auto& certificate = report.certificate) {
    json["certificate"] = {{"file", certificate->file},
                           {"kind", to_string(certificate->kind)},
                           {"bytes", certificate->bytes},
                           {"signed_by", text_or_null(certificate->signed_by)},
                           {"reason", text_or_null(certificate->why_not)}};
  }
  if (const auto& checked = report.reduction_check) {
    json["reduction_trials"] = {{"states", checked->states}, {"pairs", checked->pairs}};
  }
  json["unreached"] = report.with_unreached ? unreached_json(sources, report.unreached) : Json(nullptr);
  json["scope"] = scope_of(report);
  json["execution"] = to_json(report.execution, report.options);
  json["reductions"] = {
      {"made", to_text(report.reductions)},
      {"reason", report.why_fewer_reductions.empty() ? Json(nullptr) : Json(report.why_fewer_reductions)}};
  json["vacuous"] = Json::array();
  for (const Premise& premise : report.vacuous) {
    json["vacuous"].push_back({{"premise", premise.text}, {"location", to_json(sources, premise.position)}});
  }
  if (report.claim) json["claim"] = {{"states", report.claim->states}, {"class", report.claim->strength}};
  return json;
}

}  // namespace

std::string json_report(const std::vector<CheckReport>& reports, const SourceSet& sources) {
  Json properties = Json::array();
  Json all_violations = Json::array();
  for (const CheckReport& report : reports) {
    Json json = {{"property", report.property},
                 {"location", to_json(sources, report.property_position)},
                 {"is_trivial", report.is_trivial},
                 {"reason", report.why_not_checked.empty() ? Json(nullptr) : Json(report.why_not_checked)}};
    json.update(result_json(report, sources));
    for (const Json& violation : json["violations"]) all_violations.push_back(violation);
    properties.push_back(std::move(json));
  }
  // The top level has the figures of the first property that was checked, the worst verdict and the
  // violations of all.
  const auto is_checked = [](const CheckReport& report) { return report.why_not_checked.empty(); };
  const auto checked = std::ranges::find_if(reports, is_checked);
  const CheckReport& first = checked != reports.end() ? *checked : reports.front();
  Json json = result_json(first, sources);
  add_certainty(worst(reports).result, json);
  json["violations"] = std::move(all_violations);
  json["properties"] = std::move(properties);
  json["warnings"] = diagnostics_json(sources, first.warnings);
  json["not_checked"] = Json::array();
  for (const NotChecked& left : first.not_checked) {
    json["not_checked"].push_back(
        {{"property", left.property}, {"location", to_json(sources, left.position)}});
  }
  json["options"] = to_json(first.options);
  if (first.hunt) json["options"]["search"] = nullptr;
  json["model"] = first.model;
  json["model_sha256"] = first.model_sha256;
  json["version"] = kVersion;
  return dump(json);
}

std::string json_error(const std::string& error, const std::vector<Diagnostic>& diagnostics,
                       const SourceSet& sources) {
  return dump(
      {{"error", error}, {"diagnostics", diagnostics_json(sources, diagnostics)}, {"version", kVersion}});
}

}  // namespace spoor
