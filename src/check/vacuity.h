// Vacuity: does a formula hold only because a premise in it is never true?
//
// `[] (request -> <> answer)` holds vacuously in a model without a request. A premise p of an implication
// p -> q that the formula asserts is vacuous where the formula also holds with `false` in place of q: p is
// never true where the implication is asserted. So each premise of a formula that holds needs one more
// search, of the model with another automaton, which ends at the first run where the premise is true.
//
// Only formulas that hold are analysed: a violated formula is not vacuous, and for `probably holds` the
// answer would be uncertain twice. Where the automaton of the variant is too large, vacuity is not decided
// and the premise is not reported.
//
// Known as antecedent failure (I. Beer, S. Ben-David, C. Eisner, Y. Rodeh, "Efficient detection of vacuity in
// temporal model checking", 2001).
//
// Tested by: tests/unit/test_check.cpp, tests/suites/test_liveness.py
#pragma once

#include <vector>

#include "check/claim_types.h"
#include "check/control.h"
#include "check/front_end.h"

namespace spoor {

// The vacuous premises. `claim`: a formula that holds. `premises`: those of that formula.
std::vector<Premise> vacuous_premises(const SourceModel& source, ClaimChoice claim,
                                      const std::vector<Premise>& premises, const CheckContext& context);

}  // namespace spoor
