// The automata that the stages of a translation pass to each other.
//
// A Tgba is a transition-based generalized Buchi automaton: a run is accepting when it meets every
// one of the `sets` marks infinitely often; with no sets, every infinite run is. Labels are sets of
// truth assignments (bdd.h). There is always at least one state; a state may have no arcs, so an
// automaton need not be complete. A state-based automaton has at most one set, and all arcs of a
// state have equal marks (test with is_state_based).
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
// The components that remain inside each component without the arcs with this mark: their cycles avoid the
// mark. `parts` are the components of the automaton.
Components cycles_avoiding(const Tgba& automaton, const Components& parts, std::uint32_t set);

// An automaton of the same language: only states that are reachable and from which a run can be
// accepted (and the initial one), only marks on cycles, no redundant sets. With `by_state` a
// state-based automaton stays state-based.
Tgba trimmed(const Tgba& automaton, Bdds& bdds, bool by_state = false);

// More marks, same language: an arc gets a mark when every cycle through it has the mark already. On
// a state-based automaton (`by_state`), all arcs of a state get it or none.
Tgba with_more_marks(const Tgba& automaton, bool by_state);

bool is_state_based(const Tgba& automaton);
// No two arcs of a state share a letter.
bool is_deterministic(const Tgba& automaton, Bdds& bdds);

// The coarsest partition of the letters such that every label of these automata is a union of parts; nothing
// for more than so many parts.
std::optional<std::vector<Bdd>> letter_classes(std::initializer_list<const Tgba*> automata, Bdds& bdds,
                                               std::size_t max_classes);

// Each state is replaced by its image in `to`, which must be idempotent; the arcs of merged states are
// joined.
Tgba merged(const Tgba& automaton, const std::vector<std::uint32_t>& to, Bdds& bdds);

}  // namespace spoor::ltl
