// By which step each state of a breadth-first search was found: one byte per state.
//
// A trace is found again by walking forward from the initial state (bfs.h). A store that names states says
// at each state which successor is meant. A store that does not (bitstate.h) would take any state that it
// has ever confused for the one that is wanted; so the name of the step is kept for each state, in the order
// in which a worker has found them, beside where it came from (ancestry.h).
//
// A model has few names of steps (processes times ordinals, times the edges of a claim), so the names are
// numbered in the order in which they are met, and a state keeps the number of its name in one byte. The
// names that are met when all 255 numbers are taken are kept in full, in a list beside the bytes.
//
// Rivals: the place of the step among the successors of its state is as small, but depends on what a reduced
// expansion has left out; the name does not.
//
// Cost: one byte per state and one look into a small table. Thread safety: none; one per worker.
// Tested by: tests/unit/test_bitstate.cpp
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "model/step_id.h"
#include "store/chunked_vector.h"
#include "store/visited_set.h"

namespace spoor {

// One worker's part.
class IncomingSteps {
 public:
  // Throws std::bad_alloc.
  void add(StepId step) {
    const std::uint8_t number = number_of(step);
    if (number == kUnnumbered) [[unlikely]]
      unnumbered_.push_back({bytes_.size(), step});
    bytes_.push_back(number);
  }
  // REQUIRES: more than `place` steps have been added.
  StepId operator[](std::uint64_t place) const {
    const std::uint8_t number = bytes_[place];
    if (number != kUnnumbered) return names_[number];
    return std::ranges::lower_bound(unnumbered_, place, {}, &Unnumbered::place)->step;
  }
  std::uint64_t memory_bytes() const {
    return bytes_.memory_bytes() + unnumbered_.capacity() * sizeof(Unnumbered);
  }

 private:
  static constexpr std::uint8_t kUnnumbered = 255;
  static constexpr std::size_t kSlots = 1024;
  struct Unnumbered {
    std::uint64_t place;
    StepId step;
  };

  // The number of the name, which is the next one where the name is new.
  std::uint8_t number_of(StepId step) {
    std::size_t slot = static_cast<std::size_t>(step.number() * 0x9e3779b97f4a7c15u >> 54);
    for (; slots_[slot] != kEmpty; slot = (slot + 1) % kSlots) {
      if (names_[slots_[slot]] == step) return slots_[slot];
    }
    if (names_.size() == kUnnumbered) return kUnnumbered;
    slots_[slot] = static_cast<std::uint8_t>(names_.size());
    names_.push_back(step);
    return slots_[slot];
  }
  static constexpr std::uint8_t kEmpty = kUnnumbered;
  static constexpr std::array<std::uint8_t, kSlots> all_empty() {
    std::array<std::uint8_t, kSlots> slots{};
    slots.fill(kEmpty);
    return slots;
  }

  ChunkedVector<std::uint8_t> bytes_;
  std::vector<StepId> names_;  // by number
  std::array<std::uint8_t, kSlots> slots_ = all_empty();
  std::vector<Unnumbered> unnumbered_;  // ascends in `place`
};

// For stores that name states.
class NoIncomingSteps {
 public:
  void add(StepId) {}
  static std::uint64_t memory_bytes() { return 0; }
};

template <VisitedSet Store>
using IncomingStepsFor = std::conditional_t<Store::kNamesStates, NoIncomingSteps, IncomingSteps>;

}  // namespace spoor
