// A list of numbers that never decrease, in two bits each.
//
// Each number is written as its distance from the one before, in unary: that many zeros, then a one.
// For n numbers up to m this takes n + m bits. Number i is therefore (position of the i-th one) - i;
// the position is kept for every 4096th, and the bits in between are counted. The parents of states
// in a breadth-first search are such a list, as states are expanded in the order of their numbers.
//
// Cost: 2 bits per number where m <= n. Reading is slow, up to a microsecond and more where numbers
// lie far apart; meant for the few that are on a trace.
// Tested by: tests/unit/test_store_tree.cpp
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "store/chunked_vector.h"

namespace spoor {

class AscendingList {
 public:
  // REQUIRES: value >= the one before. Throws std::bad_alloc; what is in the list is then unchanged.
  void push_back(std::uint64_t value) {
    const std::uint64_t position = value + size_;  // of the one
    while (words_.size() * 64 <= position) words_.push_back(0);
    if (size_ % kSample == 0) samples_.push_back(position);
    words_[position / 64] |= std::uint64_t{1} << position % 64;
    ++size_;
  }

  // REQUIRES: index < size().
  std::uint64_t operator[](std::uint64_t index) const {
    std::uint64_t position = samples_[index / kSample];
    std::uint64_t to_pass = index % kSample;  // ones, counted from this one on
    std::uint64_t at = position / 64;
    std::uint64_t word = words_[at] & ~std::uint64_t{0} << position % 64;
    for (;; word = words_[++at]) {
      const auto ones = static_cast<std::uint64_t>(std::popcount(word));
      if (ones > to_pass) break;
      to_pass -= ones;
    }
    for (; to_pass > 0; --to_pass) word &= word - 1;
    position = at * 64 + static_cast<std::uint64_t>(std::countr_zero(word));
    return position - index;
  }

  // Calls use(i, number i) for the numbers from `begin` to `end`, in order.
  template <class Use>
  void each(std::uint64_t begin, std::uint64_t end, const Use& use) const {
    if (begin >= end) return;
    const std::uint64_t position = (*this)[begin] + begin;
    std::uint64_t at = position / 64;
    std::uint64_t word = words_[at] & ~std::uint64_t{0} << position % 64;
    for (std::uint64_t i = begin; i < end; ++i, word &= word - 1) {
      while (word == 0) word = words_[++at];
      use(i, at * 64 + static_cast<std::uint64_t>(std::countr_zero(word)) - i);
    }
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t memory_bytes() const { return words_.memory_bytes() + samples_.memory_bytes(); }

 private:
  static constexpr std::uint64_t kSample = 4096;

  ChunkedVector<std::uint64_t> words_;
  ChunkedVector<std::uint64_t> samples_;
  std::uint64_t size_ = 0;
};

}  // namespace spoor
