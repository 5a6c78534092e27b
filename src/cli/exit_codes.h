// Exit codes, as docs/cli.md promises them.
#pragma once

#include <variant>

#include "search/search.h"

namespace spoor::cli {

enum ExitCode : int {
  kHolds = 0,       // also: done, for commands without a verdict
  kViolated = 1,    // also: two versions differ
  kWrongInput = 2,  // the model, a file or the command line
  kUndecided = 3,   // a limit or a signal ended the search
  kInternalError = 70,
  kReductionFault = 71,  // --check-reduction found one
};

inline int exit_code_of(const Outcome& outcome) {
  if (std::holds_alternative<Violated>(outcome)) return kViolated;
  return std::holds_alternative<Unknown>(outcome) ? kUndecided : kHolds;
}

}  // namespace spoor::cli
