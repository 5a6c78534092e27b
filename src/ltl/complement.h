// The words that an automaton does not accept.
//
// The idea (O. Kupferman and M. Vardi 2001). A word is rejected if and only if the states of all its runs
// can be ranked, letter by letter, so that ranks never rise along a run, a marked arc never leaves an odd
// rank without lowering it, and every run ends up in an odd rank for good. The complement guesses such
// ranks. Its states are first the sets of states that the automaton can be in; from some letter on, which
// is guessed, such a set with a rank for each, and beside it those that have been in even ranks since the
// last time that there was none: when there is none again and again, all runs have ended up in odd ranks.
// From some letter on the highest rank is odd, stays the same, and all odd ranks below it occur (E.
// Friedgut, O. Kupferman, M. Vardi 2006), so no others are guessed.
//
// Marks are on arcs here, on states in the literature: an arc with the mark lowers an odd rank by one,
// where there a marked state must have an even one.
//
// A set with a state that accepts whatever follows has no rejected word, and one without states has no other.
//
// Rivals. For the automaton of a formula, that of its negation is smaller and known. This is for automata
// that come from elsewhere, never claims, and have a handful of states.
//
// Cost: exponential, n^n and worse; nothing is returned beyond `max_arcs`.
// Tested by: tests/unit/test_ltl_complement.cpp
#pragma once

#include <cstddef>
#include <optional>

#include "ltl/tgba.h"

namespace spoor::ltl {

// Nothing, too, for more than one set.
std::optional<Tgba> complement(const Tgba& automaton, Bdds& bdds, std::size_t max_arcs = 20'000);

}  // namespace spoor::ltl
