// Eviction by hits: the state that steps have led to the fewest times since it was found.
//
// The thought is that a state which was often met will be met again. Most states are met a few times only,
// so among those with no hit, which are the newest, the one left the longest time ago goes first.
//
// A state that is met while it waits stays in its list, and is moved when it would be the victim: once per
// meeting at most.
//
// Cost: 8 bytes per state. Hits are told apart up to 15, then by eighths (ranked_lists.h).
// Citation: G. Holzmann, "On limits and possibilities of automated protocol analysis", PSTV 1987.
// Tested by: tests/unit/test_eviction.cpp, tests/unit/test_caching.cpp
#pragma once

#include <cstdint>

#include "store/chunked_vector.h"
#include "store/eviction.h"
#include "store/ranked_lists.h"

namespace spoor {

class EvictHits final : public EvictionPolicy {
 public:
  void add_index() override {
    hits_.push_back(0);
    candidates_.add_index();
  }
  void found(StateIndex state) override { hits_[state] = 0; }
  void left(StateIndex state, std::uint32_t) override { candidates_.add_last(state, rank_of(state)); }
  void met(StateIndex state) override { hits_[state] += hits_[state] != UINT32_MAX ? 1 : 0; }
  StateIndex victim() override {
    for (;;) {
      const auto [state, rank] = candidates_.take();
      if (state == kNoState || rank_of(state) == rank) return state;
      candidates_.add_last(state, rank_of(state));
    }
  }
  std::uint64_t memory_bytes() const override { return hits_.memory_bytes() + candidates_.memory_bytes(); }

 private:
  std::uint32_t rank_of(StateIndex state) const { return RankedLists::rank_of(hits_[state]); }

  ChunkedVector<std::uint32_t> hits_;
  RankedLists candidates_;
};

}  // namespace spoor
