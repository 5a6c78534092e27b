// The order of the states of a recording that says that no step is put off for ever.
//
// Where steps are left out (partial-order reduction), each state with fewer steps must have one that leads to
// a state of higher rank. There are finitely many states, so from each a path of ascending ranks leads to a
// state that has all its steps. Any order of the states will do, as long as it is the same for all of them.
//
// The states of a breadth-first search, numbered by levels, are ranked by their numbers: the proviso of the
// search is that a state with fewer steps has one that leads to the next level. States that come with an edit
// are numbered behind all others (closure_check.h), and that would be a bad rank: they lead back to old ones.
// A statement that is inserted at a location stands between two states: s -> new -> t, where there was s ->
// t. So a new state is ranked right behind a state that leads to it, its anchor. Then new -> t ascends
// wherever s -> t did. (With numbers as ranks an assertion in the lab's replicated workers, which touches 81
// of 13 million states and adds 81, led to over 1.6 million new states, because each had to have all its
// steps.)
//
// A rank is a pair: the number of the anchor, and the state's own number. A state that is not anchored is its
// own anchor. The anchor of a state that is found from an anchored one is the same.
//
// Thread safety: none. Tested by: tests/unit/test_state_ranks.cpp, tests/unit/test_closure_check.cpp
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/packed_numbers.h"
#include "store/visited_set.h"

namespace spoor {

class StateRanks {
 public:
  using Rank = std::uint64_t;

  StateRanks() = default;
  // States below this number are not anchored.
  explicit StateRanks(StateNumber first_anchored) : first_(first_anchored) {}

  bool is_empty() const { return anchors_.empty(); }
  // The number of the state that is added next.
  StateNumber bound() const { return first_ + static_cast<StateNumber>(anchors_.size()); }

  Rank operator[](StateNumber number) const { return Rank{anchor_of(number)} << kNumberBits | number; }
  // REQUIRES, of both: the source is below the bound.
  void add_behind(StateNumber source) { anchors_.push_back(anchor_of(source)); }
  // Moves a state up, if need be, so that it is above the source.
  void raise(StateNumber number, StateNumber source) {
    StateNumber& anchor = anchors_[number - first_];
    anchor = std::max(anchor, anchor_of(source));
  }

  std::uint64_t memory_bytes() const { return anchors_.capacity() * sizeof(StateNumber); }

  // For a file.
  std::string text() const {
    std::string to;
    put(to, first_);
    std::int64_t before = 0;
    for (const std::int64_t anchor : anchors_) {
      put_signed(to, anchor - before);
      before = anchor;
    }
    return to;
  }
  // Throws FramedFileError (kDamaged).
  void read(std::string_view text) {
    RecordReader reader(text);
    const std::uint64_t first = reader.number();
    if (first >= kNoState || !is_empty()) throw_damaged();
    first_ = static_cast<StateNumber>(first);
    std::int64_t before = 0;
    while (!reader.is_at_end()) {
      before = static_cast<std::int64_t>(static_cast<std::uint64_t>(before) +
                                         static_cast<std::uint64_t>(reader.signed_number()));
      if (before < 0 || before >= std::int64_t{first_}) throw_damaged();
      anchors_.push_back(static_cast<StateNumber>(before));
    }
  }

 private:
  static constexpr unsigned kNumberBits = 32;

  StateNumber anchor_of(StateNumber number) const {
    return number < first_ ? number : anchors_[number - first_];
  }

  StateNumber first_ = 0;
  std::vector<StateNumber> anchors_;  // of the states from the first on
};

}  // namespace spoor
