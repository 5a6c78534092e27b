#include "evidence/run_graph.h"

#include <algorithm>
#include <new>

#include "base/packed_numbers.h"

namespace spoor {
namespace {

constexpr Rank kNoRank = UINT32_MAX;

class RankSearch {
 public:
  RankSearch(const RunGraph& graph, const RankRule& rule, const MemoryShare& memory)
      : graph_(graph),
        rule_(rule),
        memory_(memory),
        ranks_(graph.bound(), kNoRank),
        numbers_(graph.bound(), 0) {}

  std::optional<std::vector<Rank>> run() {
    for (std::size_t i = 0; i < graph_.bound(); ++i) {
      const auto state = static_cast<StateNumber>(i);
      if (graph_.contains(state) && numbers_[state] == 0 && !search_from(state)) return std::nullopt;
    }
    return std::move(ranks_);
  }

 private:
  struct Frame {
    StateNumber state;
    std::uint32_t number;  // in the order in which states were entered, from 1
    std::uint32_t lowest;  // of those that the state hangs together with
    RunGraph::Steps steps;
  };

  void enter(StateNumber state) {
    if (path_.size() == path_.capacity() || component_.size() == component_.capacity()) {
      // One of them doubles, and has its old place until it has moved.
      memory_.require(3 * (path_.capacity() * sizeof(Frame) + component_.capacity() * sizeof(StateNumber)) +
                      ranks_.capacity() * sizeof(Rank) + numbers_.capacity() * sizeof(std::uint32_t));
    }
    numbers_[state] = ++last_;
    component_.push_back(state);
    path_.push_back({state, last_, last_, {graph_, state}});
  }

  // False: there is a bad cycle.
  bool search_from(StateNumber root) {
    enter(root);
    while (!path_.empty()) {
      Frame& frame = path_.back();
      if (!frame.steps.is_at_end()) {
        const RunStep step = frame.steps.next();
        if (!rule_.applies(step.marks) || ranks_[step.target] != kNoRank) continue;
        if (const std::uint32_t number = numbers_[step.target]; number != 0) {
          frame.lowest = std::min(frame.lowest, number);
        } else {
          enter(step.target);
        }
        continue;
      }
      const Frame left = frame;
      path_.pop_back();
      if (!path_.empty()) path_.back().lowest = std::min(path_.back().lowest, left.lowest);
      if (left.lowest == left.number && !complete(left.state)) return false;
    }
    return true;
  }

  // The states from `root` on are a component.
  bool complete(StateNumber root) {
    const auto first = std::find(component_.rbegin(), component_.rend(), root).base() - 1;
    const std::span<const StateNumber> states(first, component_.end());
    Rank rank = 0;
    Marks within = 0, to_rank = 0;  // of the steps within, and of those to the highest rank
    bool has_within = false, has_others = false;
    for (const StateNumber state : states) {
      for (RunGraph::Steps steps(graph_, state); !steps.is_at_end();) {
        const RunStep step = steps.next();
        if (!rule_.applies(step.marks)) continue;
        const Rank target = ranks_[step.target];
        if (target == kNoRank) {
          within |= step.marks;
          has_within = true;
          continue;
        }
        if (target > rank) to_rank = 0;
        rank = std::max(rank, target);
        if (target == rank) to_rank |= step.marks;
        has_others = true;
      }
    }
    if (has_others && !rule_.may_keep(rank, to_rank)) ++rank;
    if (has_within) {
      std::size_t tries = 0;
      for (; tries < kMostMarks && !rule_.may_keep(rank, within); ++tries) ++rank;
      if (tries == kMostMarks) return false;
    }
    if (rank >= kNoRank - kMostMarks) throw std::bad_alloc();  // more than can be numbered
    for (const StateNumber state : states) ranks_[state] = rank;
    component_.erase(first, component_.end());
    return true;
  }

  static constexpr std::size_t kMostMarks = 64;

  const RunGraph& graph_;
  const RankRule& rule_;
  const MemoryShare& memory_;
  std::vector<Rank> ranks_;
  std::vector<std::uint32_t> numbers_;  // 0: not entered
  std::vector<Frame> path_;
  std::vector<StateNumber> component_;  // entered, and without a rank
  std::uint32_t last_ = 0;
};

}  // namespace

void RunGraph::add(StateNumber source, std::span<const RunStep> steps) {
  std::uint8_t* const begin = bytes_.begin_entry((1 + 2 * steps.size()) * kMostNumberBytes);
  std::uint8_t* to = put_at(begin, steps.size());
  for (const RunStep& step : steps) {
    const auto [found, is_new] =
        number_of_.try_emplace(step.marks, static_cast<std::uint32_t>(marks_.size()));
    if (is_new) marks_.push_back(step.marks);
    to = put_signed_at(to, std::int64_t{step.target} - std::int64_t{source});
    to = put_at(to, found->second);
  }
  const Place place = bytes_.place_of(begin);
  bytes_.end_entry(to);
  if (entries_.size() <= source)
    entries_.resize(std::max<std::size_t>(std::size_t{source} + 1, 2 * entries_.size()), kNone);
  entries_[source] = place;
  steps_ += steps.size();
}

void RunGraph::add(const RunGraph& other) {
  std::vector<RunStep> steps;
  for (std::size_t i = 0; i < other.bound(); ++i) {
    const auto state = static_cast<StateNumber>(i);
    if (!other.contains(state)) continue;
    steps.clear();
    for (Steps each(other, state); !each.is_at_end();) steps.push_back(each.next());
    add(state, steps);
  }
}

RunGraph::Steps::Steps(const RunGraph& graph, StateNumber source)
    : graph_(&graph), at_(graph.bytes_.at(graph.entries_[source])), source_(source), left_(number_at(at_)) {}

RunStep RunGraph::Steps::next() {
  --left_;
  const auto target = static_cast<StateNumber>(std::int64_t{source_} + signed_number_at(at_));
  return {target, graph_->marks_[number_at(at_)]};
}

std::optional<std::vector<Rank>> ranks_of(const RunGraph& graph, const RankRule& rule,
                                          const MemoryShare& memory) {
  memory.require(graph.bound() * (sizeof(Rank) + sizeof(std::uint32_t)));
  return RankSearch(graph, rule, memory).run();
}

}  // namespace spoor
