// The oracle for all searches: a textbook breadth-first search, as slow and plain as it gets.
//
// This is also the first file to read. A checker asks one question again and again: which states follow this
// one (TransitionSystem::expand)? It keeps the states that it has met, so that none is expanded twice, and a
// queue of those that are yet to be expanded; when the queue is empty, every state that can be reached has
// been looked at, and what went wrong on the way is the verdict. Breadth-first, so the first trace to an
// error is as short as any. All that src/search and src/store add is speed, memory and evidence.
//
// It shares no code with src/search and src/store: states are strings in a std::map, nothing is hashed,
// batched or numbered. Whatever a search reports about a system can be compared with what is found here, on
// graphs small enough for it.
//
// Used by: tests/unit/test_search.cpp, tests/unit/test_graph.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/system.h"

namespace spoor::reference {

using State = std::vector<std::byte>;
using Defect = std::pair<FindingKind, std::uint32_t>;

struct Transition {
  State source;
  StepId step;
  State target;

  friend bool operator<(const Transition& a, const Transition& b) {
    if (a.source != b.source) return a.source < b.source;
    if (a.step != b.step) return a.step < b.step;
    return a.target < b.target;
  }
  friend bool operator==(const Transition&, const Transition&) = default;
};

struct Exploration {
  std::map<State, std::size_t> distance;  // of every state that was reached, in steps
  std::set<Transition> transitions;
  std::map<Defect, std::size_t> shortest;  // for each defect the length of its shortest trace
  std::uint64_t findings = 0;              // occurrences
  std::size_t depth = 0;                   // the largest distance
  bool is_cut = false;                     // states at the depth limit were not expanded
  std::vector<std::uint8_t> executed;

  // Arrivals, as SPIN counts: one for the initial state and one for each successor.
  std::uint64_t arrivals() const { return 1 + transitions.size(); }

  std::size_t shortest_of_all() const {
    std::size_t least = SIZE_MAX;
    for (const auto& [defect, length] : shortest) least = std::min(least, length);
    return least;
  }
};

struct Options {
  std::set<FindingKind> ignored;
  std::size_t depth_limit = SIZE_MAX;  // states at this distance are not expanded
};

inline void note_findings(const Expansion& expansion, std::size_t distance, const Options& options,
                          Exploration& out) {
  for (const Finding& finding : expansion.findings) {
    if (options.ignored.contains(finding.kind)) continue;
    ++out.findings;
    const std::size_t length = finding.step == Finding::kStateItself ? distance : distance + 1;
    const auto [known, is_new] = out.shortest.emplace(Defect(finding.kind, finding.identity), length);
    if (!is_new) known->second = std::min(known->second, length);
  }
}

inline Exploration explore(const TransitionSystem& system, const Options& options = {}) {
  Exploration out;
  out.executed.assign(system.statements().size(), 0);
  std::deque<State> queue{system.initial_state()};
  out.distance[queue.front()] = 0;
  while (!queue.empty()) {
    const State state = queue.front();
    queue.pop_front();
    const std::size_t distance = out.distance.at(state);
    out.depth = std::max(out.depth, distance);
    if (distance >= options.depth_limit) {
      out.is_cut = true;
      continue;
    }
    Expansion expansion;
    expansion.asked.columns.executed = true;
    expansion.executed = out.executed;
    system.expand(state, expansion);
    out.executed = expansion.executed;
    note_findings(expansion, distance, options, out);
    for (const Successor& successor : expansion.successors) {
      const StateBytes bytes = expansion.state(successor);
      const State target(bytes.begin(), bytes.end());
      out.transitions.insert({state, successor.step, target});
      if (out.distance.emplace(target, distance + 1).second) queue.push_back(target);
    }
  }
  return out;
}

}  // namespace spoor::reference
