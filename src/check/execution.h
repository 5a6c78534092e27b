// The execution of a model, by interpreter or native code: as requested, and as it happened.
#pragma once

#include <cstdint>
#include <string>

namespace spoor {

// The requested tier (exec/native.h).
enum class ExecutionChoice : std::uint8_t {
  kAuto,         // interpreted until native code is ready
  kInterpreter,  // interpreted only
  kNative,       // native from the first state on
  kBoth,         // every state by both, with the results compared
};
// As --exec names it: "auto", "interp", "native", "both".
const char* to_string(ExecutionChoice choice);

// How the model was executed.
struct Execution {
  enum class Tier : std::uint8_t { kNone /* a graph has nothing to execute */, kInterpreter, kNative, kBoth };
  Tier tier = Tier::kNone;
  std::string no_native_code;  // why native code is not possible; empty: it is
};

}  // namespace spoor
