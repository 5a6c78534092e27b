// Sets of executed statements, each once.
//
// An expansion marks the statements that it executes with flags, one per statement. An observer that wants to
// know this per state gets the number of a set: there are few different sets, because what a state executes
// depends on its locations and little else.
//
// Cost: per state one pass over the flags, and a hash of them. Tested by: tests/unit/test_observer.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/hash.h"

namespace spoor {

class ExecutedSets {
 public:
  // The number of the set that these flags describe; `add` is called with a set that is new.
  template <class Add>
  std::uint32_t number_of(std::span<const std::uint8_t> flags, const Add& add) {
    const std::uint64_t hash = hash_bytes(std::as_bytes(flags));
    for (auto [at, end] = numbers_.equal_range(hash); at != end; ++at) {
      if (is_set(at->second, flags)) return at->second;
    }
    const auto number = static_cast<std::uint32_t>(ends_.size());
    for (std::uint32_t i = 0; i < flags.size(); ++i) {
      if (flags[i] != 0) statements_.push_back(i);
    }
    ends_.push_back(statements_.size());
    numbers_.emplace(hash, number);
    add((*this)[number]);
    return number;
  }

  std::span<const std::uint32_t> operator[](std::uint32_t number) const {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::span(statements_).subspan(begin, ends_[number] - begin);
  }

  std::uint64_t memory_bytes() const {
    constexpr std::uint64_t kNode = 48;
    return statements_.capacity() * sizeof(std::uint32_t) + ends_.capacity() * sizeof(std::size_t) +
           numbers_.size() * kNode;
  }

 private:
  bool is_set(std::uint32_t number, std::span<const std::uint8_t> flags) const {
    const std::span<const std::uint32_t> set = (*this)[number];
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < flags.size(); ++i) {
      if (flags[i] == 0) continue;
      if (at == set.size() || set[at] != i) return false;
      ++at;
    }
    return at == set.size();
  }

  std::vector<std::uint32_t> statements_;  // of all sets, one behind the other
  std::vector<std::size_t> ends_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> numbers_;  // by hash
};

}  // namespace spoor
