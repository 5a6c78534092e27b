// Eviction by depth: the state that was found at the greatest depth.
//
// The thought is that little is below a deep state. In a depth-first search the deepest states are those at
// the end of the current path, which the next steps lead to again; shallow states stay for ever.
//
// Cost: 4 bytes per state. Depths are told apart up to 15, then by eighths (ranked_lists.h).
// Citation: G. Holzmann, "On limits and possibilities of automated protocol analysis", PSTV 1987.
// Tested by: tests/unit/test_eviction.cpp, tests/unit/test_caching.cpp
#pragma once

#include "store/eviction.h"
#include "store/ranked_lists.h"

namespace spoor {

class EvictDepth final : public EvictionPolicy {
 public:
  void add_index() override { candidates_.add_index(); }
  void left(StateIndex state, std::uint32_t level) override { candidates_.add_last(state, rank_of(level)); }
  StateIndex victim() override { return candidates_.take().index; }
  std::uint64_t memory_bytes() const override { return candidates_.memory_bytes(); }

 private:
  static std::uint32_t rank_of(std::uint32_t level) {
    return RankedLists::kRanks - 1 - RankedLists::rank_of(level);
  }

  RankedLists candidates_;
};

}  // namespace spoor
