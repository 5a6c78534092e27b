// Finds recorded states by their bytes: a table of numbers, by hash.
//
// A slot has half of the hash of a state, and its number. Only where that half is equal are bytes compared,
// for which the state is decoded (packed_states.h).
//
// Cost: 10 to 20 bytes per state: at most four of five slots are used.
// Thread safety: finding, each thread with its own cursor.
// Tested by: tests/unit/test_reachable_sets.cpp, tests/unit/test_recording.cpp
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

  // `hash`: hash_state of its bytes. REQUIRES: no state with these bytes was added.
  void add(std::uint64_t hash, std::uint32_t number) {
    std::uint64_t at = hash & mask_;
    while (slot(at) != 0) at = (at + 1) & mask_;
    slot(at) = (hash & ~kNumberBits) | (std::uint64_t{number} + 1);
  }

  // The number of the state that was added with these bytes, or kNoState. `states`: where they were read
  // from.
  StateIndex find(StateBytes bytes, const PackedStates& states, PackedStates::Cursor& cursor) const {
    const std::uint64_t hash = hash_state(bytes);
    return find(bytes, hash, candidate(hash), states, cursor);
  }

  // The same in stages, for a caller who looks for several states at once and does not want to wait for each:
  // bring the slot nearer; the first candidate, which is known by its hash alone; and compare bytes.
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots()[hash & mask_]); }
  using Place = std::uint64_t;
  Place candidate(std::uint64_t hash) const { return next(hash, hash); }
  StateIndex number_at(Place place) const {  // kNoState: there is no candidate
    return static_cast<StateIndex>((slot(place) & kNumberBits) - 1);
  }
  StateIndex find(StateBytes bytes, std::uint64_t hash, Place place, const PackedStates& states,
                  PackedStates::Cursor& cursor) const {
    for (; slot(place) != 0; place = next(hash, place + 1)) {
      const StateIndex number = number_at(place);
      if (equal_bytes(states.get(number, cursor), bytes)) return number;
    }
    return kNoState;
  }

  std::uint64_t memory_bytes() const { return slots_.size(); }

 private:
  using Slot = std::uint64_t;  // 0, or half of a hash, and a number plus one
  static constexpr Slot kNumberBits = UINT32_MAX;

  const Slot* slots() const { return reinterpret_cast<const Slot*>(slots_.data()); }
  Slot& slot(std::uint64_t at) { return reinterpret_cast<Slot*>(slots_.data())[at]; }
  Slot slot(std::uint64_t at) const { return slots()[at]; }
  // From there on, the first slot that is free or has this half of a hash.
  Place next(std::uint64_t hash, std::uint64_t at) const {
    at &= mask_;
    while (slot(at) != 0 && ((slot(at) ^ hash) & ~kNumberBits) != 0) at = (at + 1) & mask_;
    return at;
  }

  std::uint64_t mask_ = 0;
  ZeroedPages slots_;
};

}  // namespace spoor
