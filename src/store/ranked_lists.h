// Indexes in lists by rank: the first index of the lowest rank, in constant time.
//
// A priority queue for ranks from 0 to 255. Each rank has a list, linked in one direction, because members
// are taken from the front only; an array has the link of each index. A bit per rank says which lists have
// members.
//
// Ranks of large numbers. `rank_of` keeps four significant bits: numbers below 16 have a rank each, and from
// there on eight ranks share each power of two, so that numbers of one rank differ by an eighth at most. A
// sorted queue tells them apart, at the cost of the logarithm of its length per state; in the measurements of
// the thesis that proposes cost-based caching this takes back what better victims gain.
//
// Cost: 4 bytes per index. Tested by: tests/unit/test_eviction.cpp
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "store/chunked_vector.h"
#include "store/visited_set.h"

namespace spoor {

class RankedLists {
 public:
  static constexpr std::uint32_t kRanks = 256;

  static constexpr std::uint32_t rank_of(std::uint32_t number) {
    if (number < 16) return number;
    const auto dropped = static_cast<std::uint32_t>(std::bit_width(number)) - 4;
    return dropped * 8 + (number >> dropped);
  }

  struct Ranked {
    StateIndex index = kNoState;
    std::uint32_t rank = 0;
  };

  // Indexes are 0, 1, 2, ...
  void add_index() { next_.push_back(kNoState); }

  // REQUIRES: the index is in no list.
  void add_last(StateIndex index, std::uint32_t rank) {
    if (is_used(rank)) {
      next_[last_[rank]] = index;
    } else {
      first_[rank] = index;
      mark(rank);
    }
    last_[rank] = index;
  }
  void add_first(StateIndex index, std::uint32_t rank) {
    if (is_used(rank)) {
      next_[index] = first_[rank];
    } else {
      last_[rank] = index;
      mark(rank);
    }
    first_[rank] = index;
  }

  // Removes the first index of the lowest rank; kNoState: all lists are empty.
  Ranked take() {
    for (std::uint32_t word = 0; word < used_.size(); ++word) {
      if (used_[word] == 0) continue;
      const std::uint32_t rank = word * 64 + static_cast<std::uint32_t>(std::countr_zero(used_[word]));
      const StateIndex index = first_[rank];
      first_[rank] = next_[index];
      if (last_[rank] == index) used_[word] &= used_[word] - 1;
      return {index, rank};
    }
    return {};
  }

  std::uint64_t memory_bytes() const { return next_.memory_bytes(); }

 private:
  bool is_used(std::uint32_t rank) const { return (used_[rank / 64] >> rank % 64 & 1) != 0; }
  void mark(std::uint32_t rank) { used_[rank / 64] |= std::uint64_t{1} << rank % 64; }

  ChunkedVector<StateIndex> next_;  // behind each index in its list; of the last one anything
  std::array<StateIndex, kRanks> first_ = {}, last_ = {};  // of the lists that are used
  std::array<std::uint64_t, kRanks / 64> used_ = {};
};

static_assert(RankedLists::rank_of(UINT32_MAX) < RankedLists::kRanks);

}  // namespace spoor
