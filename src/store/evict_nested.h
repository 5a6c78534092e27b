// Nested strata: odd levels are evicted first, then even ones, and those divisible by eight last.
//
// The idea is that of stratified eviction: a repeated search ends at the next level that stays. How many
// levels can stay depends on how much of the state space fits, which is not known beforehand. So the strata
// are nested, and the cache gives up the densest first: with room for half of the states every other level
// stays, and a state visited again costs two visits; with less, every fourth or eighth as long as possible.
// Within a stratum the victim is random: by age or by hits, the stratum would lose its oldest or newest part
// as a whole.
//
// Why not more strata: with room for fewer states than every eighth level has, few searches end at all. Why
// not fewer: `stratified`, which keeps every fourth level or nothing, is a few percent better with room for
// half of the states, and with a quarter worse or without an end on most models; on one, though, it takes
// 1.24 visits per state instead of 1.67 (docs/adr/0025-state-caching.md).
//
// Cost: 4 bytes per state.
// Tested by: tests/unit/test_eviction.cpp, tests/unit/test_caching.cpp
#pragma once

#include "store/eviction.h"
#include "store/random_sets.h"

namespace spoor {

class EvictNested final : public EvictionPolicy {
 public:
  void left(StateIndex state, std::uint32_t level) override { candidates_.add(state, set_of(level)); }
  StateIndex victim() override { return candidates_.take(); }
  std::uint64_t memory_bytes() const override { return candidates_.memory_bytes(); }

 private:
  static unsigned set_of(std::uint32_t level) { return level % 2 != 0 ? 0 : level % 8 != 0 ? 1 : 2; }

  RandomSets candidates_;
};

}  // namespace spoor
