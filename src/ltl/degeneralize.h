// From many acceptance sets to one, on arcs or on states.
//
// The sets of a component are ordered. Each state has one copy per level; the level is the number of
// sets, in that order, that the run has met. A run that passes the last level has met every set once
// more. Several levels are passed at once where an arc has several marks. The marks before a run
// enters a component do not matter, so the level is chosen freely there ("level reset"): the first,
// the last (the entered state is then accepting), or a level at which the state already exists.
// Components without acceptance have one level.
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
