// Values in a state, for a caller that can do without an answer: a problem means that the value is unknown.
//
// The machine (machine.h) is the one evaluator of expressions; this asks it, drops its report where something
// goes wrong, and never lets it change the state: an expression that starts a process is unknown.
//
// Cost: a state is loaded into a StateView, which copies its bytes.
// Thread safety: none; each thread has its own.
// Tested by: tests/unit/test_state_evaluator.cpp, tests/suites/test_reduction.py
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "exec/machine.h"
#include "exec/state_view.h"
#include "promela/program.h"

namespace spoor::exec {

class StateEvaluator {
 public:
  // `machine` must outlive this.
  explicit StateEvaluator(const Machine& machine) : machine_(machine), view_(machine.program()) {
    context_.view = &view_;
    context_.is_question = true;
    context_.problems = &problems_;
  }
  StateEvaluator(const StateEvaluator&) = delete;  // the context refers to the view
  StateEvaluator& operator=(const StateEvaluator&) = delete;

  void load(std::span<const std::byte> state);
  const StateView& view() const { return view_; }
  // The number of the first channel that the process has of its own, or would have.
  std::uint32_t first_channel(int pid) const { return first_channel_[static_cast<std::size_t>(pid)]; }

  std::optional<std::int32_t> evaluate(promela::ExprId expr, int pid) {
    context_.pid = pid;
    const std::int32_t value = machine_.evaluate(expr, context_);
    return is_known() ? std::optional(value) : std::nullopt;
  }
  // Where the place is in the bytes of the state.
  std::optional<std::uint32_t> address(const promela::Place& place, int pid) {
    context_.pid = pid;
    std::uint32_t offset = 0;
    machine_.address(place, pid, context_, offset);
    return is_known() ? std::optional(offset) : std::nullopt;
  }
  struct Channel {
    std::uint32_t number = 0;
    const promela::ChannelType* type = nullptr;
    const StateView::Channel* place = nullptr;
  };
  // Nothing where no live channel has this number.
  std::optional<Channel> channel(std::int32_t value) const {
    const auto number = static_cast<std::uint32_t>(value);
    if (number == 0 || number > view_.channels().size()) return std::nullopt;
    const StateView::Channel& place = view_.channels()[number - 1];
    return Channel{number, &machine_.program().channel_types[place.type], &place};
  }

 private:
  bool is_known() {
    if (problems_.empty()) [[likely]]
      return true;
    problems_.clear();
    return false;
  }

  const Machine& machine_;
  StateView view_;
  std::vector<std::uint32_t> first_channel_;  // by pid
  std::vector<ProblemAt> problems_;
  Context context_;
};

}  // namespace spoor::exec
