#include "estimate/monte_carlo.h"

namespace spoor {

Answer MonteCarlo::estimate(const Evidence& evidence) const {
  if (!evidence.limited) return no_estimate("there is no search with samples");
  const LimitedSearch& search = *evidence.limited;
  if (search.samples == 0) return no_estimate("no unexplored step was followed");
  if (search.left == 0) return no_estimate("no unexplored step is left, although the search is incomplete");
  const double each = static_cast<double>(search.found) / static_cast<double>(search.samples);
  return share_of(evidence, static_cast<double>(search.states) + each * static_cast<double>(search.left));
}

}  // namespace spoor
