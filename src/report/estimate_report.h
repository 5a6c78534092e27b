// The answer of `spoor estimate` as a value, as text and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "check/coverage.h"
#include "estimate/estimator.h"
#include "report/report.h"

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

std::string estimate_text(const EstimateReport& report, bool colour, bool ascii, bool with_chart);
std::string estimate_json(const EstimateReport& report, const SourceSet& sources);
// The growth of the runs and the curve through them. REQUIRES: there is a run.
std::string estimate_svg(const EstimateReport& report);

}  // namespace spoor
