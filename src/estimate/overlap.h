// Two random searches, and how many states both have met.
//
// The idea. If the second search were a random choice of the states, the share of it that the first has
// met, too, would be the share of all states that the first has met: M = A / (|A and B| / B). Petersen
// counted fish that way.
//
// A search is no random choice: both begin in the same state, and go where many steps lead. So they have
// more in common than they should, and the estimate is too low; the more so the less was seen. Chapter 5 of
// Taleghani's thesis names it as a rival. Here the searches are the probes (search/probe.h); what is common
// is judged by a sample of 4096 states.
//
// Tested by: tests/unit/test_estimate.cpp
#pragma once

#include "estimate/estimator.h"

namespace spoor {

class Overlap : public Estimator {
 public:
  Answer estimate(const Evidence& evidence) const override;
};

}  // namespace spoor
