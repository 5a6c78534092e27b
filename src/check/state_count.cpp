#include "check/state_count.h"

namespace spoor {

StateCount count_states(const TransitionSystem& system, const SearchOptions& of_search,
                        const Limits& limits) {
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
  options.all_errors = true;
  options.counted = FindingKinds::none();
  const SearchResult result = search(system, options);
  return {result.statistics.states, !result.limit};
}

}  // namespace spoor
