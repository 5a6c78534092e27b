// By which step each state of a breadth-first search was found: one byte per state.
//
// A trace is found again by going forward from the initial state (bfs.h). A store that names states
// says at each place which successor is meant. One that does not (bitstate.h) would take any state
// that it has ever confused for the one that is wanted; so the name of the step is kept for each
// state, in the order in which a worker has found them, beside where it came from (ancestry.h).
//
// Seven bits are the attempt, one says that the expansion was reduced: its steps have numbers of their
// own, and their real names are found by expanding the state both ways. Attempts from 127 on are kept
// in a list beside it.
//
// Tested by: tests/unit/test_bitstate.cpp
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "model/system.h"
#include "store/chunked_vector.h"
#include "store/visited_set.h"

namespace spoor {

struct Footstep {
  std::uint32_t attempt = 0;
  bool is_reduced = false;  // the attempt is that of a reduced expansion
};

inline bool was_reduced(const Expansion& expansion) {
  return expansion.is_reduced || expansion.is_reduced_for_deadlocks;
}

// Of one worker.
class Footsteps {
 public:
  // Throws std::bad_alloc.
  void add(Footstep step) {
    const std::uint32_t low = std::min(step.attempt, kLarge);
    if (low == kLarge) [[unlikely]]
      large_.push_back({bytes_.size(), step.attempt});
    bytes_.push_back(static_cast<std::uint8_t>(low | (step.is_reduced ? kReduced : 0)));
  }
  // REQUIRES: so many have been added, and one more.
  Footstep operator[](std::uint64_t place) const {
    const std::uint32_t byte = bytes_[place];
    Footstep step{byte & ~kReduced, (byte & kReduced) != 0};
    if (step.attempt == kLarge) {
      step.attempt = std::ranges::lower_bound(large_, place, {}, &Large::place)->attempt;
    }
    return step;
  }
  std::uint64_t memory_bytes() const { return bytes_.memory_bytes() + large_.capacity() * sizeof(Large); }

 private:
  static constexpr std::uint32_t kReduced = 0x80;
  static constexpr std::uint32_t kLarge = 0x7f;
  struct Large {
    std::uint64_t place;
    std::uint32_t attempt;
  };

  ChunkedVector<std::uint8_t> bytes_;
  std::vector<Large> large_;  // ascends in `place`
};

// For stores that name states.
class NoFootsteps {
 public:
  void add(Footstep) {}
  static std::uint64_t memory_bytes() { return 0; }
};

template <VisitedSet Store>
using FootstepsFor = std::conditional_t<Store::kNamesStates, NoFootsteps, Footsteps>;

}  // namespace spoor
