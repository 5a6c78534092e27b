// From which state each state was first reached: two bits per state.
//
// A worker of a breadth-first search expands states one after the other and finds new ones on the
// way. If both are counted in the order in which the worker has them, then the parent of its i-th
// new state never comes before that of the one before: a list that never decreases
// (ascending_list.h). What is left is to translate indexes into such counts and back. Indexes
// come in runs (a block of numbers that a worker owns; a unit of work that it took), so a short list
// of runs does it. One worker alone has a single run of each.
//
// Invariants: (1) each list of runs ascends in `count`; that of the new states also in `index`.
// Tested by: tests/unit/test_search.cpp, tests/unit/test_search_threads.cpp
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "store/ascending_list.h"
#include "store/visited_set.h"

namespace spoor {

// One worker's part.
class Ancestry {
 public:
  // The worker expands this state now. Throws std::bad_alloc.
  void expand(StateIndex state) { expanded_.add(state); }
  // The state expanded last has led to this new one. Throws std::bad_alloc.
  void find(StateIndex state) {
    found_.add(state);
    parents_.push_back(expanded_.size() - 1);
  }

  // The state that this one was found from; kNoState where another worker has found it.
  StateIndex parent(StateIndex state) const {
    const std::uint64_t count = found_.count_of(state);
    return count < found_.size() ? expanded_.index_at(parents_[count]) : kNoState;
  }

  // How many states this worker has found, and the place of one among them: found() where another
  // worker has found it.
  std::uint64_t found() const { return found_.size(); }
  std::uint64_t place_of(StateIndex state) const { return found_.count_of(state); }
  // Calls use(state, parent) for the states at these places.
  template <class Use>
  void each(std::uint64_t begin, std::uint64_t end, const Use& use) const {
    parents_.each(begin, end, [&](std::uint64_t place, std::uint64_t parent) {
      use(found_.index_at(place), expanded_.index_at(parent));
    });
  }

  std::uint64_t memory_bytes() const {
    return parents_.memory_bytes() + expanded_.memory_bytes() + found_.memory_bytes();
  }

 private:
  class Runs {
   public:
    [[gnu::always_inline]] void add(StateIndex state) {
      if (state != next_ || runs_.empty()) [[unlikely]]
        runs_.push_back({state, size_});
      next_ = state + 1;
      ++size_;
    }
    std::uint64_t size() const { return size_; }

    // REQUIRES: count < size().
    StateIndex index_at(std::uint64_t count) const {
      const auto after = std::ranges::upper_bound(runs_, count, {}, &Run::count);
      const Run& run = *std::prev(after);
      return run.index + static_cast<StateIndex>(count - run.count);
    }
    // size() where it is not there. REQUIRES: indexes ascend.
    std::uint64_t count_of(StateIndex state) const {
      const auto after = std::ranges::upper_bound(runs_, state, {}, &Run::index);
      if (after == runs_.begin()) return size_;
      const Run& run = *std::prev(after);
      const std::uint64_t end = after == runs_.end() ? size_ : after->count;
      const std::uint64_t count = run.count + (state - run.index);
      return count < end ? count : size_;
    }
    std::uint64_t memory_bytes() const { return runs_.capacity() * sizeof(Run); }

   private:
    struct Run {
      StateIndex index;
      std::uint64_t count;  // of the states before this run
    };
    std::vector<Run> runs_;
    std::uint64_t size_ = 0;
    StateIndex next_ = 0;
  };

  Runs expanded_;
  Runs found_;
  AscendingList parents_;
};

}  // namespace spoor
