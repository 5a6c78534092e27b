// A trace as a table: number, process, source line, statement, and what it changed or printed.
#pragma once

#include <cstddef>
#include <string>

#include "base/source.h"
#include "check/shown.h"

namespace spoor {

struct TableOptions {
  // Longer traces are cut in the middle, with a line that says how much is missing; 0: never.
  std::size_t max_actions = 0;
  bool with_heading = true;
  bool ascii = false;
};

std::string trace_table(const ShownTrace& trace, const SourceSet& sources, const TableOptions& options = {});

// What the action did, for the last column: "x = 3, prints \"hi\\n\"".
std::string effects(const Action& action);

}  // namespace spoor
