// The passes of lint(), one file each. For lint.cpp only.
#pragma once

#include "base/diagnostic.h"
#include "promela/syntax.h"

namespace spoor::promela {

// lint_usage.cpp: names that are declared and not used.
void lint_usage(const Model& model, Diagnostics& diagnostics);
// lint_flow.cpp: unreachable statements, labels that look special and are not.
void lint_flow(const Model& model, Diagnostics& diagnostics);
// lint_values.cpp: values that do not fit, comparisons that are decided by the types alone.
void lint_values(const Model& model, Diagnostics& diagnostics);

}  // namespace spoor::promela
