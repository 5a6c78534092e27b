// A search that is cut short on purpose: breadth-first for a while, then depth-first from a few random
// places.
//
// The idea (Taleghani, "Using Software Model Checking for Software Certification", PhD thesis, Waterloo
// 2010, chapter 5). A search that will run out of memory should spend its last part on finding out how much
// it leaves out. So it is breadth-first until 60 % of the memory (or of the time) is used. The steps that
// lead out of the states that then wait are the unexplored ones; they are tried in a random order, and each
// that leads to a new state is followed, depth-first, to its end. When the memory is used up, the
// unexplored steps that are left, and lead to states not seen, are counted. How many states a sample has
// found, on average, times the number of steps that are left, is an estimate of what is missing
// (estimate/monte_carlo.h).
//
// What the thesis leaves open. Whether two steps to the same new state count once or twice: here once, as
// its table of fingerprints suggests. How the random choice is made: here uniformly over the steps, not
// over the states. The thesis takes a known share of the states for the memory; here it is memory: that of
// the store and of the steps that wait. The store grows by leaps; where one comes at the end of the first
// part nothing is left for samples, and there is no estimate.
//
// When the memory is used up the count of what is left may take half as much again, of memory and time;
// where that is not enough, the samples say nothing.
//
// Invariants:
//   1. The states of the breadth-first part have the numbers 0, 1, 2, ... in the order in which they were
//      found.
//   2. What is found depends on the system, the memory and the seed only, unless the time runs out.
//
// Cost: a store of all states, 8 bytes for each step that waits, and an expansion for each step of the
// second part.
// Thread safety: one thread.
// Tested by: tests/unit/test_sampling.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/system.h"
#include "search/search.h"

namespace spoor {

struct SampledSearch {
  Statistics statistics;
  std::vector<Level> levels;      // of the breadth-first part, as far as they are complete
  std::uint64_t samples = 0;      // unexplored steps that led to a new state and were followed
  std::uint64_t found = 0;        // states that the samples have found
  std::uint64_t left = 0;         // new states that the other unexplored steps lead to
  std::optional<LimitHit> limit;  // nothing: all states were found
};

// Of the options, limits, interrupt and shuffle (the seed) matter.
SampledSearch search_and_sample(const TransitionSystem& system, const SearchOptions& options);

}  // namespace spoor
