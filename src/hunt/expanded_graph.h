// The part of the graph that a method has expanded, and the shortest bad lasso in it.
//
// Most methods of a hunt choose which state is expanded next and know nothing of cycles. What they expand is
// a graph all the same, and a cycle in it is a cycle, whatever the method was after. So the Hunter notes
// every expansion here, and asks now and then: is there a bad cycle in what is known? Then the first lasso is
// found by the method that leads to accepting states soonest, without a second search from each of them.
//
// The length of a lasso is the number of its steps: those of the stem, which lead to the cycle, and those of
// the cycle. The shortest one in the graph: for each state v on a bad cycle, the least depth of v plus the
// length of the shortest bad cycle through v; the minimum of these sums. (A lasso whose cycle begins at v has
// no shorter stem than a shortest way to v, and no shorter cycle.) Depths come from one breadth-first search;
// components from Tarjan's algorithm; the cycle through v from a breadth-first search within the component of
// v over pairs of a state and the marks that were met on the way, which ends where the sum could not be less
// than the best. States v are tried in the order of depth.
//
// Where there are many marks (fairness), there are too many pairs; then the nearest step with a missing mark
// is walked to, again and again, and in the end back to v. Such a lasso need not be the shortest.
//
// States are known by a hash of 64 bits. Two states with the same one are one state here, which has the steps
// of both. So the graph may have more cycles than the system, and no fewer:
//   1. Where the graph has no bad cycle, what was expanded has none.
//   2. Where it has no lasso of at most n steps, what was expanded has none.
//   3. A lasso in the graph need not be real: its user replays it.
//
// Cost: 16 bytes per step and some 60 per state. A question costs a pass over the graph, and the searches
// from states on bad cycles, which are given up after `most_work` steps.
// Tested by: tests/unit/test_hunt_runs.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/omega.h"
#include "search/observer.h"

namespace spoor {

class ExpandedGraph {
 public:
  // `runs` must live as long as the graph.
  explicit ExpandedGraph(const OmegaSystem& runs);

  // Notes the last expansion, which is that of this state.
  void add(StateBytes state, const Expansion& expansion);

  struct Answer {
    std::optional<Violation> lasso;
    bool is_exact = true;  // there is no shorter one in the graph
  };
  // A short bad lasso of at most so many steps.
  Answer shortest_lasso(std::uint32_t most_steps, std::uint64_t most_work) const;

  std::uint64_t steps() const { return edges_.size(); }
  std::uint64_t memory_bytes() const {
    return edges_.capacity() * sizeof(Edge) + nodes_.capacity() * sizeof(Node) +
           nodes_.size() * kBytesPerEntry;
  }

 private:
  using NodeIndex = std::uint32_t;
  static constexpr std::uint64_t kBytesPerEntry = 40;  // of index_

  struct Edge {
    StepId step;
    NodeIndex target = 0;
    std::uint32_t marks = 0;  // an index of marks_
    friend bool operator==(const Edge&, const Edge&) = default;
  };
  struct Node {
    std::uint64_t first_edge = 0;
    std::uint32_t edges = 0;
    bool is_expanded = false;
  };
  class LassoSearch;

  NodeIndex index_of(StateBytes state);
  std::uint32_t marks_index(Marks marks);
  bool is_bad(const Edge& edge) const { return (marks_[edge.marks] & all_) == all_; }
  std::span<const Edge> edges_of(NodeIndex node) const {
    return {edges_.data() + nodes_[node].first_edge, nodes_[node].edges};
  }

  const OmegaSystem& runs_;
  const Marks all_;
  const bool every_;                                    // CycleRule::kEveryStep
  std::unordered_map<std::uint64_t, NodeIndex> index_;  // by hash
  std::vector<Node> nodes_;                             // the initial state is the first
  std::vector<Edge> edges_;                             // those of a node side by side
  std::vector<Marks> marks_;                            // distinct ones
  std::unordered_map<Marks, std::uint32_t> marks_index_;
};

// Does the lasso exist, and is its cycle bad? It is walked step by step, by the bytes of states.
bool is_real_lasso(const OmegaSystem& runs, const Violation& lasso);

}  // namespace spoor
