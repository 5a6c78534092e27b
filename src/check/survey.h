// The searches of `spoor estimate`, and the estimates from them.
//
// First a search that keeps every state, with a quarter of the time and half of the memory. If it is
// complete, the number of states is exact; if not, it measures the cost of a state. Then a search that
// samples the unexplored part (search/sampling.h), for the estimators of incomplete searches. Then searches
// with filters whose size doubles, all in one order and with one hash function, because the estimators are
// most accurate for that, until the time is used, the memory is used, or a filter is so large that it misses
// nothing. Beside the last of them, or an earlier one where memory is short, there are two probes
// (search/probe.h), with larger filters where the searches without a filter have seen more. A search of the
// same size with three hash functions shows whether a long thin part of the model misleads the estimates.
//
// With a given size, there is one search with a filter of that size, and its probes.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "check/coverage.h"
#include "check/loaded_model.h"
#include "estimate/estimator.h"
#include "search/observer.h"
#include "search/search.h"

namespace spoor {

// The time and memory of a complete check with this store.
struct StoreNeeds {
  std::string store;  // as --store names it
  double bytes = 0;
  double seconds = 0;
  bool fits = false;  // into the available memory
};

struct TimedRun {
  FilterRun run;
  double elapsed_s = 0;
};

struct TimedSampling {
  LimitedSearch search;
  double elapsed_s = 0;
  std::uint64_t memory_bytes = 0;
};

struct EstimateReport {
  std::string model;  // empty for an estimate from earlier runs
  std::string model_sha256;
  Reductions reductions;  // of all searches: the states are those that these leave
  // Of the search that keeps every state, complete or not.
  Statistics exhaustive;
  bool is_exact = false;                 // that search is complete: the number of states is exact
  std::vector<TimedRun> runs;            // with filters of increasing size
  std::optional<ProbeFigures> probes;    // beside the last run
  std::optional<TimedSampling> limited;  // breadth-first, with samples of the unexplored part
  Coverage coverage;                     // of the last run
  std::string warning;                   // why there may be more states; or empty
  std::vector<StoreNeeds> needs;
  std::string advice;  // what to do next, as a sentence
  std::vector<Diagnostic> warnings;

  // The number of states seen by the search that the coverage refers to.
  std::uint64_t seen() const {
    if (!is_exact && !runs.empty()) return runs.back().run.states;
    return !is_exact && limited ? limited->search.states : exhaustive.states;
  }
  // The estimated number of states; nothing without an estimate.
  std::optional<double> total() const;
};

struct SurveyOptions {
  Limits limits;  // time and memory of all searches together; both are set
  std::uint64_t seed = 1;
  unsigned hashes = 1;
  std::uint64_t bits = 0;  // of the only filter; 0: as many filters as the time allows
  ProgressListener* progress = nullptr;
  double progress_interval_s = 0;
};

// The answers of the estimators for this evidence, the chosen one and the warning.
void add_estimate(const Evidence& evidence, EstimateReport& report);

// Makes the searches and fills the report.
void survey(const LoadedModel& model, const SurveyOptions& options, EstimateReport& report);

}  // namespace spoor
