// Automata in the Hanoi omega-automata format (HOA), version 1, which Spot, ltl3ba, owl and others
// share.
//
// Written: everything that an Automaton is. Read: Buchi and generalized Buchi acceptance on states
// or on transitions, `t` and `f`; labels on transitions or states, implicit labels, aliases;
// several initial states (a new state with all their edges). Alternation and every other acceptance
// condition are refused: a misread automaton would give a wrong verdict.
//
// The format: T. Babiak et al., The Hanoi omega-automata format, CAV 2015.
//
// The numbers in the header are not trusted; memory is allocated for the contents of the file, up to
// the limits of L206.
//
// Tested by: tests/unit/test_ltl_hoa.cpp, tests/fuzz/hoa.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/source.h"
#include "ltl/automaton.h"

namespace spoor::ltl {

std::string to_hoa(const Automaton& automaton, std::string_view name);

// The automaton in this file of `sources`, or nothing and the reason in `diagnostics` (L2xx).
std::optional<Automaton> read_hoa(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics);

}  // namespace spoor::ltl
