#include "evidence/walk.h"

#include <algorithm>
#include <array>
#include <utility>

namespace spoor {

Walk::Walk(const KnownGraph& graph, const TransitionSystem& after, const WalkOptions& options)
    : graph_(graph),
      after_(after),
      options_(options),
      budget_(options.limits),
      expander_(graph, after, budget_, options.records, options.counted),
      marks_(graph.bound()),
      is_set_met_(graph.executed().size()) {
  for (Batch* const batch : {&batch_, &single_}) expander_.prepare(*batch);
  queue_.reserve(graph.bound());
}

std::optional<SearchResult> Walk::run() {
  constexpr std::size_t kAhead = 8;
  constexpr std::size_t kAskEvery = 4096;
  const LookingUp looking_up(graph_);
  visit(graph_.number_of(after_.initial_state(), expander_.workspace()));
  for (std::size_t at = 0, level_end = 0; at < queue_.size(); ++at) {
    if (at == level_end) {
      if (at != 0) ++depth_;
      level_end = queue_.size();
      // What is in the queue now was found in the level before.
      if (options_.reduces) {
        for (std::size_t i = at; i < level_end; ++i) marks_[queue_[i]] = kVisited;
      }
    }
    if (at % kAskEvery == 0 && must_give_up(at)) return std::nullopt;
    if (at + kAhead < queue_.size() && graph_.is_usable(queue_[at + kAhead]))
      __builtin_prefetch(graph_.steps().at(graph_.steps()[queue_[at + kAhead]]));
    if (at == batch_end_ && !expand_batch(at)) return std::nullopt;
    const StateIndex number = queue_[at];
    const bool is_right =
        graph_.is_usable(number) ? follow(number) : arrive(number, batch_, batch_.states[next_++]);
    if (!is_right) return std::nullopt;
  }
  return result();
}

bool Walk::must_give_up(std::size_t visited) {
  // Sooner the share of what is executed says little.
  const bool is_known = visited > graph_.bound() / 16 && visited > 1000;
  has_executed_too_many_ = is_known && static_cast<double>(expander_.executed_steps()) >
                                           options_.most_executed * static_cast<double>(transitions_);
  return has_executed_too_many_ || budget_.poll(memory_bytes());
}

bool Walk::follow(StateIndex number) {
  const std::uint8_t* at = graph_.steps().at(graph_.steps()[number]);
  const RecordedSteps::Head head = RecordedSteps::read_head(at);
  if ((head.flags & RecordedState::kTwice) != 0) [[unlikely]]
    return follow_tried(number);
  bool leads_on = options_.deadlocks_only;
  for (std::uint64_t left = head.steps; left > 0; --left) {
    const StateIndex target = number + static_cast<StateIndex>(signed_number_at(at));
    visit(target);
    leads_on |= is_of_next_level(target);
  }
  if ((head.flags & RecordedState::kReduced) != 0 && !(options_.reduces && leads_on))
    return expand_alone(number);
  is_set_met_[head.executed] = 1;
  count(head.steps, head.inner_steps);
  return true;
}

bool Walk::leads_on(std::span<const std::uint32_t> targets) const {
  return options_.deadlocks_only ||
         std::ranges::any_of(targets, [&](StateIndex target) { return is_of_next_level(target); });
}

bool Walk::follow_tried(StateIndex number) {
  graph_.steps().read(number, stored_);
  std::vector<std::uint32_t>& tried = stored_.tried;
  for (std::uint32_t& step : tried) step = stored_.targets[step];
  for (const StateIndex target : tried) visit(target);
  if (options_.reduces && leads_on(tried)) {
    is_set_met_[stored_.tried_executed] = 1;
    count(tried.size(), stored_.tried_inner_steps);
    return true;
  }
  for (const StateIndex target : stored_.targets) visit(target);
  if (stored_.is(RecordedState::kReduced)) return expand_alone(number);  // no recording of ours has both
  is_set_met_[stored_.executed] = 1;
  count(stored_.targets.size(), stored_.inner_steps);
  return true;
}

bool Walk::expand_batch(std::size_t begin) {
  constexpr std::size_t kMostStates = 64;                   // of the queue
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // of successors
  batch_.clear();
  next_ = 0;
  batch_end_ = begin;
  const std::size_t end = std::min(queue_.size(), begin + kMostStates);
  while (batch_end_ < end && batch_.out.arena.size() < kMostBytes) {
    const StateIndex number = queue_[batch_end_++];
    if (graph_.is_usable(number)) continue;
    ++expanded_;
    if (!expand(number, options_.reduces, batch_)) return false;
  }
  expander_.find_targets(batch_);
  return true;
}

bool Walk::expand_alone(StateIndex number) {
  single_.clear();
  ++expanded_;
  if (!expand(number, options_.reduces, single_)) return false;
  expander_.find_targets(single_);
  const KnownExpander::State state = single_.states[0];
  return arrive(number, single_, state);
}

bool Walk::expand(StateIndex number, bool may_reduce, Batch& batch) {
  return expander_.expand(graph_.bytes_of(number, expander_.workspace()), may_reduce, batch);
}

void Walk::take_targets(const Batch& batch, const KnownExpander::State& state) {
  const std::span<const StateIndex> targets = batch.targets_of(state);
  stored_.targets.assign(targets.begin(), targets.end());
  for (const StateIndex target : targets) visit(target);
  stored_.executed = state.executed;
  stored_.inner_steps = state.inner_steps;
}

bool Walk::arrive(StateIndex number, const Batch& batch, const KnownExpander::State& state) {
  stored_.flags = RecordedState::kExpanded;
  take_targets(batch, state);
  if (state.is_reduced && !leads_on(stored_.targets)) {
    std::vector<StepId> tried;
    for (std::size_t i = state.first; i < state.end; ++i) tried.push_back(batch.out.successors[i].step);
    stored_.tried_executed = stored_.executed;
    stored_.tried_inner_steps = stored_.inner_steps;
    single_.clear();
    if (!expand(number, false, single_)) return false;
    expander_.find_targets(single_);
    stored_.flags |= RecordedState::kTwice;
    take_targets(single_, single_.states[0]);
    if (!find_steps(StepNames(single_.out.last_successors()), StepNames(tried), stored_.tried))
      stored_.flags |= RecordedState::kSpecial;
  } else if (state.is_reduced || state.is_reduced_for_deadlocks) {
    stored_.flags |= RecordedState::kReduced;
  }
  expander_.add_entry(number, stored_);
  count(stored_.targets.size(), stored_.inner_steps);
  return true;
}

std::vector<std::uint8_t> Walk::executed() const {
  std::vector<std::uint8_t> flags(after_.statements().size());
  const auto add = [&](std::span<const std::uint32_t> set) {
    for (const std::uint32_t statement : set) flags[statement] = 1;
  };
  for (std::size_t set = 0; set < is_set_met_.size(); ++set) {
    if (is_set_met_[set] != 0) add(graph_.executed()[set]);
  }
  const std::array<const Batch*, 2> batches = {&batch_, &single_};
  expander_.add_executed(batches, flags);
  return flags;
}

SearchResult Walk::result() const {
  SearchResult result;
  result.outcome = Holds{};
  result.executed = executed();
  Statistics& figures = result.statistics;
  figures.states = queue_.size();
  figures.transitions = transitions_;
  figures.matched = transitions_ - queue_.size();
  figures.inner_steps = inner_steps_;
  figures.depth = depth_;
  figures.memory_bytes = memory_bytes();
  return result;
}

std::uint64_t Walk::memory_bytes() const {
  return graph_.memory_bytes() + graph_.recording().states.memory_bytes() +
         graph_.recording().steps.memory_bytes() + expander_.memory_bytes() + marks_.capacity() +
         queue_.capacity() * sizeof(StateIndex);
}

void Walk::save(RecordingHead head, PackedStates&& states, FramedReader& before, const std::string& path) {
  stored_ = {};
  stored_.executed = 0;  // it says nothing
  head.is_closed = graph_.recording().is_closed;
  for (StateIndex number = 0; number < graph_.bound(); ++number) {
    if (graph_.is_usable(number) || marks_[number] != kUnknown) continue;
    expander_.add_entry(number, stored_);
    head.is_closed = false;
  }
  head.elements = elements_after(after_, executed());
  head.has_steps = true;
  expander_.save(std::move(head), std::move(states), before, path);
}

}  // namespace spoor
