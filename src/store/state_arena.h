// All states of a store, one after the other, with their numbers.
//
// A record is 4 bytes that say what it is, the number (4 bytes) and the state, rounded up to a multiple of 4:
// its code where it fits a shape (shapes.h), which is a few bytes, otherwise all its bytes, unless it is long
// (below). A record has two names: its number, and its position, counted in units of 4 bytes. From the
// position one gets to the state at once. From the number one gets there through the first record of its
// block, 256 numbers, and from there from record to record; a reader that gets states in the order of their
// numbers keeps a cursor and never searches.
//
// Several threads write, each through its own Writer, which owns blocks of numbers and pieces of
// memory that no other thread writes to. One writer alone numbers states 0, 1, 2, ... without gaps; of
// several, each leaves at most one block unfinished. A record that is written can be taken back as
// long as it is not published: it counts only when `keep` is called.
//
// Long states, from 256 bytes on, that have no short code: a heap, many threads, and lengths too many for
// each to have a shape. Two such states that a writer keeps one soon after the other differ in little,
// because both are successors of one state or of states that were found together. So a writer has a base, a
// state that it has kept in pieces (pieces.h), and keeps the next states as differences to it (difference.h).
// Where a difference is longer than 96 bytes the state is kept in pieces, and is the next base. A base is
// never a difference itself, so a state is at most two steps away from its bytes. The first of them, a
// megabyte per writer, are kept whole as long as their shape is being learned: where lengths are few, as in
// most models, all that follow have codes, and parts would only have cost time.
//
// Measured on states of 10,000 bytes, 50,000 of them, two fields of which change per step, or an object of 8
// to 72 bytes comes or goes (tests/unit/long_states.h): bytes per state, and processor time for a state that
// is new and for one that is known, on a machine that had other work as well; without the megabyte of states
// that are kept whole.
//
//                                   one length        lengths vary at the end    anywhere
//     kept whole                    10,027            10,022                     10,027
//     in pieces only                306, 12 us, 2 us  321, 14 us, 2 us           336, 14 us, 2 us
//     differences                   154, 3 us, 3 us   184, 4 us, 3 us            221, 6 us, 3 us
//     tree (tree.h)                 165, 7 us, 2 us   185, 6 us, 2 us            262, 22 us, 9 us
//
// States of 600 bytes: one length 115 (a code), lengths that vary 142 and 151, whole 553. With differences of
// up to 72 bytes: 174, 210, 230; of up to 160: 166, 174, 217. Codes of up to 128 bytes are preferred to both.
//
// Memory is cut into granules of one megabyte, several of them in one piece where there is much
// already or a record is long. A record never crosses from one piece to the next; a link at the end
// of a piece leads to the writer's next one.
//
// Invariants:
//   1. A record that was kept stays where it is and as it is.
//   2. Records of a writer that follow each other in number follow each other in memory, apart
//      from links.
//   3. The base of a difference is a record in pieces that was kept.
//
// Tested by: tests/unit/test_store.cpp, tests/unit/test_store_threads.cpp, tests/unit/test_store_lengths.cpp
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <span>
#include <vector>

#include "store/pages.h"
#include "store/pieces.h"
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
    std::uint64_t granules_ = 0;       // that it has had
    std::uint64_t counted_ = 0;        // up to here its piece is in used_
    std::uint64_t learned_bytes_ = 0;  // of states that were kept whole
    // For long states. The base counts once its record was kept (has_base).
    std::vector<std::byte> base_;
    std::uint64_t base_position_ = 0;
    StateIndex base_index_ = kNoState;
    std::vector<Pieces::Reference> references_;  // working memory, and so is:
    std::vector<std::byte> difference_;
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
    // Before the record is published: another thread may then read it at once.
    if (writer.next_ % kBlock == 0) [[unlikely]]
      blocks_.make(writer.next_ / kBlock) = writer.at_;
    std::byte* const to = address(writer.at_);
    if (code.shape != nullptr) [[likely]] {
      set_header(to, kCode | code.number, writer.next_);
      std::memcpy(to + sizeof(Header), code.words.data(), code.shape->code_bytes());
      writer.after_ = writer.at_ + units_for(code.shape->code_bytes());
    } else {
      writer.after_ = writer.at_ + write_long(writer, to, state);
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
  // States from this one on, without decoding, until there is no room left or one is met that has to be put
  // together; the first one is always among them. Returns how many. REQUIRES: as for `get`, of all of them.
  std::size_t as_kept(StateIndex first, std::span<KeptState> room, Cursor& cursor) const;

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
  static constexpr std::uint64_t kCountEvery = std::uint64_t{1} << 12;  // units
  static constexpr std::uint32_t kCode = std::uint32_t{1} << 31;  // with the number of a shape; else a length
  static constexpr std::uint32_t kLink = UINT32_MAX;              // neither: a link
  // Neither of these, either: with the number of references to pieces, or of bytes of a difference.
  static constexpr std::uint32_t kPieces = std::uint32_t{1} << 30;
  static constexpr std::uint32_t kDifference = std::uint32_t{1} << 29;
  static constexpr std::size_t kLongestDifference = 96;
  static constexpr std::uint64_t kMostLearnedBytes = std::uint64_t{1} << 20;
  static_assert(Shapes::kShortestLong >
                sizeof(std::uint32_t) + sizeof(std::uint64_t) + kLongestDifference);  // there is room for it
  static constexpr std::size_t kUsualRecord = 32;                                     // bytes
  static constexpr std::uint64_t kLinkUnits = 4;

  struct Header {
    std::uint32_t what;
    StateIndex index;
  };
  static_assert(sizeof(Header) == 8);

  static std::uint64_t units_for(std::size_t length) { return (sizeof(Header) + length + kUnit - 1) / kUnit; }
  std::uint64_t units_of(Header header) const {
    if ((header.what & kCode) != 0) [[likely]]
      return units_for(shapes_[header.what & ~kCode].code_bytes());
    return is_whole(header) ? units_for(header.what) : units_of_parts(header);
  }
  [[gnu::noinline]] static std::uint64_t units_of_parts(Header header);
  // REQUIRES: it is not a code.
  static bool is_whole(Header header) { return (header.what & (kPieces | kDifference)) == 0; }
  // The length of the state, and references.
  static std::size_t pieces_bytes(std::size_t references) {
    return sizeof(std::uint32_t) + references * sizeof(Pieces::Reference);
  }
  // The length of the state, the position of the base, and the difference.
  static std::size_t difference_bytes(std::size_t difference) {
    return sizeof(std::uint32_t) + sizeof(std::uint64_t) + difference;
  }
  template <class Number>
  static Number number_at(const std::byte* at) {
    Number number;
    std::memcpy(&number, at, sizeof number);
    return number;
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
  // first record in it is made known; but a prefetch that turns out useless may read it at any time.
  std::atomic_ref<std::uintptr_t> granule(std::uint64_t i) const {
    return std::atomic_ref(reinterpret_cast<std::uintptr_t*>(granules_.data())[i]);
  }
  bool is_record_of(const std::byte* at, std::span<const std::byte> state) const;
  // Calls take(part) for the parts of a state that is in pieces, or differs from such a one, from left to
  // right, until it returns false; so does this then. `at`: of what comes after the header.
  template <class Take>
  bool for_each_part(Header header, const std::byte* at, const Take& take) const;
  // Apart from the functions that call them, which they would make slower: for records of parts.
  [[gnu::noinline]] bool are_parts_of(Header header, const std::byte* at,
                                      std::span<const std::byte> state) const;
  [[gnu::noinline]] std::span<const std::byte> get_parts(Header header, const std::byte* content,
                                                         Cursor& cursor) const;
  // One without a code that is short enough. Returns its size in units.
  std::uint64_t write_long(Writer& writer, std::byte* to, std::span<const std::byte> state);
  bool has_base(const Writer& writer) const;
  // In pieces, or as a difference. False: it cannot.
  bool write_parts(Writer& writer, std::byte* to, std::span<const std::byte> state, std::uint64_t& units);
  void begin_piece(Writer& writer, std::uint64_t units);
  void begin_block(Writer& writer);
  void count_memory(Writer& writer);
  void follow_links(Cursor& cursor) const;
  // Of the record with this number; the cursor then stands behind it.
  const std::byte* find_record(StateIndex index, Cursor& cursor) const;

  ZeroedPages granules_;  // their addresses; a page of this array is there when it is needed
  StableArray<std::uint64_t, 12, 12> blocks_;  // position of the first record of each
  Shapes shapes_;
  Pieces pieces_of_states_;
  std::atomic<std::uint32_t> blocks_begun_ = 0;
  std::atomic<std::uint64_t> used_ = 0;  // units, counted now and then
  std::mutex mutex_;                     // guards the rest
  std::vector<ZeroedPages> pieces_;
  std::uint64_t granule_count_ = 0;
  const std::uint64_t most_blocks_;
};

}  // namespace spoor
