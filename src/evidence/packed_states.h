// The states of a recording, by number, in few bytes.
//
// A state is kept as the exact store keeps it: as a code of the bits in which states differ (store/shape.h),
// or whole. What a search leaves in its store is copied from there code by code, which is a fraction of the
// cost of decoding; states that come otherwise are encoded here.
//
// Numbers may have gaps: several threads number states in blocks, and each leaves its last block unfinished.
//
// Codes follow each other in the order of numbers. The place of every 16th is known; a reader goes on from
// there, or from where it was.
//
// Codes mean nothing to a processor that Shape cannot be used on; `read` then refuses what has any.
//
// Thread safety: reading, each thread with its own cursor. Tested by: tests/unit/test_recording.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/chunks.h"
#include "model/expansion.h"
#include "store/shapes.h"

namespace spoor {

class PackedStates {
 public:
  // Where the next state is, and room for one.
  struct Cursor {
    std::uint32_t next = UINT32_MAX;
    std::size_t chunk = 0, offset = 0;
    std::vector<std::byte> room;
  };

  // All numbers are below this one.
  std::uint32_t bound() const { return bound_; }
  std::uint32_t size() const { return size_; }

  // The state with the next number. Throw std::bad_alloc.
  void add(StateBytes state);
  // The same, where the state has this code in a store.
  void add_code(const Shape& shape, const std::byte* code);
  // There is no state with the next number.
  void add_gap();

  // Fast for the state behind the one that was read last. Empty: there is none with this number. The bytes
  // are valid until the next call. REQUIRES: it is below the bound.
  StateBytes get(std::uint32_t number, Cursor& cursor) const;

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
  static constexpr std::uint32_t kBlock = 16;
  // What an entry begins with: these, or the number of a shape and kFirstShape.
  static constexpr std::uint64_t kGap = 0, kWhole = 1, kFirstShape = 2;

  std::uint8_t* begin_entry(std::size_t bytes);
  void end_entry(std::uint8_t* end);
  // Our number of a shape with these bits.
  std::uint32_t add_shape(std::vector<std::byte> base, std::vector<std::byte> varying);

  struct OwnShape {
    std::vector<std::byte> base, varying;
    std::unique_ptr<const Shape> shape;
  };
  std::vector<OwnShape> shapes_;
  std::map<std::size_t, std::uint32_t> newest_;               // by length
  std::map<const Shape*, std::uint32_t> numbers_of_foreign_;  // of shapes that stores have
  const Shape* last_foreign_ = nullptr;                       // the one that add_code had last
  std::uint32_t last_number_ = 0;
  std::unique_ptr<Shapes> learner_;  // from states that do not fit
  Chunks codes_;
  std::vector<Chunks::Place> places_;
  std::uint32_t bound_ = 0, size_ = 0;
};

}  // namespace spoor
