// Smaller automata by trial, with the negation as the judge.
//
// Making two states one can only add words. Whether it added a wrong one is a question with an
// exact answer: does the result have a word in common with the automaton of the negated formula? So
// every pair of states is tried, and the first that passes is kept, until none does. This finds all
// that quotients by direct, reverse, delayed or fair simulation would, and pairs that no simulation
// relates. The same judge allows marks to be added (accepting states), which lets other pairs match
// afterwards.
//
// The rivals need no second automaton, but they find less; ours of the negation is there anyway, to
// see whether the formula is an obligation and whether it minds stuttering.
//
// Invariant: the language is that of the automaton given, if `negation` accepts exactly the other
// words. Cost: pairs times the product, bounded by `max_steps`; where that ends, the best so far is
// returned.
//
// Tested by: tests/unit/test_ltl_words.cpp
#pragma once

#include <cstddef>

#include "ltl/tgba.h"

namespace spoor::ltl {

Tgba reduced_by_trial(const Tgba& automaton, const Tgba& negation, Bdds& bdds, bool by_state,
                      std::size_t max_steps = 1'500'000);

}  // namespace spoor::ltl
