// Infinite runs: what a search for cycles needs to know about a system, beside its steps.
//
// A system with finitely many states has a bad infinite run if and only if it has a bad cycle that can be
// reached. What makes a cycle bad is said by marks on steps: `expand` gives each successor a set of them
// (Expansion::marks), and CycleRule says how they count:
//
// clang-format off
//   kTogether   the steps of the cycle together have all marks. A claim's acceptance sets are such marks,
//               and so is, for weak fairness, "this process moved, or could not".
//   kEveryStep  each step of the cycle has all marks. Cycles without progress are of this kind, and those of
//               claims in which a cycle is accepting with all its states or with none (weak automata).
// clang-format on
//
// With no marks at all every cycle is bad.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/system.h"

namespace spoor {

enum class CycleRule : std::uint8_t { kTogether, kEveryStep };

// The step of a system that cannot move any more.
inline Action stutter_action() {
  Action action;
  action.statement = "(nothing can move any more)";
  action.key = "stands-still";
  return action;
}

// What a claim sees in a state, for people.
struct ClaimView {
  std::optional<std::uint32_t> state;               // of the claim; nothing where it has none
  std::vector<std::pair<std::string, bool>> atoms;  // in words, and their truth
};

class OmegaSystem : public TransitionSystem {
 public:
  virtual CycleRule rule() const = 0;
  virtual Marks all_marks() const = 0;
  // What a bad cycle is; it belongs to no step.
  virtual Finding cycle() const = 0;
  // Are there violations that only a search for cycles finds?
  virtual bool has_cycles() const { return true; }

  virtual ClaimView look(StateBytes state) const = 0;
  // The same step in the system that this one is about; nothing where that stutters.
  virtual std::optional<StepId> step_below(StateBytes state, StepId step) const = 0;
};

}  // namespace spoor
