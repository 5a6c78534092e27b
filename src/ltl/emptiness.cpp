#include "ltl/emptiness.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace spoor::ltl {

bool is_empty(const Tgba& automaton) {
  // Only states that are reachable from the initial state count.
  std::vector<bool> is_reached(automaton.states.size(), false);
  std::vector<std::uint32_t> todo{automaton.initial};
  is_reached[automaton.initial] = true;
  while (!todo.empty()) {
    const std::uint32_t s = todo.back();
    todo.pop_back();
    for (const Arc& arc : automaton.states[s]) {
      if (is_reached[arc.target]) continue;
      is_reached[arc.target] = true;
      todo.push_back(arc.target);
    }
  }
  const Components parts = components_of(automaton);
  for (std::size_t s = 0; s < automaton.states.size(); ++s) {
    if (is_reached[s] && parts.is_accepting[parts.of[s]]) return false;
  }
  return true;
}

std::optional<bool> are_disjoint(const Tgba& a, const Tgba& b, Bdds& bdds, std::size_t max_arcs) {
  if (a.sets + b.sets > 64) return std::nullopt;
  Tgba product;
  product.sets = a.sets + b.sets;
  std::unordered_map<std::uint64_t, std::uint32_t> number;
  std::vector<std::uint64_t> pairs;
  const auto number_of = [&](std::uint32_t s, std::uint32_t t) {
    const std::uint64_t pair = (std::uint64_t{s} << 32) | t;
    const auto [found, is_new] = number.emplace(pair, static_cast<std::uint32_t>(pairs.size()));
    if (is_new) pairs.push_back(pair);
    return found->second;
  };
  product.initial = number_of(a.initial, b.initial);
  std::size_t arcs = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::uint64_t pair = pairs[i];
    product.states.emplace_back();
    for (const Arc& x : a.states[pair >> 32]) {
      for (const Arc& y : b.states[pair & UINT32_MAX]) {
        if (++arcs > max_arcs) return std::nullopt;
        if (!bdds.overlap(x.label, y.label)) continue;
        const std::uint64_t marks = x.marks | (a.sets == 64 ? 0 : y.marks << a.sets);
        product.states[i].push_back({number_of(x.target, y.target), Bdds::kTrue, marks});
      }
    }
  }
  return is_empty(product);
}

Tgba complement_of_deterministic(const Tgba& automaton, Bdds& bdds) {
  const auto count = static_cast<std::uint32_t>(automaton.states.size());
  // One copy that follows the run, one per set that avoids it, and a state for runs that have
  // ended.
  const std::uint32_t ended = count * (automaton.sets + 1);
  Tgba result;
  result.initial = automaton.initial;
  result.sets = 1;
  result.states.resize(ended + 1);
  result.states[ended].push_back({ended, Bdds::kTrue, 1});
  for (std::uint32_t s = 0; s < count; ++s) {
    Bdd letters = Bdds::kFalse;
    for (const Arc& arc : automaton.states[s]) {
      letters = bdds.either(letters, arc.label);
      result.states[s].push_back({arc.target, arc.label, 0});
      for (std::uint32_t set = 0; set < automaton.sets; ++set) {
        const std::uint32_t copy = count * (set + 1);
        result.states[s].push_back({copy + arc.target, arc.label, 0});
        if ((arc.marks >> set & 1) != 0) continue;
        result.states[copy + s].push_back({copy + arc.target, arc.label, 1});
      }
    }
    result.states[s].push_back({ended, bdds.negation(letters), 0});
  }
  normalize(result, bdds);
  return result;
}

}  // namespace spoor::ltl
