#include "check/claim_search.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "layer/claim_product.h"
#include "layer/labelled_cycles.h"
#include "search/stops_after_states.h"

namespace spoor {
namespace {

constexpr std::uint64_t kSecondStates = 10'000;
constexpr std::uint64_t kSmallPlan = 20'000;

void confirm(const SearchResult& reduced, const SearchResult& in_full) {
  const auto is_violated = [](const SearchResult& result) {
    return std::holds_alternative<Violated>(result.outcome);
  };
  const auto is_decided = [](const SearchResult& result) {
    return !std::holds_alternative<Unknown>(result.outcome);
  };
  if (!is_decided(reduced) || !is_decided(in_full) || is_violated(reduced) == is_violated(in_full)) return;
  throw ReductionDisagrees(is_violated(reduced)
                               ? "the claim is violated with the reduction and holds without it"
                               : "the claim is violated without the reduction and holds with it");
}

}  // namespace

SearchResult search_runs(const OmegaSystem& runs, const RunsOptions& how, SearchOptions options) {
  if (!runs.has_cycles()) return search(runs, options);
  options.threads = std::min(options.threads, how.threads);
  return search_cycles(runs, options);
}

std::unique_ptr<OmegaSystem> runs_of(const TransitionSystem& system, const Propositions& propositions,
                                     const Claim& claim, bool is_fair) {
  using Kind = ClaimKind;
  using Labels = LabelledCycles::Labels;
  ClaimOptions options;
  options.is_fair = is_fair;
  switch (claim.kind) {
    case Kind::kNone: break;
    case Kind::kAccept:
      return std::make_unique<LabelledCycles>(system, propositions, Labels::kAccept,
                                              LabelledCycles::Options{is_fair, claim.has_inner_labels});
    case Kind::kProgress:
      if (!is_fair) return std::make_unique<LabelledCycles>(system, propositions, Labels::kProgress);
      options.name = "progress";
      options.cycle = FindingKind::kNonProgress;
      options.ends_stutter = false;
      break;
    case Kind::kFormula: options.name = "the formula " + claim.name; break;
    case Kind::kNever:
      options.name = "the never claim " + claim.name;
      options.counts_passed_labels = claim.has_inner_labels;
      break;
  }
  return std::make_unique<ClaimProduct>(system, propositions, claim.automaton, std::move(options));
}

SearchResult search_runs(const LoadedModel& model, const RunsOptions& how, const SearchOptions& wanted,
                         std::string& why_not, std::unique_ptr<ReductionPlan>* kept) {
  const auto runs = [&](const TransitionSystem& system, const Propositions& propositions) {
    return runs_of(system, propositions, model.claim, how.is_fair);
  };
  const auto runs_in_full = [&] { return runs(*model.system, *model.propositions); };
  const Budget budget(wanted.limits);
  SearchOptions options = wanted;
  options.reduce = false;
  if (wanted.reduce && !traits_of(wanted.store).keeps_states)
    why_not = "the plan for the reduction keeps all states in memory, and this store does not";
  if (wanted.reduce && wanted.limits.depth != 0) why_not = "depths differ in a reduced search (--depth)";
  if (!wanted.reduce || !why_not.empty()) return search_runs(*runs_in_full(), how, options);
  // Searches so many states without a plan. True: that decides the claim.
  SearchResult result;
  const auto decided_by_first = [&](std::uint64_t most_states) {
    StopsAfterStates stop(most_states);
    SearchOptions without = options;
    without.limits = budget.part();
    without.observer = &stop;
    without.threads = 1;
    result = search_runs(*runs_in_full(), how, without);
    if (result.limit != LimitHit::kObserver) return true;
    return std::holds_alternative<Violated>(result.outcome) && !options.all_errors;
  };
  if (!how.check_reduction && decided_by_first(kFirstStates)) return result;

  // The plan may use half of the time and memory. Where it is not finished by then, the other half is used
  // without a plan.
  constexpr double kShareOfPlan = 0.5;
  SearchOptions for_plan = wanted;
  for_plan.limits = budget.part({kShareOfPlan, kShareOfPlan});
  auto plan = std::make_unique<ReductionPlan>();
  plan->begin(*model.system, *model.propositions, for_plan);
  std::optional<LimitHit> cut = plan->advance(kSmallPlan);
  if (!cut && !plan->is_complete()) {
    if (!how.check_reduction && decided_by_first(kSecondStates)) return result;
    cut = plan->advance();
  }
  const double spent_s = budget.elapsed_s();
  options = wanted;
  std::uint64_t plan_bytes = plan->memory_bytes();
  if (cut == LimitHit::kInterrupted) {
    result.outcome = Unknown{*cut};
    result.limit = cut;
    return result;
  }
  if (cut) {
    plan.reset();
    plan_bytes = 0;
    options.reduce = false;
    why_not = "the reduction could not be planned within half of the time and memory";
  }
  options.limits = budget.part({.held_bytes = plan_bytes});
  result = search_runs(plan != nullptr ? *runs(plan->system(), plan->propositions()) : *runs_in_full(), how,
                       options);
  if (how.check_reduction && plan != nullptr) {
    options.reduce = false;
    confirm(result, search_runs(*runs_in_full(), how, options));
  }
  result.statistics.elapsed_s += spent_s;
  result.statistics.memory_bytes += plan_bytes;
  if (plan != nullptr) {
    result.executed = plan->executed();
    result.statistics.inner_steps = plan->inner_steps();
  }
  if (kept != nullptr && std::holds_alternative<Holds>(result.outcome)) *kept = std::move(plan);
  return result;
}

}  // namespace spoor
