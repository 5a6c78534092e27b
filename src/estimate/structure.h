// A warning and a correction for models with a long thin part.
//
// The idea (section 5 of Ikeda, Jibiki, Kuno 2013). Where many states can be reached only through a long
// line of states, one collision on the line loses all of them, at every size of the filter that was used; the
// growth of the states then levels off early and every estimate is close to 1. A search passes about
// 1/p^k - 1 states of a line, with p the share of the bits that are set, so more hash functions reach
// further. If a search with k = 3 sees more states than the estimate from k = 1, there is such a line.
//
// The correction. The states that the search with more hash functions has seen exist, so the number of states
// is at least that. It is estimated from that search alone (dillinger.h); the paper has only the warning.
//
// An estimate counts as exceeded only by more than its own error: a margin of 5 %.
// Tested by: tests/unit/test_estimate.cpp
#pragma once

#include <optional>

#include "estimate/estimator.h"

namespace spoor {

struct StructureWarning {
  double coverage = 0;  // of the last run, corrected
};

// `total`: an estimate of the number of states. Nothing where there is no control, or no reason for a
// warning.
std::optional<StructureWarning> structure_warning(const Evidence& evidence, double total);

}  // namespace spoor
