// Smaller automata by merging pairs of states, tested against the negation.
//
// Merging two states can only add words. Whether it adds a wrong word has an exact test: does the
// result have a word in common with the automaton of the negated formula? So every pair of states is
// tried, and the first that passes is merged, until none passes. This finds all merges of quotients
// by direct, reverse, delayed or fair simulation, and pairs that no simulation relates. The same test
// allows marks to be added (accepting states), after which other pairs can be merged.
//
// The rivals need no second automaton, but they find less; the automaton of the negation exists
// anyway, to decide whether the formula is an obligation and whether it is stutter-invariant.
//
// Invariant: the language is that of the given automaton, if `negation` accepts exactly the other
// words. Cost: pairs times the product, bounded by `max_steps`; beyond the bound the best automaton
// so far is returned.
//
// Tested by: tests/unit/test_ltl_words.cpp
#pragma once

#include <cstddef>

#include "ltl/tgba.h"

namespace spoor::ltl {

Tgba merge_states(const Tgba& automaton, const Tgba& negation, Bdds& bdds, bool by_state,
                  std::size_t max_steps = 1'500'000);

}  // namespace spoor::ltl
