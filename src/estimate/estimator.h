// Estimates of coverage: statistics of searches in, the share of the reachable states that was seen out.
//
// A search that forgets states, or that is cut short, does not know how many there are. From its figures,
// and better from those of several searches of growing size, the number can be estimated. Each estimator is
// a file of this folder and answers the same question: of all states that can be reached, which share has
// the last search seen? Each either gives a share, perhaps with an interval, or says what it lacks. It
// never makes a number up: where a formula has no value, there is none.
//
// All of them are listed in estimators.inc. structure.h has no estimate, but a warning that a long thin part
// of the model misleads the others.
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

// A search with a filter that went on until nothing was left to do.
struct FilterRun {
  FilterOptions filter;
  std::uint64_t states = 0;  // that the filter noticed as new
  std::uint64_t transitions = 0;
  std::uint64_t bits_set = 0;
  // How many different states were met, those included that the filter took for known; counted by a sketch.
  std::optional<double> met = std::nullopt;
};

// Nothing where the search was cut short.
std::optional<FilterRun> run_of(const FilterFigures& figures, std::uint64_t transitions);

// What two probes (search/probe.h) have met, one with a filter of half the size of the other's; and where
// there is one, a search with a filter of the larger size.
struct ProbeFigures {
  struct Search {
    double met = 0;
    SharedPart in_larger,
        larger_in;  // of what it has met, what the larger probe has met, too; and the other way round
  };

  double met_by_larger = 0, met_by_smaller = 0;  // different states
  double met_by_all = 0;                         // together, with the search
  SharedPart smaller_in_larger;
  std::optional<Search> search = std::nullopt;
};

// A search that keeps every state, breadth-first, and was cut short by a limit (search/sampling.h).
struct LimitedSearch {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::vector<Level> levels = {};  // that are complete; none where the search had another order
  // Unexplored steps that were followed, the states that were found behind them, and the new states that
  // other unexplored steps lead to. None were followed: nothing is known of the rest.
  std::uint64_t samples = 0, found = 0, left = 0;
};

// The question: of all states, which share has the last of the runs seen, or where there is none the
// limited search?
struct Evidence {
  // With the same hash functions and the same order, each filter twice the size of the one before.
  std::vector<FilterRun> runs;
  // Of the size of the last, with more hash functions.
  std::optional<FilterRun> control = std::nullopt;
  // Beside the last, or one before where there was no room for that.
  std::optional<ProbeFigures> probes = std::nullopt;
  std::optional<LimitedSearch> limited = std::nullopt;

  // States that some search has seen: there are not fewer.
  double at_least = 0;

  // By the search that the question is about; 0 where there is none.
  double seen() const;
};

struct Interval {
  double low = 0;
  double high = 1;
};

struct Estimate {
  double coverage = 0;                              // from 0 to 1
  std::optional<Interval> interval = std::nullopt;  // in which it lies with a probability of 90 %
};

struct Answer {
  std::optional<Estimate> estimate = std::nullopt;
  // What is missing, as a sentence without its full stop; empty where there is an estimate.
  std::string why_not = {};
};
Answer cannot_say(std::string why);
Answer share(double coverage);                            // limited to 0 .. 1
Answer share_of(const Evidence& evidence, double total);  // the same, where there are so many states
// The same, where with a probability of 90 % there are at least and at most so many.
Answer within(const Evidence& evidence, double total, double fewest, double most);

class Estimator {
 public:
  virtual ~Estimator() = default;
  virtual Answer estimate(const Evidence& evidence) const = 0;
};

struct EstimatorRow {
  const char* name = "";   // as JSON has it
  const char* needs = "";  // what it is made from
  const char* idea = "";
  const Estimator* estimator = nullptr;
};
// All of them, in the order of estimators.inc.
std::span<const EstimatorRow> estimators();

// Its answer, which no estimate of fewer states than were seen may be.
Answer ask(const Estimator& estimator, const Evidence& evidence);

// By the figures of one search alone.
std::optional<double> coverage_by(const Estimator& estimator, const FilterFigures& figures);

// What is wrong with the runs, for every estimator; empty where nothing is.
std::string objection(const Evidence& evidence);

// log2 of the size of the filter.
double log_size(const FilterRun& run);

}  // namespace spoor
