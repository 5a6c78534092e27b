// Sets of executed statements, each once.
//
// An expansion marks the statements that it executes with flags, one per statement. An observer that wants to
// know this per state gets the number of a set: there are few different sets, because what a state executes
// depends on its locations and little else.
//
// Cost: per state one pass over the flags, and a hash of them. Tested by: tests/unit/test_observer.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"

namespace spoor {

class ExecutedSets {
 public:
  // The number of the set that these flags describe; `add` is called with a set that is new.
  template <class Add>
  std::uint32_t number_of(std::span<const std::uint8_t> flags, const Add& add) {
    if (sets_.size() * 2 >= slots_.size()) grow();
    const std::uint64_t hash = hash_bytes(std::as_bytes(flags));
    for (std::size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[at];
      if (slot.number == kNone) {
        slot = {hash, static_cast<std::uint32_t>(sets_.size())};
        add_set(flags);
        add((*this)[slot.number]);
        return slot.number;
      }
      if (slot.hash == hash &&
          equal_bytes(std::as_bytes(std::span(sets_[slot.number].flags)), std::as_bytes(flags)))
        return slot.number;
    }
  }

  std::span<const std::uint32_t> operator[](std::uint32_t number) const { return sets_[number].statements; }

  std::uint32_t size() const { return static_cast<std::uint32_t>(sets_.size()); }

  std::uint64_t memory_bytes() const { return bytes_ + slots_.capacity() * sizeof(Slot); }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t number = kNone;
  };
  struct Set {
    std::vector<std::uint8_t> flags;
    std::vector<std::uint32_t> statements;
  };

  void add_set(std::span<const std::uint8_t> flags) {
    Set& set = sets_.emplace_back();
    set.flags.assign(flags.begin(), flags.end());
    for (std::uint32_t i = 0; i < flags.size(); ++i) {
      if (flags[i] != 0) set.statements.push_back(i);
    }
    bytes_ += sizeof(Set) + set.flags.capacity() + set.statements.capacity() * sizeof(std::uint32_t);
  }
  void grow() {
    constexpr std::size_t kFirst = 64;
    std::vector<Slot> larger(std::max(kFirst, 2 * slots_.size()));
    for (const Slot& slot : slots_) {
      if (slot.number == kNone) continue;
      std::size_t at = slot.hash & (larger.size() - 1);
      while (larger[at].number != kNone) at = (at + 1) & (larger.size() - 1);
      larger[at] = slot;
    }
    slots_ = std::move(larger);
  }

  std::vector<Set> sets_;
  std::vector<Slot> slots_;  // by hash; at most half of them are used
  std::uint64_t bytes_ = 0;
};

}  // namespace spoor
