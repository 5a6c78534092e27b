// Stern's estimate, which SPIN 4 printed: N ln(1 - 1/m) / ln(1 - N/m).
//
// The idea. If one bit stands for each state and N of m bits are set at the end, then about ln(1 - N/m) /
// ln(1 - 1/m) states must have been looked up; of these, N were new to the filter.
//
// The formula ignores further hash functions, and states that can be reached only through an omitted state.
// So it is right where the states are well connected, k is 1 and the coverage is high, and far too high where
// the coverage is low. For a filter all of whose bits are set it has no value.
//
// Formula (1) of Ikeda, Jibiki, Kuno, "Coverage estimation in model checking with bitstate hashing", IEEE
// TSE 39(4), 2013.
// Tested by: tests/unit/test_estimate.cpp
#pragma once

#include "estimate/estimator.h"

namespace spoor {

class Stern : public Estimator {
 public:
  Answer estimate(const Evidence& evidence) const override;
};

}  // namespace spoor
