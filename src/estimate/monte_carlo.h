// What a few samples of the unexplored part say about the rest (Taleghani's thesis, chapter 5).
//
// The idea. The search of search/sampling.h has followed some of the unexplored steps to the end of all
// that lies behind them. What each has found, on average, the others that are left would find, too:
//
//     unvisited / left = found / samples                                                       (5.2)
//     coverage = visited / (visited + unvisited)                                                (5.3)
//
// Example: two samples found six states, two productive steps are left: six states are missing.
//
// What is wrong with it. It assumes that what lies behind one step does not lie behind another. In the
// state graphs of protocols nearly everything lies behind every step: the first sample finds whatever the
// memory holds, and the estimate is that times the number of steps that are left, hundreds of times too
// many states. The thesis reports 5 to 10 points on average for nine Java programs; on models of the same
// names it is nearly as far off as the share that was seen is large (lab/results/montecarlo.md). It is kept
// because it is published, and as a figure to compare with; ours is probes.h. Nothing here is changed to
// make it look better or worse; where no unexplored step is left although the search was cut short, (5.2)
// would say 100 %, and there is no answer.
//
// Tested by: tests/unit/test_estimate.cpp
#pragma once

#include "estimate/estimator.h"

namespace spoor {

class MonteCarlo : public Estimator {
 public:
  Answer estimate(const Evidence& evidence) const override;
};

}  // namespace spoor
