// Many searches with a filter instead of one: each omits other states, so together they see more.
//
// Two ways, which differ in nothing but the order of the work:
//
//   sequential hashing  one after another, each with hash functions of its own, until they stop adding
//                       states (Holzmann 1998)
//   swarm               several at a time, each in its own thread, with its own hash functions,
//                       depth-first, the steps of a state in an order of its own (Holzmann, Joshi, Groce,
//                       "Swarm verification techniques", IEEE TSE 37(6), 2011)
//
// What they have seen together is counted by a sketch (base/distinct_counter.h), because the states are
// not kept. The searches have stopped adding when two in a row have each added less than a percent, which is
// about the error of the sketch.
//
// The first violation ends all of them. Where there is none, the verdict is at best HoldsProbably: a state
// that all of them omit was omitted by the best of them, so the bound on the chance of that is the smallest
// of theirs.
//
// Invariants: member i has the hash functions of seed + i, and shuffles by the same number; so a search of
// the swarm can be repeated by itself. With one thread the result depends on the options alone.
//
// Cost: 32 KiB per thread beside the filters, one per thread; a few percent of the time for counting.
// Tested by: tests/unit/test_swarm.cpp
#pragma once

#include <cstdint>
#include <vector>

#include "model/system.h"
#include "search/search.h"

namespace spoor {

struct SwarmOptions {
  unsigned searches = 8;             // at most
  unsigned threads = 1;              // that search at the same time
  bool is_diversified = true;        // depth-first, steps shuffled; else in the order of the options
  bool ends_without_growth = false;  // when the searches stop adding states
};

struct SwarmMember {
  FilterFigures filter;
  std::uint64_t transitions = 0;
  double seen_by_all = 0;  // different states, by this one and those before it in the list
};

struct SwarmResult {
  SearchResult result;               // of all searches as one; states and transitions are sums
  std::vector<SwarmMember> members;  // those that were not cut short, in the order of their seeds
  double seen = 0;                   // different states
  bool has_stopped_growing = false;
};

// REQUIRES: the store of the options is kBitstate, and there is at least one search. Of the limits, time is
// that of all together.
SwarmResult search_swarm(const TransitionSystem& system, const SearchOptions& options,
                         const SwarmOptions& swarm);

}  // namespace spoor
