// The sizes of the levels of a breadth-first search, continued.
//
// The idea (Dingle and Knottenbelt 2008; Pelanek and Simecek 2008, as chapter 5 of Taleghani's thesis names
// them). The levels grow, reach their largest and shrink: often like a bell. So a bell a e^(-(i - c)^2 / 2
// w^2) is fitted to the levels that are complete, by least squares, and what it says about the levels to
// come is added to what was seen.
//
// It begins with the parabola through the logarithms of the sizes, each weighted by its size, which is a
// linear problem. Where that bends upward or the search has few levels there is no bell to be seen, and no
// estimate; nor where the rest comes out at more than a thousand times what was seen. Before the largest
// level is passed the estimate is hardly more than a guess. Some models have two bells, or none: those that
// wait for a long time, then do a lot at once.
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
