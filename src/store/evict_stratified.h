// Stratified eviction: levels that are divisible by four stay, as long as others can be evicted.
//
// The idea. Where a state is visited again, so are the states below it that were evicted as well. If every
// fourth level of the search stays in the cache, a repeated search is over after three steps: it costs
// what lies between two strata and not a whole subtree. Where the strata alone fill the cache, they are
// evicted, too, at random, and the bound is lost at once; evict_nested.h gives way step by step.
//
// Cost: 4 bytes per state.
// Citation: J. Geldenhuys, "State caching reconsidered", SPIN 2004.
// Tested by: tests/unit/test_eviction.cpp, tests/unit/test_caching.cpp
#pragma once

#include "store/eviction.h"
#include "store/random_sets.h"

namespace spoor {

class EvictStratified final : public EvictionPolicy {
 public:
  void left(StateIndex state, std::uint32_t level) override { candidates_.add(state, set_of(level)); }
  StateIndex victim() override { return candidates_.take(); }
  std::uint64_t memory_bytes() const override { return candidates_.memory_bytes(); }

 private:
  static unsigned set_of(std::uint32_t level) { return level % 4 == 0 ? 1 : 0; }

  RandomSets candidates_;
};

}  // namespace spoor
