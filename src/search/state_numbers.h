// What observers call a state: its number.
//
// A store that never forgets a state gives it one index, which is its number. A store that forgets
// (VisitedSet::kForgetsStates) uses an index again for another state. Then states are numbered in the order
// in which they are found, and this remembers, by index, the number of the state that is there now. A state
// that was forgotten and is found again is one more state to an observer, with a number of its own.
//
// Cost: none where the store does not forget, else 4 bytes per index.
// Tested by: tests/unit/test_caching.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "store/visited_set.h"

namespace spoor {

template <VisitedSet Store>
class StateNumbers {
 public:
  // The same with the number of the state; a new state gets the next one. Throws IndexesExhausted.
  Insertion name(Insertion found) {
    if constexpr (Store::kForgetsStates) {
      if (found.is_new) {
        if (next_ == kNoState) throw IndexesExhausted();
        if (numbers_.size() <= found.index) numbers_.resize(std::size_t{found.index} + 1, kNoState);
        numbers_[found.index] = next_++;
      }
      found.index = numbers_[found.index];
    }
    return found;
  }

  // REQUIRES: the state was named.
  StateNumber operator[](StateIndex index) const {
    if constexpr (Store::kForgetsStates) return index < numbers_.size() ? numbers_[index] : kNoState;
    return index;
  }

  std::uint64_t memory_bytes() const { return numbers_.capacity() * sizeof(StateNumber); }

 private:
  std::vector<StateNumber> numbers_;  // by index; empty where indexes are numbers
  StateNumber next_ = 0;
};

}  // namespace spoor
