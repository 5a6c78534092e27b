// Formulas of linear temporal logic, each stored once.
//
// A `Formulas` owns every formula that is made in it; a `Formula` is a number. Equal formulas have
// equal numbers (hash-consing), so comparing two formulas, or looking up a computed result, has
// constant cost for any size. Conjunctions and disjunctions have any number of operands, sorted and
// without repetition: `a && b` and `b && a && a` are one formula.
//
//   F f is true U f, G f is false R f; f W g (weak until) also holds where f holds permanently, and
//   f M g (strong release) requires f at some time. Implication and equivalence are expanded.
//
// The constructors fold constants and direct contradictions (p && !p); all other rules are in
// simplify.h. An atom is a piece of text, numbered from 0 in the order of appearance; a truth
// assignment is a word of 64 bits, hence kMaxAtoms.
//
// Numbers follow the order of construction, and operands are sorted by them: code that makes two
// formulas fixes the order (arguments of a call have none), so that equal texts give equal automata
// with every compiler.
//
// Invariants: 1. operands have smaller numbers than the formula they are in, so walks end;
// 2. `depth` is at most kMaxDepth when the parser made the formula, so recursion is safe.
//
// Tested by: tests/unit/test_ltl.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace spoor::ltl {

enum class Op : std::uint8_t {
  kFalse,
  kTrue,
  kAtom,
  kNot,
  kAnd,
  kOr,
  kNext,
  kUntil,
  kRelease,
  kWeakUntil,
  kStrongRelease,
};

using Formula = std::uint32_t;

inline constexpr std::uint32_t kMaxAtoms = 64;
inline constexpr std::uint32_t kMaxDepth = 500;

class Formulas {
 public:
  Formulas();

  Formula truth(bool value) const { return value ? 1 : 0; }
  // Nothing when there are kMaxAtoms others already.
  std::optional<Formula> atom(std::string_view text);
  Formula negation(Formula f);
  Formula all_of(std::vector<Formula> operands);
  Formula any_of(std::vector<Formula> operands);
  Formula both(Formula f, Formula g) { return all_of({f, g}); }
  Formula either(Formula f, Formula g) { return any_of({f, g}); }
  Formula next(Formula f);
  Formula until(Formula f, Formula g);
  Formula release(Formula f, Formula g);
  Formula weak_until(Formula f, Formula g);
  Formula strong_release(Formula f, Formula g);
  Formula finally(Formula f) { return until(truth(true), f); }
  Formula globally(Formula f) { return release(truth(false), f); }
  // By operator, for walks that rebuild a formula.
  Formula make(Op op, std::vector<Formula> operands);

  Op op(Formula f) const { return nodes_[f].op; }
  std::span<const Formula> operands(Formula f) const { return nodes_[f].operands; }
  Formula left(Formula f) const { return nodes_[f].operands[0]; }
  Formula right(Formula f) const { return nodes_[f].operands[1]; }
  std::uint32_t atom_index(Formula f) const { return nodes_[f].atom; }
  bool is_finally(Formula f) const { return op(f) == Op::kUntil && left(f) == truth(true); }
  bool is_globally(Formula f) const { return op(f) == Op::kRelease && left(f) == truth(false); }
  // True if the formula has no temporal operator.
  bool is_boolean(Formula f) const { return nodes_[f].is_boolean; }
  // True if the formula has an X; without X a formula is stutter-invariant.
  bool has_next(Formula f) const { return nodes_[f].has_next; }
  std::uint32_t depth(Formula f) const { return nodes_[f].depth; }
  // The size of the formula as a tree, without sharing; saturates.
  std::uint32_t size(Formula f) const { return nodes_[f].size; }
  std::size_t count() const { return nodes_.size(); }

  const std::vector<std::string>& atoms() const { return atoms_; }

 private:
  struct Node {
    Op op;
    std::uint32_t atom = 0;
    std::vector<Formula> operands;
    bool is_boolean = true;
    bool has_next = false;
    std::uint32_t depth = 1;
    std::uint32_t size = 1;
  };

  Formula intern(Op op, std::vector<Formula> operands, std::uint32_t atom = 0);
  Formula gather(Op op, std::vector<Formula> operands);

  std::vector<Node> nodes_;
  std::unordered_multimap<std::uint64_t, Formula> index_;  // hash of a node -> its number
  std::vector<std::string> atoms_;
  std::unordered_map<std::string, Formula> atom_index_;
};

// In SPIN's syntax, with the parentheses it needs: "[] (p -> <> q)" is "[] (!p || <> q)".
std::string to_text(const Formulas& formulas, Formula f);

// An atom as it may stand beside an operator: "(x > 3)", but "p" and "len(q)".
std::string atom_text(std::string_view atom);

}  // namespace spoor::ltl
