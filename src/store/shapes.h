// The shapes of the states of one store: learned while states come, and used as soon as they are known.
//
// A state that fits the newest shape of its length is kept as a code. One that does not is kept whole,
// and what is new about it is remembered. When enough of them have come (a thousand, or one of 32 of all
// states), the next shape of that length allows for all that was seen. The shapes before it stay, because
// there are codes that they must read; so nothing that was written is ever written again, nobody waits,
// and no more than a few percent of the states are kept whole.
//
// Thread safety: all members may be called from several threads at once. A thread may ask for the shape
// with a certain number once another, who got it from `newest`, has told it of that number.
// Cost: one load per new state; a lock for states that do not fit.
// Tested by: tests/unit/test_shape.cpp, tests/unit/test_store_threads.cpp
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
  static constexpr std::uint32_t kMost = 256;

  // Null: there is none yet for states of this length.
  const Shape* newest(std::size_t length) const {
    return length <= Shape::kLongest ? newest_[length].load(std::memory_order_acquire) : nullptr;
  }
  const Shape& operator[](std::uint32_t number) const {
    return *numbered_[number].load(std::memory_order_relaxed);
  }

  // A state that is kept whole; `states`: how many there are of all kinds.
  void learn(std::span<const std::byte> state, std::uint64_t states);

 private:
  static constexpr std::uint64_t kEnough = 1024;
  static constexpr std::uint64_t kEnoughOfAll = 32;  // one of so many

  struct Learned {
    std::vector<std::byte> base, varying;
    std::uint64_t count = 0;  // since the last shape
  };

  std::array<std::atomic<const Shape*>, Shape::kLongest + 1> newest_ = {};
  std::array<std::atomic<const Shape*>, kMost> numbered_ = {};
  std::mutex mutex_;  // guards the rest
  std::map<std::size_t, Learned> learned_;
  std::vector<std::unique_ptr<const Shape>> shapes_;
};

}  // namespace spoor
