#include "cli/check_coverage.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/probing.h"
#include "store/filter.h"

namespace spoor::cli {
namespace {

constexpr double kSureOfAll = 0.05;
constexpr int kSmallerFilters = 8;  // that are tried where a probe does not fit into the memory

// A bound on the chance that something was omitted.
double doubt(const CheckReport& report) {
  const SearchResult& result = report.result;
  if (report.swarm) return 1;  // each of its searches has a bound, all together have none
  if (const auto* probably = std::get_if<HoldsProbably>(&result.outcome)) return probably->omission_probability;
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
    if (result.filter) evidence.limited->levels.clear();  // the levels of a search that forgets say less
  }
  return evidence;
}

std::optional<ProbeFigures> probe(const CheckReport& report, const LoadedModel& model, const SearchOptions& of_search, const Evidence& evidence) {
  SearchOptions options;
  options.limits = {of_search.limits.seconds, of_search.limits.memory_bytes, 0};
  options.reduce = of_search.reduce;
  options.interrupt = of_search.interrupt;
  const auto& filter = report.result.filter;
  const StateSketch* const beside = !report.swarm && filter && !evidence.runs.empty() ? filter->met_sketch.get() : nullptr;
  std::uint64_t bits = filter && filter->options.kind == FilterKind::kClassic && !report.swarm
                           ? filter->options.bits
                           : probe_bits_for(static_cast<std::uint64_t>(evidence.seen()));
  for (int i = 0; i < kSmallerFilters && bits >= 2 << FilterOptions::kLeastLogBits; ++i, bits /= 2) {
    const Probing probing = probe_twice(*model.system, options, bits, of_search.filter.seed, i == 0 ? beside : nullptr);
    if (probing.figures) return probing.figures;
    if (probing.limit != LimitHit::kMemory && probing.limit != LimitHit::kOutOfMemory) break;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Coverage> coverage_of(const CheckReport& report, const LoadedModel& model, const SearchOptions& options) {
  const SearchResult& result = report.result;
  const bool has_ended_at_error = std::holds_alternative<Violated>(result.outcome) && !report.options.all_errors;
  if (report.options.coverage == CoverageEffort::kOff || has_ended_at_error) return std::nullopt;
  if (!result.limit && doubt(report) <= kSureOfAll) {
    const bool forgets = result.store == StoreKind::kBitstate || result.store == StoreKind::kCompact;
    return full_coverage(forgets ? "omission_bound" : "exhaustive");
  }
  const bool is_about_states = report.property == "safety" || report.property == "deadlock";
  Evidence evidence = is_about_states ? evidence_of(report) : Evidence{};
  const bool is_interrupted = options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed);
  if (report.options.coverage == CoverageEffort::kFull && is_about_states && !is_interrupted) {
    evidence.probes = probe(report, model, options, evidence);
  }
  return judge(evidence);
}

}  // namespace spoor::cli
