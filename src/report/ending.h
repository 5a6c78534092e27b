// The end of a trace, below its table: who waits for what, and the final state.
#pragma once

#include <string>

#include "base/source.h"
#include "check/shown.h"

namespace spoor {

// Of a deadlock: a row for each statement that a process waits at, with the reason. Otherwise empty.
std::string waiting_table(const ShownTrace& trace, const SourceSet& sources);

// The variables, channels and processes at the end, several to a line; the first ones of very many, unless
// all are wanted. Empty for a lasso, which has no end.
std::string final_state_lines(const ShownTrace& trace, bool all);

}  // namespace spoor
