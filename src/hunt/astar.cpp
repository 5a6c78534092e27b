// A* (Hart, Nilsson, Raphael 1968): the state with the smallest sum of depth and estimate next; weighted A*
// (Pohl 1970): the estimate counts five times.
//
// If an estimate were never too large, A* would find a shortest trace. Those of model/guidance.h can be: one
// step can free ten processes or change a variable by a hundred. So a trace of A* is short as a rule, and
// nothing is proved. It expands many states for that: all those whose sum is less than the length of the
// trace. The weight trades length for speed.
//
// Of equal sums the state at the greater depth comes first: it is nearer to the end of its trace.
//
// Tested by: tests/unit/test_hunt.cpp
#include "hunt/best_first.h"

namespace spoor {
namespace {

constexpr std::uint32_t kWeight = 5;

struct SumKey {
  static constexpr bool kUsesDepth = true;
  std::uint32_t weight = 1;

  void meet(StateBytes) {}
  std::uint64_t key(StateIndex, std::uint32_t depth, std::uint32_t estimate) const {
    return join_key(0, depth + weight * estimate, Heuristic::kFar - std::min(depth, Heuristic::kFar));
  }
  static std::uint64_t memory_bytes() { return 0; }
};

}  // namespace

MethodResult hunt_astar(Hunter& hunter, const MethodOptions& options) {
  SumKey key{1};
  return BestFirst(hunter, options, key).run();
}

MethodResult hunt_weighted_astar(Hunter& hunter, const MethodOptions& options) {
  SumKey key{kWeight};
  return BestFirst(hunter, options, key).run();
}

}  // namespace spoor
