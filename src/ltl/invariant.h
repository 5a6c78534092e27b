// Formulas that speak of one state, or of two consecutive ones: [] (x < 3), [] (x == 5 -> X (x == 8)).
//
// A search can check such a formula without an automaton beside the system: it looks at each state, and at
// each step. The formula is [] f, where f has no temporal operator but X, and no X within another X. What is
// kept of it are the cases in which f is false, as conditions on the atoms of a state and of the next one.
//
// Example: of [] (p -> X q) there is one case, p in a state and not q in the next.
//
// Tested by: tests/unit/test_invariant.cpp
#pragma once

#include <optional>
#include <vector>

#include "ltl/automaton.h"
#include "ltl/formula.h"

namespace spoor::ltl {

struct Invariant {
  struct Case {
    Cube now, next;  // `next` has no condition where the case is about one state
  };
  std::vector<Case> violations;  // none: the formula is true in every model

  bool looks_ahead() const;  // is some case about two states?
};

// Nothing: the formula is of another form, or has too many cases.
std::optional<Invariant> invariant_of(const Formulas& formulas, Formula formula);

}  // namespace spoor::ltl
