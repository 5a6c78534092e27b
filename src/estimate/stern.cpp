#include "estimate/stern.h"

#include <cmath>

namespace spoor {

Answer Stern::estimate(const Evidence& evidence) const {
  if (std::string why = objection(evidence); !why.empty()) return no_estimate(std::move(why));
  const FilterRun& run = evidence.runs.back();
  if (run.states >= run.filter.bits) return no_estimate("there are as many states as bits");
  const auto states = static_cast<double>(run.states);
  const auto bits = static_cast<double>(run.filter.bits);
  return share(states * std::log1p(-1 / bits) / std::log1p(-states / bits));
}

}  // namespace spoor
