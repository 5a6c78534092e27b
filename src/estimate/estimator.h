// Estimates of coverage: statistics of searches in, the share of the reachable states that was seen out.
//
// A search that confuses states, or that is incomplete, does not count all states. From its figures, and
// better from those of several searches of increasing size, the number can be estimated. Each estimator is a
// file of this folder and answers the same question: which share of the reachable states has the last search
// seen? Each either gives a share, possibly with an interval, or says what it lacks. Where a formula has no
// value, there is no estimate.
//
// All estimators are listed in estimators.inc. structure.h has no estimate, but a warning that a long thin
// part of the model misleads the estimators.
//
// Tested by: tests/unit/test_estimate.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/level.h"
#include "base/state_sketch.h"
#include "store/filter.h"

namespace spoor {

// A complete search with a filter.
struct FilterRun {
  FilterOptions filter;
  std::uint64_t states = 0;  // that were new to the filter
  std::uint64_t transitions = 0;
  std::uint64_t bits_set = 0;
  // The number of distinct states that were met, including those that the filter confused with known ones;
  // counted by a sketch.
  std::optional<double> met = std::nullopt;
  std::uint64_t depth = 0;  // of a breadth-first search; 0: unknown
};

// Nothing for an incomplete search.
std::optional<FilterRun> run_of(const FilterFigures& figures, std::uint64_t transitions);

// The states met by two probes (search/probe.h), one with a filter of half the size of the other's, and by
// a search with a filter, where there is one.
struct ProbeFigures {
  struct Search {
    double met = 0;
    // The share of states met by the search that the larger probe has met, too; and the reverse.
    SharedPart in_larger, larger_in;
    // log2 of the size of the larger probe's filter, relative to the search's.
    double log_size_ratio = 0;
  };

  double met_by_larger = 0, met_by_smaller = 0;  // distinct states
  double met_by_all = 0;                         // by the probes and the search together
  SharedPart smaller_in_larger;
  std::optional<Search> search = std::nullopt;
};

// A breadth-first search that keeps every state and was ended by a limit (search/sampling.h).
struct LimitedSearch {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::vector<Level> levels = {};  // the complete levels; none where the search has another order
  // The number of unexplored steps that were followed, of the states found through them, and of the new
  // states that the other unexplored steps lead to. Without samples the rest is unknown.
  std::uint64_t samples = 0, found = 0, left = 0;
};

// The question: which share of all states has the last run seen, or, without runs, the limited search?
struct Evidence {
  // Runs with the same hash functions and the same order; each filter is twice the size of the one before.
  std::vector<FilterRun> runs;
  // A run of the size of the last one, with more hash functions.
  std::optional<FilterRun> control = std::nullopt;
  // Beside the last run, or beside an earlier one where memory was short.
  std::optional<ProbeFigures> probes = std::nullopt;
  std::optional<LimitedSearch> limited = std::nullopt;

  // The largest number of states that any search has seen: a lower bound.
  double at_least = 0;

  // States seen by the search that the question is about; 0 without a search.
  double seen() const;
};

struct Interval {
  double low = 0;
  double high = 1;
};

struct Estimate {
  double coverage = 0;                              // from 0 to 1
  std::optional<Interval> interval = std::nullopt;  // contains the coverage with a probability of 90 %
};

struct Answer {
  std::optional<Estimate> estimate = std::nullopt;
  // Why there is no estimate, as a sentence without its full stop; empty where there is one.
  std::string why_not = {};
};
Answer no_estimate(std::string why);
Answer share(double coverage);                            // limited to 0 .. 1
Answer share_of(const Evidence& evidence, double total);  // the same, for a total of so many states
// The same, with a 90 % interval of the total.
Answer within(const Evidence& evidence, double total, double fewest, double most);

class Estimator {
 public:
  virtual ~Estimator() = default;
  virtual Answer estimate(const Evidence& evidence) const = 0;
};

struct EstimatorRow {
  const char* name = "";   // as JSON has it
  const char* needs = "";  // the evidence that it uses
  const char* idea = "";
  const Estimator* estimator = nullptr;
};
// All estimators, in the order of estimators.inc.
std::span<const EstimatorRow> estimators();

// The answer of the estimator, bounded: never fewer states than were seen.
Answer estimate_by(const Estimator& estimator, const Evidence& evidence);

// From the figures of one search alone.
std::optional<double> coverage_by(const Estimator& estimator, const FilterFigures& figures);

// Why no estimator can use the runs; empty: they can be used.
std::string objection(const Evidence& evidence);

// log2 of the size of the filter.
double log_size(const FilterRun& run);

}  // namespace spoor
