// Eviction by age: the state that was found the longest time ago, of those that are not pinned.
//
// The thought is that the longer a state is in the cache, the less often steps will lead to it. In a
// depth-first search the opposite is as likely: the oldest states are near the initial state, and much is
// below them.
//
// A queue in the order of finding. A pinned state at its front is taken out and put back to the front when it
// is left. This keeps the order: pinned states are left youngest first, and those that were taken out are
// older than all in the queue.
//
// Cost: 5 bytes per state; a pinned state is taken out once at most.
// Citation: G. Holzmann, "On limits and possibilities of automated protocol analysis", PSTV 1987.
// Tested by: tests/unit/test_eviction.cpp, tests/unit/test_caching.cpp
#pragma once

#include "store/chunked_vector.h"
#include "store/eviction.h"
#include "store/ranked_lists.h"

namespace spoor {

class EvictAge final : public EvictionPolicy {
 public:
  void add_index() override {
    places_.push_back(Place::kQueue);
    queue_.add_index();
  }
  void found(StateIndex state) override {
    places_[state] = Place::kPinnedInQueue;
    queue_.add_last(state, 0);
  }
  void left(StateIndex state, std::uint32_t) override {
    if (places_[state] == Place::kPinnedOutside) queue_.add_first(state, 0);
    places_[state] = Place::kQueue;
  }
  StateIndex victim() override {
    for (;;) {
      const StateIndex oldest = queue_.take().index;
      if (oldest == kNoState || places_[oldest] == Place::kQueue) return oldest;
      places_[oldest] = Place::kPinnedOutside;
    }
  }
  std::uint64_t memory_bytes() const override { return places_.memory_bytes() + queue_.memory_bytes(); }

 private:
  enum class Place : std::uint8_t { kQueue, kPinnedInQueue, kPinnedOutside };

  ChunkedVector<Place> places_;
  RankedLists queue_;  // of one rank
};

}  // namespace spoor
