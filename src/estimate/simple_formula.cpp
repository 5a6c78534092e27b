#include "estimate/simple_formula.h"

#include <cmath>
#include <utility>

namespace spoor {

Answer SimpleFormula::estimate(const Evidence& evidence) const {
  if (std::string why = objection(evidence); !why.empty()) return no_estimate(std::move(why));
  if (evidence.runs.size() < 2) return no_estimate("the formula needs runs with two sizes of the filter");
  const FilterRun& last = evidence.runs.back();
  const double k = last.filter.hashes;
  for (std::size_t i = evidence.runs.size() - 1; i-- > 0;) {
    const FilterRun& smaller = evidence.runs[i];
    const double sizes =
        std::pow(static_cast<double>(last.filter.bits) / static_cast<double>(smaller.filter.bits), k);
    const double states = std::pow(static_cast<double>(last.states) / static_cast<double>(smaller.states), k);
    if (states < sizes) return share(std::pow((sizes - states) / (sizes - 1), 1 / k));
  }
  return no_estimate("the states grow as fast as the filter: the growth does not slow down yet");
}

}  // namespace spoor
