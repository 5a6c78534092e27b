// Systems whose states are the numbers of a known graph (known_graph.h): what their states and steps are
// called.
//
// A state is its number, four bytes. The k-th recorded step of a state has a name that says so: it lies in a
// group that no model has. Traces are shown with the names of the model, which the system knows.
#pragma once

#include <cstdint>
#include <cstring>

#include "model/expansion.h"
#include "model/step_id.h"
#include "store/visited_set.h"

namespace spoor {

inline constexpr std::uint64_t kStoredGroup = StepId::kMostGroups - 1;
inline StepId stored_step(std::uint64_t ordinal) {
  return StepId(StepId::first_of(kStoredGroup).number() + ordinal);
}
inline bool is_stored(StepId step) { return step != StepId::stutter() && step.group() == kStoredGroup; }

inline StateIndex number_in(StateBytes state) {
  StateIndex number = kNoState;
  std::memcpy(&number, state.data(), sizeof number);
  return number;
}
inline StateBytes as_state(const StateIndex& number) {
  return {reinterpret_cast<const std::byte*>(&number), sizeof number};
}

// Appends a step to the state with this number.
inline void add_numbered(StepId step, StateIndex target, Expansion& out) {
  out.successors.push_back({step, static_cast<std::uint32_t>(out.arena.size()), sizeof target});
  out.arena.append(as_state(target));
}

}  // namespace spoor
