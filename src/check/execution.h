// By whom a model is executed: as the user wants it, and as it was.
#pragma once

#include <cstdint>
#include <string>

namespace spoor {

// The tier that is wanted (exec/native.h).
enum class ExecutionChoice : std::uint8_t {
  kAuto,         // interpreted until native code is there
  kInterpreter,  // nothing else
  kNative,       // native from the first state on
  kBoth,         // every state by both, compared
};
// As --exec names it: "auto", "interp", "native", "both".
const char* to_string(ExecutionChoice choice);

// Who executed the model.
struct Execution {
  enum class Tier : std::uint8_t {
    kNobody /* a graph has nothing to execute */,
    kInterpreter,
    kNative,
    kBoth
  };
  Tier tier = Tier::kNobody;
  std::string no_native_code;  // why there can be none; empty: there can
};

}  // namespace spoor
