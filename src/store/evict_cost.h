// Eviction by cost: the state below which the fewest visits would have to be repeated, at worst.
//
// The cost of a state is one, and the cost of the state at the end of each of its steps: the visits that are
// repeated if it is met again and nothing below it is in the cache. In a graph without cycles this
// counts a state once for each way to it. It is summed up during the search: a state that is met adds what
// it has so far to the last state of the path, and so does a state that is left. On a cycle the state
// that is met is still on the path, its cost is not complete, and those of the states between are too low;
// the thesis accepts that, because exact costs of a strongly connected component are known only when all of
// it was searched, and it would have to stay in the cache until then.
//
// The published algorithm sorts the states by cost; here those whose costs have the same power of two are
// equal, and of them the one left the longest time ago is evicted (ranked_lists.h). Costs double from state
// to state where ways meet again, so they are kept as floating-point numbers.
//
// What to expect: the states of low cost are those that were left last, and so the most likely to be met
// next, while states of high cost stay for ever (docs/adr/0025-state-caching.md).
//
// Cost: 8 bytes per state, and 4 per state on the path.
// Citation: A. Taleghani, "Using software model checking for software certification", PhD thesis, Waterloo
// 2010, 4.2.
// Tested by: tests/unit/test_eviction.cpp, tests/unit/test_caching.cpp
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "store/chunked_vector.h"
#include "store/eviction.h"
#include "store/ranked_lists.h"

namespace spoor {

class EvictCost final : public EvictionPolicy {
 public:
  void add_index() override {
    costs_.push_back(1);
    candidates_.add_index();
  }
  void found(StateIndex state) override { costs_[state] = 1; }
  void entered(StateIndex state) override { path_.push_back(state); }
  void left(StateIndex state, std::uint32_t) override {
    path_.pop_back();
    met(state);
    candidates_.add_last(state, rank_of(costs_[state]));
  }
  void met(StateIndex state) override {
    if (path_.empty()) return;
    float& cost = costs_[path_.back()];
    cost = std::min(cost + costs_[state], std::numeric_limits<float>::max());
  }
  StateIndex victim() override { return candidates_.take().index; }
  std::uint64_t memory_bytes() const override {
    return costs_.memory_bytes() + candidates_.memory_bytes() + path_.memory_bytes();
  }

  // For tests.
  float cost_of(StateIndex state) const { return costs_[state]; }

 private:
  static std::uint32_t rank_of(float cost) { return static_cast<std::uint32_t>(std::ilogb(cost)); }
  static_assert(std::numeric_limits<float>::max_exponent < RankedLists::kRanks);

  ChunkedVector<float> costs_;
  ChunkedVector<StateIndex> path_;
  RankedLists candidates_;
};

}  // namespace spoor
