#include "ltl/translate.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "ltl/degeneralize.h"
#include "ltl/emptiness.h"
#include "ltl/obligation.h"
#include "ltl/simplify.h"
#include "ltl/simulation.h"
#include "ltl/stutter.h"
#include "ltl/tableau.h"
#include "ltl/trial.h"

namespace spoor::ltl {
namespace {

bool are_same(const Tgba& a, const Tgba& b) {
  const auto same_arcs = [](const std::vector<Arc>& x, const std::vector<Arc>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Arc& p, const Arc& q) {
      return p.target == q.target && p.label == q.label && p.marks == q.marks;
    });
  };
  return a.initial == b.initial && a.sets == b.sets &&
         std::equal(a.states.begin(), a.states.end(), b.states.begin(), b.states.end(), same_arcs);
}

void add_new(std::vector<Tgba>& list, Tgba automaton) {
  for (const Tgba& known : list) {
    if (are_same(known, automaton)) return;
  }
  list.push_back(std::move(automaton));
}

// Orders of acceptance sets: all while there are few, then rotations.
std::vector<std::vector<std::uint32_t>> set_orders(std::uint32_t sets) {
  std::vector<std::uint32_t> order(sets);
  std::iota(order.begin(), order.end(), 0u);
  std::vector<std::vector<std::uint32_t>> orders;
  if (sets <= 3) {
    do orders.push_back(order);
    while (std::next_permutation(order.begin(), order.end()));
    return orders;
  }
  for (std::uint32_t i = 0; i < std::min(sets, 6u); ++i) {
    orders.push_back(order);
    std::rotate(order.begin(), order.begin() + 1, order.end());
  }
  std::reverse(order.begin(), order.end());
  orders.push_back(order);
  return orders;
}

class Translation {
 public:
  Translation(Formulas& formulas, Bdds& bdds) : formulas_(formulas), bdds_(bdds) {}

  Tgba best(Formula f, Target target) {
    Simplifier simplifier(formulas_);
    const Formula positive = simplifier.simplify(f);
    const std::vector<Tgba> candidates = generalized(positive);
    negation_ = negation_of(simplifier, f);
    if (target == Target::kGeneralized) return best_generalized(candidates);
    return best_buchi(candidates);
  }

  // The smallest state-based automaton that no judge is needed for.
  Tgba one_set(const Tgba& automaton) {
    std::vector<Tgba> found;
    add_degeneralized(reduced_by_simulation(automaton, bdds_, {}), found);
    Tgba best = found.front();
    for (const Tgba& candidate : found) keep_smaller(best, candidate);
    return best;
  }

  // Nothing when it is too large.
  const std::optional<Tgba>& negation() const { return negation_; }

 private:
  auto size_of(const Tgba& automaton) {
    return std::tuple(automaton.states.size(), !is_deterministic(automaton, bdds_),
                      automaton.arc_count(), automaton.sets);
  }
  void keep_smaller(Tgba& best, Tgba other) {
    if (size_of(other) < size_of(best)) best = std::move(other);
  }

  std::optional<Tgba> negation_of(Simplifier& simplifier, Formula f) {
    try {
      const Formula negated = simplifier.simplify(negation_normal_form(formulas_, f, true));
      const std::vector<Tgba> candidates = generalized(negated);
      Tgba best = candidates.front();
      for (const Tgba& candidate : candidates) keep_smaller(best, candidate);
      return best;
    } catch (const TooLarge&) {
      return std::nullopt;  // then there is no judge, and nothing is tried
    }
  }

  // Several automata of the formula, reduced by simulation.
  std::vector<Tgba> generalized(Formula f) {
    std::vector<Tgba> found;
    for (const Arcs arcs : {Arcs::kCubes, Arcs::kSplit}) {
      try {
        const Tgba raw = trimmed(tableau(formulas_, f, bdds_, arcs), bdds_);
        for (const bool all : {false, true}) {
          SimulationOptions options;
          options.transient_have_all = all;
          Tgba plain = reduced_by_simulation(raw, bdds_, options);
          add_new(found, reduced_by_simulation(with_more_marks(plain, false), bdds_, options));
          add_new(found, std::move(plain));
        }
      } catch (const TooLarge&) {
        if (found.empty() && arcs == Arcs::kSplit) throw;
      }
    }
    return found;
  }

  Tgba best_generalized(const std::vector<Tgba>& candidates) {
    Tgba best = candidates.front();
    for (const Tgba& candidate : candidates) keep_smaller(best, tried(candidate, false));
    if (negation_) {
      if (std::optional<Tgba> minimal = minimal_weak(best, *negation_, bdds_)) {
        keep_smaller(best, std::move(*minimal));
      }
    }
    return best;
  }

  Tgba tried(const Tgba& automaton, bool by_state) {
    if (!negation_) return automaton;
    const Tgba smaller = reduced_by_trial(automaton, *negation_, bdds_, by_state);
    SimulationOptions options;
    options.by_state = by_state;
    return reduced_by_simulation(smaller, bdds_, options);
  }

  Tgba best_buchi(const std::vector<Tgba>& candidates) {
    std::vector<Tgba> sources = candidates;
    for (const Tgba& candidate : candidates) add_new(sources, tried(candidate, false));
    std::vector<Tgba> plain;
    for (const Tgba& source : sources) add_degeneralized(source, plain);
    // The trials cost most: only for the smallest.
    std::stable_sort(plain.begin(), plain.end(),
                     [&](const Tgba& a, const Tgba& b) { return size_of(a) < size_of(b); });
    Tgba best = plain.front();
    for (std::size_t i = 0; i < std::min<std::size_t>(plain.size(), 4); ++i) {
      keep_smaller(best, tried(plain[i], true));
    }
    if (negation_) {
      if (std::optional<Tgba> minimal = minimal_weak(candidates.front(), *negation_, bdds_)) {
        keep_smaller(best, std::move(*minimal));
      }
    }
    return best;
  }

  // State-based automata with one set, from the orders and entries that make the smallest ones.
  void add_degeneralized(const Tgba& automaton, std::vector<Tgba>& found) {
    SimulationOptions by_state;
    by_state.by_state = true;
    std::vector<Tgba> raw;
    for (const auto& order : set_orders(automaton.sets)) {
      for (const Entry entry : {Entry::kFirst, Entry::kLast, Entry::kKnown}) {
        add_new(raw, trimmed(degeneralized(automaton, order, entry, Carrier::kStates, bdds_), bdds_,
                             true));
        if (automaton.sets < 2 || automaton.states.size() > 12) continue;
        const Tgba one_set = reduced_by_simulation(
            degeneralized(automaton, order, entry, Carrier::kArcs, bdds_), bdds_, {});
        add_new(raw,
                trimmed(degeneralized(one_set, {0}, entry, Carrier::kStates, bdds_), bdds_, true));
      }
    }
    std::stable_sort(raw.begin(), raw.end(), [](const Tgba& a, const Tgba& b) {
      return a.states.size() < b.states.size();
    });
    const std::size_t effort = raw.front().states.size() > 30 ? 1 : 6;
    if (raw.size() > effort) raw.resize(effort);
    for (const Tgba& candidate : raw) {
      Tgba reduced = reduced_by_simulation(candidate, bdds_, by_state);
      add_new(found, reduced_by_simulation(with_more_marks(reduced, true), bdds_, by_state));
      add_new(found, std::move(reduced));
    }
  }

  Formulas& formulas_;
  Bdds& bdds_;
  std::optional<Tgba> negation_;
};

// One set, on the states of accepting components; a component whose cycles all accept has it
// everywhere.
Tgba finished_buchi(const Tgba& automaton, Bdds& bdds) {
  Tgba result = automaton;
  const Components parts = components_of(automaton);
  if (automaton.sets == 0) {
    result.sets = 1;
    for (std::uint32_t s = 0; s < result.states.size(); ++s) {
      for (Arc& arc : result.states[s]) arc.marks = parts.is_cyclic[parts.of[s]] ? 1 : 0;
    }
  }
  result = with_more_marks(result, true);
  normalize(result, bdds);
  return result;
}

}  // namespace

std::optional<Automaton> translate(Formulas& formulas, Formula f, const TranslateOptions& options,
                                   Range where, Diagnostics& diagnostics) {
  Bdds bdds;
  try {
    Translation translation(formulas, bdds);
    Tgba best = translation.best(f, options.target);
    const bool by_state = options.target == Target::kBuchi;
    if (by_state) best = finished_buchi(best, bdds);
    Automaton result = to_automaton(best, formulas.atoms(), bdds, by_state);
    if (options.wants_stutter_test) {
      result.is_stutter_invariant = !formulas.has_next(f) ? std::optional<bool>(true)
                                    : !translation.negation()
                                        ? std::nullopt
                                        : is_stutter_invariant(best, *translation.negation(), bdds);
    }
    return result;
  } catch (const TooLarge&) {
    diagnostics.error("L108", where, "the automaton of this formula is too large",
                      "split it: a conjunction holds when each of its parts does");
    return std::nullopt;
  }
}

std::optional<Automaton> to_buchi(const Automaton& automaton) {
  Formulas formulas;
  Bdds bdds;
  try {
    const Tgba found = Translation(formulas, bdds).one_set(to_tgba(automaton, bdds));
    return to_automaton(finished_buchi(found, bdds), automaton.atoms, bdds, true);
  } catch (const TooLarge&) {
    return std::nullopt;
  }
}

}  // namespace spoor::ltl
