// How often states are referred to, by their numbers: small numbers nearly always, a byte each.
//
// Tested by: tests/unit/test_visited_certificate.cpp, tests/unit/test_certificate.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "store/visited_set.h"

namespace spoor {

class ReferenceCounts {
 public:
  void add(StateNumber number) {
    if (number >= low_.size()) [[unlikely]]
      low_.resize(std::max<std::size_t>(std::size_t{number} + 1, 2 * low_.size()));
    if (++low_[number] == 0) [[unlikely]]
      ++high_[number];
  }
  // Adds those of another worker.
  void add(const ReferenceCounts& other) {
    if (low_.size() < other.low_.size()) low_.resize(other.low_.size());
    for (std::size_t i = 0; i < other.low_.size(); ++i) {
      low_[i] = static_cast<std::uint8_t>(low_[i] + other.low_[i]);
      if (low_[i] < other.low_[i]) ++high_[static_cast<StateNumber>(i)];
    }
    for (const auto& [number, count] : other.high_) high_[number] += count;
  }
  std::uint64_t operator[](StateNumber number) const {
    if (number >= low_.size()) return 0;
    const auto high = high_.find(number);
    return low_[number] + (high == high_.end() ? 0 : std::uint64_t{high->second} << 8);
  }
  std::uint64_t memory_bytes() const { return low_.capacity() + high_.size() * kEntryBytes; }

 private:
  static constexpr std::uint64_t kEntryBytes = 40;  // of the map, about

  std::vector<std::uint8_t> low_;
  std::unordered_map<StateNumber, std::uint64_t> high_;  // what does not fit
};

}  // namespace spoor
