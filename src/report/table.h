// A trace as a table: number, process, source line, statement, and its changes and output.
#pragma once

#include <cstddef>
#include <string>

#include "base/source.h"
#include "check/shown.h"

namespace spoor {

struct TableOptions {
  // Longer traces are cut in the middle, with a line that gives the number of missing rows; 0: never.
  std::size_t max_actions = 0;
  bool with_heading = true;
  bool ascii = false;
};

std::string trace_table(const ShownTrace& trace, const SourceSet& sources, const TableOptions& options = {});

// The changes and the output of the action, for the last column: "x = 3, prints \"hi\\n\"".
std::string effects(const Action& action);

}  // namespace spoor
