// From a formula to a small Buchi automaton: the pipeline.
//
//   formula --simplify--> formula --tableau--> Tgba --simulation, merge_states--> Tgba (kGeneralized)
//                                                \--degeneralize, simulation, merge_states--> (kBuchi)
//                                                 \--obligation: smallest deterministic one
//
// The same is done for the negation, without merge_states: its automaton decides which states may be
// merged and whether the formula is an obligation. Several constructions are tried (kinds of arcs in
// the tableau, marks on arcs outside all cycles, orders of acceptance sets) and the smallest result
// is chosen: fewest states, then deterministic, then fewest edges. Claims are small, models are not:
// every state saved here saves a copy of the model's states in the product.
//
// A formula that needs too much time or memory gets a diagnostic (L108); before that, the costly
// reductions are skipped where an automaton is large. The result depends on the formula alone.
//
// A result is checked before it is returned, as far as that is cheap: it has no word in common with
// the negation's automaton, and if it is deterministic, it rejects no word of the tableau's automaton.
//
// Tested by: tests/unit/test_ltl_words.cpp (against the semantics), tests/unit/test_ltl_sizes.cpp
#pragma once

#include <optional>

#include "base/diagnostic.h"
#include "ltl/automaton.h"
#include "ltl/formula.h"

namespace spoor::ltl {

enum class Target { kBuchi, kGeneralized };

struct TranslateOptions {
  Target target = Target::kBuchi;
  bool wants_stutter_test = true;
};

// The automaton of `f`, or nothing and L108 at `where` in `diagnostics`.
std::optional<Automaton> translate(Formulas& formulas, Formula f, const TranslateOptions& options,
                                   Range where, Diagnostics& diagnostics);

// The same language with one acceptance set, on states; nothing when it is too large.
std::optional<Automaton> to_buchi(const Automaton& automaton);

}  // namespace spoor::ltl
