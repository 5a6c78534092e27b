// The successors that a depth-first search has generated and not yet followed.
//
// A stack: the successors of a state are pushed last first, so that they come off in their own
// order, and what lies beneath belongs to the states further up the path. A successor is taken off
// when it is followed, so a path on which every state has one successor needs no room here at all.
#pragma once

#include <cstdint>
#include <cstring>
#include <new>

#include "model/system.h"
#include "store/byte_space.h"
#include "store/chunked_vector.h"

namespace spoor {

class PendingStack {
 public:
  struct Entry {
    std::uint64_t key = 0;
    StepId step;
    Marks marks = 0;
    StateBytes bytes;  // valid until the next push
  };

  // Throws std::bad_alloc.
  void push(std::uint64_t key, StepId step, Marks marks, StateBytes bytes) {
    const std::uint64_t position = space_.place(end_, bytes.size());
    if ((position >> kPositionBits | bytes.size() >> kLengthBits) != 0) throw std::bad_alloc();
    records_.push_back({key, marks, step, position << kLengthBits | bytes.size()});
    if (!bytes.empty()) std::memcpy(space_.at(position), bytes.data(), bytes.size());
    end_ = position + bytes.size();
  }

  // REQUIRES: not empty.
  Entry pop() {
    const Record record = records_.back();
    records_.pop_back();
    end_ = record.place >> kLengthBits;
    return {record.key, record.step, record.marks, {space_.at(end_), record.place & kLengthMask}};
  }

  bool empty() const { return records_.empty(); }
  std::uint64_t memory_bytes() const { return space_.memory_bytes() + records_.memory_bytes(); }

 private:
  struct Record {
    std::uint64_t key;
    Marks marks;
    StepId step;
    std::uint64_t place;  // position and length
  };
  static constexpr unsigned kPositionBits = 38;
  static constexpr unsigned kLengthBits = 64 - kPositionBits;
  static constexpr std::uint64_t kLengthMask = (std::uint64_t{1} << kLengthBits) - 1;

  ByteSpace space_;
  std::uint64_t end_ = 0;
  ChunkedVector<Record> records_;
};

}  // namespace spoor
