// Numbers and byte strings as the records of our files have them.
//
// A number is written in groups of seven bits, the lowest first; all bytes but the last have the upper bit
// set. A signed number goes zigzag: 0, -1, 1, -2, ... A byte string is its length and its bytes.
//
// Tested by: tests/unit/test_packed_numbers.cpp, and by the tests and fuzz targets of the files
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/framed_file.h"

namespace spoor {

inline void put(std::string& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) to += static_cast<char>(value | 0x80);
  to += static_cast<char>(value);
}
inline void put_signed(std::string& to, std::int64_t value) {
  put(to, static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
}
inline void put_bytes(std::string& to, std::string_view bytes) {
  put(to, bytes.size());
  to += bytes;
}
template <class T>
std::string_view as_text(std::span<T> bytes) {
  static_assert(sizeof(T) == 1);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The same for memory that is known to be large enough, and to have numbers: nothing is checked. They return,
// or move, where the next number begins.
inline constexpr std::size_t kMostNumberBytes = 10;
inline std::uint8_t* put_at(std::uint8_t* to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) *to++ = static_cast<std::uint8_t>(value | 0x80);
  *to++ = static_cast<std::uint8_t>(value);
  return to;
}
inline std::uint8_t* put_signed_at(std::uint8_t* to, std::int64_t value) {
  return put_at(to, static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
}
inline std::uint64_t number_at(const std::uint8_t*& at) {
  std::uint64_t value = *at & 0x7fu;
  for (unsigned shift = 7; *at++ >= 0x80; shift += 7) value |= std::uint64_t{*at & 0x7fu} << shift;
  return value;
}
inline std::int64_t signed_number_at(const std::uint8_t*& at) {
  const std::uint64_t value = number_at(at);
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

[[noreturn]] inline void throw_damaged() {
  throw FramedFileError(FramedFileError::Reason::kDamaged, "is damaged");
}

// Reads what was put. A record whose checksum is right may still have been written by another program: every
// member throws FramedFileError (kDamaged) where the text has something else.
class RecordReader {
 public:
  explicit RecordReader(std::string_view text) : text_(text) {}

  bool is_at_end() const { return text_.empty(); }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < kMostNumberBytes && i < text_.size(); ++i) {
      const auto byte = static_cast<std::uint8_t>(text_[i]);
      value |= std::uint64_t{byte & 0x7fu} << (7 * i);
      if (byte >= 0x80) continue;
      text_.remove_prefix(i + 1);
      return value;
    }
    throw_damaged();
  }
  std::int64_t signed_number() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }
  std::string_view bytes() {
    const std::uint64_t size = number();
    if (size > text_.size()) throw_damaged();
    const std::string_view bytes = text_.substr(0, size);
    text_.remove_prefix(size);
    return bytes;
  }
  std::uint8_t byte() {
    if (text_.empty()) throw_damaged();
    const auto byte = static_cast<std::uint8_t>(text_.front());
    text_.remove_prefix(1);
    return byte;
  }
  void skip(std::size_t size) {
    if (size > text_.size()) throw_damaged();
    text_.remove_prefix(size);
  }
  // A number of things that take a byte each at least.
  std::uint64_t count() {
    const std::uint64_t count = number();
    if (count > text_.size()) throw_damaged();
    return count;
  }
  // What has yet to be read.
  std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

// A set of numbers, ascending: how many, and of each its distance from the one before, less 1 (of the first:
// the number itself).
inline void put_ascending(std::string& to, const std::vector<std::uint32_t>& numbers) {
  put(to, numbers.size());
  std::uint32_t next = 0;
  for (const std::uint32_t number : numbers) {
    put(to, number - next);
    next = number + 1;
  }
}
// Replaces what is in `numbers`. Throws as RecordReader does.
inline void read_ascending(RecordReader& reader, std::vector<std::uint32_t>& numbers) {
  numbers.clear();
  std::uint64_t next = 0;
  for (std::uint64_t left = reader.count(); left > 0; --left) {
    const std::uint64_t distance = reader.number();
    if (distance >= UINT32_MAX - next) throw_damaged();
    numbers.push_back(static_cast<std::uint32_t>(next + distance));
    next += distance + 1;
  }
}

}  // namespace spoor
