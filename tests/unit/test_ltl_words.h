// Words for tests of formulas and automata: prefix and a loop that is repeated for ever. Formulas
// are judged by their semantics, position by position; automata by looking for an accepting cycle
// over the word. Neither uses anything of the translation.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "ltl/automaton.h"
#include "ltl/formula.h"
#include "ltl/tgba.h"

namespace spoor::ltl {

struct Lasso {
  std::vector<std::uint64_t> letters;
  std::size_t loop = 0;  // where the last letter leads back to
  std::size_t next(std::size_t at) const { return at + 1 < letters.size() ? at + 1 : loop; }
};

inline Lasso random_lasso(std::mt19937& random, std::uint32_t atoms) {
  Lasso word;
  const std::size_t length = 1 + random() % 7;
  for (std::size_t i = 0; i < length; ++i) word.letters.push_back(random() & ((1ull << atoms) - 1));
  word.loop = random() % length;
  return word;
}

// Every letter repeated at random, also those of the loop.
inline Lasso stuttered(std::mt19937& random, const Lasso& word) {
  Lasso result;
  for (std::size_t i = 0; i < word.letters.size(); ++i) {
    if (i == word.loop) result.loop = result.letters.size();
    const std::size_t copies = 1 + random() % 3;
    for (std::size_t k = 0; k < copies; ++k) result.letters.push_back(word.letters[i]);
  }
  return result;
}

// Truth at every position of the word, by the fixpoints that define the operators.
class Semantics {
 public:
  Semantics(const Formulas& formulas, const Lasso& word) : formulas_(formulas), word_(word) {}
  bool holds(Formula f) { return truth(f)[0]; }

 private:
  using Truth = std::vector<bool>;

  const Truth& truth(Formula f) {
    const auto known = known_.find(f);
    if (known != known_.end()) return known->second;
    return known_[f] = compute(f);
  }

  Truth compute(Formula f) {
    const std::size_t n = word_.letters.size();
    Truth result(n);
    const Op op = formulas_.op(f);
    if (op <= Op::kTrue) return Truth(n, op == Op::kTrue);
    if (op == Op::kAtom) {
      for (std::size_t i = 0; i < n; ++i) {
        result[i] = (word_.letters[i] >> formulas_.atom_index(f) & 1) != 0;
      }
      return result;
    }
    std::vector<Truth> parts;
    for (const Formula part : formulas_.operands(f)) parts.push_back(truth(part));
    switch (op) {
      case Op::kNot: parts[0].flip(); return parts[0];
      case Op::kNext:
        for (std::size_t i = 0; i < n; ++i) result[i] = parts[0][word_.next(i)];
        return result;
      case Op::kAnd:
      case Op::kOr:
        result = parts[0];
        for (const Truth& part : parts) {
          for (std::size_t i = 0; i < n; ++i) {
            result[i] = op == Op::kAnd ? result[i] && part[i] : result[i] || part[i];
          }
        }
        return result;
      default: return fixpoint(op, parts[0], parts[1]);
    }
  }

  // U and M are least fixpoints, R and W greatest ones.
  Truth fixpoint(Op op, const Truth& a, const Truth& b) {
    const std::size_t n = word_.letters.size();
    Truth result(n, op == Op::kRelease || op == Op::kWeakUntil);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = n; i-- > 0;) {
        const bool later = result[word_.next(i)];
        const bool value =
            op == Op::kUntil || op == Op::kWeakUntil ? b[i] || (a[i] && later) : b[i] && (a[i] || later);
        changed = changed || value != result[i];
        result[i] = value;
      }
    }
    return result;
  }

  const Formulas& formulas_;
  const Lasso& word_;
  std::map<Formula, Truth> known_;
};

inline bool holds(const Formulas& formulas, Formula f, const Lasso& word) {
  return Semantics(formulas, word).holds(f);
}

// An automaton as a plain graph over the positions of one word.
struct WordGraph {
  struct Step {
    std::size_t to;
    std::uint64_t marks;
  };
  std::vector<std::vector<Step>> steps;
  std::uint64_t all_marks = 0;
  std::size_t initial = 0;

  // Is there a reachable set of places, all reaching each other, with all marks? Quadratic and
  // plain.
  bool accepts() const {
    const std::vector<bool> from_start = reached(initial);
    for (std::size_t p = 0; p < steps.size(); ++p) {
      if (!from_start[p]) continue;
      const std::vector<bool> ahead = reached(p);
      std::uint64_t marks = 0;
      bool is_cyclic = false;
      for (std::size_t q = 0; q < steps.size(); ++q) {
        if (!ahead[q] || !(q == p || reached(q)[p])) continue;
        for (const Step& step : steps[q]) {
          if (!ahead[step.to] || !(step.to == p || reached(step.to)[p])) continue;
          marks |= step.marks;
          is_cyclic = true;
        }
      }
      if (is_cyclic && marks == all_marks) return true;
    }
    return false;
  }

 private:
  const std::vector<bool>& reached(std::size_t from) const {
    auto& seen = cache_[from];
    if (!seen.empty()) return seen;
    seen.assign(steps.size(), false);
    std::vector<std::size_t> todo{from};
    seen[from] = true;
    while (!todo.empty()) {
      const std::size_t p = todo.back();
      todo.pop_back();
      for (const Step& step : steps[p]) {
        if (!seen[step.to]) todo.push_back(step.to);
        seen[step.to] = true;
      }
    }
    return seen;
  }
  mutable std::map<std::size_t, std::vector<bool>> cache_;
};

inline bool accepts(const Automaton& automaton, const Lasso& word) {
  if (automaton.states.empty()) return false;
  const std::size_t n = word.letters.size();
  WordGraph graph;
  graph.steps.resize(automaton.states.size() * n);
  graph.all_marks = automaton.all_marks();
  graph.initial = automaton.initial * n;
  for (std::size_t s = 0; s < automaton.states.size(); ++s) {
    for (std::size_t i = 0; i < n; ++i) {
      for (const Edge& edge : automaton.states[s].edges) {
        if (!edge.label.matches(word.letters[i])) continue;
        const std::uint64_t marks = automaton.is_state_based
                                        ? (automaton.states[s].accepting ? automaton.all_marks() : 0)
                                        : edge.marks;
        graph.steps[s * n + i].push_back({edge.target * n + word.next(i), marks});
      }
    }
  }
  return graph.accepts();
}

inline bool contains(const Bdds& bdds, Bdd set, std::uint64_t letter) {
  while (set > Bdds::kTrue) set = (letter >> bdds.top(set) & 1) != 0 ? bdds.high(set) : bdds.low(set);
  return set == Bdds::kTrue;
}

inline bool accepts(const Tgba& automaton, const Bdds& bdds, const Lasso& word) {
  const std::size_t n = word.letters.size();
  WordGraph graph;
  graph.steps.resize(automaton.states.size() * n);
  graph.all_marks = automaton.all_marks();
  graph.initial = automaton.initial * n;
  for (std::size_t s = 0; s < automaton.states.size(); ++s) {
    for (std::size_t i = 0; i < n; ++i) {
      for (const Arc& arc : automaton.states[s]) {
        if (!contains(bdds, arc.label, word.letters[i])) continue;
        graph.steps[s * n + i].push_back({arc.target * n + word.next(i), arc.marks});
      }
    }
  }
  return graph.accepts();
}

// A formula of about this many operators over this many atoms, which must exist in `formulas`.
class RandomFormulas {
 public:
  RandomFormulas(Formulas& formulas, std::uint32_t atoms, std::uint32_t seed)
      : formulas_(formulas), random_(seed) {
    for (std::uint32_t i = 0; i < atoms; ++i) {
      atoms_.push_back(*formulas.atom(std::string(1, static_cast<char>('a' + i))));
    }
  }

  Formula make(std::uint32_t size) {
    if (size == 0) return random_() % 12 == 0 ? formulas_.truth(random_() % 2 == 0) : pick();
    const std::uint32_t left = random_() % size;
    const std::uint32_t kind = random_() % 13;
    const Formula f = make(kind < 6 ? size - 1 : left);
    if (kind == 0) return formulas_.negation(f);
    if (kind == 1) return formulas_.next(f);
    if (kind <= 3) return formulas_.finally(f);
    if (kind <= 5) return formulas_.globally(f);
    const Formula g = make(size - 1 - left);
    if (kind <= 7) return formulas_.both(f, g);
    if (kind <= 9) return formulas_.either(f, g);
    if (kind == 10) return formulas_.until(f, g);
    if (kind == 11) return formulas_.release(f, g);
    return random_() % 2 == 0 ? formulas_.weak_until(f, g) : formulas_.strong_release(f, g);
  }
  std::mt19937& random() { return random_; }

 private:
  Formula pick() { return atoms_[random_() % atoms_.size()]; }

  Formulas& formulas_;
  std::vector<Formula> atoms_;
  std::mt19937 random_;
};

}  // namespace spoor::ltl
