// Is a formula stutter-invariant?
//
// A language is stutter-invariant when it contains, with a word, every copy of it in which letters are
// repeated or repetitions removed. Only then may a partial-order reduction leave out steps that change
// no atom. A formula without X is stutter-invariant; one with X may be, too (X of something that does
// not change).
//
// Exact test (T. Michaud and A. Duret-Lutz, SPIN 2015): let both the automaton of f and that of !f
// repeat a letter any number of times. If the stretched languages share a word, it is a stretched
// copy of a word of f and of one of !f: f is not stutter-invariant. If not, f is. The stretched
// automata have to remember the last letter; in the product both have read the same one, so a
// product state is a pair and a letter. Letters that no label of either automaton distinguishes count
// as one.
//
// Cost: states * states * classes of letters, bounded; beyond the bound nothing is returned.
//
// Tested by: tests/unit/test_ltl_words.cpp
#pragma once

#include <optional>

#include "ltl/tgba.h"

namespace spoor::ltl {

std::optional<bool> is_stutter_invariant(const Tgba& automaton, const Tgba& negation, Bdds& bdds);

// The same for an automaton without a known negation, such as a never claim. Where a simulation shows that
// it is stutter-invariant, that is enough; otherwise its complement is built (complement.h), if it is small.
std::optional<bool> is_stutter_invariant(const Tgba& automaton, Bdds& bdds);

}  // namespace spoor::ltl
