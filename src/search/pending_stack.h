// The successors that a depth-first search has generated and not yet followed.
//
// A stack: the successors of a state are pushed last first, so that they come off in their own
// order, and what lies beneath belongs to the states further up the path. A successor is taken off
// when it is followed, so a path on which every state has one successor needs no room here at all.
#pragma once

#include <cstdint>
#include <cstring>

#include "model/system.h"
#include "store/byte_space.h"
#include "store/chunked_vector.h"

namespace spoor {

class PendingStack {
 public:
  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t attempt = 0;
    Marks marks = 0;
    StateBytes bytes;  // valid until the next push
  };

  // Throws std::bad_alloc.
  void push(std::uint64_t key, std::uint32_t attempt, Marks marks, StateBytes bytes) {
    const std::uint64_t position = space_.place(end_, bytes.size());
    records_.push_back({key, position, marks, attempt, static_cast<std::uint32_t>(bytes.size())});
    if (!bytes.empty()) std::memcpy(space_.at(position), bytes.data(), bytes.size());
    end_ = position + bytes.size();
  }

  // REQUIRES: not empty.
  Entry pop() {
    const Record record = records_.back();
    records_.pop_back();
    end_ = record.position;
    return {record.key, record.attempt, record.marks, {space_.at(record.position), record.length}};
  }

  bool empty() const { return records_.empty(); }
  std::uint64_t memory_bytes() const { return space_.memory_bytes() + records_.memory_bytes(); }

 private:
  struct Record {
    std::uint64_t key;
    std::uint64_t position;
    Marks marks;
    std::uint32_t attempt;
    std::uint32_t length;
  };

  ByteSpace space_;
  std::uint64_t end_ = 0;
  ChunkedVector<Record> records_;
};

}  // namespace spoor
