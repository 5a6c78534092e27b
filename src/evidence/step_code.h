// The steps of a recording, as a file has them: as few bytes as can be had without effort, because each byte
// has to be compressed, and a search that is recorded pays for it.
//
// Entries follow each other in chunks (chunks.h), in the order in which a worker of the search has expanded
// states. So much can be guessed from the entry before:
//
//     sixteen times the number of steps, and four bits: kReduced, kHasInner, kHasFlags, kNext
//     without kNext: the number of the state, less that of the entry before (with it: that is 1)
//     with kHasFlags: all flags of RecordedState, a byte
//     which set of statements is executed
//     with kHasInner: the number of inner steps
//     for each step its target: 0 where that is the state behind the newest, else 1 plus the difference
//         (zigzag) from the target that a step with this ordinal had before; the newest state is the one with
//         the highest number that was a target in this chunk
//     with kTwice: the same of the first attempt: set, inner steps; how many steps, and for each its ordinal
//         less those that come before
//
// A breadth-first search numbers states as it finds them: a step to a state that was not known before is a 0.
// The other steps lead to states that were found shortly before or after those of the entry before: states
// that were found one after the other differ in one process, and so do their successors.
//
// At the beginning of a chunk all that is remembered is the number of its first state.
//
// Measured on 6.2 million states with 3.1 steps each: 12 bytes per state, 4.4 with zstd; with differences
// from the number of the state alone 16.4 and 6.6.
//
// Tested by: tests/unit/test_recording.cpp, tests/fuzz/recording.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/packed_numbers.h"
#include "evidence/chunks.h"
#include "evidence/recorded_steps.h"

namespace spoor {

// What the entries of a chunk have in common.
class StepCode {
 protected:
  static constexpr std::uint64_t kReduced = 1, kHasInner = 2, kHasFlags = 4, kNext = 8, kBits = 16;
  static constexpr std::size_t kRemembered = 32;

  void begin_chunk(std::uint32_t first) {
    newest_ = first;
    targets_.fill(first);
  }
  std::uint32_t& target_before(std::uint64_t step) { return targets_[step % kRemembered]; }
  void remember(std::uint64_t step, std::uint32_t target) {
    target_before(step) = target;
    if (target > newest_) newest_ = target;
  }

  std::uint32_t number_ = 0;  // of the entry before
  std::uint32_t newest_ = 0;
  std::array<std::uint32_t, kRemembered> targets_ = {};  // by the ordinal of the step, of entries before
};

// Appends entries to chunks.
class StepEncoder : private StepCode {
 public:
  explicit StepEncoder(Chunks& chunks) : chunks_(chunks) {}

  // `target_of(i)`: where the i-th step leads. All throw what Chunks does.
  template <class TargetOf>
  [[gnu::always_inline]] void add(std::uint32_t number, const RecordedSteps::Head& head,
                                  const TargetOf& target_of) {
    chunks_.end_entry(put_targets(begin(number, head, 0), head.steps, target_of));
  }
  // Of any kind.
  void add(std::uint32_t number, const RecordedState& state);

 private:
  static constexpr std::size_t kMostHeadBytes = 5 * kMostNumberBytes, kMostTargetBytes = 5;

  // `more`: bytes behind the targets.
  [[gnu::always_inline]] std::uint8_t* begin(std::uint32_t number, const RecordedSteps::Head& head,
                                             std::size_t more) {
    std::uint8_t* to = chunks_.begin_entry(kMostHeadBytes + head.steps * kMostTargetBytes + more);
    const bool is_first = chunks_.size() != chunk_;
    if (is_first) [[unlikely]] {
      chunk_ = chunks_.size();
      begin_chunk(number);
      number_ = 0;
    }
    const bool is_next = !is_first && number == number_ + 1;
    const bool has_flags = (head.flags & ~RecordedState::kReduced) != RecordedState::kExpanded;
    const std::uint64_t bits = ((head.flags & RecordedState::kReduced) != 0 ? kReduced : 0) |
                               (head.inner_steps != 0 ? kHasInner : 0) | (has_flags ? kHasFlags : 0) |
                               (is_next ? kNext : 0);
    to = put_at(to, head.steps * kBits + bits);
    if (!is_next) to = put_signed_at(to, std::int64_t{number} - std::int64_t{number_});
    number_ = number;
    if (has_flags) *to++ = head.flags;
    to = put_at(to, head.executed);
    return head.inner_steps != 0 ? put_at(to, head.inner_steps) : to;
  }
  template <class TargetOf>
  std::uint8_t* put_targets(std::uint8_t* to, std::uint64_t steps, const TargetOf& target_of) {
    for (std::uint64_t i = 0; i < steps; ++i) {
      const std::uint32_t target = target_of(i);
      if (target == newest_ + 1) {
        *to++ = 0;
      } else {
        const std::int64_t distance = std::int64_t{target} - std::int64_t{target_before(i)};
        to = put_at(
            to, (static_cast<std::uint64_t>(distance) << 1 ^ static_cast<std::uint64_t>(distance >> 63)) + 1);
      }
      remember(i, target);
    }
    return to;
  }

  Chunks& chunks_;
  std::size_t chunk_ = 0;  // how many there were at the last entry
};

// Reads the entries of a chunk, which may be any bytes.
class StepDecoder : private StepCode {
 public:
  // Numbers of states are below `bound`, those of sets of statements below `sets`.
  StepDecoder(std::string_view chunk, std::uint32_t bound, std::uint32_t sets)
      : reader_(chunk), bound_(bound), sets_(sets) {}

  // The next entry, and the state that it is about; replaces what is in `state`. False: there is none. Throws
  // FramedFileError (kDamaged) at anything that an encoder does not write, or that is out of bounds.
  bool next(std::uint32_t& number, RecordedState& state);

 private:
  std::uint32_t below(std::uint64_t value, std::uint32_t bound) {
    if (value >= bound) throw_damaged();
    return static_cast<std::uint32_t>(value);
  }

  RecordReader reader_;
  const std::uint32_t bound_, sets_;
  bool is_first_ = true;
};

}  // namespace spoor
