#include "check/state_count.h"

#include <algorithm>
#include <utility>

namespace spoor {
namespace {

constexpr double kBytesPerState = 20;   // of hashes, in a table that is half full at worst
constexpr double kFurtherThread = 0.6;  // the part of a thread's speed that a further one adds
// The time per state, relative to that of a search with a filter: 1.5 to 1.9 on four models of 0.4 to 8.7
// million states.
constexpr double kSlowerThanFilter = 1.7;

double speed(unsigned threads) { return 1 + kFurtherThread * (std::max(1u, threads) - 1); }

}  // namespace

CountCost predicted_count(const Statistics& statistics, const SearchOptions& of_search, unsigned threads,
                          double states) {
  const double per_state =
      statistics.elapsed_s / static_cast<double>(std::max<std::uint64_t>(1, statistics.states));
  const bool is_parallel = of_search.order == Order::kBreadthFirst;
  const double faster = is_parallel ? speed(threads) / speed(of_search.threads) : 1;
  const double slower = traits_of(of_search.store).is_filter ? kSlowerThanFilter : 1;
  return {states * per_state * slower / faster, states * kBytesPerState};
}

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
