// Which reductions keep the answer to a question.
//
// Three reductions leave out states (promela/reduce.h), and each preserves something else:
//
//   dead variables           everything: a variable that is not read again is cleared; the runs are the same.
//   merged statements        a run up to stuttering: several steps become one.
//   partial-order reduction  a run up to stuttering, but not which processes could move in between.
//
// Safety (assertions, end states, run-time errors) is preserved by all three. A claim about infinite runs is
// preserved
//
//   - by all three, where it is stutter-invariant: it cannot tell how often a state is repeated. Accept and
//     progress labels are; of an automaton it is decided (ltl/stutter.h), where the automaton is small;
//   - by cleared variables alone, where it is not, or where the automaton is too large to find out. The same
//     holds under weak fairness, which depends on the processes that can move in every state, and for accept
//     labels inside indivisible sequences, which belong to steps and not to states.
//
// Under "default", the reduction for infinite runs also uses stubborn sets, because there are more states to
// save; for safety they are not part of "default" (docs/adr/0007-stubborn-sets-of-processes.md).
//
// Invariant: the result is a subset of what was wanted, but for stubborn sets under "default".
//
// Tested by: tests/unit/test_check.cpp, tests/suites/test_liveness.py
#pragma once

#include <string>

#include "check/claim.h"
#include "check/model_options.h"

namespace spoor {

struct SoundReductions {
  Reductions reductions;  // of those wanted, the ones that the claim allows
  std::string why_fewer;  // why they are not all; or empty
};

// `options`: `reduce` and `is_fair` matter.
SoundReductions sound_reductions(const Claim& claim, const ModelOptions& options);

}  // namespace spoor
