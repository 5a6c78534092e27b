// Coverage, as in the reports of `spoor check` and `spoor estimate`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "estimate/estimator.h"

namespace spoor {

// The effort to estimate the share of states seen, where a check has not seen all states.
enum class CoverageEffort : std::uint8_t { kOff, kQuick, kFull };
const char* to_string(CoverageEffort effort);

struct Coverage {
  std::vector<std::pair<std::string, Answer>> answers;  // by estimator
  std::string method;                                   // the chosen estimator
  std::optional<Estimate> chosen;                       // its answer
};

// The answers of all estimators. The last one with an answer is chosen: the list is ordered from the worst
// to the best. For a search without a filter only an answer with an interval is chosen: the others are far
// off too often.
Coverage choose_estimate(const Evidence& evidence);
// The coverage where all states were seen, as `method` shows.
Coverage full_coverage(std::string method);

}  // namespace spoor
