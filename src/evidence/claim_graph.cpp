#include "evidence/claim_graph.h"

#include <algorithm>
#include <stdexcept>

#include "evidence/numbered_states.h"

namespace spoor {
ClaimGraph::ClaimGraph(const KnownGraph& graph, const TransitionSystem& after,
                       const Propositions& propositions, bool reduces)
    : LayerOver(after),
      graph_(graph),
      propositions_(propositions),
      reduces_(reduces),
      own_(graph.make_workspace()),
      values_of_(graph.bound()) {
  inner_.asked.columns.executed = true;
}

std::vector<std::byte> ClaimGraph::initial_state() const {
  const LookingUp looking_up(graph_);
  const StateIndex number = graph_.number_of(below().initial_state(), *own_);
  const StateBytes state = as_state(number);
  return {state.begin(), state.end()};
}

StateBytes ClaimGraph::state_below(StateBytes state, std::vector<std::byte>& room) const {
  const StateBytes bytes = graph_.bytes_of(number_in(state), *own_);
  room.assign(bytes.begin(), bytes.end());
  return room;
}

void ClaimGraph::expand(StateBytes state, Expansion& out) const {
  if (out.asked.columns.has_any_of_steps()) throw NotSupported("a recorded graph knows no movers of steps");
  const StateIndex number = number_in(state);
  const RecordedSteps& steps = graph_.is_usable(number) ? graph_.steps() : remembered_;
  const RecordedSteps::Place place = steps[number];
  if (place != RecordedSteps::kNowhere) give_stored(number, steps.at(place), out);
  // Where steps are left out that are asked for, they are expanded.
  const bool is_enough = place != RecordedSteps::kNowhere && (!out.is_reduced || out.asked.may_reduce);
  if (!is_enough) {
    out.keep_successors(out.first_successor);
    if (expand_below(number, out)) give_inner(number, out);
  }
  out.scratch.workspace_bytes = bytes_;
}

void ClaimGraph::give_stored(StateIndex number, const std::uint8_t* entry, Expansion& out) const {
  const RecordedSteps::Head head = RecordedSteps::read_head(entry);
  for (std::uint64_t i = 0; i < head.steps; ++i)
    add_numbered(stored_step(i), number + static_cast<StateIndex>(signed_number_at(entry)), out);
  out.inner_steps = head.inner_steps;
  out.is_reduced = (head.flags & RecordedState::kReduced) != 0;
}

bool ClaimGraph::expand_below(StateIndex number, Expansion& out) const {
  constexpr std::uint64_t kCountEvery = 1024;
  if (expanded_++ % kCountEvery == 0) bytes_ = memory_bytes();
  const LookingUp looking_up(graph_);
  inner_.clear();
  inner_.asked.may_reduce = reduces_ && out.asked.may_reduce;
  inner_.asked.budget = out.asked.budget;
  below().expand(graph_.bytes_of(number, *own_), inner_);
  out.was_cut = inner_.was_cut;
  out.is_reduced = inner_.is_reduced;
  if (out.was_cut) return false;
  graph_.numbers_of(inner_, targets_, *own_);
  return true;
}

// The names that they have in the model; where they are remembered, those that they will have.
void ClaimGraph::give_inner(StateIndex number, Expansion& out) const {
  const bool is_remembered = !reduces_ && inner_.findings.empty();
  for (std::size_t i = 0; i < targets_.size(); ++i)
    add_numbered(is_remembered ? stored_step(i) : inner_.successors[i].step, targets_[i], out);
  out.findings.insert(out.findings.end(), inner_.findings.begin(), inner_.findings.end());
  out.inner_steps = inner_.inner_steps;
  if (!is_remembered) return;
  state_.flags = RecordedState::kExpanded;
  state_.inner_steps = inner_.inner_steps;
  state_.targets.assign(targets_.begin(), targets_.end());
  remembered_.add(number, state_);
}

AtomValues ClaimGraph::atom_values(StateBytes state, std::shared_ptr<void>& workspace,
                                   std::vector<Finding>& findings) const {
  const StateIndex number = number_in(state);
  if (number >= values_of_.size())
    values_of_.resize(std::max<std::size_t>(number + 1, values_of_.size() * 5 / 4));
  std::uint32_t& known = values_of_[number];
  if (known == 0) {
    const AtomValues values = propositions_.atom_values(graph_.bytes_of(number, *own_), workspace, findings);
    known = values_.number_of(values) + 1;
    ++visited_;
    return values;
  }
  const AtomValues& values = values_[known - 1];
  if (values.failed != 0) propositions_.atom_values(graph_.bytes_of(number, *own_), workspace, findings);
  return values;
}

bool ClaimGraph::read_remembered(StateIndex number, RecordedState& out) const {
  if (remembered_[number] == RecordedSteps::kNowhere) return false;
  remembered_.read(number, out);
  return true;
}

std::uint64_t ClaimGraph::memory_bytes() const {
  return graph_.memory_bytes() + graph_.recording().states.memory_bytes() +
         graph_.recording().steps.memory_bytes() + remembered_.memory_bytes() +
         values_of_.capacity() * sizeof(std::uint32_t);
}

StateIndex ClaimGraph::target_of(StateIndex number, std::uint64_t ordinal) const {
  const RecordedSteps& steps = graph_.is_usable(number) ? graph_.steps() : remembered_;
  if (steps[number] == RecordedSteps::kNowhere) throw std::logic_error("a state has no remembered steps");
  RecordedState state;
  steps.read(number, state);
  return state.targets.at(ordinal);
}

// In full: the names of steps do not depend on what is left out.
StepId ClaimGraph::step_to(StateIndex number, StateIndex target) const {
  Expansion all;
  std::vector<StateIndex> targets;
  const LookingUp looking_up(graph_);
  below().expand(graph_.bytes_of(number, *own_), all);
  graph_.numbers_of(all, targets, *own_);
  const auto found = std::ranges::find(targets, target);
  if (found == targets.end())
    throw std::logic_error("an untouched state does not have the steps that were recorded");
  return all.successors[static_cast<std::size_t>(found - targets.begin())].step;
}

Explanation ClaimGraph::explain(StateBytes state, StepId step) const {
  const StateIndex number = number_in(state);
  const StepId real =
      is_stored(step) ? step_to(number, target_of(number, step.ordinal())).with_choice(step.choice()) : step;
  std::vector<std::byte> room;
  Explanation explanation = below().explain(state_below(state, room), real);
  if (explanation.target.empty()) return explanation;
  const LookingUp looking_up(graph_);
  const StateIndex target = graph_.number_of(explanation.target, *own_);
  const StateBytes bytes = as_state(target);
  explanation.target.assign(bytes.begin(), bytes.end());
  return explanation;
}

std::vector<StepId> ClaimGraph::steps_below(const std::vector<StepId>& steps) const {
  std::vector<StepId> named;
  StateIndex at = number_in(initial_state());
  for (const StepId step : steps) {
    if (is_stored(step.below())) {
      const StateIndex target = target_of(at, step.ordinal());
      named.push_back(step_to(at, target).with_choice(step.choice()));
      at = target;
      continue;
    }
    named.push_back(step);
    if (step.below() == StepId::stutter()) continue;
    Expansion out;
    const LookingUp looking_up(graph_);
    if (!below().step(graph_.bytes_of(at, *own_), step.below(), out) || out.successors.empty()) break;
    at = graph_.number_of(out.state(out.successors[0]), *own_);
  }
  return named;
}

}  // namespace spoor
