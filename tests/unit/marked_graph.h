// Graphs with marks on their edges, and what is to be known of their cycles: the reference of all searches
// for infinite runs.
//
// Used by: tests/unit/test_cycles.cpp, tests/unit/test_hunt_runs.cpp
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/omega.h"
#include "unit/quiet_system.h"

namespace spoor {

struct MarkedEdge {
  std::uint32_t target = 0;
  Marks marks = 0;
};
using MarkedEdges = std::vector<std::vector<MarkedEdge>>;  // by source

// A graph with marks on its edges; a state is its number, in 4 bytes and some more.
class MarkedGraph : public Quiet<OmegaSystem> {
 public:
  MarkedGraph(MarkedEdges edges, Marks all, CycleRule rule)
      : edges_(std::move(edges)), all_(all), rule_(rule) {}

  void plant(std::uint32_t state, const Finding& finding) { planted_.emplace_back(state, finding); }
  const MarkedEdges& edges() const { return edges_; }
  static std::vector<std::byte> state(std::uint32_t number) { return encode(number); }

  CycleRule rule() const override { return rule_; }
  Marks all_marks() const override { return all_; }
  Finding cycle() const override { return {FindingKind::kAcceptanceCycle, 0, Finding::kStateItself}; }

  ClaimView look(StateBytes) const override { return {}; }
  std::optional<StepId> step_below(StateBytes, StepId step) const override { return step; }

  std::vector<std::byte> initial_state() const override { return encode(0); }
  void expand(StateBytes state, Expansion& out) const override {
    const std::uint32_t number = decode(state);
    std::uint32_t step = 0;
    for (const MarkedEdge& edge : edges_[number]) {
      const std::vector<std::byte> target = encode(edge.target);
      out.successors.push_back({StepId(step++), static_cast<std::uint32_t>(out.arena.size()),
                                static_cast<std::uint32_t>(target.size())});
      out.arena.append(target);
      out.marks.push_back(edge.marks);
    }
    for (const auto& [where, finding] : planted_) {
      if (where == number) out.findings.push_back(finding);
    }
  }
  Explanation explain(StateBytes state, StepId step) const override {
    Explanation explanation;
    explanation.target = encode(edges_[decode(state)][step.ordinal()].target);
    return explanation;
  }
  std::vector<std::string> describe(StateBytes state) const override {
    return {std::to_string(decode(state))};
  }
  std::string message(const Finding&) const override { return "a cycle"; }

 private:
  static std::vector<std::byte> encode(std::uint32_t number) {
    std::vector<std::byte> bytes(40);
    std::memcpy(bytes.data(), &number, sizeof number);
    return bytes;
  }
  static std::uint32_t decode(StateBytes state) {
    std::uint32_t number;
    std::memcpy(&number, state.data(), sizeof number);
    return number;
  }

  MarkedEdges edges_;
  Marks all_;
  CycleRule rule_;
  std::vector<std::pair<std::uint32_t, Finding>> planted_;
};

// The reference: reachability by closure, nothing clever.

inline std::set<std::uint32_t> reachable_from(const MarkedEdges& edges, std::uint32_t from,
                                              const auto& may_take) {
  std::set<std::uint32_t> reached;  // in one step or more
  std::vector<std::uint32_t> queue{from};
  while (!queue.empty()) {
    const std::uint32_t state = queue.back();
    queue.pop_back();
    for (const MarkedEdge& edge : edges[state]) {
      if (may_take(edge) && reached.insert(edge.target).second) queue.push_back(edge.target);
    }
  }
  return reached;
}

inline std::set<std::uint32_t> reachable(const MarkedEdges& edges) {
  std::set<std::uint32_t> states = reachable_from(edges, 0, [](const MarkedEdge&) { return true; });
  states.insert(0);
  return states;
}

inline bool has_bad_cycle(const MarkedGraph& graph) {
  const MarkedEdges& edges = graph.edges();
  const Marks all = graph.all_marks();
  const bool every = graph.rule() == CycleRule::kEveryStep;
  const auto may_take = [&](const MarkedEdge& edge) { return !every || (edge.marks & all) == all; };
  for (const std::uint32_t state : reachable(edges)) {
    const std::set<std::uint32_t> onward = reachable_from(edges, state, may_take);
    if (!onward.contains(state)) continue;  // on no cycle
    if (every) return true;
    Marks together = 0;  // of the component of the state
    for (const std::uint32_t other : onward) {
      if (!reachable_from(edges, other, may_take).contains(state)) continue;
      for (const MarkedEdge& edge : edges[other]) {
        const auto back = reachable_from(edges, edge.target, may_take);
        if (edge.target == state || back.contains(state)) together |= edge.marks;
      }
    }
    if ((together & all) == all) return true;
  }
  return false;
}

// The length of the shortest bad lasso: a breadth-first search for a state that is met again, over triples of
// a state, the state that is to be met again (nothing: none yet), and the marks that were met since then.
inline std::optional<std::size_t> shortest_bad_lasso(const MarkedGraph& graph) {
  using Triple = std::tuple<std::uint32_t, std::optional<std::uint32_t>, Marks>;
  const Marks all = graph.all_marks();
  const bool every = graph.rule() == CycleRule::kEveryStep;
  const Marks needed = every ? 0 : all;
  std::map<Triple, std::size_t> distance{{{0, std::nullopt, 0}, 0}};
  std::deque<Triple> queue{{0, std::nullopt, 0}};
  while (!queue.empty()) {
    const Triple at = queue.front();
    queue.pop_front();
    const auto& [state, wanted, met] = at;
    const std::size_t length = distance.at(at) + 1;
    for (const std::optional<std::uint32_t>& goal : {wanted, std::optional(wanted.value_or(state))}) {
      for (const MarkedEdge& edge : graph.edges()[state]) {
        if (goal && every && (edge.marks & all) != all) continue;
        const Marks now = goal ? (met | edge.marks) & needed : 0;
        if (goal == edge.target && now == needed) return length;
        const Triple next{edge.target, goal, now};
        if (distance.emplace(next, length).second) queue.push_back(next);
      }
    }
  }
  return std::nullopt;
}

inline MarkedEdges random_edges(std::mt19937_64& random, std::uint32_t states, std::uint32_t degree,
                                Marks all) {
  MarkedEdges edges(states);
  for (auto& own : edges) {
    const std::uint64_t count = random() % (degree + 1);
    for (std::uint64_t i = 0; i < count; ++i) {
      const Marks marks = random() % 3 == 0 ? all : (random() & random() & all);
      own.push_back({static_cast<std::uint32_t>(random() % states), marks});
    }
  }
  return edges;
}

}  // namespace spoor
