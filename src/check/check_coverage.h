// The coverage of a check: the share of the reachable states that it has seen.
//
// A complete search with a store that keeps every state has seen all states. After all other searches the
// states are counted (state_count.h), if time and memory allow. Where they do not, a complete search whose
// store confuses states has seen all states, in at least 19 of 20 cases, if its bound on the omission
// probability says so and a count has not found more. For the rest the coverage is estimated by two probes
// after the search (estimate/probes.h), with filters of the size of the search's filter, or of 8 bits per
// state seen; the states counted are then a lower bound. Without complete probes the interval begins at 0.
//
// Short searches, of less than ten seconds. kQuick: the count has twice the time of the search, at least two
// and at most ten seconds, and 256 MiB; the probes have 20 seconds, in which they reach the size of the
// search's filter.
//
// Long searches. kQuick: count and probes together have twice the time of the search, at least 20 seconds
// and at most two minutes. The first tenth is for small probes. If the number of states that they estimate
// can be counted in the time that is left, by all threads, and within the memory of the check, that is done;
// a count that is not completed leaves half of the time again for probes. Otherwise the rest of the time is
// for the largest probes that fit (probing.h): after searches of up to a minute those of the size of the
// search's filter; after longer ones they are smaller, and the interval is wider.
//
// Larger filters, up to four times the size, are used as long as all probes take less than twice the time of
// the search, or two seconds. With a limit on time, count and probes have what the search left of it and a
// tenth. kFull: the count has four times the time of the search, larger filters eight times, the other
// probes have no limit. Count and probes use the threads of CheckOptions::coverage_threads: neither depends
// on their number.
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
// Tested by: tests/suites/test_coverage.py, tests/unit/test_probing.cpp; measured by lab/run coverage --part
// long
#pragma once

#include <optional>

#include "check/check_report.h"
#include "check/loaded_model.h"
#include "search/search.h"

namespace spoor {

// Seconds. Only tests and the lab have others than these: they take short searches for long ones.
struct CoverageTimes {
  double long_search = 10;  // longer searches are long; and the most for a count after a short one
  double least_for_count = 2;
  double least_for_probes = 20, most_for_probes = 120;
  bool counts_after_long_search = true;
};

// `options`: those of the search. Nothing for the searches without coverage (above). An error that is met
// changes the outcome of the report, and is added to the violations of its result.
std::optional<Coverage> coverage_of(CheckReport& report, const LoadedModel& model,
                                    const SearchOptions& options, const CoverageTimes& times = {});

// Takes back a HoldsProbably that has no reason (above). REQUIRES: the report has its coverage.
void judge_coverage(CheckReport& report);

}  // namespace spoor
