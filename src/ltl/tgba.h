// The automata that the stages of a translation hand to each other.
//
// A Tgba is a transition-based generalized Buchi automaton: a run is accepting when it meets every
// one of the `sets` marks infinitely often; with no sets, every infinite run is. Labels are sets of
// truth assignments (bdd.h). There is always at least one state; a state without arcs is a dead
// end, so an automaton need not be complete. A state-based automaton is one with at most one set
// where all arcs of a state carry equal marks (make sure with is_state_based).
//
// The arcs of a state are sorted by target and marks after `normalize`, so the order is the same in
// every run. The public type, with cubes for labels, is in automaton.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "ltl/bdd.h"

namespace spoor::ltl {

struct Arc {
  std::uint32_t target;
  Bdd label;
  std::uint64_t marks;
};

struct Tgba {
  std::uint32_t initial = 0;
  std::uint32_t sets = 0;
  std::vector<std::vector<Arc>> states;

  std::size_t arc_count() const {
    std::size_t count = 0;
    for (const auto& arcs : states) count += arcs.size();
    return count;
  }
  std::uint64_t all_marks() const { return sets == 64 ? ~0ull : (1ull << sets) - 1; }
};

// Joins arcs that differ in their labels only, drops those that no letter can take, and sorts.
void normalize(Tgba& automaton, Bdds& bdds);

// Strongly connected components, numbered so that arcs lead to equal or smaller numbers.
struct Components {
  std::vector<std::uint32_t> of;     // by state
  std::vector<std::uint64_t> marks;  // by component: on arcs within it
  std::vector<bool> is_cyclic;       // has an arc within it
  std::vector<bool> is_accepting;    // a run that stays in it can be accepting
  std::size_t count() const { return marks.size(); }
};
Components components_of(const Tgba& automaton);
// The same for what is left within each component when the arcs with this mark are gone: which cycles do
// without it? `parts` are the components of the automaton.
Components cycles_avoiding(const Tgba& automaton, const Components& parts, std::uint32_t set);

// Same language: states that are reached and from which a run can be accepted (and the initial
// one), marks only where they matter, sets only that say something. With `by_state` a state-based
// automaton stays one.
Tgba trimmed(const Tgba& automaton, Bdds& bdds, bool by_state = false);

// More marks, same language: an arc gets a mark when every cycle through it has it anyway. On an
// automaton with states as carriers (`by_state`), all arcs of a state get it or none.
Tgba with_more_marks(const Tgba& automaton, bool by_state);

bool is_state_based(const Tgba& automaton);
// No two arcs of a state share a letter.
bool is_deterministic(const Tgba& automaton, Bdds& bdds);

// The coarsest partition of the letters that respects every label of these; nothing for more than so many
// parts.
std::optional<std::vector<Bdd>> letter_classes(std::initializer_list<const Tgba*> automata, Bdds& bdds,
                                               std::size_t max_classes);

// States replaced by those in `to`, which must map into itself; arcs of all that become one are
// joined.
Tgba merged(const Tgba& automaton, const std::vector<std::uint32_t>& to, Bdds& bdds);

}  // namespace spoor::ltl
