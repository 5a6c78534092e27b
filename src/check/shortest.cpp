#include "check/shortest.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "check/invariant.h"
#include "check/property_check.h"
#include "search/stops_after_states.h"

namespace spoor {
namespace {

// The bound on the states of the search without reductions: a few seconds' worth at most.
constexpr std::uint64_t kFewestStates = 20'000;
constexpr std::uint64_t kTimesReduced = 8;  // those that the reduced search has seen
constexpr std::uint64_t kMostStates = 1'000'000;

std::pair<FindingKind, std::uint64_t> defect_of(const Violation& violation) {
  return {violation.finding.kind, violation.finding.identity};
}

SearchOptions options_for(const LoadedModel& model, const CheckContext& context, const CheckReport& report) {
  SearchOptions options = search_options(model, context);
  options.store = StoreKind::kExact;
  options.threads = 1;
  options.limits = options.limits.after(report.result.statistics.elapsed_s);
  options.checkpoint = {};
  options.progress = nullptr;
  options.progress_interval_s = 0;
  options.limits.depth = 0;
  for (const ShownViolation& violation : report.violations) {
    // One more: a deadlock is noticed when its state is expanded.
    options.limits.depth = std::max<std::uint64_t>(options.limits.depth, violation.trace.actions.size() + 1);
  }
  return options;
}

}  // namespace

void find_shortest(const SourceModel& source, const LoadedModel& searched, const CheckContext& context,
                   CheckReport& report) {
  const bool is_breadth_first = context.options.order == Order::kBreadthFirst && !report.swarm;
  if (report.violations.empty() || !is_breadth_first) return;
  const auto is_in_initial_state = [](const ShownViolation& violation) {
    return violation.trace.actions.empty();
  };
  const bool is_exact = !traits_of(report.result.store).confuses_states;
  if ((searched.reductions == Reductions{} && is_exact) ||
      std::ranges::all_of(report.violations, is_in_initial_state)) {
    for (ShownViolation& violation : report.violations) violation.is_shortest = true;
    return;
  }
  if (searched.has_embedded_code) return;
  ModelOptions plain = context.options.model;
  plain.reduce = "none";
  InputError ignored;
  const std::optional<LoadedModel> model =
      load_for_safety(source, plain, ExecutionChoice::kInterpreter, context.options.invariant, ignored);
  if (!model) return;
  const SearchListening listening(context.control);
  StopsAfterStates stop(
      std::clamp(kTimesReduced * report.result.statistics.states, kFewestStates, kMostStates));
  SearchOptions options = options_for(*model, context, report);
  options.observer = &stop;
  const SearchResult result = search(*model->system, options);
  for (std::size_t i = 0; i < report.violations.size(); ++i) {
    const auto found = std::ranges::find_if(result.violations, [&](const Violation& violation) {
      return !context.options.all_errors || defect_of(violation) == defect_of(report.result.violations[i]);
    });
    if (found == result.violations.end()) continue;
    report.violations[i] = show_violation(*model->reference, *found, Reductions{});
    report.violations[i].is_shortest = true;
    report.result.violations[i] = *found;
  }
}

}  // namespace spoor
