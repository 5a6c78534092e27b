#include "check/state_count.h"

#include <utility>

namespace spoor {

StateCount count_states(const TransitionSystem& system, const SearchOptions& of_search, const Limits& limits,
                        bool finds_errors) {
  SearchOptions options;
  options.order = of_search.order;
  options.reduce = of_search.reduce;
  options.threads = of_search.threads;
  const auto is_suitable = [&](StoreKind store) {
    return can_search(options.order, store) && (!options.reduce || can_reduce(options.order, store));
  };
  options.store = is_suitable(StoreKind::kCompact) ? StoreKind::kCompact : StoreKind::kExact;
  options.limits = limits;
  options.limits.depth = 0;  // the states beyond the depth of the search count as missed
  options.all_errors = of_search.all_errors;
  options.counted = finds_errors ? of_search.counted : FindingKinds::none();
  SearchResult result = search(system, options);
  const bool is_ended_by_error = !result.violations.empty() && !options.all_errors;
  return {result.statistics.states, !result.limit && !is_ended_by_error, std::move(result.violations)};
}

}  // namespace spoor
