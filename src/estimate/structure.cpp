#include "estimate/structure.h"

#include <algorithm>

#include "estimate/dillinger.h"

namespace spoor {

std::optional<StructureWarning> structure_warning(const Evidence& evidence, double total) {
  constexpr double kMargin = 1.05;
  if (evidence.runs.empty() || !evidence.control) return std::nullopt;
  const auto seen = static_cast<double>(evidence.control->states);
  if (seen <= kMargin * total) return std::nullopt;
  const Answer answer = Dillinger().estimate({{*evidence.control}, std::nullopt, std::nullopt});
  const double share_of_control = answer.estimate ? std::max(0.01, answer.estimate->coverage) : 1;
  return StructureWarning{static_cast<double>(evidence.runs.back().states) * share_of_control / seen};
}

}  // namespace spoor
