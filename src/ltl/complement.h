// The complement of an automaton: the words that it does not accept.
//
// The idea (O. Kupferman and M. Vardi 2001). A word is rejected if and only if the states of all its runs
// can be ranked, letter by letter, so that ranks never rise along a run, a marked arc from an odd rank
// always lowers it, and every run stays in an odd rank from some point on. The complement guesses such
// ranks. Its states are first the sets of states that the automaton can be in. From some letter on, which
// is guessed, a state is such a set with a rank for each state, and the subset of states whose ranks have
// been even since this subset was last empty: when it is empty infinitely often, all runs stay in odd ranks.
// From some letter on the highest rank is odd and does not change, and all odd ranks below it occur (E.
// Friedgut, O. Kupferman, M. Vardi 2006), so no other rankings are guessed.
//
// Marks are on arcs here, on states in the literature: here an arc with the mark lowers an odd rank by one,
// there a marked state must have an even rank.
//
// From a set with a state that accepts every continuation no word is rejected; from the empty set all are.
//
// Rivals. For the automaton of a formula, that of its negation is smaller and known. This is for automata
// of other origin, never claims, with a few states.
//
// Cost: exponential, n^n and worse; nothing is returned beyond `max_arcs`.
// Tested by: tests/unit/test_ltl_complement.cpp
#pragma once

#include <cstddef>
#include <optional>

#include "ltl/tgba.h"

namespace spoor::ltl {

// Also nothing for more than one acceptance set.
std::optional<Tgba> complement(const Tgba& automaton, Bdds& bdds, std::size_t max_arcs = 20'000);

}  // namespace spoor::ltl
