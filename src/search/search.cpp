#include "search/search.h"

#include <new>
#include <stdexcept>

#include "search/bfs.h"
#include "search/core.h"
#include "search/dfs.h"
#include "store/compact.h"
#include "store/exact.h"
#include "store/tree.h"

namespace spoor {
namespace {

template <template <class> class Strategy, VisitedSet Store>
SearchResult run(const TransitionSystem& system, const SearchOptions& options) {
  SearchCore<Store> core(system, options);
  {
    Strategy<Store> strategy(core);
    try {
      strategy.run();
    } catch (const std::bad_alloc&) {
      // The machine's memory, or the user's ulimit, is a limit like any other.
      core.end(LimitHit::kOutOfMemory);
    }
  }
  return core.finish();
}

template <VisitedSet Store>
SearchResult run_in_order(const TransitionSystem& system, const SearchOptions& options) {
  switch (options.order) {
    case Order::kBreadthFirst:
      return run<BreadthFirst, Store>(system, options);
    case Order::kDepthFirst:
      return run<DepthFirst, Store>(system, options);
  }
  throw std::logic_error("unknown order of search");
}

}  // namespace

SearchResult search(const TransitionSystem& system, const SearchOptions& options) {
  switch (options.store) {
    case StoreKind::kExact:
      return run_in_order<ExactStore>(system, options);
    case StoreKind::kTree:
      return run_in_order<TreeStore>(system, options);
    case StoreKind::kCompact:
      return run_in_order<CompactStore>(system, options);
  }
  throw std::logic_error("unknown store");
}

const char* to_string(Order order) {
  switch (order) {
    case Order::kBreadthFirst:
      return "breadth-first";
    case Order::kDepthFirst:
      return "depth-first";
  }
  return "";
}

const char* to_string(StoreKind store) {
  switch (store) {
    case StoreKind::kExact:
      return "exact";
    case StoreKind::kTree:
      return "tree";
    case StoreKind::kCompact:
      return "compact";
  }
  return "";
}

const char* to_string(LimitHit limit) {
  switch (limit) {
    case LimitHit::kTime:
      return "time";
    case LimitHit::kMemory:
      return "memory";
    case LimitHit::kOutOfMemory:
      return "out-of-memory";
    case LimitHit::kDepth:
      return "depth";
    case LimitHit::kInterrupted:
      return "interrupted";
    case LimitHit::kObserver:
      return "observer";
  }
  return "";
}

}  // namespace spoor
