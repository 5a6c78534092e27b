// Formulas and never claims: read, resolved, and not checked yet. A user who wrote one must not take
// `holds` for an answer to it.
//
// Remove this file when they are checked. Tested by: tests/unit/test_lint.cpp
#include "promela/lint_passes.h"

namespace spoor::promela {

void lint_unchecked(const Model& model, Diagnostics& diagnostics) {
  constexpr char kHint[] = "only safety is: assertions, deadlocks, trace assertions and run-time errors";
  for (const LtlFormula& formula : model.formulas) {
    diagnostics.warning("W150", formula.range, "the formula '" + formula.name + "' is not checked yet", kHint);
  }
  for (const Proctype& proctype : model.proctypes) {
    if (proctype.kind != BodyKind::kNever) continue;
    diagnostics.warning("W150", proctype.range, "this never claim is not checked yet", kHint);
  }
}

}  // namespace spoor::promela
