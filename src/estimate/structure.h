// A warning, and a correction: the model has a long thin part.
//
// The idea (section 5 of Ikeda, Jibiki, Kuno 2013). Where many states can be reached only through a long
// line of states, one collision on the line loses them all, at every size of the filter that was tried; the
// growth of the states then levels off early and every estimate is close to 1. How many states in a row get
// through is 1/p^k - 1, with p the share of the bits that are set, so more hash functions go further. If a
// search with k = 3 sees more states than the estimate from k = 1 says there are, there is such a line.
//
// The correction. What the search with more hash functions has seen is there, so the number of states is at
// least that. It is estimated from that search itself, as far as one search can tell (dillinger.h); the
// paper stops at the warning.
//
// An estimate is exceeded only beyond its own error: a margin of 5 % is left to it.
// Tested by: tests/unit/test_estimate.cpp
#pragma once

#include <optional>

#include "estimate/estimator.h"

namespace spoor {

struct StructureWarning {
  double coverage = 0;  // of the last run, corrected
};

// `total`: how many states there are, by some estimate. Nothing where there is no control, or nothing to
// warn of.
std::optional<StructureWarning> structure_warning(const Evidence& evidence, double total);

}  // namespace spoor
