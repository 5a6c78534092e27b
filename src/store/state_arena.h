// All states of a store, one after the other, with their numbers.
//
// A record is the length (4 bytes), the number (4 bytes) and the bytes, rounded up to a multiple of
// 4. A record has two names: its number, and its position, counted in units of 4 bytes. From the
// position one gets to the bytes at once. From the number one gets there through the first record
// of its block, 256 numbers, and from there from record to record; whoever takes states in the order
// of their numbers keeps a cursor and never searches.
//
// Several threads write, each through its own Writer, which owns blocks of numbers and pieces of
// memory that nobody else writes to. One writer alone numbers states 0, 1, 2, ... without gaps; of
// several, each leaves at most one block unfinished. A record that is written can be taken back as
// long as nobody knows of it: it counts only when `keep` is called.
//
// Memory is cut into granules of one megabyte, several of them in one piece where there is much
// already or a record is long. A record never crosses from one piece to the next; a link at the end
// of a piece leads to the writer's next one.
//
// Invariants:
//   1. What `record` and `get` return stays where it is and as it is.
//   2. Records of a writer that follow each other in number follow each other in memory, apart
//      from links.
//
// Tested by: tests/unit/test_store.cpp, tests/unit/test_store_threads.cpp
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <span>
#include <vector>

#include "store/pages.h"
#include "store/stable_array.h"
#include "store/visited_set.h"

namespace spoor {

class StateArena {
 public:
  struct Record {
    StateIndex index = kNoState;
    std::span<const std::byte> bytes;
  };

  // Where a state was found, and so where the next one is.
  struct Cursor {
    StateIndex index = kNoState;  // of the state behind the one that was read last
    std::uint64_t position = 0;
    static std::uint64_t memory_bytes() { return 0; }
  };

  class Writer {
   private:
    friend class StateArena;
    std::uint64_t at_ = 0;   // in units: where the next record goes
    std::uint64_t end_ = 0;  // of the piece, less the room for a link
    std::uint64_t after_ = 0;  // where the record that was written last ends
    StateIndex next_ = 0;
    StateIndex block_end_ = 0;
    std::uint64_t granules_ = 0;  // that it has had
    std::uint64_t counted_ = 0;   // up to here its piece is in used_
  };

  StateArena() : granules_(kMaxGranules * sizeof(std::uintptr_t)) {}

  // Writes a record for these bytes and returns its position. It is not there before `keep` is
  // called; without that the next one takes its place. Throws std::bad_alloc.
  std::uint64_t write(Writer& writer, std::span<const std::byte> bytes) {
    const std::uint64_t units = units_for(bytes.size());
    if (writer.at_ + units > writer.end_) [[unlikely]] begin_piece(writer, units);
    if (writer.next_ == writer.block_end_) [[unlikely]] begin_block(writer);
    const Header header{static_cast<std::uint32_t>(bytes.size()), writer.next_};
    std::byte* const to = address(writer.at_);
    std::memcpy(to, &header, sizeof header);
    if (!bytes.empty()) std::memcpy(to + sizeof header, bytes.data(), bytes.size());
    writer.after_ = writer.at_ + units;
    return writer.at_;
  }
  // The number of the record that was written last, which stays now.
  StateIndex keep(Writer& writer) {
    if (writer.next_ % kBlock == 0) [[unlikely]] blocks_.make(writer.next_ / kBlock) = writer.at_;
    writer.at_ = writer.after_;
    if (writer.at_ - writer.counted_ >= kCountEvery) [[unlikely]] count_memory(writer);
    return writer.next_++;
  }

  // REQUIRES: a thread that sees the record has been told of it by the one that kept it.
  Record record(std::uint64_t position) const {
    const std::byte* const at = address(position);
    Header header;
    std::memcpy(&header, at, sizeof header);
    return {header.index, {at + sizeof header, header.length}};
  }
  void prefetch(std::uint64_t position) const {
    const std::byte* const at = address(position);
    __builtin_prefetch(at);
    __builtin_prefetch(at + 64);
  }

  // Fast where it is the state behind the one that the cursor read last.
  std::span<const std::byte> get(StateIndex index, Cursor& cursor) const;

  // Numbers that this writer has and has not used yet, and the end of all that any writer has.
  static IndexRange vacant(const Writer& writer) { return {writer.next_, writer.block_end_}; }
  std::uint64_t index_bound() const {
    return std::uint64_t{blocks_begun_.load(std::memory_order_relaxed)} * kBlock;
  }

  std::uint64_t memory_bytes() const;

 private:
  static constexpr std::uint64_t kUnit = 4;
  static constexpr StateIndex kBlock = 256;
  static constexpr unsigned kGranuleBits = 18;  // of units: one megabyte
  static constexpr std::uint64_t kGranule = std::uint64_t{1} << kGranuleBits;
  static constexpr std::uint64_t kMaxGranules = std::uint64_t{1} << 16;  // 64 GiB
  static constexpr std::uint64_t kLargestPiece = 64;  // granules, unless a record needs more
  static constexpr std::uint64_t kCountEvery = std::uint64_t{1} << 13;  // units
  static constexpr std::uint32_t kLink = UINT32_MAX;  // in place of a length
  static constexpr std::uint64_t kLinkUnits = 4;

  struct Header {
    std::uint32_t length;
    StateIndex index;
  };
  static_assert(sizeof(Header) == 8);

  static std::uint64_t units_for(std::size_t length) {
    return (sizeof(Header) + length + kUnit - 1) / kUnit;
  }
  std::byte* address(std::uint64_t position) const {
    const std::uintptr_t origin = granule(position >> kGranuleBits).load(std::memory_order_relaxed);
    return reinterpret_cast<std::byte*>(origin + position * kUnit);
  }
  // Where position 0 would be, if all were like this granule. Each is written once, before the
  // first record in it is made known; but who prefetches in vain may look at it any time.
  std::atomic_ref<std::uintptr_t> granule(std::uint64_t i) const {
    return std::atomic_ref(reinterpret_cast<std::uintptr_t*>(granules_.data())[i]);
  }
  void begin_piece(Writer& writer, std::uint64_t units);
  void begin_block(Writer& writer);
  void count_memory(Writer& writer);
  void follow_links(Cursor& cursor) const;

  ZeroedPages granules_;  // their addresses; a page of this array is there when it is needed
  StableArray<std::uint64_t, 12, 12> blocks_;  // position of the first record of each
  std::atomic<std::uint32_t> blocks_begun_ = 0;
  std::atomic<std::uint64_t> used_ = 0;  // units, counted now and then
  std::mutex mutex_;                     // guards the rest
  std::vector<ZeroedPages> pieces_;
  std::uint64_t granule_count_ = 0;
};

}  // namespace spoor
