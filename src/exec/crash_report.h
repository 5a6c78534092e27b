// A crash inside compiled code says which file is to blame, and the next run does not use that file.
//
// While a library is loaded, a handler of the signals of a crash (SIGSEGV, SIGBUS, SIGFPE, SIGILL) looks
// whether the instruction that crashed lies in it. If so it writes one line to stderr and removes the file
// from the cache. Then the signal takes its course: the handler puts back what was there before it and
// returns, and the instruction crashes again. Where the instruction lies elsewhere only the latter happens.
//
// Embedded C has a handler of its own around each fragment, which is closer to the crash
// (embedded_runtime.inc). A handler needs room on the stack, so an overflow of the stack is not reported.
//
// Thread safety: all functions may be called from any thread.
// Tested by: tests/suites/test_native.py
#pragma once

#include <string>

namespace spoor::exec {

// From now on a crash in the loaded library (a handle of dlopen) is blamed on the file. An older file of the
// same handle is forgotten.
void blame_crashes_on(const std::string& path, void* handle);
// The library is about to be unloaded.
void forget_crashes(void* handle);

}  // namespace spoor::exec
