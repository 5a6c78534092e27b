// All states of a store, one after the other, with their numbers.
//
// A record is the length (4 bytes), the index (4 bytes) and the bytes, rounded up to a multiple of
// 4. A record has two names: its index, and its position, counted in units of 4 bytes. From the
// position one gets to the bytes at once. The position of record i is kept in 4 bytes, from the
// first record of its group of 65536 on, so that neither the number of bytes nor the size of a
// single state is limited by the width of it.
//
// Invariants: (1) indexes are 0, 1, 2, ... in the order of append; (2) what `get` returns stays
// where it is and as it is.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "store/byte_space.h"
#include "store/chunked_vector.h"
#include "store/visited_set.h"

namespace spoor {

class StateArena {
 public:
  struct Record {
    StateIndex index = kNoState;
    std::span<const std::byte> bytes;
  };

  // Throws std::bad_alloc, and is then unchanged.
  StateIndex append(std::span<const std::byte> bytes);

  std::span<const std::byte> get(StateIndex index) const { return record(position(index)).bytes; }

  std::uint64_t position(StateIndex index) const {
    return group_bases_[index / kGroup] + offsets_[index];
  }
  Record record(std::uint64_t position) const {
    const std::byte* const at = space_.at(position * kUnit);
    Header header;
    std::memcpy(&header, at, sizeof header);
    return {header.index, {at + sizeof header, header.length}};
  }
  void prefetch(std::uint64_t position) const {
    const std::byte* const at = space_.at(position * kUnit);
    __builtin_prefetch(at);
    __builtin_prefetch(at + 64);
  }

  std::uint64_t size() const { return offsets_.size(); }
  std::uint64_t memory_bytes() const {
    return space_.memory_bytes() + offsets_.memory_bytes() +
           group_bases_.capacity() * sizeof(std::uint64_t);
  }

 private:
  static constexpr std::uint64_t kUnit = 4;
  static constexpr std::uint64_t kGroup = std::uint64_t{1} << 16;

  struct Header {
    std::uint32_t length;
    StateIndex index;
  };

  ByteSpace space_;
  std::uint64_t end_ = 0;
  ChunkedVector<std::uint32_t> offsets_;
  std::vector<std::uint64_t> group_bases_;  // in units
};

}  // namespace spoor
