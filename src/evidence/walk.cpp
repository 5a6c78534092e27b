#include "evidence/walk.h"

#include <algorithm>
#include <utility>

namespace spoor {

Walk::Walk(const KnownGraph& graph, const TransitionSystem& after, const WalkOptions& options)
    : graph_(graph),
      after_(after),
      options_(options),
      budget_(options.limits),
      own_(graph.make_workspace()),
      marks_(graph.bound()),
      is_set_met_(graph.executed().size()),
      executed_sets_(after.statements().size()) {
  out_.asked.columns.executed = true;
  out_.asked.budget = &budget_;
}

std::optional<SearchResult> Walk::run() {
  constexpr std::size_t kAhead = 8;
  constexpr std::size_t kAskEvery = 4096;
  const LookingUp looking_up(graph_);
  visit(graph_.number_of(after_.initial_state(), *own_));
  for (std::size_t at = 0, level_end = 0; at < queue_.size(); ++at) {
    if (at == level_end) {
      if (at != 0) ++depth_;
      level_end = queue_.size();
      // What is in the queue now was found in the level before.
      if (options_.reduces) {
        for (std::size_t i = at; i < level_end; ++i) marks_[queue_[i]] = kVisited;
      }
    }
    if (at % kAskEvery == 0 && budget_.poll(memory_bytes())) return std::nullopt;
    if (at + kAhead < queue_.size() && graph_.is_usable(queue_[at + kAhead]))
      __builtin_prefetch(graph_.steps().at(graph_.steps()[queue_[at + kAhead]]));
    const StateIndex number = queue_[at];
    const bool is_right = graph_.is_usable(number) ? follow(number) : expand(number);
    if (!is_right) return std::nullopt;
  }
  return result();
}

bool Walk::follow(StateIndex number) {
  const std::uint8_t* at = graph_.steps().at(graph_.steps()[number]);
  const RecordedSteps::Head head = RecordedSteps::read_head(at);
  if ((head.flags & (RecordedState::kReduced | RecordedState::kTwice)) != 0) [[unlikely]]
    return follow_reduced(number);
  for (std::uint64_t left = head.steps; left > 0; --left)
    visit(number + static_cast<StateIndex>(signed_number_at(at)));
  is_set_met_[head.executed] = 1;
  count(head.steps, head.inner_steps);
  return true;
}

bool Walk::leads_on(std::span<const std::uint32_t> targets) const {
  return options_.deadlocks_only ||
         std::ranges::any_of(targets, [&](StateIndex target) { return is_of_next_level(target); });
}

bool Walk::follow_reduced(StateIndex number) {
  graph_.steps().read(number, stored_);
  if (stored_.is(RecordedState::kTwice)) {
    std::vector<std::uint32_t>& tried = stored_.tried;
    for (std::uint32_t& step : tried) step = stored_.targets[step];
    for (const StateIndex target : tried) visit(target);
    if (options_.reduces && leads_on(tried)) {
      is_set_met_[stored_.tried_executed] = 1;
      count(tried.size(), stored_.tried_inner_steps);
      return true;
    }
  }
  for (const StateIndex target : stored_.targets) visit(target);
  if (stored_.is(RecordedState::kReduced) && !(options_.reduces && leads_on(stored_.targets)))
    return expand(number);
  is_set_met_[stored_.executed] = 1;
  count(stored_.targets.size(), stored_.inner_steps);
  return true;
}

std::uint32_t Walk::take_executed() {
  return static_cast<std::uint32_t>(graph_.executed().size()) +
         executed_sets_.take(out_.executed, [](auto) {});
}

void Walk::arrive(std::vector<std::uint32_t>& targets) {
  targets.clear();
  for (const Successor& successor : out_.last_successors()) {
    targets.push_back(graph_.number_of(out_.state(successor), *own_));
    visit(targets.back());
  }
}

bool Walk::expand(StateIndex number) {
  ++expanded_;
  if (has_expanded_too_many()) return false;
  const StateBytes bytes = graph_.bytes_of(number, *own_);
  bytes_.assign(bytes.begin(), bytes.end());

  const auto expand_once = [&](bool may_reduce) {
    out_.clear();
    out_.asked.may_reduce = may_reduce;
    after_.expand(bytes_, out_);
    return !out_.was_cut && out_.findings.empty();
  };
  if (!expand_once(options_.reduces)) return false;
  stored_.flags = RecordedState::kExpanded;
  stored_.executed = take_executed();
  stored_.inner_steps = out_.inner_steps;
  arrive(stored_.targets);
  if (out_.is_reduced && !leads_on(stored_.targets)) {
    std::vector<StepId> tried;
    for (const Successor& successor : out_.last_successors()) tried.push_back(successor.step);
    stored_.tried_executed = stored_.executed;
    stored_.tried_inner_steps = stored_.inner_steps;
    if (!expand_once(false)) return false;
    stored_.flags |= RecordedState::kTwice;
    stored_.executed = take_executed();
    stored_.inner_steps = out_.inner_steps;
    arrive(stored_.targets);
    if (!find_steps(StepNames(out_.last_successors()), StepNames(tried), stored_.tried))
      stored_.flags |= RecordedState::kSpecial;
  } else if (out_.is_reduced || out_.is_reduced_for_deadlocks) {
    stored_.flags |= RecordedState::kReduced;
  }
  encoder_.add(number, stored_);
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
  for (std::uint32_t set = 0; set < executed_sets_.size(); ++set) add(executed_sets_[set]);
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
         graph_.recording().steps.memory_bytes() + new_steps_.memory_bytes() + marks_.capacity() +
         queue_.capacity() * sizeof(StateIndex);
}

void Walk::save(RecordingHead head, PackedStates&& states, FramedReader& before, const std::string& path) {
  const StateIndex bound = graph_.bound();
  const std::size_t old_chunks = states.codes().size();
  StatementSets executed_sets = graph_.executed();
  for (std::uint32_t set = 0; set < executed_sets_.size(); ++set)
    executed_sets.emplace_back(executed_sets_[set].begin(), executed_sets_[set].end());
  {
    const LookingUp looking_up(graph_);
    stored_ = {};
    stored_.executed = static_cast<std::uint32_t>(executed_sets.size());
    executed_sets.emplace_back();  // that of entries that say nothing
    for (StateIndex number = 0; number < bound; ++number) {
      if (!graph_.is_usable(number) && marks_[number] == kUnknown) encoder_.add(number, stored_);
    }
    // What follows makes numbers and bytes of recorded states unusable.
    for (std::uint64_t i = 0; i < graph_.new_states(); ++i)
      states.add(graph_.bytes_of(bound + static_cast<StateIndex>(i), *own_));
  }
  head.elements = elements_after(after_, executed());
  head.state_count = states.size();
  go_to_states(before);
  spoor::save(head,
              {executed_sets,
               states.shapes_text(),
               {{&before}, &states.codes(), old_chunks},
               {{&before}, &new_steps_}},
              path);
}

}  // namespace spoor
