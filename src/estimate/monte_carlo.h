// An estimate from a few samples of the unexplored part (Taleghani's thesis, chapter 5).
//
// The idea. The search of search/sampling.h has followed some of the unexplored steps to all states that can
// be reached through them. The remaining steps are assumed to find as many states each, on average:
//
//     unvisited / left = found / samples                                                       (5.2)
//     coverage = visited / (visited + unvisited)                                                (5.3)
//
// Example: two samples found six states, two productive steps are left: six states are missing.
//
// Weak points. It assumes that states reached through one step are not reached through another. In the state
// graphs of protocols nearly all states are reached through every step: the first sample finds as many states
// as the memory holds, and the estimate is that times the number of steps that are left, hundreds of times
// too many states. The thesis reports 5 to 10 points on average for nine Java programs; on models of the same
// names its error is nearly as large as the share that was seen (lab/results/montecarlo.md). It is kept
// because it is published, and for comparison; our estimator is probes.h. The published formula is unchanged,
// except that where no unexplored step is left although the search is incomplete, (5.2) would give 100 %, and
// there is no answer.
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
