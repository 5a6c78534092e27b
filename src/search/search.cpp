#include "search/search.h"

#include <bit>
#include <new>
#include <optional>
#include <stdexcept>

#include "search/bfs.h"
#include "search/components.h"
#include "search/core.h"
#include "search/dfs.h"
#include "search/nested_dfs.h"
#include "search/one_mark.h"
#include "search/shared_components.h"
#include "search/weak_cycles.h"
#include "store/bitstate.h"
#include "store/compact.h"
#include "store/exact.h"
#include "store/tree.h"

namespace spoor {
namespace {

template <class Strategy, class Core>
void explore(Strategy& strategy, Core& core) {
  try {
    strategy.run();
  } catch (const std::bad_alloc& error) {
    // The machine's memory, or the user's ulimit, is a limit like any other.
    core.end(limit_of(error));
  }
}

template <template <class> class Strategy, VisitedSet Store>
SearchResult run(const TransitionSystem& system, const SearchOptions& options) {
  SearchCore<Store> core(system, options);
  {
    Strategy<Store> strategy(core);
    explore(strategy, core);
  }
  return core.finish();
}

template <VisitedSet Store>
SearchResult run_in_order(const TransitionSystem& system, const SearchOptions& options) {
  switch (options.order) {
    case Order::kBreadthFirst: return run<BreadthFirst, Store>(system, options);
    case Order::kDepthFirst: return run<DepthFirst, Store>(system, options);
  }
  throw std::logic_error("unknown order of search");
}

SearchOptions with_store(SearchOptions options, StoreKind store) {
  options.store = store;
  return options;
}

// As long as all is well with the exact store, and then with the tree: it needs a third to a half of the
// memory, which must be there beside what the exact store has when all states go from one to the
// other.
SearchResult run_with_memory_in_mind(const TransitionSystem& system, const SearchOptions& options) {
  constexpr double kShareOfExact = 0.55;
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
    if (!core) return exact.finish();
  }
  explore(*strategy, *core);
  strategy.reset();
  return core->finish();
}

// The filter takes all its memory at once, and may not get it.
template <class Run>
SearchResult run_with_filter(const SearchOptions& options, const Run& run) {
  if (!is_valid(options.filter)) throw std::invalid_argument("no filter is like this");
  if (!(options.checkpoint.save + options.checkpoint.resume).empty()) {
    throw std::invalid_argument("a bitstate store cannot be kept in a checkpoint");
  }
  try {
    return run();
  } catch (const std::bad_alloc&) {
    SearchResult result;
    result.outcome = Unknown{LimitHit::kOutOfMemory};
    result.limit = LimitHit::kOutOfMemory;
    result.store = StoreKind::kBitstate;
    result.filter = FilterFigures();
    result.filter->options = options.filter;
    return result;
  }
}

}  // namespace

SearchResult search(const TransitionSystem& system, const SearchOptions& options) {
  switch (options.store) {
    case StoreKind::kAuto:
      // An observer knows states by their numbers, which another store would give anew.
      return options.order == Order::kBreadthFirst && options.limits.memory_bytes != 0 &&
                     options.observer == nullptr
                 ? run_with_memory_in_mind(system, options)
                 : search(system, with_store(options, StoreKind::kExact));
    case StoreKind::kExact: return run_in_order<ExactStore>(system, options);
    case StoreKind::kTree: return run_in_order<TreeStore>(system, options);
    case StoreKind::kCompact: return run_in_order<CompactStore>(system, options);
    case StoreKind::kBitstate:
      return run_with_filter(options, [&] { return run_in_order<BitstateStore>(system, options); });
  }
  throw std::logic_error("unknown store");
}

namespace {

template <template <class> class Strategy, VisitedSet Store>
SearchResult run_for_cycles(const OmegaSystem& system, const SearchOptions& options) {
  SearchCore<Store> core(system, options);
  {
    Strategy<Store> strategy(core, system);
    explore(strategy, core);
  }
  return core.finish();
}

template <VisitedSet Store>
SearchResult run_by_rule(const OmegaSystem& system, const SearchOptions& options) {
  // A depth limit cuts paths, and which paths there are depends on the threads.
  if (options.threads > 1 && options.limits.depth == 0) {
    return run_for_cycles<SharedComponents, Store>(system, options);
  }
  switch (system.rule()) {
    case CycleRule::kEveryStep: return run_for_cycles<WeakCycles, Store>(system, options);
    case CycleRule::kTogether: return run_for_cycles<Components, Store>(system, options);
  }
  throw std::logic_error("unknown kind of cycle");
}

// For stores that forget the states.
template <VisitedSet Store>
SearchResult run_nested(const OmegaSystem& system, const SearchOptions& options) {
  if (system.rule() == CycleRule::kTogether && std::popcount(system.all_marks()) > 1) {
    return run_for_cycles<NestedDfs, Store>(OneMark(system), options);
  }
  return run_for_cycles<NestedDfs, Store>(system, options);
}

}  // namespace

SearchResult search_cycles(const OmegaSystem& system, const SearchOptions& options) {
  if (!(options.checkpoint.save + options.checkpoint.resume).empty()) {
    throw std::invalid_argument("a search for cycles has no checkpoints");
  }
  const bool keeps_states = options.store != StoreKind::kCompact && options.store != StoreKind::kBitstate;
  if (options.reduce && !keeps_states) {
    throw std::invalid_argument("a reduced search for cycles needs a store that keeps its states");
  }
  switch (options.store) {
    case StoreKind::kAuto:
    case StoreKind::kExact: return run_by_rule<ExactStore>(system, with_store(options, StoreKind::kExact));
    case StoreKind::kTree: return run_by_rule<TreeStore>(system, options);
    case StoreKind::kCompact: return run_nested<CompactStore>(system, options);
    case StoreKind::kBitstate:
      return run_with_filter(options, [&] { return run_nested<BitstateStore>(system, options); });
  }
  throw std::logic_error("unknown store");
}

const char* to_string(Order order) {
  switch (order) {
    case Order::kBreadthFirst: return "breadth-first";
    case Order::kDepthFirst: return "depth-first";
  }
  return "";
}

const char* to_string(StoreKind store) {
  switch (store) {
    case StoreKind::kAuto: return "auto";
    case StoreKind::kExact: return "exact";
    case StoreKind::kTree: return "tree";
    case StoreKind::kCompact: return "compact";
    case StoreKind::kBitstate: return "bitstate";
  }
  return "";
}

LimitHit limit_of(const std::bad_alloc& error) {
  return dynamic_cast<const IndexesExhausted*>(&error) != nullptr ? LimitHit::kStateNumbers
                                                                  : LimitHit::kOutOfMemory;
}

}  // namespace spoor
