// A trace as a person sees it: the value that the table, the chart, the JSON form and SPIN's trail
// are all made from. A step between two states may hold several actions (an atomic sequence, both
// halves of a rendezvous); people count actions, so they are numbered through here and each one
// remembers the step that it belongs to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "model/omega.h"
#include "model/system.h"

namespace spoor {

struct ShownAction {
  std::uint32_t step = 0;  // from 1: the step between two states that this action belongs to
  Action action;
  // In the state before the step; at its first action, where there is a claim.
  std::optional<ClaimView> claim = std::nullopt;
};

// What a trace leads to.
struct ShownFinding {
  FindingKind kind = FindingKind::kRuntimeError;
  std::string message;
  Position position;
};

struct ShownTrace {
  std::vector<StepId> steps;  // one per step: the name of the step at its source state
  std::vector<ShownAction> actions;
  // Where a run that goes round for ever has come back: the index of the first action of the cycle.
  std::optional<std::size_t> loop;
  // After the last step, in the words of TransitionSystem::describe.
  std::vector<std::string> final_state;
  std::vector<ShownFinding> findings;  // of the last step or of the final state
};

// Takes the steps from the initial state and writes down what happens. REQUIRES: every step is
// one that `expand` reports for its state. Ends after a step that leads nowhere.
//
// An assertion that fails inside an indivisible sequence does not end the step, but it ends the
// story: what the step does after it is left out. Given a finding, only that one is told.
ShownTrace show_trace(const TransitionSystem& system, const std::vector<StepId>& steps,
                      const std::optional<Finding>& finding = std::nullopt);

// The same for a run of an infinite system: `loop` steps that lead to a cycle, and the cycle; without
// `loop` it is finite. The steps in the result are those of the system below, as far as it moves.
ShownTrace show_run(const OmegaSystem& system, const std::vector<StepId>& steps, const Finding& finding,
                    std::optional<std::size_t> loop);

// The run goes round for ever from this action on; from behind the last one: it stands still at its end.
// False, and nothing is changed, where it does not come back there, or does not end.
bool close_loop(const TransitionSystem& system, std::size_t action, ShownTrace& shown);

// The names of the steps that `expand` reported, successful or not, in order.
std::vector<StepId> step_ids_of(const Expansion& expansion);

}  // namespace spoor
