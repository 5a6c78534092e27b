#include "evidence/touched_states.h"

#include <algorithm>
#include <bit>

namespace spoor {
namespace {

// The byte whose varying bits are these, one behind the other.
std::uint32_t byte_with(const Shape::BytePlace& place, std::uint64_t bits) {
  std::uint32_t byte = place.base;
  for (std::uint32_t bit = 1; bit < 256; bit <<= 1) {
    if ((place.varying & bit) == 0) continue;
    byte |= (bits & 1) != 0 ? bit : 0;
    bits >>= 1;
  }
  return byte;
}

unsigned count(const Shape::BytePlace& place) { return static_cast<unsigned>(std::popcount(place.varying)); }
std::uint64_t mask(const Shape::BytePlace& place) { return (std::uint64_t{1} << count(place)) - 1; }

}  // namespace

bool TouchedStates::has(StateBytes state) {
  sets_.clear();
  system_.element_sets_of(state, sets_);
  return std::ranges::any_of(sets_, [&](std::uint32_t set) { return is_dangerous_[set]; });
}

StateBytes TouchedStates::decoded(const KeptState& state) {
  room_.resize(state.shape->length());
  state.shape->unpack(state.bytes.data(), room_.data());
  return room_;
}

void TouchedStates::use(const Shape& shape) {
  const auto [found, is_new] = plans_.try_emplace(&shape);
  if (is_new && !make_plan(shape, found->second)) found->second = {};
  last_shape_ = &shape;
  last_ = found->second.places.empty() ? nullptr : &found->second;
}

// A number that is no set is taken for touched: then the state is looked at.
bool TouchedStates::is_dangerous_at(std::span<const std::uint32_t> sets, std::uint32_t number) const {
  if (number >= sets.size()) return true;
  return sets[number] >= is_dangerous_.size() || is_dangerous_[sets[number]];
}

bool TouchedStates::make_plan(const Shape& shape, Plan& plan) const {
  std::vector<std::byte> like(shape.length());
  const std::vector<std::uint64_t> zeros(shape.code_words());
  shape.unpack(reinterpret_cast<const std::byte*>(zeros.data()), like.data());
  const auto found = system_.set_places(like);
  if (!found) return false;
  const auto varies = [&](std::uint32_t offset) { return shape.place_of_byte(offset).varying != 0; };
  if (std::ranges::any_of(found->structure, varies)) return false;
  for (const TransitionSystem::SetPlace& at : found->places) {
    if (at.bytes > 2) return false;
    const Shape::BytePlace lower = shape.place_of_byte(at.offset);
    const Shape::BytePlace upper = at.bytes == 2 ? shape.place_of_byte(at.offset + 1) : Shape::BytePlace();
    Place place;
    place.word = lower.word;
    place.shift = lower.shift;
    place.bits = mask(lower);
    place.upper_word = upper.word;
    place.upper_shift = upper.shift;
    place.upper_bits = mask(upper);
    place.lower_count = count(lower);
    place.table = static_cast<std::uint32_t>(plan.tables.size());
    const std::uint64_t most = std::uint64_t{1} << (count(lower) + count(upper));
    bool is_any = false;
    for (std::uint64_t bits = 0; bits < most; ++bits) {
      const std::uint32_t number =
          byte_with(lower, bits & place.bits) | byte_with(upper, bits >> place.lower_count) << 8;
      plan.tables.push_back(is_dangerous_at(at.sets, number) ? 1 : 0);
      is_any |= plan.tables.back() != 0;
    }
    if (is_any) plan.places.push_back(place);
  }
  // Without any place nothing is touched: one is asked, and says so.
  if (plan.places.empty()) {
    plan.tables.assign(1, 0);
    plan.places.emplace_back();
  }
  return true;
}

}  // namespace spoor
