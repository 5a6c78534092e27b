// Which reductions preserve the verdict of a property.
//
// Three reductions leave out states (promela/reduce.h). They preserve:
//
//   dead variables           everything: a variable that is not read again is cleared; the runs are the same.
//   merged statements        runs up to stuttering: several steps become one.
//   partial-order reduction  runs up to stuttering, but not which processes can move in between.
//
// Safety (assertions, end states, run-time errors) is preserved by all three. A claim about infinite runs is
// preserved
//
//   - by all three, where it is stutter-invariant: it does not depend on how often a state is repeated.
//     Accept and progress labels are; for a small automaton it is decided (ltl/stutter.h);
//   - by dead variables alone, where it is not stutter-invariant, or where the automaton is too large to
//     decide. The same holds under weak fairness, which depends on the processes that can move in every
//     state, and for accept labels inside atomic sequences, which belong to steps and not to states.
//
// An invariant that is checked along with safety is preserved by all three where it is about one state: a
// step that changes one of its atoms is not postponed, and runs are the same up to stuttering. Where it is
// about two consecutive states (X), dead variables alone preserve it.
//
// Under "default", the reduction for infinite runs also uses stubborn sets, because the product has more
// states to save; for safety they are not part of "default" (docs/adr/0007-stubborn-sets-of-processes.md).
//
// Invariant: the result is a subset of the requested reductions, except for stubborn sets under "default".
//
// Tested by: tests/unit/test_check.cpp, tests/suites/test_liveness.py
#pragma once

#include <string>

#include "check/claim_types.h"
#include "check/model_options.h"

namespace spoor {

struct SoundReductions {
  Reductions reductions;  // of those requested, the ones that the claim allows
  std::string why_fewer;  // why not all of them; or empty
};

// Only `reduce` and `is_fair` of `options` are used.
SoundReductions sound_reductions(const Claim& claim, const ModelOptions& options);

}  // namespace spoor
