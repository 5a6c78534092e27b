// Eviction by cost, where the states of a strongly connected component have one cost, which is known when all
// of it was searched.
//
// The published algorithm (evict_cost.h) adds up costs along the steps that were followed. A step that closes
// a cycle leads to a state whose cost is not complete, so all states of a cycle but the first have costs that
// are too low. The thesis defines what they should be (definition 4.2.3): the cost of each state of a
// component is the number of its states, and for each step that leaves the component the cost of the state
// there. It has no algorithm for that, because "all states in C would have to stay in the cache until the
// last state in C is fully explored".
//
// As written that does not work: where a component is larger than the cache, which is common (ADR 25),
// nothing can be evicted and the search cannot go on. So here states of components that are not complete may
// be evicted, but after all others: what such a component reaches counts towards its cost, so its states are
// the most expensive ones. Of them any one is taken: they will have equal costs, and among these the thesis
// chooses at random.
//
// The components are found during the search (Gabow's path-based algorithm). Those that are not complete lie
// in a row along the path: each has a piece of the path, from its root to the root of the next. A step to a
// state of one of them joins it with all that come behind it. When its root is left, the component is
// complete.
//
// Example: 0 -> 1 -> 2 -> 3 -> 1, and 1 -> 4 -> 5. The cost of 5 is 1, that of 4 is 2. The component 1, 2, 3
// has three states and leads to 4, so each of them costs 5, and 0 costs 6. The published algorithm says 2 for
// 3 and 3 for 2, which are too low, and 6 for 1, because the step back to it counts.
//
// How exact. A state that was evicted is another one when it is found again, as for all policies: it is
// counted once more, and if its component was complete, the states of the component that are still in the
// cache look like those of another one. So the costs are those of the definition as long as no state of a
// component is found twice, and higher afterwards. They are no bound of the work that is repeated either:
// below a state of a component each path without a repeated state may have to be followed.
//
// Invariants:
//   1. path_ has the states on the path. open_ has the states that were left and whose component is not
//      complete, in the order in which they were left, and kNoState in place of those that were evicted;
//      these are half of it at most.
//   2. roots_ has the components that are not complete. The states of one are those of path_ and of open_
//      from its begin up to that of the next.
//   3. Of a state in one of the two, places_ has its place there; of any other it has kComplete.
//   4. candidates_ has all other states that were left, ranked by cost.
//
// What to expect: docs/adr/0025-state-caching.md. As by cost the cheapest states are those left last.
//
// Cost: 12 bytes per state, up to 8 for one whose component is not complete, and up to 20 per state on the
// path. An eviction takes constant time on average.
// Citation: A. Taleghani, "Using software model checking for software certification", PhD thesis, Waterloo
// 2010, 4.2.2; H. Gabow, "Path-based depth-first search for strong and biconnected components", IPL 2000.
// Tested by: tests/unit/test_eviction.cpp, tests/unit/test_caching.cpp
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "store/chunked_vector.h"
#include "store/eviction.h"
#include "store/ranked_lists.h"

namespace spoor {

class EvictComponents final : public EvictionPolicy {
 public:
  void add_index() override {
    costs_.push_back(1);
    places_.push_back(kComplete);
    candidates_.add_index();
  }
  void entered(StateIndex state) override {
    const auto place = static_cast<std::uint32_t>(path_.size());
    path_.push_back(state);
    places_[state] = place;
    roots_.push_back({place, static_cast<std::uint32_t>(open_.size()), 1});
  }
  void left(StateIndex state, std::uint32_t) override {
    path_.pop_back();
    if (roots_.back().path_begin < path_.size()) {
      places_[state] = static_cast<std::uint32_t>(open_.size());
      open_.push_back(state);
      return;
    }
    complete(state);
  }
  void met(StateIndex state) override {
    if (roots_.empty()) return;
    const std::uint32_t place = places_[state];
    if (place == kComplete) {
      add_to_last(costs_[state]);
    } else if (place < path_.size() && path_[place] == state) {
      while (roots_.back().path_begin > place) join_last();
    } else {
      while (roots_.back().open_begin > place) join_last();
    }
  }
  StateIndex victim() override {
    const StateIndex state = candidates_.take().index;
    return state != kNoState ? state : open_victim();
  }
  std::uint64_t memory_bytes() const override {
    return costs_.memory_bytes() + places_.memory_bytes() + candidates_.memory_bytes() +
           path_.memory_bytes() + open_.memory_bytes() + roots_.memory_bytes();
  }

  // For tests. REQUIRES: its component is complete.
  float cost_of(StateIndex state) const { return costs_[state]; }

 private:
  static constexpr std::uint32_t kComplete = UINT32_MAX;

  // A component that is not complete.
  struct Root {
    std::uint32_t path_begin = 0, open_begin = 0;
    double cost = 0;  // its states that were found so far, and the steps that leave it
  };

  static std::uint32_t rank_of(float cost) { return static_cast<std::uint32_t>(std::ilogb(cost)); }
  static_assert(std::numeric_limits<float>::max_exponent < RankedLists::kRanks);

  void add_to_last(double cost) {
    double& sum = roots_.back().cost;
    sum = std::min<double>(sum + cost, std::numeric_limits<float>::max());
  }
  void join_last() {
    const double cost = roots_.back().cost;
    roots_.pop_back();
    add_to_last(cost);
  }

  // `root` was left, and is the first one of the last component.
  void complete(StateIndex root) {
    const Root component = roots_.back();
    roots_.pop_back();
    while (open_.size() > component.open_begin) {
      const StateIndex state = open_.back();
      open_.pop_back();
      if (state == kNoState) {
        --evicted_;
      } else {
        make_candidate(state, static_cast<float>(component.cost));
      }
    }
    make_candidate(root, static_cast<float>(component.cost));
    if (evicted_ > open_.size() / 2) close_gaps();
    // A step of the component before has led here.
    if (!roots_.empty()) add_to_last(component.cost);
  }
  void make_candidate(StateIndex state, float cost) {
    costs_[state] = cost;
    places_[state] = kComplete;
    candidates_.add_last(state, rank_of(cost));
  }

  // Any one of open_. At least every second place has one.
  StateIndex open_victim() {
    if (open_.size() == evicted_) return kNoState;
    std::uint32_t place = 0;
    do {
      place = static_cast<std::uint32_t>(std::uint64_t{random_()} * open_.size() >> 32);
    } while (open_[place] == kNoState);
    const StateIndex state = open_[place];
    open_[place] = kNoState;
    places_[state] = kComplete;
    if (++evicted_ > open_.size() / 2) close_gaps();
    return state;
  }
  void close_gaps() {
    std::uint32_t end = 0, root = 0;
    for (std::uint32_t i = 0; i < open_.size(); ++i) {
      for (; root < roots_.size() && roots_[root].open_begin == i; ++root) roots_[root].open_begin = end;
      if (open_[i] == kNoState) continue;
      places_[open_[i]] = end;
      open_[end++] = open_[i];
    }
    for (; root < roots_.size(); ++root) roots_[root].open_begin = end;
    while (open_.size() > end) open_.pop_back();
    evicted_ = 0;
  }

  ChunkedVector<float> costs_;
  ChunkedVector<std::uint32_t> places_;
  RankedLists candidates_;
  ChunkedVector<StateIndex> path_, open_;
  ChunkedVector<Root> roots_;
  std::uint32_t evicted_ = 0;  // of open_
  std::mt19937 random_;
};

}  // namespace spoor
