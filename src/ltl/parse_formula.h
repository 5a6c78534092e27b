// Formulas in SPIN's syntax.
//
//   f ::= true | false | 1 | 0 | ATOM | (f) | {f}
//       | !f   not f   [] f   always f   <> f   eventually f   X f   next f
//       | f U g   until, stronguntil     f V g   f R g   release     f W g   weakuntil
//       | f && g   f /\ g    f || g   f \/ g    f -> g   implies    f <-> g   equivalent
//
// An atom is any other text: a name, or an expression over the variables of a model (`x > 3`,
// `len(q) == 2`, `P[0]:x`, `P@L`, `(x+1) < y`). It ends before the next Boolean or temporal
// operator outside its own parentheses; the front end of the model parses its text. Equal tokens
// make equal atoms, blanks do not count. As in Promela, `!` binds more tightly than a comparison:
// `!x == 1` is one atom.
//
// SPIN reads formulas in two ways. Unary operators bind most tightly, then U, V, R and W, from the
// left, in both; but then
//   in an `ltl` block       &&, then ||, then -> and <-> at one level
//   on a command line (-f)  && || -> <-> are all at one level
// and every level groups from the left, also `->`. The default is the `ltl` block; where the two
// disagree on a text, or where `->` is chained, a warning shows how the formula was read.
//
// The first error ends the reading of a formula: further errors would be unreliable.
//
// Tested by: tests/unit/test_ltl_parse.cpp, tests/suites/test_ltl.py (against spin),
// tests/fuzz/ltl_formula.cpp
#pragma once

#include <cstdint>
#include <optional>

#include "base/diagnostic.h"
#include "base/source.h"
#include "ltl/formula.h"

namespace spoor::ltl {

enum class Reading { kBlock, kCommandLine };

// The formula in this file of `sources`, or nothing and the reason in `diagnostics` (L1xx).
std::optional<Formula> parse(Formulas& formulas, const SourceSet& sources, std::uint32_t file,
                             Diagnostics& diagnostics, Reading reading = Reading::kBlock);

}  // namespace spoor::ltl
