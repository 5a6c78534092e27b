// Warnings about models that are legal but probably not meant so.
//
// A warning costs a reader's time, so each kind must nearly always be right: the kinds were chosen
// by running them over a few hundred published models. What depends on a macro's value (`if :: N > 2 -> ...`
// with N defined as 2) is never warned about, because another value makes it sensible.
#pragma once

#include "base/diagnostic.h"
#include "promela/syntax.h"

namespace spoor::promela {

// REQUIRES: the model parsed without errors.
void lint(const Model& model, Diagnostics& diagnostics);

}  // namespace spoor::promela
