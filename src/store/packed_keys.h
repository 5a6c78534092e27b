// A growing array of 64-bit keys that takes as few bytes per key as the keys need so far.
//
// A key consists of three fields, of 28, 28 and 8 bits from the lowest on. In a tree store they are
// small numbers (two references and a kind of state), so most of the 64 bits are zero: nine million
// states of a model may need 16 + 15 + 0 bits, which are 4 bytes and not 8. The array keeps the
// widest value of each field it has seen. Keys stand in groups of 4096, each written with the
// widths that were enough when it began; when a wider key arrives, the widths grow and the last
// group, the only one that is not full, is written anew. That happens at most 64 times in the life
// of an array, however long. Where keys use all bits (hashes), this is a plain array.
//
// Invariants:
//   1. Each field of each key of a group fits the group's widths; a key occupies whole bytes.
//   2. Behind each group are 8 bytes of padding, so that a key is read by one load.
//
// Cost: one load from the group's head (in cache up to a hundred million keys), one from the key.
// Tested by: tests/unit/test_store_tree.cpp
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "store/byte_space.h"

namespace spoor {

class PackedKeys {
 public:
  static constexpr unsigned kFieldBits = 28;  // of the lower two fields

  std::uint64_t operator[](std::uint64_t index) const {
    const Group& group = groups_[index / kGroup];
    return group.unpack(group.begin + index % kGroup * group.key_bytes);
  }
  void prefetch(std::uint64_t index) const {
    const Group& group = groups_[index / kGroup];
    __builtin_prefetch(group.begin + index % kGroup * group.key_bytes);
  }

  // Throws std::bad_alloc, and is then unchanged.
  void push_back(std::uint64_t key) {
    if (!widths_.fit(key)) widen(key);
    if (size_ == groups_.size() * kGroup) groups_.push_back(new_group(widths_));
    Group& group = groups_.back();
    group.pack(group.begin + size_ % kGroup * group.key_bytes, key);
    ++size_;
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t memory_bytes() const {
    return space_.memory_bytes() + groups_.capacity() * sizeof(Group);
  }

 private:
  static constexpr std::uint64_t kGroup = 4096;
  static constexpr std::uint64_t kFieldMask = (std::uint64_t{1} << kFieldBits) - 1;

  static constexpr std::uint64_t low(std::uint64_t key) { return key & kFieldMask; }
  static constexpr std::uint64_t middle(std::uint64_t key) {
    return key >> kFieldBits & kFieldMask;
  }
  static constexpr std::uint64_t high(std::uint64_t key) { return key >> 2 * kFieldBits; }

  struct Widths {
    std::uint8_t low = 1, middle = 1, high = 0;

    bool fit(std::uint64_t key) const {
      return (PackedKeys::low(key) >> low | PackedKeys::middle(key) >> middle |
              PackedKeys::high(key) >> high) == 0;
    }
    unsigned bytes() const { return (unsigned{low} + middle + high + 7) / 8; }
  };

  struct Group : Widths {
    std::byte* begin = nullptr;
    std::uint32_t key_bytes = 0;

    std::uint64_t unpack(const std::byte* at) const {
      std::uint64_t word;
      std::memcpy(&word, at, sizeof word);
      const std::uint64_t rest = word >> low;
      // The last shift leaves bits of the next key above its width.
      return (word & mask(low)) | (rest & mask(middle)) << kFieldBits |
             (rest >> middle & mask(high)) << 2 * kFieldBits;
    }
    void pack(std::byte* at, std::uint64_t key) const {
      const std::uint64_t word = PackedKeys::low(key) | PackedKeys::middle(key) << low |
                                 PackedKeys::high(key) << (low + middle);
      std::memcpy(at, &word, key_bytes);
    }
    static std::uint64_t mask(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }
  };

  Group new_group(const Widths& widths) {
    Group group{widths};
    group.key_bytes = widths.bytes();
    const std::uint64_t bytes = kGroup * group.key_bytes + sizeof(std::uint64_t);
    const std::uint64_t position = space_.place(end_, bytes);
    group.begin = space_.at(position);
    end_ = position + bytes;
    return group;
  }

  void widen(std::uint64_t key) {
    const auto wider = [](std::uint8_t width, std::uint64_t field) {
      return std::max(width, static_cast<std::uint8_t>(std::bit_width(field)));
    };
    Widths widths;
    widths.low = wider(widths_.low, low(key));
    widths.middle = wider(widths_.middle, middle(key));
    widths.high = wider(widths_.high, high(key));
    const std::uint64_t in_last = size_ % kGroup;
    if (in_last != 0) {
      Group group = new_group(widths);
      for (std::uint64_t i = 0; i < in_last; ++i) {
        group.pack(group.begin + i * group.key_bytes, (*this)[size_ - in_last + i]);
      }
      groups_.back() = group;
    }
    widths_ = widths;
  }

  Widths widths_;
  std::vector<Group> groups_;
  ByteSpace space_;
  std::uint64_t end_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace spoor
