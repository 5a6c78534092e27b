// How much was seen, as the reports of `spoor check` and `spoor estimate` have it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "estimate/estimator.h"

namespace spoor {

// How much trouble is taken to say which share of the states a check has seen, where it has not seen all.
enum class CoverageEffort : std::uint8_t { kOff, kQuick, kFull };
const char* to_string(CoverageEffort effort);

struct Coverage {
  std::vector<std::pair<std::string, Answer>> answers;  // by estimator
  std::string method;                                   // whose answer is taken
  std::optional<Estimate> chosen;                       // its answer
};

// What the estimators say. The last that has an answer is taken: they are listed from the worst to the
// best. Of a search without a filter only an answer with an interval is: the others are far off too often.
Coverage choose_estimate(const Evidence& evidence);
// It is known that all was seen, by this method.
Coverage full_coverage(std::string method);

}  // namespace spoor
