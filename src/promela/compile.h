// The last stage of the front end: a checked syntax tree becomes a Program.
#pragma once

#include <cstdint>
#include <optional>

#include "base/diagnostic.h"
#include "promela/program.h"
#include "promela/syntax.h"

namespace spoor::promela {

// The claim that the program is compiled for, in addition to safety. The code of other claims is left out, so
// that the variables they read do not limit reductions.
struct ClaimChoice {
  ClaimCode::Kind kind = ClaimCode::Kind::kNone;
  std::uint32_t index = 0;  // kFormula: in Model::formulas; kNever: in Model::proctypes
  // kFormula: the formula with `false` as the conclusion of this premise, counted from 0. Where that holds
  // too, the premise is vacuous (check/vacuity.h).
  std::optional<std::uint32_t> without_conclusion = std::nullopt;
  bool is_fair = false;  // the automaton has few acceptance sets, because fairness adds some
};

// REQUIRES: `model` was parsed without errors. New errors (a goto without a label, a state too
// large) are added to `diagnostics`; the program is usable only when there are none.
Program compile(const Model& model, const SourceSet& sources, Diagnostics& diagnostics,
                const ClaimChoice& claim = {});

}  // namespace spoor::promela
