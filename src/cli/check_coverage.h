// How much of the model a check has seen.
//
// A search that came to its end with a store that keeps every state has seen all; so has, but for one case in twenty or less, one whose store forgets, if its
// bound on omissions says so. Of all others it is estimated: from the figures of the search alone (kQuick), which costs nothing and
// says little, or with two probes after the search (kFull), which take two to seven times as long as the search did.
// A search that has ended at an error was not after the rest.
//
// Tested by: tests/suites/test_coverage.py
#pragma once

#include <optional>

#include "cli/load.h"
#include "report/report.h"
#include "search/search.h"

namespace spoor::cli {

// `options`: those of the search. Nothing where the question does not arise.
std::optional<Coverage> coverage_of(const CheckReport& report, const LoadedModel& model, const SearchOptions& options);

}  // namespace spoor::cli
