#include "estimate/estimator.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "estimate/all_estimators.h"

namespace spoor {

std::optional<FilterRun> run_of(const FilterFigures& figures, std::uint64_t transitions) {
  if (!figures.is_complete) return std::nullopt;
  return FilterRun{figures.options, figures.states, transitions, figures.bits_set, figures.met};
}

Answer no_estimate(std::string why) { return {std::nullopt, std::move(why)}; }

Answer share(double coverage) { return {Estimate{std::clamp(coverage, 0.0, 1.0)}}; }

double Evidence::seen() const {
  if (!runs.empty()) return static_cast<double>(runs.back().states);
  return limited ? static_cast<double>(limited->states) : 0;
}

Answer share_of(const Evidence& evidence, double total) {
  if (evidence.seen() == 0) return no_estimate("there is no search");
  if (!(total > 0)) return no_estimate("no state was met");
  return share(evidence.seen() / total);
}

Answer within(const Evidence& evidence, double total, double fewest, double most) {
  Answer answer = share_of(evidence, total);
  if (!answer.estimate) return answer;
  const double coverage = answer.estimate->coverage;
  answer.estimate->interval = Interval{std::min(evidence.seen() / most, coverage),
                                       std::clamp(evidence.seen() / fewest, coverage, 1.0)};
  return answer;
}

Answer estimate_by(const Estimator& estimator, const Evidence& evidence) {
  Answer answer = estimator.estimate(evidence);
  if (!answer.estimate || evidence.at_least <= 0) return answer;
  const double most = evidence.seen() / evidence.at_least;
  Estimate& estimate = *answer.estimate;
  estimate.coverage = std::min(estimate.coverage, most);
  if (auto& interval = estimate.interval)
    *interval = {std::min(interval->low, most), std::min(interval->high, most)};
  return answer;
}

namespace {

template <class Kind>
const Estimator* only_one_of() {
  static const Kind estimator;
  return &estimator;
}

}  // namespace

std::span<const EstimatorRow> estimators() {
  static const std::vector<EstimatorRow> rows = {
#define SPOOR_ESTIMATOR(Class, name, needs, idea) {#name, needs, idea, only_one_of<Class>()},
#include "estimate/estimators.inc"
#undef SPOOR_ESTIMATOR
  };
  return rows;
}

std::optional<double> coverage_by(const Estimator& estimator, const FilterFigures& figures) {
  const std::optional<FilterRun> run = run_of(figures, 0);
  if (!run) return std::nullopt;
  const Answer answer = estimator.estimate({{*run}});
  return answer.estimate ? std::optional(answer.estimate->coverage) : std::nullopt;
}

double log_size(const FilterRun& run) { return std::countr_zero(run.filter.bits); }

std::string objection(const Evidence& evidence) {
  if (evidence.runs.empty()) return "there is no search";
  for (const FilterRun& run : evidence.runs) {
    if (!is_valid(run.filter)) return "a run has an invalid filter size";
    if (run.filter.kind != FilterKind::kClassic)
      return "the formula is valid for classic filters only (--filter classic)";
    if (run.states == 0) return "a search has seen no state";
    if (run.filter.hashes != evidence.runs.front().filter.hashes)
      return "the runs have different numbers of hash functions";
  }
  for (std::size_t i = 1; i < evidence.runs.size(); ++i) {
    if (evidence.runs[i].filter.bits <= evidence.runs[i - 1].filter.bits)
      return "the filters of the runs do not grow";
  }
  return {};
}

}  // namespace spoor
