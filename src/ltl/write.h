// Automata as text, as never claims for SPIN and for Graphviz; HOA is in hoa.h.
//
// Tested by: tests/unit/test_ltl_hoa.cpp, tests/suites/test_ltl.py
#pragma once

#include <string>
#include <string_view>

#include "ltl/automaton.h"

namespace spoor::ltl {

// "p && !(x > 3)"; "true" for all letters.
std::string to_text(const Cube& cube, const std::vector<std::string>& atoms);

// A listing of the states, and the properties of the automaton.
std::string to_listing(const Automaton& automaton);

// A never claim in Promela. The automaton must be state-based. The first state is the initial one;
// labels of accepting states begin with `accept_`, and a state that accepts every continuation is
// `accept_all`.
std::string to_never_claim(const Automaton& automaton, std::string_view formula);

// For Graphviz: accepting states have double circles, marks are on the edges otherwise.
std::string to_dot(const Automaton& automaton, std::string_view name);

}  // namespace spoor::ltl
