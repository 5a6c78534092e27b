// Simplification of formulas before the translation.
//
// First negations are moved to the atoms (negation normal form): afterwards every temporal operator
// is positive, which the tableau needs and which allows a rule to be stated once with its dual. Then
// rules are applied bottom-up until none matches. They are those of Etessami and Holzmann (CONCUR
// 2000) and Somenzi and Bloem (CAV 2000), with the refinements of Babiak et al. (TACAS 2012) for
// formulas whose truth does not depend on the position:
//
//   A formula is *eventual* when its truth at a position follows from its truth at a later one (<>
//   p): then `f U e` is e and `<> e` is e. It is *universal* when its truth at a position implies its
//   truth at all later ones ([] p): then `f V u` is u, `[] u` is u. A formula that is both (`[] <> p`)
//   is *suspended*: X s is s, and it can be moved out of <>, [] and U.
//
//   Where one operand *implies* another, one of them is superfluous: `p && (p || q)`, `p U (q U r)`
//   with p -> q. Implication is decided syntactically; a "no" may be wrong and then only a rule is
//   not applied.
//
// Each rule is an equivalence, and the tests check each on random words. `translate` also simplifies
// automata, so a missing rule costs time, not correctness.
//
// Tested by: tests/unit/test_ltl.cpp, tests/unit/test_ltl_words.cpp
#pragma once

#include <unordered_map>

#include "ltl/formula.h"

namespace spoor::ltl {

// The formula, or its negation, with negations at atoms only.
Formula negation_normal_form(Formulas& formulas, Formula f, bool negate = false);

class Simplifier {
 public:
  explicit Simplifier(Formulas& formulas) : formulas_(formulas) {}

  // In negation normal form, equivalent to f.
  Formula simplify(Formula f);

  bool is_eventual(Formula f);
  bool is_universal(Formula f);
  // True only if every word of f is one of g; f and g in negation normal form.
  bool implies(Formula f, Formula g) { return implies(f, g, 0); }

 private:
  Formula rewrite(Formula f);
  Formula rewrite_finally(Formula g);
  Formula rewrite_globally(Formula g);
  Formula rewrite_next(Formula g);
  Formula rewrite_until(Formula f, Formula g);
  Formula rewrite_release(Formula f, Formula g);
  Formula rewrite_weak_until(Formula f, Formula g);
  Formula rewrite_strong_release(Formula f, Formula g);
  Formula rewrite_and(Formula f);
  Formula rewrite_or(Formula f);
  Formula without_superfluous(Formula f);
  Formula joined_pair(Op op, Formula f, Formula g);
  bool excludes(Formula f, Formula g);
  bool covers(Formula f, Formula g);
  bool implies(Formula f, Formula g, int depth);
  bool implies_by_shape(Formula f, Formula g, int depth);

  Formulas& formulas_;
  std::unordered_map<Formula, Formula> done_;
  std::unordered_map<std::uint64_t, bool> implied_;
};

}  // namespace spoor::ltl
