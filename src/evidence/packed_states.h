// The states of a recording, by number, in few bytes.
//
// A state is kept as the exact store keeps it: as a code of the bits in which states differ (store/shape.h),
// or whole. What a search leaves in its store is copied from there code by code, which is a fraction of the
// cost of decoding; states that come otherwise are encoded here.
//
// States that were found one after the other are alike. So of a code only the bytes are kept that differ from
// the code before, and a bit for each byte that says whether it does: 6 bytes instead of 16, which also take
// less time to be compressed. One instruction (pext) brings the bytes that differ together, eight at a time.
//
// Numbers may have gaps: several threads number states in blocks, and each leaves its last block unfinished.
//
// Codes follow each other in the order of numbers. Every eighth is complete, and its place is known; a reader
// goes on from there, or from where it was. (Of every 16th: the codes that are passed over took a fifth of
// the time of a state that is looked up.)
//
// To find a state among them by its bytes it is encoded once, and its code compared with theirs. All states
// of one length have keys of the same kind, that of the newest shape; the few that were kept before it was
// known are decoded.
//
// Codes mean nothing to a processor that Shape cannot be used on; `read` then refuses what has any.
//
// Thread safety: reading, each thread with its own cursor. Tested by: tests/unit/test_recording.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evidence/chunks.h"
#include "model/expansion.h"
#include "store/shape.h"
#include "store/shapes.h"
#include "store/visited_set.h"

namespace spoor {

class PackedStates {
 public:
  using Words = std::array<std::uint64_t, Shape::kMostWords>;

  // Where the next state is, the code of the one before, and room for a state.
  struct Cursor {
    std::uint32_t next = UINT32_MAX;
    std::size_t chunk = 0, offset = 0;
    Words code = {};
    std::vector<std::byte> room;
  };

  PackedStates() = default;
  // Only to be written: chunks of codes are given away when they are complete, and no state can be read.
  explicit PackedStates(Chunks::Receiver receiver) : codes_(std::move(receiver)), is_kept_(false) {}
  // And the last one is.
  void give_rest() { codes_.give_rest(); }

  // All numbers are below this one.
  std::uint32_t bound() const { return bound_; }
  std::uint32_t size() const { return size_; }

  // The state with the next number. Throw std::bad_alloc.
  void add(StateBytes state);
  // The same for several, as a store keeps them.
  void add_kept(std::span<const KeptState> states);
  // There is no state with the next number.
  void add_gap();

  // Fast for the state behind the one that was read last. Empty: there is none with this number. The bytes
  // are valid until the next call. REQUIRES: it is below the bound.
  StateBytes get(std::uint32_t number, Cursor& cursor) const;

  // The same without decoding it: its code, in words of 8 bytes, which are those of the cursor.
  KeptState get_kept(std::uint32_t number, Cursor& cursor) const;

  // A state that is looked for: what is compared with recorded ones, so that these need not be decoded.
  struct Sought {
    StateBytes bytes;
    std::uint64_t key = 0;  // a hash, the same for equal states
    Shape::Code code;
  };
  void prepare(StateBytes bytes, Sought& sought) const;
  // The key of a state that was read last, by this cursor.
  std::uint64_t key(const KeptState& kept, Cursor& cursor) const;
  bool is_same(std::uint32_t number, const Sought& sought, Cursor& cursor) const;

  // Before `get` with this number, bring nearer what it reads: first the one, and when that has arrived, the
  // other. REQUIRES: as for get.
  void prefetch_place(std::uint32_t number) const { __builtin_prefetch(&places_[number / kBlock]); }
  void prefetch_code(std::uint32_t number) const { __builtin_prefetch(codes_.at(places_[number / kBlock])); }

  // For a file: the shapes, and codes in chunks.
  std::string shapes_text() const;
  const Chunks& codes() const { return codes_; }
  // Throw FramedFileError (kDamaged) where it is not what was written.
  void read_shapes(std::string_view text);
  void read_codes(std::string_view chunk);

  std::uint64_t memory_bytes() const {
    return codes_.memory_bytes() + places_.capacity() * sizeof(Chunks::Place);
  }

 private:
  static constexpr std::uint32_t kBlock = 8;
  // What an entry begins with: these, or twice the number of a shape and kFirstShape, and 1 for a difference
  // from the code before.
  static constexpr std::uint64_t kGap = 0, kWhole = 1, kFirstShape = 2;
  static constexpr std::uint32_t kNoShape = UINT32_MAX;

  std::uint8_t* begin_entry(std::size_t bytes);
  void end_entry(std::uint8_t* end);
  // Codes of one shape, which has this number here.
  void add_codes(std::uint32_t number, std::span<const KeptState> codes);
  std::uint32_t number_of(const Shape& foreign);
  // In which keys of states of this length are made; null: they are hashes of their bytes.
  const Shape* keyed_by(std::size_t length) const {
    return length < keyed_by_.size() ? keyed_by_[length] : nullptr;
  }
  // Our number of a shape with these bits.
  std::uint32_t add_shape(std::vector<std::byte> base, std::vector<std::byte> varying);

  struct OwnShape {
    std::vector<std::byte> base, varying;
    std::unique_ptr<const Shape> shape;
  };
  std::vector<OwnShape> shapes_;
  std::map<std::size_t, std::uint32_t> newest_;  // by length
  std::vector<const Shape*> keyed_by_;           // by length: the newest, where it has short codes; else null
  std::map<const Shape*, std::uint32_t> numbers_of_foreign_;  // of shapes that stores have
  const Shape* last_foreign_ = nullptr;                       // the one that number_of had last
  std::uint32_t last_number_ = 0;
  std::unique_ptr<Shapes> learner_;  // from states that do not fit
  Chunks codes_;
  bool is_kept_ = true;
  std::vector<Chunks::Place> places_;  // of the first state of each block
  // Of the state that was added last, where it is in the same block and has a code.
  std::uint32_t shape_before_ = kNoShape;
  Words code_before_ = {};
  std::uint32_t shape_read_ = kNoShape;  // the same of the last one in the chunks that were read
  std::uint32_t bound_ = 0, size_ = 0;
};

}  // namespace spoor
