// The keys of the states on a path, and where on it each of them is.
//
// A path grows and shrinks at its end only. So the table needs no marks for what was removed: a key is
// taken out when all that came after it are gone, and no other key was ever placed beyond it because of it.
// When the table grows, keys are placed anew in the order of the path, and that stays true.
//
// Invariants:
//   1. Slots hold 0 or a place on the path + 1; at most half of them are used.
//   2. A key is in the first slot from its home on that was free when it came.
//
// Cost: 16 to 24 bytes per state on the longest path.
// Tested by: tests/unit/test_cycles.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "store/chunked_vector.h"

namespace spoor {

class PathKeys {
 public:
  std::size_t size() const { return keys_.size(); }

  // REQUIRES: the key is not there. Throws std::bad_alloc, and is then unchanged.
  void push(std::uint64_t key) {
    if (2 * (keys_.size() + 1) > slots_.size()) grow();
    keys_.push_back(key);
    slots_[slot_of(key)] = static_cast<std::uint32_t>(keys_.size());
  }
  void pop() {
    slots_[slot_of(keys_.back())] = 0;
    keys_.pop_back();
  }

  // How many states come before this one.
  std::optional<std::size_t> find(std::uint64_t key) const {
    if (slots_.empty()) return std::nullopt;
    const std::uint32_t place = slots_[slot_of(key)];
    return place == 0 ? std::nullopt : std::optional<std::size_t>(place - 1);
  }

  std::uint64_t memory_bytes() const {
    return keys_.memory_bytes() + slots_.capacity() * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::size_t kFewest = 64;

  // Where the key is, or would be.
  std::size_t slot_of(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (key ^ key >> 32) & mask;
    while (slots_[at] != 0 && keys_[slots_[at] - 1] != key) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<std::uint32_t> larger(slots_.empty() ? kFewest : 2 * slots_.size());
    slots_.swap(larger);
    for (std::size_t i = 0; i < keys_.size(); ++i)
      slots_[slot_of(keys_[i])] = static_cast<std::uint32_t>(i + 1);
  }

  ChunkedVector<std::uint64_t> keys_;
  std::vector<std::uint32_t> slots_;  // a power of two of them
};

}  // namespace spoor
