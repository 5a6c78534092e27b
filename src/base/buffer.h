// A growing array of plain data that does not initialise new elements.
//
// std::vector::resize writes every new element; where a foreign function (native code) fills them
// next, that is wasted work on the hot path. Otherwise a subset of std::vector.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace spoor {

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Buffer() = default;
  ~Buffer() { std::free(data_); }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  const T& back() const { return data_[size_ - 1]; }

  void clear() { size_ = 0; }

  void push_back(const T& value) {
    const T copy = value;  // `value` may be an element of this buffer
    if (size_ == capacity_) reserve(std::max<std::size_t>(16, 2 * capacity_));
    data_[size_++] = copy;
  }

  // REQUIRES: `items` are not part of this buffer.
  void append(std::span<const T> items) {
    if (items.empty()) return;
    if (capacity_ - size_ < items.size()) reserve(std::max(size_ + items.size(), 2 * capacity_));
    std::memcpy(data_ + size_, items.data(), items.size_bytes());
    size_ += items.size();
  }

  // Throws std::bad_alloc, and is then unchanged.
  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    void* const moved = std::realloc(data_, capacity * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    data_ = static_cast<T*>(moved);
    capacity_ = capacity;
  }

  // REQUIRES: size <= capacity(), and all elements up to there have been written.
  void set_size(std::size_t size) { size_ = size; }

 private:
  void swap(Buffer& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace spoor
