#include "ltl/automaton.h"

#include <utility>

#include "ltl/formula.h"

namespace spoor::ltl {
namespace {

constexpr std::size_t kMaxEdges = 200'000;

Cube to_cube(const Literals& literals) {
  Cube cube;
  for (const auto& [variable, positive] : literals) {
    cube.mask |= 1ull << variable;
    if (positive) cube.value |= 1ull << variable;
  }
  return cube;
}

// All cycles of an accepting component are accepting: none avoids one of the sets.
bool is_weak(const Tgba& automaton) {
  const Components parts = components_of(automaton);
  for (std::uint32_t set = 0; set < automaton.sets; ++set) {
    const Components cycles = cycles_avoiding(automaton, parts, set);
    for (std::uint32_t s = 0; s < automaton.states.size(); ++s) {
      if (parts.is_accepting[parts.of[s]] && cycles.is_cyclic[cycles.of[s]]) return false;
    }
  }
  return true;
}

// From every state of an accepting component every letter leads to an accepting component.
bool is_terminal(const Tgba& automaton, Bdds& bdds) {
  const Components parts = components_of(automaton);
  for (std::uint32_t s = 0; s < automaton.states.size(); ++s) {
    if (!parts.is_accepting[parts.of[s]]) continue;
    Bdd letters = Bdds::kFalse;
    for (const Arc& arc : automaton.states[s]) {
      if (parts.of[arc.target] == parts.of[s]) letters = bdds.either(letters, arc.label);
    }
    if (letters != Bdds::kTrue) return false;
  }
  return true;
}

}  // namespace

bool Automaton::accepts_everything() const {
  return states.size() == 1 && states[0].edges.size() == 1 && states[0].edges[0].label.mask == 0 &&
         states[0].edges[0].marks == all_marks();
}

const char* to_text(Strength strength) {
  switch (strength) {
    case Strength::kTerminal: return "terminal";
    case Strength::kWeak: return "weak";
    case Strength::kStrong: break;
  }
  return "strong";
}

Bdd to_bdd(const Cube& cube, Bdds& bdds) {
  Bdd set = Bdds::kTrue;
  for (std::uint32_t i = kMaxAtoms; i-- > 0;) {
    if ((cube.mask >> i & 1) != 0) set = bdds.both(bdds.variable(i, (cube.value >> i & 1) != 0), set);
  }
  return set;
}

Automaton to_automaton(const Tgba& automaton, std::vector<std::string> atoms, Bdds& bdds, bool by_state) {
  Automaton result;
  result.atoms = std::move(atoms);
  result.initial = automaton.initial;
  result.sets = automaton.sets;
  result.is_state_based = by_state;
  // A single initial state without edges: nothing is accepted.
  if (automaton.states.size() == 1 && automaton.states[0].empty()) {
    classify(result, bdds);
    return result;
  }
  std::size_t edges = 0;
  for (const auto& arcs : automaton.states) {
    State state;
    for (const Arc& arc : arcs) {
      for (const Literals& cube : bdds.irredundant_cubes(arc.label)) {
        state.edges.push_back({arc.target, to_cube(cube), arc.marks});
        if (++edges > kMaxEdges) throw TooLarge();
      }
      state.accepting = by_state && arc.marks == automaton.all_marks();
    }
    result.states.push_back(std::move(state));
  }
  classify(result, bdds);
  return result;
}

Tgba to_tgba(const Automaton& automaton, Bdds& bdds) {
  Tgba result;
  result.initial = automaton.initial;
  result.sets = automaton.sets;
  for (const State& state : automaton.states) {
    result.states.emplace_back();
    for (const Edge& edge : state.edges) {
      result.states.back().push_back({edge.target, to_bdd(edge.label, bdds), edge.marks});
    }
  }
  if (result.states.empty()) result.states.emplace_back();
  normalize(result, bdds);
  return result;
}

void classify(Automaton& automaton, Bdds& bdds) {
  const Tgba shape = to_tgba(automaton, bdds);
  automaton.is_deterministic = is_deterministic(shape, bdds);
  automaton.strength = !is_weak(shape)            ? Strength::kStrong
                       : is_terminal(shape, bdds) ? Strength::kTerminal
                                                  : Strength::kWeak;
}

}  // namespace spoor::ltl
