// A trace as it is shown: the table, the chart, the JSON form and SPIN's trail are made from this value. A
// step between two states may have several actions (an atomic sequence, both halves of a rendezvous). Users
// count actions, so actions are numbered over the whole trace, and each has the number of its step.
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
  // The claim in the state before the step; only at the first action of a step, and only with a claim.
  std::optional<ClaimView> claim = std::nullopt;
};

// The finding at the end of a trace.
struct ShownFinding {
  FindingKind kind = FindingKind::kRuntimeError;
  std::string message;
  Position position;
};

struct ShownTrace {
  std::vector<StepId> steps;  // the name of each step at its source state
  std::vector<ShownAction> actions;
  // For a lasso: the index of the first action of the cycle.
  std::optional<std::size_t> loop;
  // The final state, as TransitionSystem::describe writes it.
  std::vector<std::string> final_state;
  // For a deadlock: what each process waits for.
  std::vector<Waiting> waiting;
  std::vector<ShownFinding> findings;  // of the last step or of the final state
};

// Executes the steps from the initial state and records their actions. REQUIRES: `expand` reports every
// step for its state. Ends after a step without a successor.
//
// An assertion that fails inside an atomic sequence does not end the step, but it ends the shown trace: the
// later actions of the step are left out. Given a finding, only that finding is shown.
ShownTrace show_trace(const TransitionSystem& system, const std::vector<StepId>& steps,
                      const std::optional<Finding>& finding = std::nullopt);

// All that goes wrong on the last step, and then in the state that it leads to, if it does: a step that fails
// can lead to a deadlock. REQUIRES: as for show_trace.
std::vector<ShownFinding> findings_at_end(const TransitionSystem& system, const std::vector<StepId>& steps);

// As show_trace, for a run of an OmegaSystem: `loop` steps that lead to a cycle, and the cycle; without
// `loop` the run is finite. The steps in the result are those of the system below, without stuttering.
ShownTrace show_run(const OmegaSystem& system, const std::vector<StepId>& steps, const Finding& finding,
                    std::optional<std::size_t> loop);

// Makes the trace a lasso whose cycle begins at this action; with the index after the last action, the run
// stutters in its final state. False, and nothing is changed, where the trace does not return to that state,
// or its final state has successors.
bool close_loop(const TransitionSystem& system, std::size_t action, ShownTrace& shown);

// The names of the steps that `expand` reported, with and without a successor, in order.
std::vector<StepId> step_ids_of(const Expansion& expansion);

}  // namespace spoor
