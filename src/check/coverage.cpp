#include "check/coverage.h"

namespace spoor {

const char* to_string(CoverageEffort effort) {
  switch (effort) {
    case CoverageEffort::kOff: return "off";
    case CoverageEffort::kQuick: return "quick";
    case CoverageEffort::kFull: return "full";
  }
  return "";
}

Coverage choose_estimate(const Evidence& evidence) {
  Coverage coverage;
  for (const EstimatorRow& row : estimators()) {
    const Answer answer = estimate_by(*row.estimator, evidence);
    coverage.answers.emplace_back(row.name, answer);
    if (!answer.estimate || (evidence.runs.empty() && !answer.estimate->interval)) continue;
    coverage.chosen = answer.estimate;
    coverage.method = row.name;
  }
  return coverage;
}

Coverage full_coverage(std::string method) { return {{}, std::move(method), Estimate{1, Interval{1, 1}}}; }

}  // namespace spoor
