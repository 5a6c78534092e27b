// All states of a store, one after the other, with their numbers.
//
// A record is 4 bytes that say what it is, the number (4 bytes) and the state, rounded up to a multiple of
// 4: its code where it fits a shape (shapes.h), which is a few bytes, otherwise all its bytes. A record has
// two names: its number, and its position, counted in units of 4 bytes. From the position one gets to
// the state at once. From the number one gets there through the first record of its block, 256 numbers,
// and from there from record to record; whoever takes states in the order of their numbers keeps a
// cursor and never searches.
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
//   1. A record that was kept stays where it is and as it is.
//   2. Records of a writer that follow each other in number follow each other in memory, apart
//      from links.
//
// Tested by: tests/unit/test_store.cpp, tests/unit/test_store_threads.cpp
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <span>
#include <vector>

#include "store/pages.h"
#include "store/shapes.h"
#include "store/stable_array.h"
#include "store/visited_set.h"

namespace spoor {

class StateArena {
 public:
  using Code = Shape::Code;

  // Where a state was found, and so where the next one is; and room for one that was kept as a code.
  struct Cursor {
    StateIndex index = kNoState;  // of the state behind the one that was read last
    std::uint64_t position = 0;
    std::vector<std::byte> unpacked;
    std::uint64_t memory_bytes() const { return unpacked.capacity(); }
  };

  class Writer {
   private:
    friend class StateArena;
    std::uint64_t at_ = 0;     // in units: where the next record goes
    std::uint64_t end_ = 0;    // of the piece, less the room for a link
    std::uint64_t after_ = 0;  // where the record that was written last ends
    StateIndex next_ = 0;
    StateIndex block_end_ = 0;
    std::uint64_t granules_ = 0;  // that it has had
    std::uint64_t counted_ = 0;   // up to here its piece is in used_
  };

  explicit StateArena(IndexLimit limit = {})
      : granules_(kMaxGranules * sizeof(std::uintptr_t)), most_blocks_(limit.count / kBlock) {}

  // In which states of this length should be encoded now; null: in none.
  const Shape* shape_for(std::size_t length) const {
    const Shape* const newest = shapes_.newest(length);
    return newest != nullptr && newest->has_short_codes() ? newest : nullptr;
  }
  void encode(std::span<const std::byte> state, Code& code) const {
    const Shape* const shape = shape_for(state.size());
    code.set(shape != nullptr && shape->pack(state.data(), code.words.data()) ? shape : nullptr);
  }

  // Writes a record for this state and returns its position. It is not there before `keep` is called;
  // without that the next one takes its place. Throws std::bad_alloc, IndexesExhausted.
  std::uint64_t write(Writer& writer, std::span<const std::byte> state, const Code& code) {
    const std::uint64_t units = units_for(state.size());
    if (writer.at_ + units > writer.end_) [[unlikely]]
      begin_piece(writer, units);
    if (writer.next_ == writer.block_end_) [[unlikely]]
      begin_block(writer);
    // Before the record is made known: who is told of it may read it at once.
    if (writer.next_ % kBlock == 0) [[unlikely]]
      blocks_.make(writer.next_ / kBlock) = writer.at_;
    std::byte* const to = address(writer.at_);
    if (code.shape != nullptr) [[likely]] {
      set_header(to, kCode | code.number, writer.next_);
      std::memcpy(to + sizeof(Header), code.words.data(), code.shape->code_bytes());
      writer.after_ = writer.at_ + units_for(code.shape->code_bytes());
    } else {
      writer.after_ = writer.at_ + write_long(to, state, writer.next_);
    }
    return writer.at_;
  }
  // The number of the record that was written last, which stays now.
  StateIndex keep(Writer& writer) {
    writer.at_ = writer.after_;
    if (writer.at_ - writer.counted_ >= kCountEvery) [[unlikely]]
      count_memory(writer);
    return writer.next_++;
  }

  // Of the record at this position.
  std::byte* address(std::uint64_t position) const {
    const std::uintptr_t origin = granule(position >> kGranuleBits).load(std::memory_order_relaxed);
    return reinterpret_cast<std::byte*>(origin + position * kUnit);
  }
  // The number of the record at this address if it is of this state; else kNoState. REQUIRES: this thread
  // has been told of the record by the one that kept it.
  [[gnu::always_inline]] StateIndex index_if_equal(const std::byte* at, std::span<const std::byte> state,
                                                   const Code& code) const {
    const Header header = header_at(at);
    bool is_equal;
    if (header.what == (kCode | code.number)) [[likely]] {  // no record has the number that means none
      is_equal = code.shape->is_same(at + sizeof header, code.words.data());
    } else {
      is_equal = is_record_of(at, state);
    }
    return is_equal ? header.index : kNoState;
  }
  const std::byte* prefetch(std::uint64_t position) const {
    const std::byte* const at = address(position);
    __builtin_prefetch(at);
    __builtin_prefetch(at + kUsualRecord - 1);
    return at;
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
  static constexpr std::uint32_t kCode = std::uint32_t{1} << 31;  // with the number of a shape; else a length
  static constexpr std::uint32_t kLink = UINT32_MAX;              // neither: a link
  static constexpr std::size_t kUsualRecord = 32;                 // bytes
  static constexpr std::uint64_t kLinkUnits = 4;

  struct Header {
    std::uint32_t what;
    StateIndex index;
  };
  static_assert(sizeof(Header) == 8);

  static std::uint64_t units_for(std::size_t length) { return (sizeof(Header) + length + kUnit - 1) / kUnit; }
  std::uint64_t units_of(Header header) const {
    const bool is_code = (header.what & kCode) != 0;
    return units_for(is_code ? shapes_[header.what & ~kCode].code_bytes() : header.what);
  }
  static Header header_at(const std::byte* at) {
    Header header;
    std::memcpy(&header, at, sizeof header);
    return header;
  }
  static void set_header(std::byte* at, std::uint32_t what, StateIndex index) {
    const Header header{what, index};
    std::memcpy(at, &header, sizeof header);
  }
  // Where position 0 would be, if all were like this granule. Each is written once, before the
  // first record in it is made known; but who prefetches in vain may look at it any time.
  std::atomic_ref<std::uintptr_t> granule(std::uint64_t i) const {
    return std::atomic_ref(reinterpret_cast<std::uintptr_t*>(granules_.data())[i]);
  }
  bool is_record_of(const std::byte* at, std::span<const std::byte> state) const;
  // One without a code that is short enough. Returns its size in units.
  std::uint64_t write_long(std::byte* to, std::span<const std::byte> state, StateIndex index);
  void begin_piece(Writer& writer, std::uint64_t units);
  void begin_block(Writer& writer);
  void count_memory(Writer& writer);
  void follow_links(Cursor& cursor) const;

  ZeroedPages granules_;  // their addresses; a page of this array is there when it is needed
  StableArray<std::uint64_t, 12, 12> blocks_;  // position of the first record of each
  Shapes shapes_;
  std::atomic<std::uint32_t> blocks_begun_ = 0;
  std::atomic<std::uint64_t> used_ = 0;  // units, counted now and then
  std::mutex mutex_;                     // guards the rest
  std::vector<ZeroedPages> pieces_;
  std::uint64_t granule_count_ = 0;
  const std::uint64_t most_blocks_;
};

}  // namespace spoor
