// Smaller automata by simulation.
//
// A state t simulates s when t can read every letter that s can read, with at least the marks of s,
// and the state that t reaches simulates the state that s reaches: then t accepts every word that s
// accepts. States that simulate each other are merged, and an arc is superfluous for the letters for
// which a sibling leads to a state that simulates its target, with at least its marks. Reverse
// simulation is the same relation on the past of a state; it finds other pairs.
//
// The relation is kept as a matrix and refined until nothing changes. A move of s may be matched by
// several moves of t, each for some of the letters: labels are sets, so "the letters of this arc are
// covered by the union of the matching moves" is one BDD operation. Delayed and fair simulation would
// merge more; merge_states.h finds all of that, and more, with the automaton of the negation.
//
// Marks of arcs outside all cycles have no meaning. `transient_have_all` defines how they count; no
// marks and all marks give different relations, both right.
//
// Etessami, Wilke, Schuller (ICALP 2001); Babiak et al. (SPIN 2013) for labels as BDDs; Mayr and
// Clemente (POPL 2013) for which prunings may be combined: each one here is computed anew on the
// result of the last.
//
// Cost: about (states * arcs)^2 per round; larger automata than `max_states` are returned as they
// are.
//
// Tested by: tests/unit/test_ltl_words.cpp
#pragma once

#include <cstddef>

#include "ltl/tgba.h"

namespace spoor::ltl {

struct SimulationOptions {
  bool by_state = false;            // keep a state-based automaton state-based
  bool transient_have_all = false;  // marks of arcs that leave their component
  std::size_t max_states = 250;
  std::size_t max_arcs = 4000;
};

// Direct and reverse simulation in turn, until neither changes the automaton.
Tgba reduced_by_simulation(const Tgba& automaton, Bdds& bdds, const SimulationOptions& options);

// One pass of each; for tests.
Tgba reduced_forward(const Tgba& automaton, Bdds& bdds, const SimulationOptions& options);
Tgba reduced_backward(const Tgba& automaton, Bdds& bdds, const SimulationOptions& options);

}  // namespace spoor::ltl
