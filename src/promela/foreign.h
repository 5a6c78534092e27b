// What embedded C sees of a model, and what a model keeps of it.
//
// C code in a model names Promela variables as members of C structs: `now.x` for a global, `Pname->x`
// for a variable of the process that runs the code. This file gives every variable the C declaration
// that SPIN's pan.h gives it (a bit is `unsigned b : 1`, an array of bits are bytes, a typedef is a
// struct), so that code written for SPIN means the same here. The other way round it sorts out c_state
// and c_track: what of C's own data belongs to a state, to a process, or to nobody.
//
// Of a variable of an inner block SPIN mangles the name (`_4_1_x`). Here C sees it under its own name
// unless another block of the process has the same one; then C does not see it at all.
//
// Tested by: tests/suites/test_embedded_c.py
#pragma once

#include "base/diagnostic.h"
#include "promela/program.h"
#include "promela/syntax.h"

namespace spoor::promela {

// Fills program.foreign, but for the fragments that statements and expressions have put there already.
void describe_foreign_code(const Model& model, Program& program, Diagnostics& diagnostics);

}  // namespace spoor::promela
