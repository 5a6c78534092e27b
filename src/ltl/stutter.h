// Does a formula mind stuttering?
//
// A language is stutter-invariant when no word is told from a copy in which letters are repeated,
// or repetitions removed. Only then may a partial-order reduction leave out steps that no atom
// sees. A formula without X is; one with an X may be all the same (X of something that does not
// change).
//
// Exact test (T. Michaud and A. Duret-Lutz, SPIN 2015): let both the automaton of f and that of !f
// repeat a letter as often as they like before they go on. If the stretched languages share a word,
// it is a stretched copy of a word of f and of one of !f: f minds. If not, it does not. The
// stretched automata have to remember the last letter; in the product both have read the same one,
// so a product state is a pair and a letter. Letters that no label of either automaton tells apart
// count as one.
//
// Cost: states * states * classes of letters, bounded; nothing is returned beyond.
//
// Tested by: tests/unit/test_ltl_words.cpp
#pragma once

#include <optional>

#include "ltl/tgba.h"

namespace spoor::ltl {

std::optional<bool> is_stutter_invariant(const Tgba& automaton, const Tgba& negation, Bdds& bdds);

// The same for an automaton that comes without a negation, a never claim say. Where a simulation shows that
// it is invariant, that is enough; otherwise its complement is made (complement.h), if it is small.
std::optional<bool> is_stutter_invariant(const Tgba& automaton, Bdds& bdds);

}  // namespace spoor::ltl
