// Two random searches, and the number of states that both have met (capture and recapture).
//
// The idea. If the second search were a random choice of the states, the share of it that the first has
// also met would be the share of all states that the first has met: M = A / (|A and B| / B). Petersen
// counted fish that way.
//
// A search is not a random choice: both begin in the same state, and prefer states with many incoming steps.
// So they have more states in common than random choices, and the estimate is too low; the more so the fewer
// states were seen. Chapter 5 of Taleghani's thesis names it as a rival. Here the searches are the probes
// (search/probe.h); the common part is estimated from a sample of 4096 states.
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
