#include "store/shapes.h"

#include <algorithm>

namespace spoor {

void Shapes::learn(std::span<const std::byte> state, std::uint64_t states) {
  if (state.size() < Shape::kShortest || state.size() > Shape::kLongest || !Shape::can_be_used()) return;
  const std::lock_guard lock(mutex_);
  if (shapes_.size() == kMost) return;
  Learned& learned = learned_[state.size()];
  if (learned.base.empty()) {
    learned.base.assign(state.begin(), state.end());
    learned.varying.resize(state.size());
  }
  for (std::size_t i = 0; i < state.size(); ++i) learned.varying[i] |= learned.base[i] ^ state[i];
  if (++learned.count < std::max(kEnough, states / kEnoughOfAll)) return;
  learned.count = 0;
  const auto number = static_cast<std::uint32_t>(shapes_.size());
  shapes_.push_back(std::make_unique<const Shape>(number, learned.base, learned.varying));
  numbered_[number].store(shapes_.back().get(), std::memory_order_relaxed);
  newest_[state.size()].store(shapes_.back().get(), std::memory_order_release);
}

}  // namespace spoor
