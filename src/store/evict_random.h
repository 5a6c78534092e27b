// Eviction at random: any state that is not pinned.
//
// The rule against which others are measured. States that many steps lead to are found again soon, at a
// cost that is the same for all of them; what it lacks is any care that a state stays near the one
// evicted, which would end the repeated search below it.
//
// Cost: 4 bytes per state.
// Citation: G. Holzmann, "On limits and possibilities of automated protocol analysis", PSTV 1987.
// Tested by: tests/unit/test_eviction.cpp, tests/unit/test_caching.cpp
#pragma once

#include "store/eviction.h"
#include "store/random_sets.h"

namespace spoor {

class EvictRandom final : public EvictionPolicy {
 public:
  void left(StateIndex state, std::uint32_t) override { candidates_.add(state, 0); }
  StateIndex victim() override { return candidates_.take(); }
  std::uint64_t memory_bytes() const override { return candidates_.memory_bytes(); }

 private:
  RandomSets candidates_;
};

}  // namespace spoor
