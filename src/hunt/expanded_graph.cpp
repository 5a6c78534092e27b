#include "hunt/expanded_graph.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <utility>

#include "base/hash.h"

namespace spoor {
namespace {

constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();

}  // namespace

ExpandedGraph::ExpandedGraph(const OmegaSystem& runs)
    : runs_(runs), all_(runs.all_marks()), every_(runs.rule() == CycleRule::kEveryStep) {
  index_of(runs.initial_state());
}

ExpandedGraph::NodeIndex ExpandedGraph::index_of(StateBytes state) {
  const auto [known, is_new] = index_.emplace(hash_bytes(state), static_cast<NodeIndex>(nodes_.size()));
  if (is_new) nodes_.emplace_back();
  return known->second;
}

std::uint32_t ExpandedGraph::marks_index(Marks marks) {
  const auto [known, is_new] = marks_index_.emplace(marks, static_cast<std::uint32_t>(marks_.size()));
  if (is_new) marks_.push_back(marks);
  return known->second;
}

void ExpandedGraph::add(StateBytes state, const Expansion& expansion) {
  const NodeIndex node = index_of(state);
  const std::uint64_t begin = edges_.size();
  for (std::size_t i = expansion.first_successor; i < expansion.successors.size(); ++i) {
    const Successor& successor = expansion.successors[i];
    const NodeIndex target = index_of(expansion.state(successor));
    edges_.push_back({successor.step, target, marks_index(expansion.marks[i] & all_)});
  }
  const std::span<const Edge> now(edges_.data() + begin, edges_.size() - begin);
  if (nodes_[node].is_expanded) {
    const std::span<const Edge> before = edges_of(node);
    if (std::ranges::equal(before, now)) {
      edges_.resize(begin);
      return;
    }
    const std::vector<Edge> copy(before.begin(), before.end());  // of another state with the same hash
    edges_.insert(edges_.end(), copy.begin(), copy.end());
  }
  nodes_[node] = {begin, static_cast<std::uint32_t>(edges_.size() - begin), true};
}

// One question.
class ExpandedGraph::LassoSearch {
 public:
  LassoSearch(const ExpandedGraph& graph, std::uint32_t most_steps, std::uint64_t most_work)
      : graph_(graph),
        most_steps_(most_steps),
        most_work_(most_work),
        needed_(graph.every_ ? 0 : graph.all_) {}

  Answer run() {
    find_depths();
    find_components();
    Answer answer;
    std::vector<NodeIndex> starts;  // by depth
    for (const NodeIndex node : by_depth_) {
      if (component_[node] != kUnknown && is_bad_[component_[node]]) starts.push_back(node);
    }
    if (starts.empty()) return answer;
    if (can_have_pairs()) {
      for (const NodeIndex start : starts) {
        if (depth_[start] + 1 > most_length()) break;
        find_cycle(start);
        if (has_given_up_) break;
      }
    } else {
      answer.is_exact = false;
      for (std::size_t i = 0; i < std::min<std::size_t>(starts.size(), kMostWalks); ++i)
        walk_cycle(starts[i]);
    }
    if (has_given_up_) answer.is_exact = false;
    if (!cycle_.empty()) answer.lasso = lasso();
    return answer;
  }

 private:
  static constexpr int kMostMarks = 6;  // with which there are pairs of all
  static constexpr std::uint64_t kMostPairs = 1 << 22;
  static constexpr std::size_t kMostWalks = 16;

  struct Place {  // an edge of a node
    NodeIndex source = 0;
    std::uint32_t edge = 0;
  };

  bool may_take(const Edge& edge) const { return !graph_.every_ || graph_.is_bad(edge); }
  bool can_have_pairs() const {
    const int marks = std::popcount(needed_);
    return marks <= kMostMarks && graph_.nodes_.size() << marks <= kMostPairs;
  }
  // A lasso that is looked for has no more steps.
  std::uint32_t most_length() const {
    return cycle_.empty()
               ? most_steps_
               : std::min(most_steps_, depth_[start_] + static_cast<std::uint32_t>(cycle_.size()) - 1);
  }

  void find_depths() {
    const std::size_t count = graph_.nodes_.size();
    depth_.assign(count, kUnknown);
    parent_.assign(count, {});
    depth_[0] = 0;
    by_depth_.push_back(0);
    for (std::size_t i = 0; i < by_depth_.size(); ++i) {
      const NodeIndex node = by_depth_[i];
      if (depth_[node] >= most_steps_) continue;
      const std::span<const Edge> edges = graph_.edges_of(node);
      for (std::uint32_t k = 0; k < edges.size(); ++k) {
        const NodeIndex target = edges[k].target;
        if (depth_[target] != kUnknown) continue;
        depth_[target] = depth_[node] + 1;
        parent_[target] = {node, k};
        by_depth_.push_back(target);
      }
    }
  }

  // Tarjan's algorithm, over the nodes with a depth and the edges that a bad cycle may have.
  void find_components() {
    const std::size_t count = graph_.nodes_.size();
    component_.assign(count, kUnknown);
    std::vector<std::uint32_t> number(count, kUnknown), low(count, 0);
    std::vector<NodeIndex> open;
    struct Frame {
      NodeIndex node = 0;
      std::uint32_t next = 0;
    };
    std::vector<Frame> path;
    std::uint32_t numbers = 0;
    const auto enter = [&](NodeIndex node) {
      number[node] = low[node] = numbers++;
      open.push_back(node);
      path.push_back({node, 0});
    };
    for (const NodeIndex root : by_depth_) {
      if (number[root] != kUnknown) continue;
      enter(root);
      while (!path.empty()) {
        const NodeIndex node = path.back().node;
        const std::span<const Edge> edges = graph_.edges_of(node);
        if (path.back().next < edges.size()) {
          const Edge& edge = edges[path.back().next++];
          if (!may_take(edge) || depth_[edge.target] == kUnknown) continue;
          if (number[edge.target] == kUnknown) {
            enter(edge.target);
          } else if (component_[edge.target] == kUnknown) {
            low[node] = std::min(low[node], number[edge.target]);
          }
          continue;
        }
        path.pop_back();
        if (!path.empty()) low[path.back().node] = std::min(low[path.back().node], low[node]);
        if (low[node] == number[node]) close_component(node, open);
      }
    }
  }

  void close_component(NodeIndex root, std::vector<NodeIndex>& open) {
    const auto part = static_cast<std::uint32_t>(is_bad_.size());
    auto first = open.end() - 1;
    while (*first != root) --first;
    for (auto node = first; node != open.end(); ++node) component_[*node] = part;
    Marks together = 0;
    bool has_cycle = false;
    for (auto node = first; node != open.end(); ++node) {
      for (const Edge& edge : graph_.edges_of(*node)) {
        if (!may_take(edge) || component_[edge.target] != part) continue;
        has_cycle = true;
        together |= graph_.marks_[edge.marks];
      }
    }
    is_bad_.push_back(has_cycle && (together & needed_) == needed_);
    open.erase(first, open.end());
  }

  bool is_within(const Edge& edge, std::uint32_t part) const {
    return may_take(edge) && component_[edge.target] == part;
  }

  // The marks that are needed, in the lowest bits.
  std::uint32_t packed(Marks marks) const {
    std::uint32_t bits = 0, at = 0;
    for (Marks rest = needed_; rest != 0; rest &= rest - 1, ++at) {
      if ((marks & rest & -rest) != 0) bits |= 1u << at;
    }
    return bits;
  }

  // The shortest cycle through this state, where it makes a shorter lasso.
  void find_cycle(NodeIndex start) {
    struct Visit {
      NodeIndex node = 0;
      std::uint32_t met = 0;
      std::uint32_t before = kUnknown;  // a visit
      std::uint32_t edge = 0;
      std::uint32_t length = 0;
    };
    const int marks = std::popcount(needed_);
    const std::uint32_t all = (1u << marks) - 1;
    const std::uint32_t part = component_[start];
    const std::uint32_t most = most_length() == kUnknown ? kUnknown : most_length() - depth_[start];
    was_visited_.resize(graph_.nodes_.size() << marks, 0);
    const auto visit = [&](NodeIndex node, std::uint32_t met) {
      std::uint32_t& turn = was_visited_[(std::size_t{node} << marks) + met];
      return std::exchange(turn, turn_) != turn_;
    };
    ++turn_;
    std::vector<Visit> queue = {{start, 0, kUnknown, 0, 0}};
    visit(start, 0);
    for (std::size_t i = 0; i < queue.size() && queue[i].length < most; ++i) {
      const Visit at = queue[i];
      const std::span<const Edge> edges = graph_.edges_of(at.node);
      work_ += edges.size() + 1;
      if (work_ > most_work_ && most != kUnknown) {
        has_given_up_ = true;
        return;
      }
      for (std::uint32_t k = 0; k < edges.size(); ++k) {
        if (!is_within(edges[k], part)) continue;
        const std::uint32_t met = at.met | packed(graph_.marks_[edges[k].marks]);
        if (edges[k].target == start && met == all) {
          start_ = start;
          cycle_ = {{at.node, k}};
          for (std::uint32_t back = static_cast<std::uint32_t>(i); queue[back].before != kUnknown;
               back = queue[back].before)
            cycle_.push_back({queue[queue[back].before].node, queue[back].edge});
          std::ranges::reverse(cycle_);
          return;
        }
        if (visit(edges[k].target, met))
          queue.push_back({edges[k].target, met, static_cast<std::uint32_t>(i), k, at.length + 1});
      }
    }
  }

  // A cycle through this state: from missing mark to missing mark.
  void walk_cycle(NodeIndex start) {
    std::vector<Place> cycle;
    Marks missing = needed_;
    NodeIndex at = start;
    while (missing != 0 || at != start) {
      const std::vector<Place> way = walk_to(at, [&](const Edge& edge) {
        return missing != 0 ? (graph_.marks_[edge.marks] & missing) != 0 : edge.target == start;
      });
      for (const Place& place : way) {
        const Edge& edge = graph_.edges_of(place.source)[place.edge];
        missing &= ~graph_.marks_[edge.marks];
        at = edge.target;
        cycle.push_back(place);
      }
    }
    const std::size_t length = depth_[start] + cycle.size();
    if (length > most_length()) return;
    start_ = start;
    cycle_ = std::move(cycle);
  }

  // The shortest way up to such an edge within the component, which has one.
  template <class IsGood>
  std::vector<Place> walk_to(NodeIndex from, const IsGood& is_good) {
    const std::uint32_t part = component_[from];
    std::unordered_map<NodeIndex, Place> before{{from, {}}};
    std::vector<NodeIndex> queue = {from};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const NodeIndex node = queue[i];
      const std::span<const Edge> edges = graph_.edges_of(node);
      for (std::uint32_t k = 0; k < edges.size(); ++k) {
        if (!is_within(edges[k], part)) continue;
        if (is_good(edges[k])) {
          std::vector<Place> way = {{node, k}};
          while (way.back().source != from) way.push_back(before.at(way.back().source));
          std::ranges::reverse(way);
          return way;
        }
        if (before.emplace(edges[k].target, Place{node, k}).second) queue.push_back(edges[k].target);
      }
    }
    return {};
  }

  Violation lasso() const {
    Violation found{graph_.runs_.cycle(), {}};
    for (NodeIndex at = start_; at != 0; at = parent_[at].source)
      found.steps.push_back(graph_.edges_of(parent_[at].source)[parent_[at].edge].step);
    std::ranges::reverse(found.steps);
    found.loop = found.steps.size();
    for (const Place& place : cycle_) found.steps.push_back(graph_.edges_of(place.source)[place.edge].step);
    return found;
  }

  const ExpandedGraph& graph_;
  const std::uint32_t most_steps_;
  const std::uint64_t most_work_;
  const Marks needed_;  // of a cycle as a whole
  std::vector<std::uint32_t> depth_, component_;
  std::vector<Place> parent_;
  std::vector<NodeIndex> by_depth_;
  std::vector<bool> is_bad_;                // by component
  std::vector<std::uint32_t> was_visited_;  // by pair: in which turn
  std::uint32_t turn_ = 0;
  std::uint64_t work_ = 0;
  bool has_given_up_ = false;
  NodeIndex start_ = 0;
  std::vector<Place> cycle_;  // the best so far
};

ExpandedGraph::Answer ExpandedGraph::shortest_lasso(std::uint32_t most_steps, std::uint64_t most_work) const {
  return LassoSearch(*this, most_steps, most_work).run();
}

bool is_real_lasso(const OmegaSystem& runs, const Violation& lasso) {
  const Marks all = runs.all_marks();
  const bool every = runs.rule() == CycleRule::kEveryStep;
  Marks met = every ? all : 0;
  std::vector<std::byte> state = runs.initial_state();
  std::vector<std::byte> begin;
  Expansion expansion;
  for (std::size_t i = 0; i < lasso.steps.size(); ++i) {
    if (i == lasso.loop) begin = state;
    expansion.clear();
    runs.expand(state, expansion);
    const auto next = std::ranges::find(expansion.successors, lasso.steps[i], &Successor::step);
    if (next == expansion.successors.end()) return false;
    const Marks marks = expansion.marks[static_cast<std::size_t>(next - expansion.successors.begin())];
    if (lasso.loop && i >= *lasso.loop) met = every ? met & marks : met | marks;
    const StateBytes target = expansion.state(*next);
    state.assign(target.begin(), target.end());
  }
  return lasso.loop && *lasso.loop < lasso.steps.size() && state == begin && (met & all) == all;
}

}  // namespace spoor
