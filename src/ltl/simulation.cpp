#include "ltl/simulation.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace spoor::ltl {
namespace {

using Row = std::vector<char>;
using Relation = std::vector<Row>;  // [s][t]: t simulates s

struct Move {
  std::uint32_t to;
  Bdd label;
  std::uint64_t marks;
};
using Moves = std::vector<std::vector<Move>>;

// The largest relation such that every move of s is matched, letter by letter, by moves of t.
void refine(Relation& relation, const Moves& moves, Bdds& bdds) {
  const std::size_t count = moves.size();
  const auto answers = [&](const Move& move, std::size_t t) {
    Bdd open = move.label;
    for (const Move& reply : moves[t]) {
      if ((move.marks & ~reply.marks) != 0 || relation[move.to][reply.to] == 0) continue;
      open = bdds.without(open, reply.label);
      if (open == Bdds::kFalse) return true;
    }
    return open == Bdds::kFalse;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t s = 0; s < count; ++s) {
      for (std::size_t t = 0; t < count; ++t) {
        if (s == t || relation[s][t] == 0) continue;
        const bool holds =
            std::all_of(moves[s].begin(), moves[s].end(), [&](const Move& move) { return answers(move, t); });
        if (holds) continue;
        relation[s][t] = 0;
        changed = true;
      }
    }
  }
}

// Maps every state to the first of those that it simulates and that simulate it.
std::vector<std::uint32_t> representatives(const Relation& relation) {
  std::vector<std::uint32_t> to(relation.size());
  for (std::uint32_t s = 0; s < relation.size(); ++s) {
    to[s] = s;
    for (std::uint32_t t = 0; t < s; ++t) {
      if (relation[s][t] != 0 && relation[t][s] != 0) {
        to[s] = to[t];
        break;
      }
    }
  }
  return to;
}

Moves forward_moves(const Tgba& automaton) {
  Moves moves(automaton.states.size());
  for (std::size_t s = 0; s < moves.size(); ++s) {
    for (const Arc& arc : automaton.states[s]) moves[s].push_back({arc.target, arc.label, arc.marks});
  }
  return moves;
}

Moves backward_moves(const Tgba& automaton) {
  Moves moves(automaton.states.size());
  for (std::uint32_t s = 0; s < moves.size(); ++s) {
    for (const Arc& arc : automaton.states[s]) moves[arc.target].push_back({s, arc.label, arc.marks});
  }
  return moves;
}

// Keeps, for each arc, the letters for which no other arc is better; `is_better(e, e')` is a strict
// order on arcs, so a best one always stays.
template <typename IsBetter>
void prune(std::vector<Move>& moves, Bdds& bdds, const IsBetter& is_better) {
  std::vector<Move> kept;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    Bdd open = moves[i].label;
    for (std::size_t j = 0; j < moves.size(); ++j) {
      if (i != j && is_better(moves[i], moves[j])) open = bdds.without(open, moves[j].label);
    }
    if (open != Bdds::kFalse) kept.push_back({moves[i].to, open, moves[i].marks});
  }
  moves = std::move(kept);
}

void prune_all(Moves& moves, const Relation& relation, Bdds& bdds) {
  for (auto& list : moves) {
    prune(list, bdds, [&](const Move& worse, const Move& better) {
      if ((worse.marks & ~better.marks) != 0 || relation[worse.to][better.to] == 0) return false;
      return worse.to != better.to || worse.marks != better.marks;
    });
  }
}

bool is_small(const Tgba& automaton, const SimulationOptions& options) {
  return automaton.states.size() <= options.max_states && automaton.arc_count() <= options.max_arcs;
}

void set_transient_marks(Tgba& automaton, std::uint64_t marks) {
  const Components parts = components_of(automaton);
  for (std::uint32_t s = 0; s < automaton.states.size(); ++s) {
    for (Arc& arc : automaton.states[s]) {
      if (parts.of[arc.target] != parts.of[s]) arc.marks = marks;
    }
  }
}

Tgba prepared(const Tgba& automaton, const SimulationOptions& options) {
  Tgba copy = automaton;
  if (!options.by_state) {
    set_transient_marks(copy, options.transient_have_all ? copy.all_marks() : 0);
  }
  return copy;
}

Relation full_relation(std::size_t count) { return Relation(count, Row(count, 1)); }

// After states have been merged the relation is one between representatives, and an order.
Tgba pruned(const Tgba& automaton, const Relation& relation, Bdds& bdds, bool forward) {
  Moves moves = forward ? forward_moves(automaton) : backward_moves(automaton);
  prune_all(moves, relation, bdds);
  Tgba result = automaton;
  for (auto& arcs : result.states) arcs.clear();
  for (std::uint32_t s = 0; s < moves.size(); ++s) {
    for (const Move& move : moves[s]) {
      if (forward) {
        result.states[s].push_back({move.to, move.label, move.marks});
      } else {
        result.states[move.to].push_back({s, move.label, move.marks});
      }
    }
  }
  normalize(result, bdds);
  return result;
}

}  // namespace

Tgba reduced_forward(const Tgba& automaton, Bdds& bdds, const SimulationOptions& options) {
  if (!is_small(automaton, options)) return automaton;
  const Tgba start = prepared(automaton, options);
  Relation relation = full_relation(start.states.size());
  refine(relation, forward_moves(start), bdds);
  const Tgba quotient = merged(start, representatives(relation), bdds);
  return trimmed(pruned(quotient, relation, bdds, true), bdds, options.by_state);
}

Tgba reduced_backward(const Tgba& automaton, Bdds& bdds, const SimulationOptions& options) {
  if (!is_small(automaton, options)) return automaton;
  const Tgba start = prepared(automaton, options);
  const std::size_t count = start.states.size();
  Relation relation = full_relation(count);
  for (std::size_t s = 0; s < count; ++s) {
    for (std::size_t t = 0; t < count; ++t) {
      // The initial state has an empty past, which no other state can match. Marks of a state-based
      // automaton belong to the state, also when they are on its arcs.
      const bool loses_start = s == start.initial && t != start.initial;
      const std::uint64_t marks_s = start.states[s].empty() ? 0 : start.states[s].front().marks;
      const std::uint64_t marks_t = start.states[t].empty() ? 0 : start.states[t].front().marks;
      const bool loses_marks = options.by_state && (marks_s & ~marks_t) != 0;
      if (loses_start || loses_marks) relation[s][t] = 0;
    }
  }
  refine(relation, backward_moves(start), bdds);
  const Tgba quotient = merged(start, representatives(relation), bdds);
  return trimmed(pruned(quotient, relation, bdds, false), bdds, options.by_state);
}

Tgba reduced_by_simulation(const Tgba& automaton, Bdds& bdds, const SimulationOptions& options) {
  Tgba best = trimmed(automaton, bdds, options.by_state);
  for (int round = 0; round < 20; ++round) {
    const std::size_t states = best.states.size();
    const std::size_t arcs = best.arc_count();
    best = reduced_forward(best, bdds, options);
    best = reduced_backward(best, bdds, options);
    if (best.states.size() == states && best.arc_count() >= arcs) break;
  }
  return best;
}

}  // namespace spoor::ltl
