#include "check/check_coverage.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "check/probing.h"
#include "check/state_count.h"
#include "store/filter.h"

namespace spoor {
namespace {

constexpr double kSureOfAll = 0.05;
constexpr double kSureWithoutCount = 1e-4;
constexpr int kSmallerFilters = 8;  // at most so many, each half the size, where a probe runs out of memory
constexpr double kShareOfLimit = 0.1;  // of the user's time limit, for the coverage, beside the rest of it
// Seconds for quick probes: of the search, within these. All of the probes of a search of less than ten
// seconds fit into the lower one.
constexpr double kLeastForProbes = 20;
constexpr double kMostForProbes = 60;
// For counting, in multiples of the time of the search, within these:
constexpr double kTimesForCount = 2;
constexpr double kLeastForCount = 2;
constexpr double kMostForCount = 10;      // with kQuick; a longer search is not counted
constexpr double kTimesForFullCount = 4;  // with kFull
// Probes larger than the search's filter, up to so many times its size, have twice as long as the search at
// most.
constexpr std::uint64_t kLargerFilters = 4;
constexpr double kAtLeastMet = 0.985;  // of the states that a sketch has counted: less than its error
constexpr std::uint64_t kMemoryForCount = std::uint64_t{256} << 20;
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

// The limits on time of the count and the probes after a search; 0 means: none.
struct Seconds {
  double count = 0;  // negative: no count
  double probes = 0;
};

Seconds seconds_for(const CheckReport& report, const SearchOptions& of_search) {
  const double of_this = report.result.statistics.elapsed_s;
  Seconds seconds;
  if (report.options.coverage == CoverageEffort::kFull) {
    seconds.count = std::max(kLeastForCount, kTimesForFullCount * of_this);
    return seconds;
  }
  seconds.count =
      of_this > kMostForCount ? -1 : std::clamp(kTimesForCount * of_this, kLeastForCount, kMostForCount);
  seconds.probes = std::clamp(of_this, kLeastForProbes, kMostForProbes);
  if (const double limit = report.options.limits.seconds; limit != 0) {
    const double left = std::max(0.0, of_search.limits.seconds - of_this) + kShareOfLimit * limit;
    // A count that has less time than the search is not completed, and the probes need the time.
    seconds.count = left < kTimesForCount * of_this ? -1 : std::min(seconds.count, left / 2);
    seconds.probes = std::min(seconds.probes, left - std::max(0.0, seconds.count));
  }
  return seconds;
}

// Nothing where there is no time for it.
std::optional<StateCount> count(const CheckReport& report, const LoadedModel& model,
                                const SearchOptions& of_search, double seconds) {
  if (seconds < 0) return std::nullopt;
  SearchOptions options = of_search;
  if (report.swarm) options.order = Order::kBreadthFirst;
  Limits limits = of_search.limits;
  limits.seconds = seconds;
  const std::uint64_t most = std::max(kMemoryForCount, 2 * report.result.statistics.memory_bytes);
  limits.memory_bytes = limits.memory_bytes == 0 ? most : std::min(limits.memory_bytes, most);
  const bool has_errors = std::holds_alternative<Violated>(report.result.outcome);
  return count_states(*model.system, options, limits, !has_errors && of_search.limits.depth == 0);
}

// Two probes: with kFull, of the size that the search needs; with kQuick, of a size that fits into the time.
Probed probe(const CheckReport& report, const LoadedModel& model, const SearchOptions& of_search,
             const Evidence& evidence, double seconds) {
  SearchOptions options;
  options.limits = of_search.limits;
  options.limits.seconds = seconds;
  options.reduce = of_search.reduce;
  const auto& filter = report.result.filter;
  const bool is_beside_filter =
      filter && filter->options.kind == FilterKind::kClassic && !evidence.runs.empty();
  Probing how;
  how.enough_bits =
      is_beside_filter ? filter->options.bits : probe_bits_for(static_cast<std::uint64_t>(evidence.seen()));
  how.to_bits = std::min(kLargerFilters * how.enough_bits, std::uint64_t{1} << FilterOptions::kMostLogBits);
  how.from_bits = std::min(how.enough_bits, seconds == 0 ? how.enough_bits : 4 * kFewestProbeBits);
  how.further_s = std::max(kLeastForCount, kTimesForCount * report.result.statistics.elapsed_s);
  if (report.options.coverage == CoverageEffort::kFull) how.further_s *= kTimesForFullCount;
  how.seed = of_search.filter.seed;
  if (is_beside_filter) {
    how.beside = filter->met_sketch.get();
    how.beside_bits = filter->options.bits;
  }
  Probed probed = probe_growing(*model.system, options, how);
  // Where a probe runs out of memory, a smaller one may not. (Quick probes begin with the smallest.)
  const auto is_out_of_memory = [&] {
    return probed.limit == LimitHit::kMemory || probed.limit == LimitHit::kOutOfMemory;
  };
  for (int i = 0; i < kSmallerFilters && !probed.figures && is_out_of_memory(); ++i) {
    how.from_bits = how.to_bits = how.from_bits / 2;
    probed = probe_growing(*model.system, options, how);
  }
  return probed;
}

}  // namespace

std::optional<Coverage> coverage_of(CheckReport& report, const LoadedModel& model,
                                    const SearchOptions& options) {
  SearchResult& result = report.result;
  const bool has_ended_at_error =
      std::holds_alternative<Violated>(result.outcome) && !report.options.all_errors;
  const bool is_about_states = report.property == "safety" || report.property == "deadlock";
  if (report.options.coverage == CoverageEffort::kOff || has_ended_at_error || !is_about_states)
    return std::nullopt;
  const double chance = result.limit ? 1 : omission_chance(report);
  const bool confuses_states = traits_of(result.store).confuses_states;
  if (chance <= kSureWithoutCount) return full_coverage(confuses_states ? "omission_bound" : "exhaustive");
  Evidence evidence = evidence_of(report);
  if (has_no_memory_for_steps(result)) return choose_estimate(evidence);
  const Seconds seconds = seconds_for(report, options);
  if (!options.limits.is_interrupted()) {
    if (auto counted = count(report, model, options, seconds.count)) {
      if (!counted->violations.empty()) {
        result.violations = std::move(counted->violations);
        result.outcome = Violated{};
        if (!report.options.all_errors) {
          result.limit.reset();
          return std::nullopt;
        }
      }
      if (counted->is_complete) return coverage_by_count(evidence, counted->states, report.swarm.has_value());
      evidence.at_least = std::max(evidence.at_least, static_cast<double>(counted->states));
    }
  }
  const bool is_refuted = evidence.at_least > evidence.seen();
  if (chance <= kSureOfAll && !is_refuted) return full_coverage("omission_bound");
  if (!options.limits.is_interrupted())
    evidence.probes = probe(report, model, options, evidence, seconds.probes).figures;
  return choose_estimate(evidence);
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
