// `hidden` variables.
//
// SPIN keeps a hidden variable out of the state vector: two states that differ only there are one.
// That is sound for scratch variables, which are written before they are read within one indivisible
// step. For any other use SPIN's answer depends on the order of its search, and can be wrong: a state
// counts as visited although its successors differ.
//
// Here a hidden variable is left out exactly where that is sound. It is scratch when it is not live
// at any location at which a state can be stored: from there, every path through the process writes it
// before reading it. Scratch variables are set to zero in every stored state, which merges the states
// that SPIN merges. All other hidden variables are ordinary ones: the verdict is right, and there may
// be more states than SPIN counts (docs/spin-differences.md).
//
// In a model with embedded C none is scratch: C may read it anywhere.
//
// A location inside an atomic sequence is stored only when the process can lose its turn there: when it
// can block, when a rendezvous may pass the turn to another process, when it has a `provided` clause, and
// always in a model with priorities, because any step may change which process has the highest.
//
// Cost: one backward pass per hidden variable and process. Tested by: tests/models/hidden_*.pml.
#pragma once

#include "promela/program.h"

namespace spoor::promela {

// Fills program.scratch. REQUIRES: the program has no embedded C.
void find_scratch_variables(Program& program);

}  // namespace spoor::promela
