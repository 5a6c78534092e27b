#include "ltl/translate.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "ltl/degeneralize.h"
#include "ltl/emptiness.h"
#include "ltl/merge_states.h"
#include "ltl/obligation.h"
#include "ltl/simplify.h"
#include "ltl/simulation.h"
#include "ltl/stutter.h"
#include "ltl/tableau.h"

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

// Orders of acceptance sets: all of them for few sets, rotations for more.
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

// The limits of one part of the work, and of all optional parts together: about a second. Some of the
// nodes are reserved for the necessary work after those parts.
constexpr std::size_t kNodes = 1'500'000;
constexpr std::size_t kExtraNodes = 1'000'000;
constexpr std::size_t kNecessary = 20'000'000;
constexpr std::size_t kPart = 3'000'000;
constexpr std::size_t kExtras = 12'000'000;

// An automaton and its rating; smaller is better.
struct Candidate {
  Tgba automaton;
  std::tuple<std::size_t, bool, std::size_t, std::uint32_t> size;
};

class Translation {
 public:
  Translation(Formulas& formulas, Bdds& bdds) : formulas_(formulas), bdds_(bdds) {}

  Tgba best(Formula f, Target target) {
    Simplifier simplifier(formulas_);
    const std::vector<Tgba> candidates = generalized(simplifier.simplify(f), true);
    negation_ = negation_of(simplifier, f);
    Tgba result = target == Target::kGeneralized ? best_generalized(candidates) : best_buchi(candidates);
    check(result, candidates.front());
    return result;
  }

  // The smallest state-based automaton that needs no test against the negation.
  Tgba one_set(const Tgba& automaton) {
    Tgba source = trimmed(automaton, bdds_);
    attempt([&] { source = reduced_by_simulation(source, bdds_, {}); });
    return best_buchi({source});
  }

  // Nothing when it is too large.
  const std::optional<Tgba>& negation() const { return negation_; }

 private:
  // A wrong automaton would give a wrong verdict: `origin` is from the tableau and simulation alone.
  void check(const Tgba& result, const Tgba& origin) {
    std::optional<bool> adds_nothing, loses_nothing;
    attempt([&] {
      if (negation_) adds_nothing = are_disjoint(result, *negation_, bdds_);
    });
    attempt([&] {
      if (!is_deterministic(result, bdds_)) return;
      loses_nothing = are_disjoint(complement_of_deterministic(result, bdds_), origin, bdds_);
    });
    if (!adds_nothing.value_or(true) || !loses_nothing.value_or(true)) {
      throw std::logic_error("the automaton of a formula is not equivalent to it");
    }
  }

  // Optional work: where it fails, the automaton stays unchanged.
  template <typename Work>
  void attempt(const Work& work) {
    const std::size_t granted = std::min(kPart, extras_left_);
    bdds_.grant(granted, kExtraNodes - std::min(kExtraNodes, bdds_.size()));
    try {
      work();
    } catch (const TooLarge&) {
    }
    extras_left_ -= granted - std::min(granted, bdds_.operations_left());
    grant_necessary();
  }
  void grant_necessary() { bdds_.grant(kNecessary, kNodes - std::min(kNodes, bdds_.size())); }

  Candidate rated(Tgba automaton) {
    constexpr std::size_t kMaxAsked = 2000;
    const std::size_t arcs = automaton.arc_count();
    const bool is_worse = arcs > kMaxAsked || !is_deterministic(automaton, bdds_);
    const auto size = std::tuple(automaton.states.size(), is_worse, arcs, automaton.sets);
    return {std::move(automaton), size};
  }
  void keep_smaller(Candidate& best, Tgba other) {
    Candidate candidate = rated(std::move(other));
    if (candidate.size < best.size) best = std::move(candidate);
  }

  std::optional<Tgba> negation_of(Simplifier& simplifier, Formula f) {
    const Formula negated = simplifier.simplify(negation_normal_form(formulas_, f, true));
    const std::vector<Tgba> found = generalized(negated, false);
    if (found.empty()) return std::nullopt;
    Candidate best = rated(found.front());
    for (const Tgba& candidate : found) keep_smaller(best, candidate);
    return std::move(best.automaton);
  }

  // Several automata of the formula, reduced by simulation; at least one if it is `necessary`.
  std::vector<Tgba> generalized(Formula f, bool necessary) {
    std::vector<Tgba> found;
    for (const Arcs arcs : {Arcs::kCubes, Arcs::kSplit}) {
      std::optional<Tgba> raw;
      const auto build = [&] { raw = trimmed(tableau(formulas_, f, bdds_, arcs), bdds_); };
      // The second kind is optional where the first one could be built.
      if (necessary && found.empty()) {
        build_or_leave(build, arcs == Arcs::kSplit);
      } else {
        attempt(build);
      }
      if (!raw) continue;
      bool is_simulated = false;
      for (const bool all : {false, true}) {
        attempt([&] {
          add_simulated(*raw, all, found);
          is_simulated = true;
        });
      }
      if (!is_simulated) add_new(found, std::move(*raw));
    }
    return found;
  }

  template <typename Build>
  void build_or_leave(const Build& build, bool is_last) {
    try {
      build();
    } catch (const TooLarge&) {
      grant_necessary();
      if (is_last) throw;
    }
  }

  void add_simulated(const Tgba& raw, bool transient_have_all, std::vector<Tgba>& found) {
    SimulationOptions options;
    options.transient_have_all = transient_have_all;
    const Tgba plain = reduced_by_simulation(raw, bdds_, options);
    add_new(found, plain);
    add_new(found, reduced_by_simulation(with_more_marks(plain, false), bdds_, options));
  }

  Tgba best_generalized(const std::vector<Tgba>& candidates) {
    Candidate best = rated(candidates.front());
    for (const Tgba& candidate : candidates) {
      keep_smaller(best, candidate);
      attempt([&] { keep_smaller(best, with_merged_states(candidate, false)); });
    }
    add_minimal(best, candidates.front());
    return std::move(best.automaton);
  }

  void add_minimal(Candidate& best, const Tgba& automaton) {
    if (!negation_) return;
    attempt([&] {
      std::optional<Tgba> minimal = minimal_weak(automaton, *negation_, bdds_);
      if (minimal) keep_smaller(best, std::move(*minimal));
    });
  }

  Tgba with_merged_states(const Tgba& automaton, bool by_state) {
    if (!negation_) return automaton;
    const Tgba smaller = merge_states(automaton, *negation_, bdds_, by_state);
    SimulationOptions options;
    options.by_state = by_state;
    return reduced_by_simulation(smaller, bdds_, options);
  }

  Tgba best_buchi(const std::vector<Tgba>& candidates) {
    std::vector<Tgba> sources = candidates;
    for (const Tgba& candidate : candidates) {
      attempt([&] { add_new(sources, with_merged_states(candidate, false)); });
    }
    std::vector<Candidate> plain;
    for (const Tgba& source : sources) {
      attempt([&] { add_degeneralized(source, plain); });
    }
    if (plain.empty()) plain.push_back(rated(plainly_degeneralized(candidates.front())));
    // Merging states costs most: only for the smallest automata.
    std::stable_sort(plain.begin(), plain.end(),
                     [](const Candidate& a, const Candidate& b) { return a.size < b.size; });
    Candidate best = plain.front();
    for (std::size_t i = 0; i < std::min<std::size_t>(plain.size(), 4); ++i) {
      attempt([&] { keep_smaller(best, with_merged_states(plain[i].automaton, true)); });
    }
    add_minimal(best, candidates.front());
    return std::move(best.automaton);
  }

  Tgba plainly_degeneralized(const Tgba& automaton) {
    const auto order = set_orders(automaton.sets).front();
    return trimmed(degeneralized(automaton, order, Entry::kFirst, Carrier::kStates, bdds_), bdds_, true);
  }

  // State-based automata with one set, from the orders and entries that give the smallest ones.
  void add_degeneralized(const Tgba& automaton, std::vector<Candidate>& found) {
    std::vector<Tgba> raw;
    for (const auto& order : set_orders(automaton.sets)) {
      for (const Entry entry : {Entry::kFirst, Entry::kLast, Entry::kKnown}) {
        add_new(raw, trimmed(degeneralized(automaton, order, entry, Carrier::kStates, bdds_), bdds_, true));
        if (automaton.sets < 2 || automaton.states.size() > 12) continue;
        const Tgba one_set =
            reduced_by_simulation(degeneralized(automaton, order, entry, Carrier::kArcs, bdds_), bdds_, {});
        add_new(raw, trimmed(degeneralized(one_set, set_orders(one_set.sets).front(), entry, Carrier::kStates,
                                           bdds_),
                             bdds_, true));
      }
    }
    std::stable_sort(raw.begin(), raw.end(),
                     [](const Tgba& a, const Tgba& b) { return a.states.size() < b.states.size(); });
    const std::size_t effort = raw.front().states.size() > 30 ? 1 : 6;
    if (raw.size() > effort) raw.resize(effort);
    found.push_back(rated(raw.front()));
    SimulationOptions by_state;
    by_state.by_state = true;
    for (const Tgba& candidate : raw) {
      const Tgba reduced = reduced_by_simulation(candidate, bdds_, by_state);
      found.push_back(rated(reduced));
      found.push_back(rated(reduced_by_simulation(with_more_marks(reduced, true), bdds_, by_state)));
    }
  }

  Formulas& formulas_;
  Bdds& bdds_;
  std::optional<Tgba> negation_;
  std::size_t extras_left_ = kExtras;
};

// One set, on the states of accepting components; in a component whose cycles are all accepting, on
// all states.
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
