// The last stage of the front end: a checked syntax tree becomes a Program.
#pragma once

#include <cstdint>
#include <optional>

#include "base/diagnostic.h"
#include "promela/program.h"
#include "promela/syntax.h"

namespace spoor::promela {

// What the program is made ready to be checked for, beside safety. The code of other claims is left out, so
// that what they look at stands in nobody's way.
struct ClaimChoice {
  ClaimCode::Kind kind = ClaimCode::Kind::kNone;
  std::uint32_t index = 0;  // kFormula: in Model::formulas; kNever: in Model::proctypes
  // kFormula: the formula with `false` behind this premise, counted from 0. Where that holds too, the
  // premise never happens where it matters, and what stands behind it says nothing (vacuity).
  std::optional<std::uint32_t> without_conclusion = std::nullopt;
  bool is_fair = false;  // the automaton has few acceptance sets, so that there is room for fairness
};

// REQUIRES: `model` came out of the parser without errors. New errors (a goto without a label, a
// state too large) go to `diagnostics`; the program is usable only when there are none.
Program compile(const Model& model, const SourceSet& sources, Diagnostics& diagnostics,
                const ClaimChoice& claim = {});

}  // namespace spoor::promela
