// The automaton of a formula, as other folders use it.
//
// A run reads one letter per step: the truth of all atoms in a state of the model, as one word of
// 64 bits (bit i is atom i). An edge may be taken on a letter v when `(v & mask) == value`. A
// generalized automaton accepts a run that meets every mark 0 .. sets-1 infinitely often on its
// edges; with no sets, every infinite run. If `is_state_based`, there is at most one set and the
// edges of a state agree: `accepting` says so, and the run is accepted when it is in accepting
// states infinitely often.
//
// Where a state has no edge for a letter, the run ends and is not accepted: automata are not
// completed. An automaton without states accepts nothing. The order of the edges of a state depends
// on the formula alone.
//
//   class      consequence for a search
//   terminal   accepting states accept every continuation: reaching one is a violation (safety search)
//   weak       all states of a cycle are accepting or none is: one depth-first search is enough
//   strong     all others: nested search, or components
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ltl/tgba.h"

namespace spoor::ltl {

struct Cube {
  std::uint64_t mask = 0;   // atoms that matter
  std::uint64_t value = 0;  // their required values; a subset of mask

  bool matches(std::uint64_t letter) const { return (letter & mask) == value; }
  friend bool operator==(const Cube&, const Cube&) = default;
};

struct Edge {
  std::uint32_t target = 0;
  Cube label;
  std::uint64_t marks = 0;
};

struct State {
  std::vector<Edge> edges;
  bool accepting = false;  // state-based automata only
};

enum class Strength { kTerminal, kWeak, kStrong };

struct Automaton {
  std::vector<std::string> atoms;
  std::uint32_t initial = 0;
  std::uint32_t sets = 0;
  bool is_state_based = false;
  std::vector<State> states;

  Strength strength = Strength::kStrong;
  bool is_deterministic = false;
  std::optional<bool> is_stutter_invariant;  // nothing: too large to decide, or not computed

  std::size_t edge_count() const {
    std::size_t count = 0;
    for (const State& state : states) count += state.edges.size();
    return count;
  }
  std::uint64_t all_marks() const { return sets == 64 ? ~0ull : (1ull << sets) - 1; }
  bool is_empty() const { return states.empty(); }
  // One state, one edge for every letter, no condition.
  bool accepts_everything() const;
};

// "terminal", "weak", "strong"
const char* to_text(Strength strength);

// The letters of a cube as a set.
Bdd to_bdd(const Cube& cube, Bdds& bdds);

// Conversion between edges with cubes and arcs with sets; throws TooLarge beyond 200,000 edges.
// `by_state`: the arcs of each state have equal marks.
Automaton to_automaton(const Tgba& automaton, std::vector<std::string> atoms, Bdds& bdds, bool by_state);
Tgba to_tgba(const Automaton& automaton, Bdds& bdds);

// Sets strength and determinism.
void classify(Automaton& automaton, Bdds& bdds);

}  // namespace spoor::ltl
