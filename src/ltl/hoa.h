// Automata in the Hanoi omega-automata format (HOA), version 1, which Spot, ltl3ba, owl and others
// share.
//
// Written: everything that an Automaton is. Read: Buchi and generalized Buchi acceptance on states
// or on transitions, `t` and `f`; labels on transitions or states, implicit labels, aliases;
// several initial states (a new one takes their edges). Alternation and every other acceptance
// condition are refused: an automaton that is read as something else is a wrong verdict.
//
// The format: T. Babiak et al., The Hanoi omega-automata format, CAV 2015.
//
// Numbers in the header are claims; memory follows what the file contains, up to the limits of
// L206.
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
