// The steps of a recording, in memory: of each state where its steps lead, and what they execute.
//
// An entry stands by itself, so that the steps of any state can be read without those of another (a file has
// them in fewer bytes, step_code.h):
//
//     eight times the number of steps, and three bits: kReduced, kHasInner, kTwice
//     which set of statements is executed
//     with kHasInner: the number of inner steps
//     for each step its target, less the number of the state
//     with kTwice: the same of the first attempt: set, inner steps; how many steps, which of them
//
// Cost: 1 to 3 bytes per step, 2 to 3 per state, and 4 for the place of the entry.
// Tested by: tests/unit/test_recording.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/packed_numbers.h"
#include "evidence/chunks.h"

namespace spoor {

// What is known about a state.
struct RecordedState {
  static constexpr std::uint8_t kExpanded = 1;  // all its steps are known; else nothing is
  static constexpr std::uint8_t kReduced = 2;   // steps were left out
  static constexpr std::uint8_t kSpecial = 4;   // something went wrong: what is stored is of no use
  static constexpr std::uint8_t kTwice = 8;     // steps were left out first and then not (the proviso)

  std::uint8_t flags = 0;
  std::uint32_t executed = 0;  // which set of statements
  std::uint64_t inner_steps = 0;
  std::vector<std::uint32_t> targets;  // of its steps, in order
  // With kTwice, of the first attempt: which of the steps, ascending, and the same of them.
  std::vector<std::uint32_t> tried;
  std::uint32_t tried_executed = 0;
  std::uint64_t tried_inner_steps = 0;

  bool is(std::uint8_t flag) const { return (flags & flag) != 0; }
  bool is_of_use() const { return (flags & (kExpanded | kSpecial)) == kExpanded; }
};

class RecordedSteps {
 public:
  using Place = Chunks::Place;
  static constexpr Place kNowhere = UINT32_MAX;

  // Numbers of states will be below this one, so that no more memory is taken than needed.
  void reserve(std::uint32_t bound) { places_.reserve(bound); }
  // Replaces what was known about this state. Throws std::bad_alloc.
  void add(std::uint32_t number, const RecordedState& state);

  // Where the entry of a state is; kNowhere where nothing of use is known.
  Place operator[](std::uint32_t number) const {
    return number < places_.size() ? places_[number] : kNowhere;
  }

  // What an entry begins with; the targets follow.
  struct Head {
    std::uint64_t steps = 0;
    std::uint8_t flags = 0;  // of RecordedState
    std::uint32_t executed = 0;
    std::uint64_t inner_steps = 0;
  };
  const std::uint8_t* at(Place place) const { return entries_.at(place); }
  // Moves `at` to the first target.
  static Head read_head(const std::uint8_t*& at) {
    const std::uint64_t first = number_at(at);
    Head head;
    head.steps = first / kBits;
    head.flags = RecordedState::kExpanded;
    if ((first & kReduced) != 0) head.flags |= RecordedState::kReduced;
    if ((first & kTwice) != 0) head.flags |= RecordedState::kTwice;
    head.executed = static_cast<std::uint32_t>(number_at(at));
    head.inner_steps = (first & kHasInner) != 0 ? number_at(at) : 0;
    return head;
  }
  // Is there an entry, and are the sets of statements that it names among these?
  bool executes_only(std::uint32_t number, const std::vector<bool>& sets) const;
  // Replaces what is in `state`. REQUIRES: there is an entry.
  void read(std::uint32_t number, RecordedState& state) const;

  std::uint64_t memory_bytes() const { return entries_.memory_bytes() + places_.capacity() * sizeof(Place); }

 private:
  static constexpr std::uint64_t kReduced = 1, kHasInner = 2, kTwice = 4, kBits = 8;

  Chunks entries_;
  std::vector<Place> places_;  // by state
};

}  // namespace spoor
