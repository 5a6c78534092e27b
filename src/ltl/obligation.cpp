#include "ltl/obligation.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "ltl/emptiness.h"

namespace spoor::ltl {
namespace {

using StateSet = std::vector<std::uint32_t>;  // sorted

struct Powerset {
  Tgba automaton;  // complete, deterministic, no acceptance; the empty set is a state
  std::vector<StateSet> members;
};

// Splits the letters by which states of the set they lead to.
std::optional<std::vector<std::pair<Bdd, StateSet>>> successors(const Tgba& automaton, const StateSet& set,
                                                                Bdds& bdds) {
  constexpr std::size_t kMaxPieces = 2000;
  std::vector<std::pair<Bdd, StateSet>> pieces{{Bdds::kTrue, {}}};
  for (const std::uint32_t s : set) {
    for (const Arc& arc : automaton.states[s]) {
      const std::size_t count = pieces.size();
      for (std::size_t i = 0; i < count; ++i) {
        const Bdd inside = bdds.both(pieces[i].first, arc.label);
        if (inside == Bdds::kFalse) continue;
        const Bdd outside = bdds.without(pieces[i].first, arc.label);
        if (outside != Bdds::kFalse) {
          if (pieces.size() > kMaxPieces) return std::nullopt;
          pieces.emplace_back(outside, pieces[i].second);
        }
        pieces[i].first = inside;
        StateSet& targets = pieces[i].second;
        const auto at = std::lower_bound(targets.begin(), targets.end(), arc.target);
        if (at == targets.end() || *at != arc.target) targets.insert(at, arc.target);
      }
    }
  }
  return pieces;
}

std::optional<Powerset> determinize(const Tgba& automaton, Bdds& bdds, std::size_t max_states) {
  Powerset result;
  std::map<StateSet, std::uint32_t> number;
  const auto number_of = [&](const StateSet& set) {
    const auto [found, is_new] = number.emplace(set, static_cast<std::uint32_t>(number.size()));
    if (is_new) result.members.push_back(set);
    return found->second;
  };
  number_of({automaton.initial});
  for (std::size_t i = 0; i < result.members.size(); ++i) {
    if (result.members.size() > max_states) return std::nullopt;
    const StateSet set = result.members[i];
    const auto pieces = successors(automaton, set, bdds);
    if (!pieces) return std::nullopt;
    result.automaton.states.emplace_back();
    for (const auto& [label, targets] : *pieces) {
      result.automaton.states[i].push_back({number_of(targets), label, 0});
    }
  }
  normalize(result.automaton, bdds);
  return result;
}

// The components of the powerset automaton that contain a word that the original accepts.
std::vector<bool> accepting_components(const Powerset& powerset, const Components& parts,
                                       const Tgba& automaton, Bdds& bdds) {
  Tgba product;
  product.sets = automaton.sets;
  std::vector<std::uint32_t> first;  // of each powerset state, the number of its first pair
  std::uint32_t count = 0;
  for (const StateSet& set : powerset.members) {
    first.push_back(count);
    count += static_cast<std::uint32_t>(set.size());
  }
  product.states.resize(count);
  std::vector<std::uint32_t> owner(count);
  for (std::uint32_t q = 0; q < powerset.members.size(); ++q) {
    for (std::size_t i = 0; i < powerset.members[q].size(); ++i) {
      owner[first[q] + i] = q;
      for (const Arc& big : powerset.automaton.states[q]) {
        if (parts.of[big.target] != parts.of[q]) continue;
        const StateSet& goal = powerset.members[big.target];
        for (const Arc& arc : automaton.states[powerset.members[q][i]]) {
          if (!bdds.overlap(big.label, arc.label)) continue;
          const auto at = std::lower_bound(goal.begin(), goal.end(), arc.target) - goal.begin();
          product.states[first[q] + i].push_back(
              {first[big.target] + static_cast<std::uint32_t>(at), Bdds::kTrue, arc.marks});
        }
      }
    }
  }
  std::vector<bool> is_accepting(parts.count(), false);
  const Components cycles = components_of(product);
  for (std::uint32_t p = 0; p < count; ++p) {
    if (cycles.is_accepting[cycles.of[p]]) is_accepting[parts.of[owner[p]]] = true;
  }
  return is_accepting;
}

// A weak automaton: states of components in `is_accepting` carry the mark.
Tgba weak(const Tgba& automaton, const Components& parts, const std::vector<bool>& is_accepting) {
  Tgba result = automaton;
  result.sets = 1;
  for (std::uint32_t s = 0; s < result.states.size(); ++s) {
    for (Arc& arc : result.states[s]) arc.marks = is_accepting[parts.of[s]] ? 1 : 0;
  }
  return result;
}

// The ranks do not decrease along any arc; a component without cycles has the rank of its successors.
std::vector<bool> even_ranks(const Tgba& automaton, const Components& parts,
                             const std::vector<bool>& is_accepting) {
  std::vector<std::uint32_t> rank(parts.count(), 0);
  std::vector<StateSet> members(parts.count());
  for (std::uint32_t s = 0; s < automaton.states.size(); ++s) members[parts.of[s]].push_back(s);
  for (std::size_t c = 0; c < parts.count(); ++c) {
    for (const std::uint32_t s : members[c]) {
      for (const Arc& arc : automaton.states[s]) {
        if (parts.of[arc.target] != c) rank[c] = std::max(rank[c], rank[parts.of[arc.target]]);
      }
    }
    if (parts.is_cyclic[c] && (rank[c] % 2 == 0) != is_accepting[c]) ++rank[c];
  }
  std::vector<bool> is_even(automaton.states.size());
  for (std::uint32_t s = 0; s < automaton.states.size(); ++s) is_even[s] = rank[parts.of[s]] % 2 == 0;
  return is_even;
}

// The class of each state: equal classes, equal parities and equal arcs into classes.
std::vector<std::uint32_t> moore(const Tgba& automaton, const std::vector<bool>& is_even, Bdds& bdds) {
  std::vector<std::uint32_t> of(automaton.states.size());
  for (std::size_t s = 0; s < of.size(); ++s) of[s] = is_even[s] ? 1 : 0;
  for (std::size_t classes = 0;;) {
    using Signature = std::pair<std::uint32_t, std::map<std::uint32_t, Bdd>>;
    std::map<Signature, std::uint32_t> number;
    std::vector<std::uint32_t> next(of.size());
    for (std::size_t s = 0; s < of.size(); ++s) {
      Signature signature{of[s], {}};
      for (const Arc& arc : automaton.states[s]) {
        Bdd& label = signature.second.emplace(of[arc.target], Bdds::kFalse).first->second;
        label = bdds.either(label, arc.label);
      }
      next[s] = number.emplace(std::move(signature), static_cast<std::uint32_t>(number.size())).first->second;
    }
    of = std::move(next);
    if (number.size() == classes) return of;
    classes = number.size();
  }
}

}  // namespace

std::optional<Tgba> minimal_weak(const Tgba& automaton, const Tgba& negation, Bdds& bdds,
                                 std::size_t max_states) {
  const std::optional<Powerset> powerset = determinize(automaton, bdds, max_states);
  if (!powerset) return std::nullopt;
  const Components parts = components_of(powerset->automaton);
  std::vector<bool> is_accepting = accepting_components(*powerset, parts, automaton, bdds);
  const Tgba result = weak(powerset->automaton, parts, is_accepting);
  if (!are_disjoint(result, negation, bdds).value_or(false)) return std::nullopt;
  is_accepting.flip();
  const Tgba complement = weak(powerset->automaton, parts, is_accepting);
  if (!are_disjoint(complement, automaton, bdds).value_or(false)) return std::nullopt;
  is_accepting.flip();

  const std::vector<bool> is_even = even_ranks(powerset->automaton, parts, is_accepting);
  const std::vector<std::uint32_t> classes = moore(powerset->automaton, is_even, bdds);
  std::vector<std::uint32_t> leader(classes.size());
  std::map<std::uint32_t, std::uint32_t> first;
  for (std::uint32_t s = 0; s < classes.size(); ++s) leader[s] = first.emplace(classes[s], s).first->second;
  Tgba ranked = powerset->automaton;
  ranked.sets = 1;
  for (std::uint32_t s = 0; s < ranked.states.size(); ++s) {
    if (leader[s] != s) {
      ranked.states[s].clear();  // its leader has the same arcs, up to classes
      continue;
    }
    for (Arc& arc : ranked.states[s]) {
      arc.target = leader[arc.target];
      arc.marks = is_even[s] ? 1 : 0;
    }
  }
  ranked.initial = leader[ranked.initial];
  normalize(ranked, bdds);
  return trimmed(ranked, bdds, true);
}

}  // namespace spoor::ltl
