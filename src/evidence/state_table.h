// Finds recorded states by their bytes: a hash table of their numbers.
//
// A slot has the upper half of the key of a state, which is a hash, and its number. Only where that half is
// equal are states compared (packed_states.h). The first slot that a state may have is said by the uppermost
// bits of its key, so that the states of a part of the table come from a range of keys.
//
// The table is made at once of all states, and not one by one: a slot that is written at random takes a line
// of memory there and back. So states are appended to lists first, one per part of the table, in the memory
// of that part; then each part is made of its list, in the cache. (13 million states: 9 ns per state instead
// of
// 33.)
//
// Cost: 10 to 20 bytes per state: at most four of five slots are used.
// Thread safety: finding, each thread with its own cursor.
// Tested by: tests/unit/test_state_table.cpp, tests/unit/test_reachable_sets.cpp
#pragma once

#include <cstdint>
#include <vector>

#include "evidence/packed_states.h"
#include "store/pages.h"
#include "store/visited_set.h"

namespace spoor {

class StateTable {
 public:
  StateTable() = default;
  // For at most so many states. Throws std::bad_alloc.
  explicit StateTable(std::uint64_t most);

  // `key`: of the state (PackedStates::key). REQUIRES: it was not added before; finish() was not called.
  void add(std::uint64_t key, std::uint32_t number) {
    const std::uint64_t part = place_of(key) >> part_bits_;
    const Slot slot = (key & ~kNumberBits) | (std::uint64_t{number} + 1);
    if (listed_[part] == part_slots()) [[unlikely]]
      return spilled_.push_back(slot);
    slots()[(part << part_bits_) + listed_[part]++] = slot;
  }
  // After all states, before any is looked for.
  void finish();

  // The number of the state that was added with these bytes, or kNoState. `states`: where they were read
  // from.
  StateIndex find(const PackedStates::Sought& sought, const PackedStates& states,
                  PackedStates::Cursor& cursor) const {
    return find(sought, candidate(sought.key), states, cursor);
  }

  // The same in stages, for a caller who looks for several states at once and does not want to wait for each:
  // bring the slot nearer; the first candidate, which is known by its key alone; and compare states.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&slots()[place_of(key)]); }
  using Place = std::uint64_t;
  Place candidate(std::uint64_t key) const { return next(key, place_of(key)); }
  StateIndex number_at(Place place) const {  // kNoState: there is no candidate
    return static_cast<StateIndex>((slots()[place] & kNumberBits) - 1);
  }
  StateIndex find(const PackedStates::Sought& sought, Place place, const PackedStates& states,
                  PackedStates::Cursor& cursor) const {
    for (; slots()[place] != kEmpty; place = next(sought.key, place + 1)) {
      const StateIndex number = number_at(place);
      if (states.is_same(number, sought, cursor)) return number;
    }
    return kNoState;
  }

  std::uint64_t memory_bytes() const { return slots_.size(); }

 private:
  using Slot = std::uint64_t;  // kEmpty, or half of a key, and a number plus one
  static constexpr Slot kEmpty = 0;
  static constexpr Slot kNumberBits = UINT32_MAX;
  static constexpr unsigned kMostBits = 32;      // of a place: a slot has so many bits of a key
  static constexpr unsigned kMostPartBits = 15;  // 256 KB

  // The first slot that a state with this key may have.
  Place place_of(std::uint64_t key) const { return key >> shift_; }
  std::uint64_t part_slots() const { return std::uint64_t{1} << part_bits_; }
  const Slot* slots() const { return reinterpret_cast<const Slot*>(slots_.data()); }
  Slot* slots() { return reinterpret_cast<Slot*>(slots_.data()); }
  // From there on, the first slot that is free or has this half of a key.
  Place next(std::uint64_t key, Place at) const {
    at &= mask_;
    while (slots()[at] != kEmpty && ((slots()[at] ^ key) & ~kNumberBits) != 0) at = (at + 1) & mask_;
    return at;
  }

  std::uint64_t mask_ = 0;
  unsigned shift_ = 63, part_bits_ = 0;
  ZeroedPages slots_;
  // While states are added: how many are in the list of each part, and those that found their list full.
  std::vector<std::uint32_t> listed_;
  std::vector<Slot> spilled_;
};

}  // namespace spoor
