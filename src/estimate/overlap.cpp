#include "estimate/overlap.h"

namespace spoor {

Answer Overlap::estimate(const Evidence& evidence) const {
  if (!evidence.probes) return no_estimate("there are no probes: two more searches, in another order");
  const double common = evidence.probes->smaller_in_larger.share;
  if (common <= 0) return no_estimate("the two probes have no state in common");
  const double total = evidence.probes->met_by_larger / common;
  if (1.03 * total < evidence.seen())
    return no_estimate("the probes have met far fewer states than the search has seen");
  return share_of(evidence, total);
}

}  // namespace spoor
