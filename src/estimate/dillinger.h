// Dillinger and Manolios' estimate: (N - E)/N with E = 2 sum of f(i) for i < N.
//
// The idea. With i states in the filter the next new state is confused with a known one with the probability
// f(i) = (1 - (1 - 1/m)^(ik))^k. The sum is the number of states that the filter omits by itself; the factor
// of 2 stands, in every model, for the states that can be reached only through an omitted state.
// Where the sum is so large that the formula is negative, the estimate is 0.
//
// Formula (2) of Ikeda, Jibiki, Kuno 2013, after Dillinger and Manolios, "Bloom filters in probabilistic
// verification", FMCAD 2004.
// Tested by: tests/unit/test_estimate.cpp
#pragma once

#include "estimate/estimator.h"

namespace spoor {

class Dillinger : public Estimator {
 public:
  Answer estimate(const Evidence& evidence) const override;
};

}  // namespace spoor
