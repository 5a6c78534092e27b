// The shapes of the states of one store: learned while states come, and used as soon as they are known.
//
// A state that fits the newest shape of its length is kept as a code. One that does not is kept whole, and
// what is new about it is remembered. When enough of them have come, the next shape of that length allows for
// all that was seen. The shapes before it stay, because there are codes that they must read; so nothing that
// was written is ever written again, no thread waits, and no more than a few percent of the states are kept
// whole.
//
// Enough is a thousand for the first shape of a length, and then one of 32 of all states, but never more than
// twice as many as for the shape before: where lengths are many, few states of all have a certain one. For
// states that can be kept otherwise (state_arena.h) codes must be short; a length whose codes would not be is
// not learned any longer.
//
// Thread safety: all members may be called from several threads at once. A thread may ask for the shape
// with a certain number once another thread, which has it from `newest`, has passed it that number.
// Cost: one load per new state; a lock for states that do not fit.
// Tested by: tests/unit/test_shape.cpp, tests/unit/test_store_threads.cpp, tests/unit/test_store_lengths.cpp
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "store/shape.h"

namespace spoor {

class Shapes {
 public:
  static constexpr std::uint32_t kMost = 1024;
  // States from here on can be kept without a shape, and codes of them are at most this long.
  static constexpr std::size_t kShortestLong = 256;
  static constexpr std::size_t kLongestCode = 128;  // bytes

  // Null: there is none yet for states of this length.
  const Shape* newest(std::size_t length) const {
    return length <= Shape::kLongest ? newest_[length].load(std::memory_order_acquire) : nullptr;
  }
  const Shape& operator[](std::uint32_t number) const {
    return *numbered_[number].load(std::memory_order_relaxed);
  }

  // A state without a code; `states`: how many there are of all kinds. False: nothing is learned from it,
  // because states of its length will not have codes, or there are too many shapes.
  bool learn(std::span<const std::byte> state, std::uint64_t states) {
    const bool can_have_shape = state.size() >= Shape::kShortest && state.size() <= Shape::kLongest;
    return can_have_shape && learn_bits(state, states);
  }

  std::uint64_t memory_bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint64_t kEnough = 1024;
  static constexpr std::uint64_t kEnoughOfAll = 32;  // one of so many

  struct Learned {
    std::vector<std::byte> base, varying;
    std::uint64_t count = 0;  // since the last shape
    unsigned shapes = 0;
    bool is_given_up = false;
  };

  bool learn_bits(std::span<const std::byte> state, std::uint64_t states);

  std::array<std::atomic<const Shape*>, Shape::kLongest + 1> newest_ = {};
  std::array<std::atomic<const Shape*>, kMost> numbered_ = {};
  std::atomic<std::uint64_t> bytes_ = 0;
  std::mutex mutex_;  // guards the rest
  std::map<std::size_t, Learned> learned_;
  std::vector<std::unique_ptr<const Shape>> shapes_;
};

}  // namespace spoor
