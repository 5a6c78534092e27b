// Embedded C: c_code, c_expr, c_decl, c_state and c_track.
//
// The C of a model becomes a library of its own, compiled before the model is run. It has one
// function, which runs one fragment (a c_code, a c_expr, a precondition) in one state. Interpreter
// and native code both call it, so that there is a single copy of the user's C and of its variables.
//
// The code was written for SPIN, where the state is a C struct, `now`, and the moving process another,
// `_this`. A state of ours is packed bytes. So the library
//   1. copies the Promela variables from the bytes into `now` and `_this`, and C's own data
//      (c_state, c_track) from the bytes to where C keeps them;
//   2. runs the fragment, as its author wrote it;
//   3. copies all of it back, unless the fragment is an expression.
// What C changed is truncated by the C types of `now`, which are SPIN's. The number of processes and
// their locations are for reading only.
//
// How many bytes C's data need only the C compiler knows. They lie behind everything else, at the end
// of the globals and at the end of a process's block, so no other address depends on them, and the
// program is completed with the sizes that the finished library tells.
//
// A fragment that crashes (a bad address, a division by zero, abort, exit) must not take the checker
// with it: signals are caught while it runs, on a stack of their own, and lead back to the caller,
// which reports an error of the model. After that, C data outside the state may be damaged.
//
// Fragments run one at a time: C code is rarely prepared for threads. What it prints goes to the
// caller, which shows it in traces and drops it in a search.
//
// Signal handlers point into the library, so it stays loaded for good. It is not kept in the cache, because
// the code may include files that we know nothing of.
//
// Rivals. Laying out the state as SPIN's struct would save the copying, at the price of alignment
// and bit-fields in every state. SPIN runs the code in place and copies the whole state for undoing.
//
// Cost: a compilation of about 0.1 s per run; per fragment a copy of all variables of the globals and
// of one process, there and back. Thread safety: call() may be called from several threads.
// Tested by: tests/suites/test_embedded_c.py
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "exec/native_code.h"
#include "promela/program.h"

namespace spoor::exec {

// The C text of the library (emit_embedded.cpp).
std::string emit_embedded(const promela::Program& program);

class EmbeddedCode {
 public:
  // Compiles and loads the C of a program and completes the program with the sizes of its C data.
  // `folder`: where quoted includes are looked for. Null, with the reason, when that fails.
  static std::shared_ptr<const EmbeddedCode> build(promela::Program& program, const std::string& folder,
                                                   std::string& reason);

  EmbeddedFunction function() const { return function_; }

 private:
  EmbeddedCode() = default;

  std::unique_ptr<Library> library_;
  EmbeddedFunction function_ = nullptr;
};

}  // namespace spoor::exec
