// Finds recorded states by their bytes: a table of numbers, by hash.
//
// A slot has half of the hash of a state, and its number. Only where that half is equal are bytes compared,
// for which the state is decoded (packed_states.h).
//
// Cost: 10 to 20 bytes per state. Thread safety: finding, each thread with its own cursor.
// Tested by: tests/unit/test_reachable_sets.cpp
#pragma once

#include <bit>
#include <cstdint>

#include "base/bytes.h"
#include "evidence/packed_states.h"
#include "store/pages.h"
#include "store/state_hash.h"
#include "store/visited_set.h"

namespace spoor {

class StateTable {
 public:
  StateTable() = default;
  // For at most so many states. Throws std::bad_alloc.
  explicit StateTable(std::uint64_t most)
      : mask_(std::bit_ceil(most + most / 4 + 1) - 1), slots_((mask_ + 1) * sizeof(Slot)) {}

  void add(StateBytes bytes, std::uint32_t number) {
    const std::uint64_t hash = hash_state(bytes);
    std::uint64_t at = hash & mask_;
    while (slot(at) != 0) at = (at + 1) & mask_;
    slot(at) = (hash & ~kNumberBits) | (std::uint64_t{number} + 1);
  }

  // The number of the state that was added with these bytes, or kNoState. `states`: where they were read
  // from.
  StateIndex find(StateBytes bytes, const PackedStates& states, PackedStates::Cursor& cursor) const {
    const std::uint64_t hash = hash_state(bytes);
    for (std::uint64_t at = hash & mask_; slot(at) != 0; at = (at + 1) & mask_) {
      if (((slot(at) ^ hash) & ~kNumberBits) != 0) continue;
      const auto number = static_cast<StateIndex>((slot(at) & kNumberBits) - 1);
      if (equal_bytes(states.get(number, cursor), bytes)) return number;
    }
    return kNoState;
  }

  std::uint64_t memory_bytes() const { return slots_.size(); }

 private:
  using Slot = std::uint64_t;  // 0, or half of a hash, and a number plus one
  static constexpr Slot kNumberBits = UINT32_MAX;

  Slot& slot(std::uint64_t at) { return reinterpret_cast<Slot*>(slots_.data())[at]; }
  Slot slot(std::uint64_t at) const { return reinterpret_cast<const Slot*>(slots_.data())[at]; }

  std::uint64_t mask_ = 0;
  ZeroedPages slots_;
};

}  // namespace spoor
