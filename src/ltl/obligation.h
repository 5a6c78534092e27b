// The smallest deterministic automaton of an obligation.
//
// Many properties in practice are obligations: Boolean combinations of safety ("never p") and
// guarantee
// ("p some day"). Their languages have deterministic Buchi automata that are *weak* (a component
// accepts with all its cycles or with none), and a weak deterministic automaton can be minimized
// like one for finite words, with one result up to names (C. Loding, IPL 2001). Whether a formula
// is an obligation need not be known in advance (Dax, Eisinger, Klaedtke, ATVA 2007):
//
//   1. determinize the automaton by sets of states, forgetting acceptance;
//   2. a component accepts if some run of the original automaton does on a word that stays in it:
//   for an
//      obligation, one such word speaks for all;
//   3. the result is right if it has no word in common with the negation's automaton, and its
//   complement
//      (components flipped) none with the formula's. If either fails, this was no obligation.
//   4. number the components from the bottom so that acceptance is the parity, and merge states
//   that no
//      word tells apart (E. F. Moore).
//
// Cost: exponential in the states at worst; nothing is returned beyond `max_states`.
//
// Tested by: tests/unit/test_ltl_words.cpp
#pragma once

#include <cstddef>
#include <optional>

#include "ltl/tgba.h"

namespace spoor::ltl {

// State-based and deterministic, without the states from which nothing is accepted; nothing when
// the language is no obligation, or when it would take too long to find out.
std::optional<Tgba> minimal_weak(const Tgba& automaton, const Tgba& negation, Bdds& bdds,
                                 std::size_t max_states = 400);

}  // namespace spoor::ltl
