#include "estimate/dillinger.h"

namespace spoor {

Answer Dillinger::estimate(const Evidence& evidence) const {
  if (std::string why = objection(evidence); !why.empty()) return no_estimate(std::move(why));
  const FilterRun& run = evidence.runs.back();
  return share(1 - 2 * expected_omissions(run.filter, run.states) / static_cast<double>(run.states));
}

}  // namespace spoor
