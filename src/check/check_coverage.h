// The coverage of a check: the share of the reachable states that it has seen.
//
// A complete search with a store that keeps every state has seen all states. For all other searches the
// states are counted first (state_count.h), if time and memory allow. Where a limit ends the count, a
// complete search whose store confuses states has seen all states, in at least 19 of 20 cases, if its bound
// on the omission probability says so and the count has not found more. For the rest the coverage is
// estimated by two probes after the search (estimate/probes.h), with filters of the size of the search's
// filter, or of 8 bits per state seen; the states counted are then a lower bound.
//
// Time. kQuick: the count has twice the time of the search, at least two and at most ten seconds; after a
// longer search there is none. The probes begin with a small filter, which is doubled, and have the time of
// the search, at least 20 seconds and at most a minute: after a search of less than ten seconds they reach
// the size of its filter, later they may not, and the interval is wider. Larger filters, up to four times the
// size, are used as long as all probes take less than twice the time of the search, or two seconds. With a
// limit on time, count and probes have what the search left of it and a tenth. kFull: the count has four
// times the time of the search, larger filters eight times, the other probes have no limit.
//
// An error that the count meets is one of the check, unless the user wants no search beyond a depth.
//
// There is no coverage for a search that ended at an error, because it did not aim at all states, nor for a
// search for infinite runs, whose states are those of the product.
//
// *Probably holds* needs a reason (judge_coverage): a complete search whose store confuses states keeps this
// verdict where the omission probability is at most 1/20, or where the lower end of the interval is at least
// CheckOptions::accept_coverage; a count outweighs the probability. Otherwise it may have seen nearly all
// states or next to none, and the verdict is Unknown, with the limit kCoverage.
//
// Tested by: tests/suites/test_coverage.py
#pragma once

#include <optional>

#include "check/check_report.h"
#include "check/loaded_model.h"
#include "search/search.h"

namespace spoor {

// `options`: those of the search. Nothing for the searches without coverage (above). An error that is met
// changes the outcome of the report, and is added to the violations of its result.
std::optional<Coverage> coverage_of(CheckReport& report, const LoadedModel& model,
                                    const SearchOptions& options);

// Takes back a HoldsProbably that has no reason (above). REQUIRES: the report has its coverage.
void judge_coverage(CheckReport& report);

}  // namespace spoor
