#include "ltl/stutter.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "ltl/complement.h"
#include "ltl/emptiness.h"
#include "ltl/simulation.h"

namespace spoor::ltl {
namespace {

constexpr std::size_t kMaxClasses = 512;
constexpr std::size_t kMaxArcs = 2'000'000;

class StretchedProduct {
 public:
  StretchedProduct(const Tgba& a, const Tgba& b, std::vector<Bdd> classes, Bdds& bdds)
      : a_(a), b_(b), classes_(std::move(classes)), bdds_(bdds) {
    product_.sets = a.sets + b.sets;
  }

  std::optional<bool> is_empty() {
    product_.initial = number_of({a_.initial, b_.initial, kNoLetter});
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const auto [s, t, last] = places_[i];
      for (std::uint32_t letter = 0; letter < classes_.size(); ++letter) {
        expand(i, s, t, letter, letter == last);
        if (arcs_ > kMaxArcs) return std::nullopt;
      }
    }
    return ltl::is_empty(product_);
  }

 private:
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // state, state, last letter
  static constexpr std::uint32_t kNoLetter = UINT32_MAX;

  std::uint32_t number_of(const Place& place) {
    const auto [found, is_new] = numbers_.emplace(place, static_cast<std::uint32_t>(places_.size()));
    if (is_new) {
      places_.push_back(place);
      product_.states.emplace_back();
    }
    return found->second;
  }

  // On this letter each automaton takes an arc, or, if it has just read the letter, stays.
  void expand(std::size_t from, std::uint32_t s, std::uint32_t t, std::uint32_t letter, bool may_stay) {
    std::vector<Arc> left = moves(a_, s, letter, 0);
    std::vector<Arc> right = moves(b_, t, letter, a_.sets);
    if (may_stay) {
      left.push_back({s, Bdds::kTrue, 0});
      right.push_back({t, Bdds::kTrue, 0});
    }
    for (const Arc& x : left) {
      for (const Arc& y : right) {
        ++arcs_;
        const std::uint32_t to = number_of({x.target, y.target, letter});
        product_.states[from].push_back({to, Bdds::kTrue, x.marks | y.marks});
      }
    }
  }

  std::vector<Arc> moves(const Tgba& automaton, std::uint32_t s, std::uint32_t letter, std::uint32_t shift) {
    std::vector<Arc> found;
    for (const Arc& arc : automaton.states[s]) {
      ++arcs_;
      if (bdds_.overlap(arc.label, classes_[letter])) {
        found.push_back({arc.target, Bdds::kTrue, arc.marks << shift});
      }
    }
    return found;
  }

  const Tgba& a_;
  const Tgba& b_;
  std::vector<Bdd> classes_;
  Bdds& bdds_;
  Tgba product_;
  std::map<Place, std::uint32_t> numbers_;
  std::vector<Place> places_;
  std::size_t arcs_ = 0;
};

// A run that only stays has no marks and must not be accepted, so there must be at least one
// acceptance set.
Tgba with_a_set(const Tgba& automaton) {
  Tgba result = automaton;
  if (result.sets != 0) return result;
  result.sets = 1;
  for (auto& arcs : result.states) {
    for (Arc& arc : arcs) arc.marks = 1;
  }
  return result;
}

}  // namespace

std::optional<bool> is_stutter_invariant(const Tgba& automaton, const Tgba& negation, Bdds& bdds) {
  const Tgba a = with_a_set(automaton);
  const Tgba b = with_a_set(negation);
  if (a.sets + b.sets > 63) return std::nullopt;
  std::optional<std::vector<Bdd>> classes = letter_classes({&a, &b}, bdds, kMaxClasses);
  if (!classes) return std::nullopt;
  return StretchedProduct(a, b, std::move(*classes), bdds).is_empty();
}

namespace {

// Pairs of states (p, q) such that q simulates p.
class Simulation {
 public:
  Simulation(const Tgba& automaton, Bdds& bdds) : automaton_(automaton), bdds_(bdds) {
    const std::size_t n = automaton.states.size();
    holds_.assign(n, std::vector<bool>(n, true));
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t p = 0; p < n; ++p) {
        for (std::size_t q = 0; q < n; ++q) {
          if (!holds_[p][q] || is_step_for_step(p, q)) continue;
          holds_[p][q] = false;
          changed = true;
        }
      }
    }
  }

  bool holds(std::size_t p, std::size_t q) const { return holds_[p][q]; }

 private:
  bool is_step_for_step(std::size_t p, std::size_t q) {
    for (const Arc& arc : automaton_.states[p]) {
      Bdd matched = Bdds::kFalse;
      for (const Arc& other : automaton_.states[q]) {
        const bool is_as_good = holds_[arc.target][other.target] && (arc.marks & ~other.marks) == 0;
        if (is_as_good) matched = bdds_.either(matched, other.label);
      }
      if (!bdds_.implies(arc.label, matched)) return false;
    }
    return true;
  }

  const Tgba& automaton_;
  Bdds& bdds_;
  std::vector<std::vector<bool>> holds_;
};

// For one form of the automaton.
bool is_seen_to_be_invariant(const Tgba& automaton, Bdds& bdds) {
  const Simulation simulation(automaton, bdds);
  for (const auto& arcs : automaton.states) {
    for (const Arc& first : arcs) {
      Bdd can_repeat = Bdds::kFalse;
      for (const Arc& second : automaton.states[first.target]) {
        if (simulation.holds(first.target, second.target)) can_repeat = bdds.either(can_repeat, second.label);
        Bdd can_skip = Bdds::kFalse;
        for (const Arc& once : arcs) {
          const bool keeps_marks = ((first.marks | second.marks) & ~once.marks) == 0;
          if (keeps_marks && simulation.holds(second.target, once.target))
            can_skip = bdds.either(can_skip, once.label);
        }
        if (!bdds.implies(bdds.both(first.label, second.label), can_skip)) return false;
      }
      if (!bdds.implies(first.label, can_repeat)) return false;
    }
  }
  return true;
}

// Moves each mark from the arcs that leave a state to the arcs that enter it.
Tgba with_marks_on_entry(const Tgba& automaton) {
  Tgba result = automaton;
  for (std::vector<Arc>& arcs : result.states) {
    for (Arc& arc : arcs) {
      const std::vector<Arc>& next = automaton.states[arc.target];
      arc.marks = next.empty() ? 0 : next.front().marks;
    }
  }
  return result;
}

// A sufficient condition, with "q simulates p" for "q has every move of p, with at least its marks":
//   - after any letter, the same letter again can lead to a state that simulates the state reached, and
//   - every state reached by a letter twice is simulated, with at least its marks, by a state that the letter
//     once can reach.
bool is_seen_to_be_invariant_somehow(const Tgba& automaton, Bdds& bdds) {
  constexpr std::size_t kMostStates = 60;
  if (automaton.states.size() > kMostStates) return false;
  std::vector<Tgba> ways{automaton};
  if (is_state_based(automaton)) ways.push_back(with_marks_on_entry(automaton));
  return std::ranges::any_of(ways, [&](const Tgba& way) {
    return is_seen_to_be_invariant(way, bdds) ||
           is_seen_to_be_invariant(reduced_by_simulation(way, bdds, {}), bdds);
  });
}

}  // namespace

std::optional<bool> is_stutter_invariant(const Tgba& automaton, Bdds& bdds) {
  if (is_seen_to_be_invariant_somehow(automaton, bdds)) return true;
  const std::optional<Tgba> negation = complement(automaton, bdds);
  return negation ? is_stutter_invariant(automaton, *negation, bdds) : std::nullopt;
}

}  // namespace spoor::ltl
