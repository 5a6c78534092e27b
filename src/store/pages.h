// Zeroed memory that goes back to the system as soon as it is given up.
//
// Large blocks come from mmap directly: the general allocator keeps what is freed and may place it
// badly, and then a memory limit that is computed from our own figures is not kept in truth. Pages
// that were never touched cost nothing. Blocks of at least two megabytes ask for huge pages,
// because a hash table is read at random and would otherwise miss the TLB at every probe.
#pragma once

#include <cstddef>

namespace spoor {

class ZeroedPages {
 public:
  ZeroedPages() = default;
  // Throws std::bad_alloc.
  explicit ZeroedPages(std::size_t bytes);
  ~ZeroedPages() { release(); }
  ZeroedPages(ZeroedPages&& other) noexcept : data_(other.data_), size_(other.size_) {
    other.data_ = nullptr;
    other.size_ = 0;
  }
  ZeroedPages& operator=(ZeroedPages&& other) noexcept;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  void release();

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace spoor
