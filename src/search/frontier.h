// Where a breadth-first search gets the bytes of the states from that it is about to expand.
//
// States are expanded in the order of their numbers, each once. A store that keeps the bytes gives
// them back (StoredFrontier). For one that does not, a queue keeps them from when a state is found
// until it is expanded (QueuedFrontier): chunks of a megabyte, filled at the end, given back at the
// front. At its longest the queue holds about one level of the search.
//
// Tested by: tests/unit/test_search.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <type_traits>

#include "model/system.h"
#include "store/pages.h"
#include "store/visited_set.h"

namespace spoor {

template <VisitedSet Store>
class StoredFrontier {
 public:
  void add(StateBytes) {}
  StateBytes take(const Store& store, StateIndex state) { return store.get(state, room_); }
  // Of the state taken last.
  const typename Store::Room& room() const { return room_; }
  std::uint64_t memory_bytes() const { return room_.memory_bytes(); }

 private:
  typename Store::Room room_;
};

template <VisitedSet Store>
class QueuedFrontier {
 public:
  // Throws std::bad_alloc, and is then unchanged.
  void add(StateBytes bytes) {
    const auto length = static_cast<std::uint32_t>(bytes.size());
    if (chunks_.empty() || chunks_.back().size() - end_ < sizeof length + bytes.size()) {
      chunks_.emplace_back(std::max(kChunk, sizeof length + bytes.size()));
      bytes_ += chunks_.back().size();
      if (chunks_.size() > 1) ends_.push_back(end_);
      end_ = 0;
    }
    std::byte* const at = chunks_.back().data() + end_;
    std::memcpy(at, &length, sizeof length);
    if (length != 0) std::memcpy(at + sizeof length, bytes.data(), length);
    end_ += sizeof length + length;
  }

  // The oldest state; its bytes stay valid until the next is taken. REQUIRES: there is one.
  StateBytes take(const Store&, StateIndex) {
    if (!ends_.empty() && begin_ == ends_.front()) {
      bytes_ -= chunks_.front().size();
      chunks_.pop_front();
      ends_.pop_front();
      begin_ = 0;
    }
    const std::byte* const at = chunks_.front().data() + begin_;
    std::uint32_t length;
    std::memcpy(&length, at, sizeof length);
    begin_ += sizeof length + length;
    return {at + sizeof length, length};
  }

  const typename Store::Room& room() const { return room_; }
  // The rest of the last chunk was never touched and costs nothing.
  std::uint64_t memory_bytes() const {
    return chunks_.empty() ? 0 : bytes_ - chunks_.back().size() + end_;
  }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 20;

  std::deque<ZeroedPages> chunks_;
  std::deque<std::size_t> ends_;  // of all chunks but the last: how much of them is used
  std::size_t begin_ = 0;         // in the first chunk
  std::size_t end_ = 0;           // in the last
  std::uint64_t bytes_ = 0;
  [[no_unique_address]] typename Store::Room room_;
};

template <VisitedSet Store>
using Frontier =
    std::conditional_t<Store::kKeepsBytes, StoredFrontier<Store>, QueuedFrontier<Store>>;

}  // namespace spoor
