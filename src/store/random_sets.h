// A few disjoint sets of indexes from which a random member can be taken, in constant time.
//
// All members stand in one array, those of the first set before those of the second, and so on, in no order
// within a set. Between two sets there is no room: a new member of a set moves one member of each later set
// from the front of that set to its end. Example, sets {3 8} and {5 1}: the array is 3 8 | 5 1, and with 7 in
// the first set 3 8 7 | 1 5.
//
// Cost: 4 bytes per member; adding and taking need a step per set, and there are three.
// Tested by: tests/unit/test_eviction.cpp
#pragma once

#include <array>
#include <cstdint>
#include <random>

#include "store/chunked_vector.h"
#include "store/visited_set.h"

namespace spoor {

class RandomSets {
 public:
  static constexpr unsigned kSets = 3;

  // REQUIRES: it is in no set. Throws std::bad_alloc, and is then unchanged.
  void add(StateIndex index, unsigned set) {
    members_.push_back(index);
    for (unsigned later = kSets - 1; later > set; --later)
      members_[ends_[later]++] = members_[ends_[later - 1]];
    members_[ends_[set]++] = index;
  }

  // Removes a random member of the first set that has any; kNoState: none has.
  StateIndex take() {
    std::uint32_t begin = 0;
    for (unsigned set = 0; set < kSets; ++set) {
      if (ends_[set] != begin) return take_at(begin + random(ends_[set] - begin), set);
      begin = ends_[set];
    }
    return kNoState;
  }

  std::uint64_t memory_bytes() const { return members_.memory_bytes(); }

 private:
  std::uint32_t random(std::uint32_t count) {
    return static_cast<std::uint32_t>(std::uint64_t{random_()} * count >> 32);
  }
  StateIndex take_at(std::uint32_t hole, unsigned set) {
    const StateIndex taken = members_[hole];
    for (; set < kSets; ++set) {
      members_[hole] = members_[--ends_[set]];
      hole = ends_[set];
    }
    members_.pop_back();
    return taken;
  }

  ChunkedVector<StateIndex> members_;
  std::array<std::uint32_t, kSets> ends_ = {};  // of each set, where the next one begins
  std::mt19937 random_;
};

}  // namespace spoor
