// Long strings of bytes, each kept as references to pieces, and each piece kept once.
//
// The idea. A string is cut into pieces of 12 to 48 bytes, each of which is looked up in a table and kept if
// it is not there. What stands for the string is the list of references to its pieces; this list is cut and
// kept in the same way, and so on, until no more than a few references are left. Two strings that differ in
// some bytes share all pieces but those in which these bytes are, and the lists above them.
//
// Where to cut is decided by the bytes themselves: behind a place whose last eight bytes have a certain hash.
// A string in which something was put in or taken out is cut at the same places before and after it, moved
// along with the bytes. With pieces of fixed length all that follows would be new.
//
// Rivals. The tree (tree.h) cuts at fixed places and in two, which gives more levels, and looks up only what
// differs from the source of a step: it needs to know the source. Cutting by content is how deduplicating
// file systems work (LBFS 2001), with pieces of kilobytes. Tried out on states of 10,000 bytes (tests/unit/
// long_states.h), bytes per state of all kept in pieces: leaves of 16 to 64 bytes with lists of 4 to 16
// references 368, with lists of 2 to 8 references 387; leaves of 12 to 48 and lists of 3 to 10: 336; leaves
// of 8 to 32: 322, and more lookups.
//
// Several threads. The table is in 16 parts. A lookup takes no lock: a slot is written once, after its piece.
// A thread that adds a piece locks the part. A part that is full is replaced by a larger one. The old one is
// given up as soon as the thread that replaces a part is alone in `keep`: a thread that comes later sees the
// new one.
//
// Invariants:
//   1. No two pieces of the same kind (bytes, or a list of references) have equal bytes; so equal strings
//      have equal references.
//   2. A piece stays where it is and as it is. Its reference is its position in units of 4 bytes, and never
//      0.
//   3. At most 4/5 of the slots of a part are used, so a lookup always ends.
//
// Cost: 1 byte and the rounding per piece, 5 to 6.3 for its slot. A string of 10,000 bytes takes some 450
// lookups to keep, 10 to 15 us. There is room for 16 GiB of pieces.
// Thread safety: all members may be called from several threads at once.
// Tested by: tests/unit/test_store_lengths.cpp
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "store/pages.h"

namespace spoor {

class Pieces {
 public:
  using Reference = std::uint32_t;
  // Of one string.
  static constexpr std::size_t kMostReferences = 8;

  Pieces();

  // Leaves in `list` the references, at most kMostReferences, that stand for these bytes. False: there is no
  // room for another piece, and the list is nonsense. Throws std::bad_alloc.
  bool keep(std::span<const std::byte> bytes, std::vector<Reference>& list);

  // `references` lie one behind the other, anywhere. REQUIRES: `keep` gave them, and this thread
  // knows of them through a release and an acquire.
  // Calls take(piece) for the pieces from left to right, until it returns false; so does this then.
  template <class Take>
  bool for_each(std::span<const std::byte> references, const Take& take) const {
    for (; !references.empty(); references = references.subspan(sizeof(Reference))) {
      Reference reference;
      std::memcpy(&reference, references.data(), sizeof reference);
      bool is_list;
      const std::span<const std::byte> piece = content(reference, is_list);
      if (!(is_list ? for_each(piece, take) : take(piece))) return false;
    }
    return true;
  }

  std::uint64_t memory_bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kShortestLeaf = 12, kLongestLeaf = 48;
  static constexpr std::size_t kShortestList = 3, kLongestList = 10;
  static constexpr std::uint64_t kUnit = 4;
  static constexpr unsigned kSegmentBits = 18;  // of units: one megabyte
  static constexpr std::uint64_t kSegment = std::uint64_t{1} << kSegmentBits;
  static constexpr std::uint64_t kMostSegments = std::uint64_t{1} << (32 - kSegmentBits);
  static constexpr unsigned kShardBits = 4;
  static constexpr std::size_t kShards = std::size_t{1} << kShardBits;
  static constexpr std::uint64_t kFirstSlots = 256;
  static constexpr std::uint8_t kIsList = 0x80;  // of a header, which is the length otherwise

  using Slot = std::atomic<Reference>;  // 0: empty
  static_assert(Slot::is_always_lock_free && sizeof(Slot) == sizeof(Reference));

  struct Table {
    explicit Table(std::uint64_t slots) : memory(slots * sizeof(Slot)), count(slots) {}
    std::uint64_t home(std::uint64_t hash) const { return (hash & UINT32_MAX) * count >> 32; }
    std::uint64_t after(std::uint64_t i) const { return i + 1 == count ? 0 : i + 1; }
    Slot& operator[](std::uint64_t i) const { return reinterpret_cast<Slot*>(memory.data())[i]; }
    // For a piece that is not there. REQUIRES: no other thread fills slots.
    Slot& empty_slot(std::uint64_t hash) const {
      std::uint64_t i = home(hash);
      while ((*this)[i].load(std::memory_order_relaxed) != 0) i = after(i);
      return (*this)[i];
    }
    ZeroedPages memory;
    std::uint64_t count;
  };
  struct alignas(64) Shard {
    std::atomic<const Table*> table = nullptr;
    std::mutex mutex;  // guards the rest
    std::uint64_t count = 0;
    std::uint64_t next = 0, end = 0;                   // units
    std::vector<std::unique_ptr<const Table>> tables;  // the last is the one in use
  };
  struct Piece {
    std::span<const std::byte> bytes;
    std::uint8_t header;
    std::uint64_t hash;
  };

  static Piece piece_of(std::span<const std::byte> bytes, bool is_list);
  static std::size_t leaf_length(std::span<const std::byte> bytes);
  static std::size_t list_length(std::span<const Reference> list);
  // 0: there is no room.
  Reference keep(const Piece& piece);
  bool keep_all(std::span<const std::byte> bytes, std::vector<Reference>& list);
  Reference find(const Table& table, const Piece& piece) const;
  void add_table(Shard& shard);
  bool add_segment(Shard& shard);
  const std::byte* address(Reference reference) const {
    return reinterpret_cast<const std::byte*>(
               segment(reference >> kSegmentBits).load(std::memory_order_relaxed)) +
           (reference & (kSegment - 1)) * kUnit;
  }
  std::atomic_ref<std::uintptr_t> segment(std::uint64_t i) const {
    return std::atomic_ref(reinterpret_cast<std::uintptr_t*>(segments_.data())[i]);
  }
  std::span<const std::byte> content(Reference reference, bool& is_list) const {
    const std::byte* const at = address(reference);
    const auto header = static_cast<std::uint8_t>(*at);
    is_list = (header & kIsList) != 0;
    return {at + 1, static_cast<std::size_t>(header & ~kIsList)};
  }

  ZeroedPages segments_;  // their addresses
  std::array<Shard, kShards> shards_;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<std::uint32_t> inside_ = 0;  // threads in `keep`
  std::mutex mutex_;                       // guards the rest
  std::vector<ZeroedPages> memory_;
};

}  // namespace spoor
