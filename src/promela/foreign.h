// The variables of a model that embedded C can access, and the C data that belong to a state.
//
// C code in a model names Promela variables as members of C structs: `now.x` for a global, `Pname->x`
// for a variable of the process that runs the code. This file gives every variable the C declaration
// that SPIN's pan.h gives it (a bit is `unsigned b : 1`, an array of bits are bytes, a typedef is a
// struct), so that code written for SPIN means the same here. In the other direction it classifies
// c_state and c_track: C data that belong to a state, to a process, or to neither.
//
// SPIN mangles the name of a variable of an inner block (`_4_1_x`). Here C uses its own name unless
// another block of the process has the same name; then C cannot access the variable.
//
// Tested by: tests/suites/test_embedded_c.py
#pragma once

#include "base/diagnostic.h"
#include "promela/program.h"
#include "promela/syntax.h"

namespace spoor::promela {

// Fills program.foreign, except the fragments of statements and expressions, which are there already.
void describe_foreign_code(const Model& model, Program& program, Diagnostics& diagnostics);

}  // namespace spoor::promela
