#include "exec/state_evaluator.h"

namespace spoor::exec {

void StateEvaluator::load(std::span<const std::byte> state) {
  if (!view_.load(state)) return;
  first_channel_.clear();
  auto next = static_cast<std::uint32_t>(machine_.program().channels.size() + 1);
  for (int pid = 0; pid < view_.process_count(); ++pid) {
    first_channel_.push_back(next);
    next += static_cast<std::uint32_t>(view_.process(pid).channels.size());
  }
}

}  // namespace spoor::exec
