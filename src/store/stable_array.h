// An array that several threads extend at once and that never moves.
//
// Elements stand in chunks; a directory of fixed size names the chunks. A chunk is made by the thread
// that needs it first. An element may be read by a thread that has learnt of it through a release and an
// acquire (a published slot, a barrier); the array itself orders nothing but the chunks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "store/pages.h"

namespace spoor {

template <class T, unsigned kChunkBits, unsigned kDirectoryBits>
class StableArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  static constexpr std::uint64_t kCapacity = std::uint64_t{1} << (kChunkBits + kDirectoryBits);

  StableArray() : directory_(sizeof(std::atomic<T*>) << kDirectoryBits) {}
  ~StableArray() {
    // Chunks are made nearly in order: the thread that has the number of an element makes its chunk at once.
    for (std::uint64_t i = 0, left = used_.load(std::memory_order_relaxed); left > 0; ++i) {
      T* const chunk = chunks()[i].load(std::memory_order_relaxed);
      delete[] chunk;
      left -= chunk != nullptr ? 1 : 0;
    }
  }
  StableArray(const StableArray&) = delete;
  StableArray& operator=(const StableArray&) = delete;

  // REQUIRES: the element was made, and this thread knows of it.
  const T& operator[](std::uint64_t i) const {
    return chunks()[i >> kChunkBits].load(std::memory_order_acquire)[i & kMask];
  }

  // The element, with memory behind it. REQUIRES: i < kCapacity. Throws std::bad_alloc.
  T& make(std::uint64_t i) {
    std::atomic<T*>& place = chunks()[i >> kChunkBits];
    T* chunk = place.load(std::memory_order_acquire);
    if (chunk == nullptr) chunk = add_chunk(place);
    return chunk[i & kMask];
  }

  std::uint64_t memory_bytes() const {
    return used_.load(std::memory_order_relaxed) * ((sizeof(T) << kChunkBits) + sizeof(T*));
  }

 private:
  static constexpr std::uint64_t kMask = (std::uint64_t{1} << kChunkBits) - 1;

  std::atomic<T*>* chunks() const {
    // Zeroed pages are null pointers: atomics of them are lock-free and need no construction.
    static_assert(std::atomic<T*>::is_always_lock_free);
    return reinterpret_cast<std::atomic<T*>*>(directory_.data());
  }

  T* add_chunk(std::atomic<T*>& place) {
    std::unique_ptr<T[]> fresh(new T[std::size_t{1} << kChunkBits]());
    T* expected = nullptr;
    if (!place.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel)) {
      return expected;
    }
    used_.fetch_add(1, std::memory_order_relaxed);
    return fresh.release();
  }

  ZeroedPages directory_;
  std::atomic<std::uint64_t> used_ = 0;  // chunks
};

}  // namespace spoor
