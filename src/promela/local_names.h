// The local variables of a version of a model under the names that they have in another version.
//
// The idea. Versions are compared, and states translated, by the names of variables (exec/canonical_code.h).
// A local variable that is renamed would therefore be one that is gone and one that is new, and all code of
// its process would be changed. So the one version is compared under the names of the other: in a process
// type that both have, the variables that only one version has are paired in order, where there are equally
// many and they have the same types.
//
// Why that is right. Once a program is compiled, places are offsets: a name in a list of variables says only
// which variables of two versions belong together. Whatever is chosen, the program does the same. A pair of
// variables that have nothing to do with each other makes more code count as changed, or leaves states that
// are new; it does no other harm.
//
// Global variables are left as they are: they are rarely renamed, and a name that is gone while another
// appears is more often another variable.
//
// Tested by: tests/unit/test_elements.cpp, tests/suites/test_regression.py
#pragma once

#include "promela/program.h"

namespace spoor::promela {

// REQUIRES: the program has no embedded C, whose code has names in it; otherwise nothing is renamed.
void name_locals_like(Program& program, const Program& other);

}  // namespace spoor::promela
