#include "evidence/closure_check.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace spoor {

ClosureCheck::ClosureCheck(const KnownGraph& graph, const TransitionSystem& before,
                           const TransitionSystem& after, const ClosureOptions& options)
    : graph_(graph),
      before_(before),
      after_(after),
      options_(options),
      budget_(options.limits),
      expander_(graph, after, budget_, options.records && graph.recording().has_steps, options.counted),
      most_new_(options.most_new),
      has_set_(after.element_set_count()) {
  ranks_ = graph.recording().ranks.is_empty() ? StateRanks(graph.bound()) : graph.recording().ranks;
  for (KnownExpander::Batch* const batch : {&batch_, &single_}) expander_.prepare(*batch);
}

bool ClosureCheck::may_fail_early() {
  constexpr std::uint32_t kPart = 8;
  const std::uint32_t most_states = 1000 + graph_.bound() / 200;
  const PackedStates& states = graph_.recording().states;
  PackedStates::Cursor cursor;
  KnownExpander::Batch batch;
  expander_.prepare(batch);
  std::uint32_t asked = 0;
  for (StateIndex number = 0; number < graph_.bound() / kPart && asked < most_states; ++number) {
    const StateBytes recorded = states.get(number, cursor);
    if (recorded.empty() || !graph_.is_touched(recorded, sets_)) continue;
    const StateBytes state = graph_.new_bytes_of(number, expander_.workspace());
    if (state.empty()) continue;
    ++asked;
    batch.clear();
    if (!expander_.expand(state, options_.reduces, batch)) return !batch.out.was_cut;
  }
  return false;
}

ClosureCheck::Answer ClosureCheck::run() {
  const LookingUp looking_up(graph_);
  KnownGraph::Workspace& own = expander_.workspace();
  const StateIndex initial = graph_.number_of(after_.initial_state(), own);
  if (initial == ranks_.bound()) ranks_.add_behind(0);
  for (StateIndex number = 0; number < graph_.bound(); ++number) {
    if (graph_.is_usable(number)) continue;
    const StateBytes state = graph_.new_bytes_of(number, own);
    if (!state.empty() && !expand(number, state)) return answer_;
  }
  if (!finish_batch()) return answer_;
  is_behind_recorded_ = true;
  most_new_ = std::min(most_new_, 5 * graph_.new_states() / 2 + most_new_ / 16);
  // New states are numbered in the order in which they are found; there are more at the end of a batch.
  for (std::uint64_t i = 0;; ++i) {
    if (i == graph_.new_states() && (!finish_batch() || i == graph_.new_states())) return answer_;
    const StateIndex number = graph_.bound() + static_cast<StateIndex>(i);
    if (!expand(number, graph_.new_state(i, own))) return answer_;
  }
}

bool ClosureCheck::expand(StateIndex number, StateBytes state) {
  constexpr std::size_t kMostStates = 64;
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // of successors
  sets_.clear();
  after_.element_sets_of(state, sets_);
  for (const std::uint32_t set : sets_) has_set_[set] = true;
  if (!expander_.expand(state, options_.reduces, batch_)) {
    note_error(batch_);
    return false;
  }
  ++expanded_;
  numbers_.push_back(number);
  const bool is_full = numbers_.size() == kMostStates || batch_.out.arena.size() >= kMostBytes;
  return !is_full || finish_batch();
}

void ClosureCheck::note_error(const KnownExpander::Batch& batch) {
  answer_ = budget_.is_over() || batch.out.was_cut ? Answer::kLimit : Answer::kError;
}

bool ClosureCheck::expand_in_full(StateIndex number) {
  KnownGraph::Workspace& own = expander_.workspace();
  single_.clear();
  const StateBytes state =
      number < graph_.bound() ? graph_.new_bytes_of(number, own) : graph_.bytes_of(number, own);
  if (!expander_.expand(state, false, single_)) {
    note_error(single_);
    return false;
  }
  expander_.find_targets(single_);
  rank_targets(single_, {&number, 1});
  return true;
}

// Numbers of new states ascend as they are found. A state that several recorded ones lead to is ranked behind
// all of these; later its rank does not change any more, because it has been looked at.
void ClosureCheck::rank_targets(const KnownExpander::Batch& batch, std::span<const StateIndex> sources) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (const StateIndex target : batch.targets_of(batch.states[i])) {
      if (target == ranks_.bound()) {
        ranks_.add_behind(sources[i]);
      } else if (target >= graph_.bound() && !is_behind_recorded_) {
        ranks_.raise(target, sources[i]);
      }
    }
  }
}

bool ClosureCheck::finish_batch() {
  expander_.find_targets(batch_);
  rank_targets(batch_, numbers_);
  stored_.flags = 0;  // the steps that a search would follow first, or instead, are not known
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const KnownExpander::State& state = batch_.states[i];
    const StateRanks::Rank own = ranks_[numbers_[i]];
    const auto is_higher = [&](StateIndex target) { return ranks_[target] > own; };
    if (state.is_reduced && std::ranges::none_of(batch_.targets_of(state), is_higher) &&
        !expand_in_full(numbers_[i]))
      return false;
    if (numbers_[i] < graph_.bound()) expander_.add_entry(numbers_[i], stored_);
  }
  numbers_.clear();
  batch_.clear();
  return !must_end();
}

bool ClosureCheck::must_end() {
  if (graph_.new_states() > most_new_) answer_ = Answer::kTooMany;
  const Recording& recording = graph_.recording();
  if (budget_.poll(graph_.memory_bytes() + recording.states.memory_bytes() + expander_.memory_bytes() +
                   ranks_.memory_bytes()))
    answer_ = Answer::kLimit;
  return answer_ != Answer::kHolds;
}

// What the old search has executed, as far as the new version still has it, and what was executed now. A
// statement that the new version does not have was executed at touched states only, which were expanded
// again. One statement of the old version may be several in the new one (StateLayout::statements_in): then
// all that read the same count as executed.
SearchResult ClosureCheck::result() const {
  SearchResult result;
  result.outcome = Holds{};
  result.executed.resize(after_.statements().size());
  const std::vector<std::uint32_t> same =
      before_.layout()->statements_in(*after_.layout(), graph_.comparison());
  std::set<std::string> ambiguous;
  for (const std::uint32_t statement : graph_.recording().answer->executed) {
    if (statement >= same.size()) throw_damaged();
    if (StateLayout::is_one(same[statement])) {
      result.executed[same[statement]] = 1;
    } else if (same[statement] == StateLayout::kSeveral) {
      ambiguous.insert(before_.statements()[statement].text);
    }
  }
  for (std::size_t i = 0; i < result.executed.size(); ++i) {
    if (ambiguous.contains(after_.statements()[i].text)) result.executed[i] = 1;
  }
  const std::array<const KnownExpander::Batch*, 2> batches = {&batch_, &single_};
  expander_.add_executed(batches, result.executed);
  result.statistics.states = graph_.figures().recorded + graph_.new_states();
  result.statistics.memory_bytes = budget_.peak_bytes();
  return result;
}

// Elements of untouched states are unchanged, and were among those of the old version's states.
std::vector<std::uint32_t> ClosureCheck::elements() const {
  const ElementComparison& comparison = graph_.comparison();
  std::vector<std::uint32_t> elements;
  for (const std::uint32_t element : graph_.recording().elements) {
    if (element < comparison.is_changed.size() && !comparison.is_changed[element])
      elements.push_back(comparison.counterpart[element]);
  }
  for (std::uint32_t set = 0; set < has_set_.size(); ++set) {
    if (!has_set_[set]) continue;
    const std::span<const std::uint32_t> members = after_.element_set(set);
    elements.insert(elements.end(), members.begin(), members.end());
  }
  std::ranges::sort(elements);
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return elements;
}

void ClosureCheck::save(RecordingHead head, PackedStates&& states, FramedReader& file,
                        const std::string& path) {
  head.elements = elements();
  head.has_steps = graph_.recording().has_steps;
  head.is_ordered = graph_.recording().is_ordered;
  head.is_closed = true;
  const bool is_ordered = head.is_ordered;
  expander_.save(std::move(head), std::move(states), file, path, is_ordered ? &ranks_ : nullptr);
}

}  // namespace spoor
