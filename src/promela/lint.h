// Warnings about models that are legal but probably not intended.
//
// Each kind of warning must nearly always be right: the kinds were chosen by running them over a few
// hundred published models. There is no warning about code that depends on a macro's value (`if :: N > 2
// -> ...` with N defined as 2), because it is sensible for another value.
#pragma once

#include "base/diagnostic.h"
#include "promela/syntax.h"

namespace spoor::promela {

// REQUIRES: the model parsed without errors.
void lint(const Model& model, Diagnostics& diagnostics);

}  // namespace spoor::promela
