// The coverage of a check: the share of the reachable states that it has seen.
//
// A complete search with a store that keeps every state has seen all states. So has a complete search whose
// store confuses states, in at least 19 of 20 cases, if its bound on the omission probability says so. For
// all other searches the coverage is estimated by two probes after the search (estimate/probes.h). kFull:
// filters of 8 bits per state seen, or of the size of the search's filter, without a time limit; that takes
// about twice the time of the search. kQuick: filters that double from a small one on, for the time of the
// search, a tenth of the user's time limit or a minute, whichever is least; smaller filters give a wider
// interval. There is no coverage for a search that ended at an error, because it did not aim at all states,
// nor for a search for infinite runs, whose states are those of the product.
//
// *Probably holds* needs a reason (judge_coverage): a complete search whose store confuses states keeps this
// verdict where the omission probability is at most 1/20, or where the lower end of the interval is at least
// CheckOptions::accept_coverage. Otherwise it may have seen nearly all states or next to none, and the
// verdict is Unknown, with the limit kCoverage.
//
// Tested by: tests/suites/test_coverage.py
#pragma once

#include <optional>

#include "check/check_report.h"
#include "check/loaded_model.h"
#include "search/search.h"

namespace spoor {

// `options`: those of the search. Nothing for the searches without coverage (above).
std::optional<Coverage> coverage_of(const CheckReport& report, const LoadedModel& model,
                                    const SearchOptions& options);

// Takes back a HoldsProbably that has no reason (above). REQUIRES: the report has its coverage.
void judge_coverage(CheckReport& report);

}  // namespace spoor
