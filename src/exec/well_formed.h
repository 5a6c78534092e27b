// Are these bytes a state that the program could be in, as far as its layout goes?
//
// States that a search computes are; states that are read from a file (certificates, recordings) may be
// anything, and `expand` requires a state. What is asked for here is what interpreter and native code rely
// on, and that equal states have equal bytes:
//
//   1. the processes are of types that can be started, and their blocks fill the bytes exactly;
//   2. every location is one of its process's, and has steps or is the end;
//   3. there are no more processes and channels than there can be;
//   4. no channel holds more messages than its capacity, and its unused slots are zero;
//   5. every variable and every field of a message has a value of its type;
//   6. scratch variables, and what is dead at a location, are zero;
//   7. the trace assertion is at one of its locations.
//
// It is not asked whether the state can be reached: that is what the file has to prove.
//
// Embedded C may rely on anything about its data, so no state of a program with embedded C is vouched for.
//
// Cost: linear in the state. Tested by: tests/unit/test_well_formed.cpp, tests/fuzz/state.cpp
#pragma once

#include "model/system.h"
#include "promela/program.h"

namespace spoor::exec {

bool is_well_formed(const promela::Program& program, StateBytes state);

}  // namespace spoor::exec
