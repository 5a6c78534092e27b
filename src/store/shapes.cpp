#include "store/shapes.h"

#include <algorithm>

namespace spoor {

bool Shapes::learn_bits(std::span<const std::byte> state, std::uint64_t states) {
  if (!Shape::can_be_used()) return false;
  const std::lock_guard lock(mutex_);
  if (shapes_.size() == kMost) return false;
  Learned& learned = learned_[state.size()];
  if (learned.is_given_up) return false;
  if (learned.base.empty()) {
    learned.base.assign(state.begin(), state.end());
    learned.varying.resize(state.size());
    bytes_.fetch_add(sizeof learned + 2 * state.size(), std::memory_order_relaxed);
  }
  for (std::size_t i = 0; i < state.size(); ++i) learned.varying[i] |= learned.base[i] ^ state[i];
  const std::uint64_t share = std::max(kEnough, states / kEnoughOfAll);
  if (++learned.count < std::min(share, kEnough << std::min(learned.shapes, 32u))) return true;
  learned.count = 0;
  const auto number = static_cast<std::uint32_t>(shapes_.size());
  auto shape = std::make_unique<const Shape>(number, learned.base, learned.varying);
  if (state.size() >= kShortestLong && shape->code_bytes() > kLongestCode) {
    bytes_.fetch_sub(2 * state.size(), std::memory_order_relaxed);
    learned = {};
    learned.is_given_up = true;
    return false;
  }
  ++learned.shapes;
  bytes_.fetch_add(shape->memory_bytes(), std::memory_order_relaxed);
  shapes_.push_back(std::move(shape));
  numbered_[number].store(shapes_.back().get(), std::memory_order_relaxed);
  newest_[state.size()].store(shapes_.back().get(), std::memory_order_release);
  return true;
}

}  // namespace spoor
