#include "check/execution.h"

namespace spoor {

const char* to_string(ExecutionChoice choice) {
  switch (choice) {
    case ExecutionChoice::kAuto: return "auto";
    case ExecutionChoice::kInterpreter: return "interp";
    case ExecutionChoice::kNative: return "native";
    case ExecutionChoice::kBoth: return "both";
  }
  return "";
}

}  // namespace spoor
