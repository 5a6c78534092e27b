// Ikeda, Jibiki and Kuno's growth curve (growth_curve.h), solved for two runs.
//
// The idea. With the rate fixed at r = ln 2, two runs determine the curve. Let F_m be the ratio of their
// sizes and F_N that of their states: then N/M = ((F_m^k - F_N^k) / (F_m^k - 1))^(1/k). The second run is
// half the size of the first; where it has less than half of the states the formula has no value, and the
// next smaller run is used, and so on.
//
// The formula is most sensitive where it would be needed most: at F_N close to F_m, where the coverage is
// low.
//
// Formula (6) of the paper.
// Tested by: tests/unit/test_estimate.cpp
#pragma once

#include "estimate/estimator.h"

namespace spoor {

class SimpleFormula : public Estimator {
 public:
  Answer estimate(const Evidence& evidence) const override;
};

}  // namespace spoor
