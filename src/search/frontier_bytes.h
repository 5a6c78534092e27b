// Where a breadth-first search gets the bytes of the states from that it is about to expand.
//
// The states of a unit of work are expanded in the order of their numbers, each once. A store that
// keeps the bytes gives them back (StoredFrontier). For one that does not, a queue of the worker that
// finds a state keeps them until the state is expanded by any worker (QueuedFrontier): chunks of a megabyte,
// filled one after the other. A unit says where in its finder's queue its bytes begin, and is all in
// one chunk. A chunk is given back when all its units were expanded and it is no longer being filled,
// so that at its longest the queue holds about one level of the search. A few that were given back are
// filled again: fresh memory from the system costs more than filling it.
//
// Invariants:
//   1. A chunk's `users` are its units that are not done yet, and the queue while it fills the chunk.
//   2. What belongs to units that are not done yet is neither moved nor written to.
//
// Thread safety: a frontier belongs to one worker. Chunks are read, and given back, by others;
// begin_level() only when no worker is at work.
// Tested by: tests/unit/test_search.cpp, tests/unit/test_search_threads.cpp
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/system.h"
#include "store/pages.h"
#include "store/visited_set.h"

namespace spoor {

template <VisitedSet Store>
class StoredFrontier {
 public:
  // Where the bytes of a unit are.
  struct Place {};

  void begin_level() {}
  Place add(StateBytes) { return {}; }
  static bool is_same_chunk(Place, Place) { return true; }
  static void begin_unit(Place) {}

  void open(Place) {}
  StateBytes take(const Store& store, StateIndex state) { return store.get(state, decode_buffer_); }
  static void close(Place) {}

  // The buffer that holds the state returned last.
  const typename Store::DecodeBuffer& room() const { return decode_buffer_; }
  std::uint64_t memory_bytes() const { return decode_buffer_.memory_bytes(); }

 private:
  typename Store::DecodeBuffer decode_buffer_;
};

template <VisitedSet Store>
class QueuedFrontier {
  struct Chunk {
    ZeroedPages memory;
    QueuedFrontier* owner;
    std::atomic<std::uint32_t> users = 1;
  };

 public:
  struct Place {
    Chunk* chunk = nullptr;
    std::size_t offset = 0;
  };

  QueuedFrontier() { spare_.reserve(kSpare); }
  QueuedFrontier(const QueuedFrontier&) = delete;
  QueuedFrontier& operator=(const QueuedFrontier&) = delete;

  void begin_level() {
    while (!chunks_.empty() && chunks_.front()->users.load(std::memory_order_relaxed) == 0) {
      chunks_.pop_front();
    }
  }

  // Keeps the bytes of a state, behind those that were added before it or in another chunk.
  // Throws std::bad_alloc, and is then unchanged.
  Place add(StateBytes bytes) {
    const auto length = static_cast<std::uint32_t>(bytes.size());
    if (filled_ == nullptr || filled_->memory.size() - end_ < sizeof length + length) {
      begin_chunk(sizeof length + length);
    }
    const Place place{filled_, end_};
    std::byte* const at = filled_->memory.data() + end_;
    std::memcpy(at, &length, sizeof length);
    if (length != 0) std::memcpy(at + sizeof length, bytes.data(), length);
    end_ += sizeof length + length;
    return place;
  }
  static bool is_same_chunk(const Place& a, const Place& b) { return a.chunk == b.chunk; }
  // A unit begins here, with a state that was just added.
  static void begin_unit(const Place& place) { place.chunk->users.fetch_add(1, std::memory_order_relaxed); }

  // The states of this unit are taken next, which another worker may have found; then it is done.
  void open(const Place& place) { next_ = place.chunk->memory.data() + place.offset; }
  // REQUIRES: the unit has another state.
  StateBytes take(const Store&, StateIndex) {
    std::uint32_t length;
    std::memcpy(&length, next_, sizeof length);
    const StateBytes bytes(next_ + sizeof length, length);
    next_ += sizeof length + length;
    return bytes;
  }
  static void close(const Place& place) { give_up(*place.chunk); }

  const typename Store::DecodeBuffer& room() const { return decode_buffer_; }
  // The rest of the chunk that is being filled was hardly ever touched and costs nothing.
  std::uint64_t memory_bytes() const { return bytes_.load(std::memory_order_relaxed) + end_; }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 20;
  static constexpr std::size_t kSpare = 2;

  static void give_up(Chunk& chunk) {
    if (chunk.users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    QueuedFrontier& owner = *chunk.owner;
    const std::lock_guard lock(owner.mutex_);
    if (chunk.memory.size() == kChunk && owner.spare_.size() < kSpare) {
      owner.spare_.push_back(std::move(chunk.memory));
    } else {
      owner.bytes_.fetch_sub(chunk.memory.size(), std::memory_order_relaxed);
      chunk.memory = ZeroedPages();
    }
  }

  // Throws std::bad_alloc.
  ZeroedPages take_memory(std::size_t needed) {
    if (needed <= kChunk) {
      const std::lock_guard lock(mutex_);
      if (!spare_.empty()) {
        ZeroedPages memory = std::move(spare_.back());
        spare_.pop_back();
        bytes_.fetch_sub(memory.size(), std::memory_order_relaxed);
        return memory;
      }
    }
    return ZeroedPages(std::max(kChunk, needed));
  }

  void begin_chunk(std::size_t needed) {
    auto fresh = std::make_unique<Chunk>();
    fresh->memory = take_memory(needed);
    fresh->owner = this;
    chunks_.push_back(std::move(fresh));
    if (filled_ != nullptr) {
      bytes_.fetch_add(filled_->memory.size(), std::memory_order_relaxed);
      give_up(*filled_);
    }
    filled_ = chunks_.back().get();
    end_ = 0;
  }

  std::deque<std::unique_ptr<Chunk>> chunks_;
  Chunk* filled_ = nullptr;               // the last one
  std::size_t end_ = 0;                   // in it
  std::atomic<std::uint64_t> bytes_ = 0;  // of the others, and of those that wait to be filled again
  std::mutex mutex_;                      // guards:
  std::vector<ZeroedPages> spare_;
  const std::byte* next_ = nullptr;  // to be taken
  [[no_unique_address]] typename Store::DecodeBuffer decode_buffer_;
};

template <VisitedSet Store>
using FrontierBytes = std::conditional_t<Store::kKeepsBytes, StoredFrontier<Store>, QueuedFrontier<Store>>;

}  // namespace spoor
