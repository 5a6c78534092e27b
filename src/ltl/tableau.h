// From a formula to a generalized Buchi automaton, by decomposing it.
//
// A state is a formula that remains to be satisfied. Its demand on the next letter and on the rest is
// one Boolean function over atoms, "X g holds" for formulas g, and promises:
//
//   f U g  =  g || (f && X(f U g) && promise(g))          f V g  =  g && (f || X(f V g))
//
// written as a BDD. Each cube of an irredundant sum of products is an arc: its atoms are the label,
// the conjunction of its X's the target. There is one acceptance set per promise: the arcs that do
// not postpone it. States with equal BDDs are one state, even with different formulas; [] f, where
// only f is repeated, needs no X for the U's and <>'s directly under it ([] <> p has one state, and
// its acceptance set is the arcs with p).
//
// This is Couvreur's tableau (FM 1999) as Duret-Lutz describes it. Its rival, by very weak
// alternating automata (Gastin and Oddoux, CAV 2001), keeps more of the formula's syntax in its
// states and needs more reduction afterwards. There are two kinds of arcs: `kCubes` as above, few
// arcs with much overlap, and `kSplit`, where the letters are first split by the remaining formula,
// closer to a deterministic automaton. Neither is always better; translate() tries both.
//
// Cost: exponential in the formula at worst; the limits throw TooLarge.
//
// Tested by: tests/unit/test_ltl_words.cpp
#pragma once

#include <cstddef>

#include "ltl/bdd.h"
#include "ltl/formula.h"
#include "ltl/tgba.h"

namespace spoor::ltl {

enum class Arcs { kCubes, kSplit };

struct TableauLimits {
  std::size_t states = 4000;
  std::size_t arcs = 100'000;
  std::size_t operations = 6'000'000;  // on BDDs
  std::size_t nodes = 400'000;
};

// `f` in negation normal form. Labels are in `bdds`, where variable i is atom i.
Tgba tableau(Formulas& formulas, Formula f, Bdds& bdds, Arcs arcs, const TableauLimits& limits = {});

}  // namespace spoor::ltl
