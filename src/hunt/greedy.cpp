// Greedy best-first search: the state with the smallest estimate next, the one at the least depth among
// these.
//
// It goes straight to where an error seems to be, and needs few expansions where the estimate is good. Where
// it is not, all states with a small estimate are expanded before any other, however many there are.
//
// Tested by: tests/unit/test_hunt.cpp
#include "hunt/best_first.h"

namespace spoor {
namespace {

struct GreedyKey {
  static constexpr bool kUsesDepth = false;

  void meet(StateBytes) {}
  std::uint64_t key(StateIndex, std::uint32_t depth, std::uint32_t estimate) const {
    return join_key(0, estimate, depth);
  }
  static std::uint64_t memory_bytes() { return 0; }
};

}  // namespace

MethodResult hunt_greedy(Hunter& hunter, const MethodOptions& options) {
  GreedyKey key;
  return BestFirst(hunter, options, key).run();
}

}  // namespace spoor
