// Does a formula hold for want of anything to say?
//
// `[] (request -> <> answer)` holds where there is never a request, and says nothing then. A premise p of an
// implication p -> q that the formula asserts is vacuous where the formula holds as well with `false` in the
// place of q: p never happens where it matters. So each premise of a formula that holds costs one more
// search, of the model beside another automaton, which ends at the first run that shows the premise.
//
// Only `holds` is looked at: a formula that is violated says something, and of one that holds probably it
// would be a guess upon a guess. Where the automaton of the variant is too large nothing is known, and the
// premise is not reported.
//
// Cited as antecedent failure (I. Beer, S. Ben-David, C. Eisner, Y. Rodeh, "Efficient detection of vacuity in
// temporal model checking", 2001).
//
// Tested by: tests/unit/test_check.cpp, tests/suites/test_liveness.py
#pragma once

#include <vector>

#include "check/claim.h"
#include "check/control.h"
#include "check/front_end.h"

namespace spoor {

// The premises that never happen. `claim`: of a formula that holds. `premises`: of that formula.
std::vector<Premise> vacuous_premises(const SourceModel& source, ClaimChoice claim,
                                      const std::vector<Premise>& premises, const CheckContext& context);

}  // namespace spoor
