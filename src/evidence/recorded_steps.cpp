#include "evidence/recorded_steps.h"

namespace spoor {

void RecordedSteps::add(std::uint32_t number, const RecordedState& state) {
  if (number >= places_.size()) places_.resize(number + std::size_t{1}, kNowhere);
  if (!state.is_of_use()) {
    places_[number] = kNowhere;
    return;
  }
  std::uint8_t* to = entries_.begin_entry((6 + state.targets.size() + state.tried.size()) * kMostNumberBytes);
  places_[number] = entries_.place_of(to);
  const bool is_twice = state.is(RecordedState::kTwice);
  const std::uint64_t bits = (state.is(RecordedState::kReduced) ? kReduced : 0) |
                             (state.inner_steps != 0 ? kHasInner : 0) | (is_twice ? kTwice : 0);
  to = put_at(to, state.targets.size() * kBits + bits);
  to = put_at(to, state.executed);
  if (state.inner_steps != 0) to = put_at(to, state.inner_steps);
  for (const std::uint32_t target : state.targets)
    to = put_signed_at(to, std::int64_t{target} - std::int64_t{number});
  if (is_twice) {
    to = put_at(to, state.tried_executed);
    to = put_at(to, state.tried_inner_steps);
    to = put_at(to, state.tried.size());
    for (const std::uint32_t step : state.tried) to = put_at(to, step);
  }
  entries_.end_entry(to);
}

bool RecordedSteps::executes_only(std::uint32_t number, const std::vector<bool>& sets) const {
  const Place place = (*this)[number];
  if (place == kNowhere) return false;
  const std::uint8_t* at = entries_.at(place);
  const Head head = read_head(at);
  if ((head.flags & RecordedState::kTwice) == 0) [[likely]]
    return sets[head.executed];
  for (std::uint64_t left = head.steps; left > 0; --left) number_at(at);
  return sets[head.executed] && sets[number_at(at)];
}

void RecordedSteps::read(std::uint32_t number, RecordedState& state) const {
  const std::uint8_t* at = entries_.at(places_[number]);
  const Head head = read_head(at);
  state.flags = head.flags;
  state.executed = state.tried_executed = head.executed;
  state.inner_steps = state.tried_inner_steps = head.inner_steps;
  state.targets.clear();
  state.tried.clear();
  for (std::uint64_t left = head.steps; left > 0; --left)
    state.targets.push_back(number + static_cast<std::uint32_t>(signed_number_at(at)));
  if (!state.is(RecordedState::kTwice)) return;
  state.tried_executed = static_cast<std::uint32_t>(number_at(at));
  state.tried_inner_steps = number_at(at);
  for (std::uint64_t left = number_at(at); left > 0; --left)
    state.tried.push_back(static_cast<std::uint32_t>(number_at(at)));
}

}  // namespace spoor
