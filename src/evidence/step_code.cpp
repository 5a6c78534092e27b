#include "evidence/step_code.h"

namespace spoor {

void StepEncoder::add(std::uint32_t number, const RecordedState& state) {
  const RecordedSteps::Head head = {state.targets.size(), state.flags, state.executed, state.inner_steps};
  std::uint8_t* to = begin(number, head, (3 + state.tried.size()) * kMostNumberBytes);
  to = put_targets(to, head.steps, [&](std::uint64_t i) { return state.targets[i]; });
  if (state.is(RecordedState::kTwice)) {
    to = put_at(to, state.tried_executed);
    to = put_at(to, state.tried_inner_steps);
    to = put_at(to, state.tried.size());
    std::uint32_t next = 0;
    for (const std::uint32_t step : state.tried) {
      to = put_at(to, step - next);
      next = step + 1;
    }
  }
  chunks_.end_entry(to);
}

bool StepDecoder::next(std::uint32_t& number, RecordedState& state) {
  if (reader_.is_at_end()) return false;
  const std::uint64_t first = reader_.number();
  const std::uint64_t steps = first / kBits;
  if (steps > reader_.rest().size() || (is_first_ && (first & kNext) != 0)) throw_damaged();
  const std::uint64_t distance =
      (first & kNext) != 0 ? 1 : static_cast<std::uint64_t>(reader_.signed_number());
  number_ = number = below(number_ + distance, bound_);
  if (is_first_) begin_chunk(number);
  is_first_ = false;

  state.flags = RecordedState::kExpanded | ((first & kReduced) != 0 ? RecordedState::kReduced : 0);
  if ((first & kHasFlags) != 0) state.flags = reader_.byte();
  state.executed = state.tried_executed = below(reader_.number(), sets_);
  state.inner_steps = state.tried_inner_steps = (first & kHasInner) != 0 ? reader_.number() : 0;
  state.targets.resize(steps);
  for (std::uint64_t i = 0; i < steps; ++i) {
    const std::uint64_t code = reader_.number();
    const std::uint64_t zigzag = code - 1;
    const std::uint64_t target =
        code == 0 ? std::uint64_t{newest_} + 1 : target_before(i) + (zigzag >> 1 ^ -(zigzag & 1));
    state.targets[i] = below(target, bound_);
    remember(i, state.targets[i]);
  }
  state.tried.clear();
  if (!state.is(RecordedState::kTwice)) return true;
  state.tried_executed = below(reader_.number(), sets_);
  state.tried_inner_steps = reader_.number();
  std::uint64_t next = 0;
  for (std::uint64_t left = reader_.count(); left > 0; --left) {
    const std::uint64_t skipped = reader_.number();
    if (skipped >= steps - next) throw_damaged();
    state.tried.push_back(static_cast<std::uint32_t>(next + skipped));
    next += skipped + 1;
  }
  return true;
}

}  // namespace spoor
