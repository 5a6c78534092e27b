// Extrapolates the sizes of the levels of a breadth-first search.
//
// The idea (Dingle and Knottenbelt 2008; Pelanek and Simecek 2008, as chapter 5 of Taleghani's thesis names
// them). The levels grow, reach a maximum and shrink: often like a bell curve. So a bell a e^(-(i - c)^2 / 2
// w^2) is fitted to the complete levels, by least squares, and its prediction for the later levels is added
// to the states seen.
//
// The fit begins with the parabola through the logarithms of the sizes, each weighted by its size, which is a
// linear problem. Where the parabola opens upward or the search has few levels, no bell can be recognised,
// and there is no estimate; nor where the predicted rest is more than a thousand times the states seen.
// Before the largest level is passed the estimate is unreliable. Some models have two bells, or none: a long
// part with few states, then many states at once.
//
// Tested by: tests/unit/test_estimate.cpp
#pragma once

#include "estimate/estimator.h"

namespace spoor {

class LevelCurve : public Estimator {
 public:
  static constexpr std::size_t kFewestLevels = 5;

  Answer estimate(const Evidence& evidence) const override;
};

}  // namespace spoor
