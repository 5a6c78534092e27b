#include "check/check_coverage.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "check/probing.h"
#include "check/state_count.h"
#include "estimate/probes.h"
#include "store/filter.h"

namespace spoor {
namespace {

constexpr double kSureOfAll = 0.05;
constexpr double kSureWithoutCount = 1e-4;
constexpr double kShareOfLimit = 0.1;  // of the user's time limit, for the coverage, beside the rest of it
// In multiples of the time of the search:
constexpr double kTimesForQuick = 2;      // count or probes, with kQuick
constexpr double kTimesForFullCount = 4;  // with kFull
// Of the time after a long search: the first probes, which predict the time of a count; and those after a
// count that was not completed.
constexpr double kFirstProbes = 0.1;
constexpr double kProbesAfterCount = 0.5;
constexpr double kSlowerCount = 1.1;  // than predicted, at most
// Probes larger than the search's filter, up to so many times its size, have twice as long as the search at
// most.
constexpr std::uint64_t kLargerFilters = 4;
constexpr double kAtLeastMet = 0.985;  // of the states that a sketch has counted: less than its error
constexpr std::uint64_t kMemoryForCount = std::uint64_t{256} << 20;  // after a short search
// A search that had no memory left, and used more than this per state, used it for steps: so would others.
constexpr std::uint64_t kMostBytesPerState = 10'000;

// A bound on the probability that a state was omitted. Of several searches it is the least of their bounds.
double omission_chance(const CheckReport& report) {
  const SearchResult& result = report.result;
  if (const auto* probably = std::get_if<HoldsProbably>(&result.outcome))
    return probably->omission_probability;
  return result.filter ? omission_bound(result.filter->options, result.filter->states) : 0;
}

Evidence evidence_of(const CheckReport& report) {
  const SearchResult& result = report.result;
  Evidence evidence;
  if (report.swarm) {
    evidence.limited = LimitedSearch{static_cast<std::uint64_t>(std::llround(report.swarm->seen))};
  } else if (report.hunt) {
    evidence.limited = LimitedSearch{static_cast<std::uint64_t>(std::llround(report.hunt->seen))};
  } else if (result.filter && !result.limit) {
    if (const auto run = run_of(*result.filter, result.statistics.transitions)) evidence.runs = {*run};
    if (!evidence.runs.empty() && report.options.order == Order::kBreadthFirst)
      evidence.runs.back().depth = result.statistics.depth;
  } else {
    evidence.limited = LimitedSearch{result.statistics.states, result.statistics.transitions, result.levels};
    if (result.filter) evidence.limited->levels.clear();  // the levels of a bitstate search are unreliable
  }
  if (result.filter && result.filter->met) evidence.at_least = kAtLeastMet * *result.filter->met;
  return evidence;
}

// The steps of a state did not fit into memory, so no other search would get further.
bool has_no_memory_for_steps(const SearchResult& result) {
  const bool lacks_memory = result.limit == LimitHit::kMemory || result.limit == LimitHit::kOutOfMemory;
  return lacks_memory && result.statistics.memory_bytes > kMostBytesPerState * result.statistics.states;
}

// All states were counted. The states seen by a swarm are known by a sketch only.
Coverage coverage_by_count(const Evidence& evidence, std::uint64_t states, bool is_seen_by_sketch) {
  Coverage coverage = choose_estimate(evidence);
  const double share = std::min(1.0, evidence.seen() / static_cast<double>(states));
  const double error = is_seen_by_sketch ? 1 - kAtLeastMet : 0;
  coverage.chosen = Estimate{share, Interval{share * (1 - error), std::min(1.0, share * (1 + error))}};
  coverage.method = "count";
  return coverage;
}

// The coverage of one search, by a count and probes.
class Measurement {
 public:
  Measurement(CheckReport& report, const LoadedModel& model, const SearchOptions& of_search,
              const CoverageTimes& times)
      : report_(report),
        model_(model),
        of_search_(of_search),
        times_(times),
        is_full_(report.options.coverage == CoverageEffort::kFull),
        threads_(model.has_embedded_code ? 1 : std::max(1u, report.options.coverage_threads)),
        evidence_(evidence_of(report)),
        search_s_(report.result.statistics.elapsed_s),
        left_s_(seconds_left()) {}

  // Nothing where the count has found an error, which then is the answer. `chance`: that a state was omitted.
  std::optional<Coverage> coverage(double chance) {
    if (has_no_memory_for_steps(report_.result)) return estimate();
    if (!is_long_search() && count(seconds_for_count(), memory_after_short_search())) return counted_;
    if (chance <= kSureOfAll && evidence_.at_least <= evidence_.seen())
      return full_coverage("omission_bound");
    if (probe()) return counted_;
    return estimate();
  }

 private:
  bool is_long_search() const { return !is_full_ && search_s_ > times_.long_search; }
  bool is_interrupted() const { return of_search_.limits.is_interrupted(); }

  // Without probes the figures of the filter are left, which are far too high where few states were seen: the
  // interval begins at 0. Probes that are not completed are a sign of lines, which they follow to the end.
  Coverage estimate() const {
    Coverage coverage = choose_estimate(evidence_);
    if (!coverage.chosen || coverage.chosen->interval) return coverage;
    const double most = evidence_.seen() / std::max(evidence_.seen(), evidence_.at_least);
    coverage.chosen->interval = Interval{0, most};
    if (!evidence_.runs.empty() && is_long(evidence_.runs.back()))
      coverage.chosen->coverage = std::min(coverage.chosen->coverage, most / 2);
    return coverage;
  }

  // What the search has left of the user's limit on time, and a tenth of that limit.
  double seconds_left() const {
    const double limit = report_.options.limits.seconds;
    if (limit == 0 || is_full_) return std::numeric_limits<double>::infinity();
    return std::max(0.0, of_search_.limits.seconds - search_s_) + kShareOfLimit * limit;
  }

  // After a short search, or with kFull; 0: none.
  double seconds_for_count() const {
    if (is_full_) return std::max(times_.least_for_count, kTimesForFullCount * search_s_);
    // A count that has less time than the search is not completed, and the probes need the time.
    if (left_s_ < kTimesForQuick * search_s_) return 0;
    return std::min(std::clamp(kTimesForQuick * search_s_, times_.least_for_count, times_.long_search),
                    left_s_ / 2);
  }

  std::uint64_t memory_after_short_search() const {
    const std::uint64_t most = std::max(kMemoryForCount, 2 * report_.result.statistics.memory_bytes);
    const std::uint64_t limit = of_search_.limits.memory_bytes;
    return limit == 0 ? most : std::min(limit, most);
  }

  // True: there is an answer, in counted_. False: the count was not completed; 0 seconds: it was not begun.
  bool count(double seconds, std::uint64_t memory_bytes) {
    if (seconds <= 0 || is_interrupted()) return false;
    const Budget clock;
    SearchOptions options = of_search_;
    options.threads = threads_;
    if (report_.swarm) options.order = Order::kBreadthFirst;
    Limits limits = of_search_.limits;
    limits.seconds = seconds;
    limits.memory_bytes = memory_bytes;
    SearchResult& result = report_.result;
    const bool has_errors = std::holds_alternative<Violated>(result.outcome);
    StateCount counted =
        count_states(*model_.system, options, limits, !has_errors && of_search_.limits.depth == 0);
    left_s_ -= clock.elapsed_s();
    if (!counted.violations.empty()) {
      result.violations = std::move(counted.violations);
      result.outcome = Violated{};
      if (!report_.options.all_errors) {
        result.limit.reset();
        return true;
      }
    }
    if (counted.is_complete) {
      counted_ = coverage_by_count(evidence_, counted.states, report_.swarm.has_value());
      return true;
    }
    evidence_.at_least = std::max(evidence_.at_least, static_cast<double>(counted.states));
    return false;
  }

  // Sizes: up to that which the search needs, and larger ones where they are fast.
  Probing probing() const {
    const auto& filter = report_.result.filter;
    const bool is_beside_filter =
        filter && filter->options.kind == FilterKind::kClassic && !evidence_.runs.empty();
    Probing how;
    how.enough_bits = is_beside_filter ? filter->options.bits
                                       : probe_bits_for(static_cast<std::uint64_t>(evidence_.seen()));
    how.to_bits = std::min(kLargerFilters * how.enough_bits, std::uint64_t{1} << FilterOptions::kMostLogBits);
    how.from_bits = is_full_ ? how.enough_bits : std::min(how.enough_bits, 4 * kFewestProbeBits);
    how.least_bits = kFewestProbeBits;
    if (is_beside_filter) how.states_of_search = report_.result.statistics.states;
    how.further_s = std::max(times_.least_for_count, kTimesForQuick * search_s_);
    if (is_full_) how.further_s *= kTimesForFullCount;
    how.seed = of_search_.filter.seed;
    how.threads = threads_;
    if (is_beside_filter) {
      how.beside = filter->met_sketch.get();
      how.beside_bits = filter->options.bits;
    }
    return how;
  }

  double seconds_for_probes() const {
    if (is_full_) return left_s_;
    return std::min(left_s_,
                    std::clamp(kTimesForQuick * search_s_, times_.least_for_probes, times_.most_for_probes));
  }

  // Fills evidence_.probes. True: a count on the way has the answer.
  bool probe() {
    if (is_interrupted()) return false;
    SearchOptions options;
    options.limits = of_search_.limits;
    options.reduce = of_search_.reduce;
    GrowingProbes probes(*model_.system, options, probing());
    const double seconds = seconds_for_probes();
    const Budget clock;
    double at_least_s = 0;
    if (is_long_search()) {
      probes.grow(kFirstProbes * seconds);
      evidence_.probes = probes.probed().figures;
      const double left_s = seconds - clock.elapsed_s();
      if (can_be_counted_within(left_s)) {
        if (count(left_s, of_search_.limits.memory_bytes)) return true;
        at_least_s = std::min(left_s_, kProbesAfterCount * seconds);
      }
    }
    if (!is_interrupted()) probes.grow(std::max(seconds - clock.elapsed_s(), at_least_s));
    evidence_.probes = probes.probed().figures;
    return false;
  }

  bool can_be_counted_within(double seconds) const {
    if (!times_.counts_after_long_search || is_interrupted()) return false;
    const Coverage guess = choose_estimate(evidence_);
    if (!guess.chosen || guess.chosen->coverage <= 0) return false;
    const CountCost cost = predicted_count(report_.result.statistics, of_search_, threads_,
                                           evidence_.seen() / guess.chosen->coverage);
    const std::uint64_t memory = of_search_.limits.memory_bytes;
    return kSlowerCount * cost.seconds <= seconds &&
           (memory == 0 || cost.bytes <= static_cast<double>(memory));
  }

  CheckReport& report_;
  const LoadedModel& model_;
  const SearchOptions& of_search_;
  const CoverageTimes& times_;
  const bool is_full_;
  const unsigned threads_;
  Evidence evidence_;
  const double search_s_;
  double left_s_;  // of the user's limit; infinite where there is none
  std::optional<Coverage> counted_;
};

}  // namespace

std::optional<Coverage> coverage_of(CheckReport& report, const LoadedModel& model,
                                    const SearchOptions& options, const CoverageTimes& times) {
  const SearchResult& result = report.result;
  const bool has_ended_at_error =
      std::holds_alternative<Violated>(result.outcome) && !report.options.all_errors;
  const bool is_about_states = report.property == "safety" || report.property == "deadlock";
  if (report.options.coverage == CoverageEffort::kOff || has_ended_at_error || !is_about_states)
    return std::nullopt;
  // How many distinct states an incomplete search with revisits has seen is not known.
  if (result.limit && result.has_revisits()) return std::nullopt;
  const double chance = result.limit ? 1 : omission_chance(report);
  const bool confuses_states = traits_of(result.store).confuses_states;
  if (chance <= kSureWithoutCount) return full_coverage(confuses_states ? "omission_bound" : "exhaustive");
  return Measurement(report, model, options, times).coverage(chance);
}

void judge_coverage(CheckReport& report) {
  const double wanted = report.options.accept_coverage;
  if (!std::holds_alternative<HoldsProbably>(report.result.outcome) || wanted <= 0) return;
  const auto& chosen = report.coverage ? report.coverage->chosen : std::nullopt;
  const bool is_accepted =
      chosen && chosen->interval ? chosen->interval->low >= wanted : omission_chance(report) <= kSureOfAll;
  if (is_accepted) return;
  report.result.outcome = Unknown{LimitHit::kCoverage};
  report.result.limit = LimitHit::kCoverage;
}

}  // namespace spoor
