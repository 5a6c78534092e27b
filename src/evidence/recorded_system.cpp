#include "evidence/recorded_system.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "evidence/numbered_states.h"

namespace spoor {
struct RecordedSystem::Workspace {
  Expansion inner;
  std::unique_ptr<KnownGraph::Workspace> graph;
  RecordedState stored;
  std::vector<StateIndex> targets;
};

RecordedSystem::RecordedSystem(const KnownGraph& graph, const TransitionSystem& after, bool deadlocks_only)
    : LayerOver(after), graph_(graph), deadlocks_only_(deadlocks_only), is_expanded_(graph.bound()) {}

RecordedSystem::Workspace& RecordedSystem::workspace_of(Expansion& out) const {
  if (!out.scratch.workspace) {
    auto own = std::make_shared<Workspace>();
    own->graph = graph_.make_workspace();
    out.scratch.workspace = std::move(own);
  }
  return *static_cast<Workspace*>(out.scratch.workspace.get());
}

std::vector<std::byte> RecordedSystem::initial_state() const {
  const auto own = graph_.make_workspace();
  const LookingUp looking_up(graph_);
  const StateIndex number = graph_.number_of(below().initial_state(), *own);
  const StateBytes state = as_state(number);
  return {state.begin(), state.end()};
}

std::function<StateBytes(StateBytes)> RecordedSystem::bytes_reader() const {
  return [this, own = std::shared_ptr<KnownGraph::Workspace>(graph_.make_workspace())](StateBytes state) {
    return graph_.bytes_of(number_in(state), *own);
  };
}

std::vector<std::byte> RecordedSystem::bytes_of(StateBytes state) const {
  const auto own = graph_.make_workspace();
  const StateBytes bytes = graph_.bytes_of(number_in(state), *own);
  return {bytes.begin(), bytes.end()};
}

void RecordedSystem::expand(StateBytes state, Expansion& out) const {
  const StateIndex number = number_in(state);
  if (!expand_stored(number, out)) expand_below(number, out);
}

bool RecordedSystem::expand_stored(StateIndex number, Expansion& out) const {
  if (!graph_.is_usable(number) || out.asked.columns.has_any_of_steps()) return false;
  RecordedState& stored = workspace_of(out).stored;
  graph_.steps().read(number, stored);
  if (stored.is(RecordedState::kReduced) && !out.asked.may_reduce) return false;
  const auto add = [&](std::uint32_t ordinal) {
    const StateIndex target = stored.targets[ordinal];
    add_numbered(stored_step(ordinal), target, out);
  };
  const bool tries = stored.is(RecordedState::kTwice) && out.asked.may_reduce;
  if (tries) {
    for (const std::uint32_t ordinal : stored.tried) add(ordinal);
  } else {
    for (std::uint32_t i = 0; i < stored.targets.size(); ++i) add(i);
  }
  out.inner_steps = tries ? stored.tried_inner_steps : stored.inner_steps;
  const bool is_reduced = tries || stored.is(RecordedState::kReduced);
  out.is_reduced = is_reduced && !deadlocks_only_;
  out.is_reduced_for_deadlocks = is_reduced && deadlocks_only_;
  if (std::uint8_t* const flags = out.executed_flags(statements().size())) {
    for (const std::uint32_t statement : graph_.executed()[tries ? stored.tried_executed : stored.executed])
      flags[statement] = 1;
  }
  return true;
}

void RecordedSystem::expand_below(StateIndex number, Expansion& out) const {
  if (number < graph_.bound() && std::atomic_ref(is_expanded_[number]).exchange(1) == 0)
    expanded_.fetch_add(1, std::memory_order_relaxed);
  Workspace& own = workspace_of(out);
  const LookingUp looking_up(graph_);
  ask_below(out, {}, own.inner);
  below().expand(graph_.bytes_of(number, *own.graph), own.inner);
  answer_above(own.inner, out);
  out.scratch.workspace_bytes = own.inner.memory_bytes();
  if (out.was_cut) return;
  graph_.numbers_of(own.inner, own.targets, *own.graph);
  for (std::size_t i = 0; i < own.inner.successors.size(); ++i) {
    add_numbered(own.inner.successors[i].step, own.targets[i], out);
    copy_columns(own.inner, i, out);
  }
  out.findings.insert(out.findings.end(), own.inner.findings.begin(), own.inner.findings.end());
}

StepId RecordedSystem::real_step(StateBytes bytes, StateIndex number, std::uint64_t ordinal,
                                 std::vector<std::byte>& target) const {
  RecordedState stored;
  graph_.steps().read(number, stored);
  Expansion again;
  again.asked.may_reduce = stored.is(RecordedState::kReduced);
  below().expand(bytes, again);
  if (ordinal >= again.successors.size())
    throw std::logic_error("an untouched state does not have the steps that were recorded");
  const StateBytes reached = again.state(again.successors[ordinal]);
  target.assign(reached.begin(), reached.end());
  return again.successors[ordinal].step;
}

Explanation RecordedSystem::explain(StateBytes state, StepId step) const {
  const std::vector<std::byte> bytes = bytes_of(state);
  std::vector<std::byte> ignored;
  const StepId real = is_stored(step) ? real_step(bytes, number_in(state), step.ordinal(), ignored) : step;
  Explanation explanation = below().explain(bytes, real);
  if (explanation.target.empty()) return explanation;
  const auto own = graph_.make_workspace();
  const LookingUp looking_up(graph_);
  const StateIndex number = graph_.number_of(explanation.target, *own);
  const StateBytes target = as_state(number);
  explanation.target.assign(target.begin(), target.end());
  return explanation;
}

std::vector<StepId> RecordedSystem::steps_below(const std::vector<StepId>& steps) const {
  std::vector<StepId> below_steps;
  std::vector<std::byte> bytes = below().initial_state();
  const auto own = graph_.make_workspace();
  for (const StepId step : steps) {
    if (is_stored(step)) {
      StateIndex number = kNoState;
      {
        const LookingUp looking_up(graph_);
        number = graph_.number_of(bytes, *own);
      }
      std::vector<std::byte> target;
      below_steps.push_back(real_step(bytes, number, step.ordinal(), target));
      bytes = std::move(target);
      continue;
    }
    below_steps.push_back(step);
    Expansion out;
    if (!below().step(bytes, step, out) || out.successors.empty()) break;
    const StateBytes target = out.state(out.successors[0]);
    bytes.assign(target.begin(), target.end());
  }
  return below_steps;
}

}  // namespace spoor
