// In how many bits a state differs from a given one, as HSF-SPIN has it for making a known trace shorter: the
// given state is the one at the end of the trace.
//
// Only states of the same length are compared bit by bit; bytes that one of the two has not count in full.
//
// Tested by: tests/unit/test_shorten.cpp
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/guidance.h"

namespace spoor {

class HammingDistance : public Heuristic {
 public:
  explicit HammingDistance(std::vector<std::byte> goal) : goal_(std::move(goal)) {}

  std::uint32_t estimate(StateBytes state, const Expansion&) override {
    const std::size_t common = std::min(state.size(), goal_.size());
    std::size_t bits = 8 * (std::max(state.size(), goal_.size()) - common);
    for (std::size_t i = 0; i < common; ++i)
      bits += static_cast<std::size_t>(std::popcount(std::to_integer<unsigned>(state[i] ^ goal_[i])));
    return static_cast<std::uint32_t>(std::min<std::size_t>(bits, kFar));
  }

 private:
  const std::vector<std::byte> goal_;
};

}  // namespace spoor
