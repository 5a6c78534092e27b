// The last stage of the front end: a checked syntax tree becomes a Program.
#pragma once

#include "base/diagnostic.h"
#include "promela/program.h"
#include "promela/syntax.h"

namespace spoor::promela {

// REQUIRES: `model` came out of the parser without errors. New errors (a goto without a label, a
// state too large) go to `diagnostics`; the program is usable only when there are none.
Program compile(const Model& model, const SourceSet& sources, Diagnostics& diagnostics);

}  // namespace spoor::promela
