// The store `auto`: the exact one, and from when that takes most of the memory that there may be, the tree.
//
// The tree needs a third to a half of the memory, which must be there beside what the exact store has when
// all states go from one to the other. Between two levels nothing else has to be moved.
//
// Tested by: tests/unit/test_search.cpp, tests/unit/test_search_threads.cpp
#include <optional>

#include "search/bfs.h"
#include "search/search_with.h"
#include "store/exact.h"
#include "store/tree.h"

namespace spoor {
namespace {

constexpr double kShareOfExact = 0.55;

SearchOptions with_store(SearchOptions options, StoreKind store) {
  options.store = store;
  return options;
}

SearchResult search_and_move(const TransitionSystem& system, const SearchOptions& options) {
  const Budget budget(options.limits);
  SearchOptions first = with_store(options, StoreKind::kExact);
  first.limits = budget.part({.memory = kShareOfExact});
  SearchOptions second = with_store(options, StoreKind::kTree);
  std::optional<SearchCore<TreeStore>> core;
  std::optional<BreadthFirst<TreeStore>> strategy;
  {
    SearchCore<ExactStore> exact(system, first);
    {
      BreadthFirst<ExactStore> search(exact);
      explore(search, exact);
      // Where something else than the states takes the memory, another store is no help.
      const bool helps = exact.store().memory_bytes() > first.limits.memory_bytes / 2;
      if (helps && exact.is_out_of_memory() && !exact.is_decided()) {
        second.limits = budget.part();
        second.observer = nullptr;                                 // see below
        if (search.has_begun()) second.checkpoint.resume.clear();  // else the tree reads the file
        try {
          core.emplace(system, second);
          strategy.emplace(*core);
          if (search.has_begun() && !strategy->take_over(search)) strategy.reset();
        } catch (const std::bad_alloc&) {
          strategy.reset();
        }
        if (!strategy) core.reset();  // what the first search has found is the answer
      }
    }
    if (!core) {
      tell_end(exact);
      return exact.finish();
    }
  }
  explore(*strategy, *core);
  strategy.reset();
  return core->finish();
}

}  // namespace

SearchResult search_with_auto(const TransitionSystem& system, const SearchOptions& options) {
  // An observer knows states by their numbers, which another store gives anew.
  const bool can_move = options.order == Order::kBreadthFirst && options.limits.memory_bytes != 0 &&
                        (options.observer == nullptr || options.observer->may_be_left_behind());
  return can_move ? search_and_move(system, options) : search(system, with_store(options, StoreKind::kExact));
}

}  // namespace spoor
