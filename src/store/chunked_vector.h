// A vector that grows without moving or copying what it holds.
//
// A std::vector that doubles needs three times its size for a moment, which a search near its
// memory limit cannot afford. Here growth adds one chunk of 65536 elements. Usable as a stack;
// chunks are kept when elements are popped.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "store/pages.h"

namespace spoor {

template <class T>
class ChunkedVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  static constexpr std::size_t kChunk = std::size_t{1} << 16;

  void push_back(const T& value) {
    if (size_ == chunks_.size() * kChunk) {
      // The owner first: should the second push_back throw, no pointer outlives its pages.
      if (pages_.size() == chunks_.size()) pages_.emplace_back(kChunk * sizeof(T));
      chunks_.push_back(reinterpret_cast<T*>(pages_.back().data()));
    }
    chunks_[size_ / kChunk][size_ % kChunk] = value;
    ++size_;
    high_water_ = std::max(high_water_, size_);
  }
  void pop_back() { --size_; }

  T& operator[](std::size_t i) { return chunks_[i / kChunk][i % kChunk]; }
  const T& operator[](std::size_t i) const { return chunks_[i / kChunk][i % kChunk]; }
  T& back() { return (*this)[size_ - 1]; }
  const T& back() const { return (*this)[size_ - 1]; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // What was ever used; the rest of the last chunk was never touched and costs nothing.
  std::uint64_t memory_bytes() const { return high_water_ * sizeof(T) + chunks_.capacity() * sizeof(T*); }

 private:
  std::vector<T*> chunks_;
  std::vector<ZeroedPages> pages_;
  std::size_t size_ = 0;
  std::size_t high_water_ = 0;
};

}  // namespace spoor
