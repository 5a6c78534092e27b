// Do two automata have a word in common?
//
// The product is built state by state and its strongly connected components are searched for one with
// all marks of both (R. Tarjan 1972; generalized acceptance costs nothing there). With the
// automaton of f and that of !f this is an exact test: a change that can only make a language
// larger is right if the larger one still has no word in common with !f. Reductions that no
// simulation justifies are tested that way (merge_states.h), and the minimal deterministic automaton
// of an obligation is confirmed by it (obligation.h).
//
// Tested by: tests/unit/test_ltl_words.cpp
#pragma once

#include <cstddef>
#include <optional>

#include "ltl/tgba.h"

namespace spoor::ltl {

// Nothing when the answer would take more than `max_arcs` arcs of the product, or more than 64
// sets.
std::optional<bool> are_disjoint(const Tgba& a, const Tgba& b, Bdds& bdds, std::size_t max_arcs = 500'000);

bool is_empty(const Tgba& automaton);

// The words that a deterministic automaton rejects: its run ends, or misses one of the sets from
// some point on, which is guessed.
Tgba complement_of_deterministic(const Tgba& automaton, Bdds& bdds);

}  // namespace spoor::ltl
