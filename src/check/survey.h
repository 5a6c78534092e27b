// The searches that `spoor estimate` makes, and what follows from them.
//
// First a search that keeps every state, for a quarter of the time and half of the memory: if it comes to
// the end there is nothing to estimate, and if not, it tells what a state costs. Then one that samples what
// it leaves out (search/sampling.h), for the estimators that are about searches which were cut short. Then
// searches with filters that double from one to the next, all in one order and with one hash function,
// because that is what the estimators know most about, until the time is up, the memory is, or a filter is
// so large that it misses nothing. Beside the last, or one before where there is no room for that, there
// are two probes (search/probe.h), with larger filters where the searches without one have seen more, and a
// search of the same size with three hash functions, which shows whether a long thin part of the model has
// misled the others.
//
// With a size given, there is one search with a filter of that size, and its probes.
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

// What a complete check with this store would take.
struct StoreNeeds {
  std::string store;  // as --store names it
  double bytes = 0;
  double seconds = 0;
  bool fits = false;  // into the memory that there is
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
  std::string model;  // empty where runs that were made before are judged
  std::string model_sha256;
  // Of the search that keeps every state, as far as it came.
  Statistics exhaustive;
  bool is_exact = false;                 // it came to the end: there is nothing to estimate
  std::vector<TimedRun> runs;            // with filters of growing size
  std::optional<ProbeFigures> probes;    // beside the last of them
  std::optional<TimedSampling> limited;  // breadth-first, with samples of what was left
  Coverage coverage;                     // of the last run
  std::string warning;                   // that there may be more to it; or empty
  std::vector<StoreNeeds> needs;
  std::string advice;  // what to do next, as a sentence
  std::vector<Diagnostic> warnings;

  // How many states the coverage is about.
  std::uint64_t seen() const {
    if (!is_exact && !runs.empty()) return runs.back().run.states;
    return !is_exact && limited ? limited->search.states : exhaustive.states;
  }
  // How many there are, by the estimate; nothing where there is none.
  std::optional<double> total() const;
};

struct SurveyOptions {
  Limits limits;  // time and memory of all together; both given
  std::uint64_t seed = 1;
  unsigned hashes = 1;
  std::uint64_t bits = 0;  // of the only filter; 0: as many as the time allows
  ProgressListener* progress = nullptr;
  double progress_interval_s = 0;
};

// What the estimators say of these runs: the answers, the one that is taken, the warning.
void add_estimate(const Evidence& evidence, EstimateReport& report);

// Fills all of the report that searches tell.
void survey(const LoadedModel& model, const SurveyOptions& options, EstimateReport& report);

}  // namespace spoor
