// From many acceptance sets to one, carried by arcs or by states.
//
// The sets of a component are put in an order, and a copy of each state for each level remembers
// how far down that order the run has come; whoever reaches the end has met every set once more.
// Several levels are passed at once where an arc has several marks. What a run had met before it
// entered a component does not matter, so the level is chosen freely there ("level reset"): at the
// start, at the end (the entered state is then an accepting one), or at a level that the state is
// needed with anyway. Components without acceptance have one level.
//
// Which order is best depends on the automaton; translate() tries several. Gastin and Oddoux (CAV
// 2001) for skipping levels; Babiak et al. (SPIN 2013) for per-component orders and resets.
//
// Invariant: the language is kept, whatever the order and the entry.
// Cost: states times sets at most.
//
// Tested by: tests/unit/test_ltl_words.cpp
#pragma once

#include <cstdint>
#include <vector>

#include "ltl/tgba.h"

namespace spoor::ltl {

enum class Entry { kFirst, kLast, kKnown };
enum class Carrier { kArcs, kStates };

// `order` is a permutation of the sets of the automaton.
Tgba degeneralized(const Tgba& automaton, const std::vector<std::uint32_t>& order, Entry entry,
                   Carrier carrier, Bdds& bdds);

}  // namespace spoor::ltl
