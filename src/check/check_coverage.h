// How much of the model a check has seen.
//
// A search that came to its end with a store that keeps every state has seen all; so has, but for one case
// in twenty or less, one whose store forgets, if its bound on omissions says so. Of all others it is
// estimated, by two probes after the search (estimate/probes.h). kFull: with filters of 8 bits per state
// that was seen, or of the size of the search's filter, whatever they take; that is about twice the time of
// the search. kQuick: with filters that double from a small one on, as long as the search took, a tenth of
// the user's limit on time, or a minute; the smaller they are, the wider is the interval. A search that has
// ended at an error was not after the rest, and one for infinite runs has states of its own.
//
// Tested by: tests/suites/test_coverage.py
#pragma once

#include <optional>

#include "check/check_report.h"
#include "check/loaded_model.h"
#include "search/search.h"

namespace spoor {

// `options`: those of the search. Nothing where the question does not arise.
std::optional<Coverage> coverage_of(const CheckReport& report, const LoadedModel& model,
                                    const SearchOptions& options);

}  // namespace spoor
