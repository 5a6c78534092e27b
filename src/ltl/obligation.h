// The smallest deterministic automaton of an obligation.
//
// Many properties in practice are obligations: Boolean combinations of safety ("never p") and
// guarantee ("eventually p"). Their languages have deterministic Buchi automata that are *weak* (all
// cycles of a component are accepting or none is), and a weak deterministic automaton can be
// minimized like one for finite words, with one result up to names (C. Loding, IPL 2001). Whether a
// formula is an obligation need not be known in advance (Dax, Eisinger, Klaedtke, ATVA 2007):
//
//   1. determinize the automaton by sets of states, without acceptance;
//   2. a component is accepting if the original automaton accepts some word that stays in it: for an
//      obligation, one such word is enough;
//   3. the result is right if it has no word in common with the negation's automaton, and its
//      complement (components flipped) none with the formula's. If either fails, the formula is not an
//      obligation;
//   4. number the components from the bottom so that acceptance is the parity, and merge states that
//      no word distinguishes (E. F. Moore).
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
// the language is not an obligation, or when the decision would take too long.
std::optional<Tgba> minimal_weak(const Tgba& automaton, const Tgba& negation, Bdds& bdds,
                                 std::size_t max_states = 400);

}  // namespace spoor::ltl
