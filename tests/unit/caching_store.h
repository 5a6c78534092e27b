// A store of a fixed number of states, which forgets one where there is no room for another: the smallest
// that a search can be tested with for VisitedSet::kForgetsStates.
//
// Which state is forgotten is random among those that are not pinned. An index that is free or was given up
// is used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/hash.h"
#include "store/visited_set.h"

namespace spoor {

class CachingStore {
 public:
  static constexpr bool kConfusesStates = false;
  static constexpr bool kForgetsStates = true;
  static constexpr bool kKeepsBytes = true;
  static constexpr bool kNamesStates = true;
  static constexpr bool kIsShared = false;
  using DecodeBuffer = NoDecodeBuffer;
  struct Writer {};

  // For comparisons.
  static std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  // How many states fit; of a store that a search makes.
  static inline std::size_t capacity = 8;

  static void enter() {}
  static void leave() {}
  static void safe_point() {}

  static std::uint64_t key(std::span<const std::byte> state) { return hash_bytes(state); }
  void prefetch(std::uint64_t) const {}
  std::uint64_t prefetch_state(std::uint64_t) const { return 0; }

  Insertion insert(Writer&, std::uint64_t, std::span<const std::byte> bytes, std::uint64_t = 0) {
    const std::string text = text_of(bytes);
    if (const auto known = index_of_.find(text); known != index_of_.end()) return {known->second, 0};
    const StateIndex index = make_room();
    index_of_.emplace(text, index);
    states_[index] = {{bytes.begin(), bytes.end()}, false};
    return {index, 1};
  }
  std::span<const std::byte> get(StateIndex index, DecodeBuffer&) const { return states_.at(index).bytes; }
  bool is_state(StateIndex index, std::span<const std::byte> bytes) const {
    return text_of(bytes) == text_of(states_.at(index).bytes);
  }

  void pin(StateIndex index) {
    if (states_.at(index).is_pinned) throw std::logic_error("pinned twice");
    states_[index].is_pinned = true;
    ++pinned_;
  }
  void unpin(StateIndex index) {
    if (!states_.at(index).is_pinned) throw std::logic_error("not pinned");
    states_[index].is_pinned = false;
    --pinned_;
  }

  IndexRange vacant(const Writer&) const { return {}; }
  std::uint64_t index_bound() const { return states_.size(); }
  std::uint64_t size() const { return index_of_.size(); }
  std::uint64_t memory_bytes() const { return states_.size(); }

 private:
  struct Kept {
    std::vector<std::byte> bytes;
    bool is_pinned = false;
  };

  StateIndex make_room() {
    if (states_.size() < capacity) {
      states_.emplace_back();
      return static_cast<StateIndex>(states_.size() - 1);
    }
    if (pinned_ == states_.size()) throw std::bad_alloc();
    for (;;) {
      const auto index = static_cast<StateIndex>(random_() % states_.size());
      if (states_[index].is_pinned) continue;
      index_of_.erase(text_of(states_[index].bytes));
      return index;
    }
  }

  std::map<std::string, StateIndex> index_of_;
  std::vector<Kept> states_;
  std::size_t pinned_ = 0;
  std::mt19937 random_{1};
};

static_assert(VisitedSet<CachingStore> && !RememberingSet<CachingStore>);

}  // namespace spoor
