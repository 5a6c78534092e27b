// A search that is not after errors but after states: how far does a filter of this size get, in another
// order?
//
// A random depth-first search with a filter of two hash functions. Like every search with a filter it takes
// some new states for known; but it must not be stopped by that where the way on is a single line, because
// one mishap there hides everything behind the line (section 5 of Ikeda, Jibiki, Kuno 2013). So the only
// successor of a state is followed without asking the filter, and only the first state with a choice is
// asked about again. Every 64th state of a line, and the first with a choice behind a line of eight or more
// that the filter takes for known, is looked up in a small exact set instead, so that cycles end.
//
// With `reduce` it takes the system's word for which steps are enough, and where none of those leads to a
// state that is new to the filter it takes all. Which states a reduced search meets depends on its order,
// so what two of them share is less than without reduction.
//
// What it has met, known or not, is kept as a sketch. Two probes of different size, and the search that is
// to be judged, tell by what they share how much there is (estimate/probes.h).
//
// Invariants: what is met depends on the system, the filter and the seed only.
//
// Cost: the filter, the sketch, and a stack with a copy of every state that waits. Thread safety: one thread.
// Tested by: tests/unit/test_probe.cpp
#pragma once

#include <cstdint>
#include <optional>

#include "base/state_sketch.h"
#include "model/system.h"
#include "search/search.h"

namespace spoor {

struct ProbeResult {
  StateSketch met;
  std::uint64_t expanded = 0;
  std::uint64_t transitions = 0;
  double elapsed_s = 0;
  std::optional<LimitHit> limit;  // what has ended it too early
};

// Of the options, filter (size and seed), limits and reduce matter; the number of hash functions
// is the probe's own.
ProbeResult probe(const TransitionSystem& system, const SearchOptions& options);

}  // namespace spoor
