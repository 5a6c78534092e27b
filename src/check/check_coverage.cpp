#include "check/check_coverage.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "check/probing.h"
#include "store/filter.h"

namespace spoor {
namespace {

constexpr double kSureOfAll = 0.05;
constexpr int kSmallerFilters = 8;  // at most so many, each half the size, where a probe runs out of memory
// Time of quick probes:
constexpr double kShortestSeconds = 0.2;
constexpr double kLongestSeconds = 60;
constexpr double kShareOfLimit = 0.1;

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
  } else {
    evidence.limited = LimitedSearch{result.statistics.states, result.statistics.transitions, result.levels};
    if (result.filter) evidence.limited->levels.clear();  // the levels of a bitstate search are unreliable
  }
  return evidence;
}

// Two probes: with kFull, of the size that the search needs; with kQuick, of a size that fits into the time.
Probed probe(const CheckReport& report, const LoadedModel& model, const SearchOptions& of_search,
             const Evidence& evidence) {
  SearchOptions options;
  options.limits = of_search.limits;
  options.limits.seconds = 0;
  options.reduce = of_search.reduce;
  const auto& filter = report.result.filter;
  const bool is_beside_filter =
      filter && filter->options.kind == FilterKind::kClassic && !evidence.runs.empty();
  Probing how;
  how.to_bits =
      is_beside_filter ? filter->options.bits : probe_bits_for(static_cast<std::uint64_t>(evidence.seen()));
  how.from_bits = how.to_bits;
  how.seed = of_search.filter.seed;
  if (is_beside_filter) how.beside = filter->met_sketch.get();
  if (report.options.coverage == CoverageEffort::kQuick) {
    how.from_bits = std::min(how.to_bits, 4 * kFewestProbeBits);
    double& seconds = options.limits.seconds;
    seconds = std::clamp(report.result.statistics.elapsed_s, kShortestSeconds, kLongestSeconds);
    if (report.options.limits.seconds != 0)
      seconds = std::min(seconds, kShareOfLimit * report.options.limits.seconds);
  }
  Probed probed = probe_growing(*model.system, options, how);
  // Where a probe runs out of memory, a smaller one may not. (Quick probes begin with the smallest.)
  const auto is_out_of_memory = [&] {
    return probed.limit == LimitHit::kMemory || probed.limit == LimitHit::kOutOfMemory;
  };
  for (int i = 0;
       i < kSmallerFilters && how.from_bits == how.to_bits && !probed.figures && is_out_of_memory(); ++i) {
    how.beside = nullptr;
    how.from_bits = how.to_bits /= 2;
    probed = probe_growing(*model.system, options, how);
  }
  return probed;
}

}  // namespace

std::optional<Coverage> coverage_of(const CheckReport& report, const LoadedModel& model,
                                    const SearchOptions& options) {
  const SearchResult& result = report.result;
  const bool has_ended_at_error =
      std::holds_alternative<Violated>(result.outcome) && !report.options.all_errors;
  const bool is_about_states = report.property == "safety" || report.property == "deadlock";
  if (report.options.coverage == CoverageEffort::kOff || has_ended_at_error || !is_about_states)
    return std::nullopt;
  if (!result.limit && omission_chance(report) <= kSureOfAll) {
    return full_coverage(traits_of(result.store).confuses_states ? "omission_bound" : "exhaustive");
  }
  Evidence evidence = evidence_of(report);
  if (!options.limits.is_interrupted()) evidence.probes = probe(report, model, options, evidence).figures;
  return choose_estimate(evidence);
}

void judge_coverage(CheckReport& report) {
  const double wanted = report.options.accept_coverage;
  if (!std::holds_alternative<HoldsProbably>(report.result.outcome) || wanted <= 0) return;
  if (omission_chance(report) <= kSureOfAll) return;
  const auto& chosen = report.coverage ? report.coverage->chosen : std::nullopt;
  if (chosen && chosen->interval && chosen->interval->low >= wanted) return;
  report.result.outcome = Unknown{LimitHit::kCoverage};
  report.result.limit = LimitHit::kCoverage;
}

}  // namespace spoor
