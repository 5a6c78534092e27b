// Traces, and the proof that one is real.
//
// A trace is a list of names of steps from the initial state on (step_id.h), with what went wrong at its
// end. Since the names are part of the contract, that is all there is to say; the words come from
// TransitionSystem::explain. A search is fast and intricate, `replay` is slow and plain: it walks the trace
// once more, step by step, and believes nothing. Every violation goes through it before it is reported.
//
// Tested by: tests/unit/test_graph.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/omega.h"
#include "model/system.h"

namespace spoor {

struct Trace {
  std::vector<StepId> steps;
  std::optional<Finding> finding;
  // Of a cycle: how many steps lead to it. It must lead back to where it began.
  std::optional<std::size_t> loop = std::nullopt;
};

struct ReplayedTrace {
  // The initial state, then the target of each step. A last step that failed without a successor
  // has no target: then there are as many states as steps, otherwise one more.
  std::vector<std::vector<std::byte>> states;
  std::vector<Explanation> steps;
};

struct ReplayError {
  enum class Reason {
    kNoSuchStep,        // the state has no such step
    kFailedStep,        // the step has no successor, and the trace goes on
    kTargetDiffers,     // explain and expand do not lead to the same state
    kFindingMissing,    // the trace replays, but what it should show does not happen
    kFindingElsewhere,  // the finding names another step than the last
    kLoopIsOpen,        // the cycle does not lead back to where it began
    kLoopIsGood,        // it does, but it is not what it should be
  };
  Reason reason = Reason::kNoSuchStep;
  std::size_t step = 0;  // where, counted from 0; the number of steps when it is about the end

  std::string message() const;
};

using ReplayResult = std::variant<ReplayedTrace, ReplayError>;

ReplayResult replay(const TransitionSystem& system, const Trace& trace);
// The same where the trace may end in a cycle: that must be a bad one.
ReplayResult replay(const OmegaSystem& system, const Trace& trace);

}  // namespace spoor
