// A Promela program as one C file: the native tier.
//
// The file has one function, spoor_expand, that does what Interpreter::expand does: the same
// successors, in the same order, with the same bytes and the same numbers. It reads like the model:
// a function per process type, a case per location, a block per transition, each headed by the
// statement's own text and line.
//
// The division of labour that keeps it short: C code does only what goes well. Where anything is out
// of the ordinary (a failed assertion, an index out of bounds, a message of the wrong arity, a
// deadlock, an atomic sequence of more than a thousand steps), it gives up the whole state
// (`give_up`, a longjmp), and the caller hands that state to the interpreter. So there is one judge
// of errors, and no second copy of it that could disagree. A search that stops at its first error
// pays for this once; one that collects all errors of a model in which most states fail runs at the
// speed of the interpreter there.
//
// What is left to the interpreter for whole models (priorities, enabled(), trace assertions
// and a few rarities) is listed in `why_not_native`. Embedded C is a library of its own (embedded.h),
// which native code calls as the interpreter does.
//
// Rivals. SPIN emits a transition function with undo code, because its search changes one state in
// place; here a successor is a copy, which costs a few vector moves, and there is nothing to undo.
//
// Tested by: tests/suites/test_native.py (every state of every model, both tiers side by side)
#pragma once

#include <optional>
#include <string>

#include "exec/machine.h"
#include "promela/program.h"

namespace spoor::exec {

// What keeps the program out of native code, as the end of a sentence; nullopt: nothing does.
std::optional<std::string> why_not_native(const promela::Program& program);

// REQUIRES: !why_not_native(program).
std::string emit_c(const promela::Program& program, const Options& options);

}  // namespace spoor::exec
