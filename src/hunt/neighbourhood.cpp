// Shorter traces by what lies near: a breadth-first search from all states of the trace at once.
//
// A trace that goes a long way round comes near states that a few other steps would have reached. So the
// states of the trace are expanded, then all states one step beside it, and so on, as many as the budget
// allows. Every step that was seen is kept; then a search in this part of the graph, which needs no more
// expansions, finds the shortest way from the initial state to any error in it. That is never longer than the
// trace.
//
// Memory: 20 bytes per step that was seen, and the states.
// Tested by: tests/unit/test_shorten.cpp
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "hunt/shorten.h"
#include "hunt/state_tree.h"

namespace spoor {
namespace {

class Neighbourhood {
 public:
  explicit Neighbourhood(Hunter& hunter) : hunter_(hunter) {}

  std::optional<Violation> run(const Violation& known) {
    if (!expand_trace(known)) return std::nullopt;
    while (next_ < tree_.size() && expand_next()) {
    }
    std::optional<Violation> found = shortest();
    if (!found || found->steps.size() >= known.steps.size()) return std::nullopt;
    return found;
  }

  std::uint64_t memory_bytes() const {
    return tree_.memory_bytes() + edges_.capacity() * sizeof(Edge) +
           first_edge_.capacity() * sizeof(std::uint64_t);
  }

 private:
  struct Edge {
    StepId step;
    StateIndex target = 0;
  };
  struct Error {
    StateIndex state = 0;
    Finding finding;
  };

  // The states of the trace get the lowest numbers, so that they are expanded first.
  bool expand_trace(const Violation& known) {
    std::vector<std::byte> state = hunter_.system().initial_state();
    tree_.add(state, kNoState, StepId::none());
    for (const StepId step : known.steps) {
      if (!hunter_.step(state, step, expansion_)) return false;
      if (expansion_.successors.empty()) break;
      const StateBytes target = expansion_.state(expansion_.successors[0]);
      state.assign(target.begin(), target.end());
      tree_.add(state, 0, step);
    }
    return true;
  }

  // The edges of a state lie side by side, because states are expanded in the order of their numbers.
  bool expand_next() {
    if (!hunter_.expand(tree_.bytes(next_), expansion_, *this)) return false;
    hunter_.note_taken();
    first_edge_.push_back(edges_.size());
    if (const Finding* const finding = hunter_.finding_of(expansion_)) errors_.push_back({next_, *finding});
    for (const Successor& successor : expansion_.successors)
      edges_.push_back({successor.step, tree_.add(expansion_.state(successor), 0, successor.step).index});
    ++next_;
    return true;
  }

  // In what was expanded.
  std::optional<Violation> shortest() {
    constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();
    first_edge_.push_back(edges_.size());
    std::vector<std::uint32_t> distance(tree_.size(), kUnknown);
    std::vector<std::pair<StateIndex, StepId>> parent(tree_.size());
    std::vector<StateIndex> queue = {0};
    distance[0] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const StateIndex state = queue[i];
      if (state >= next_) continue;
      for (std::uint64_t e = first_edge_[state]; e < first_edge_[state + 1]; ++e) {
        const Edge& edge = edges_[e];
        if (distance[edge.target] != kUnknown) continue;
        distance[edge.target] = distance[state] + 1;
        parent[edge.target] = {state, edge.step};
        queue.push_back(edge.target);
      }
    }
    const Error* best = nullptr;
    const auto length = [&](const Error& error) { return length_of(error.finding, distance[error.state]); };
    for (const Error& error : errors_) {
      if (distance[error.state] == kUnknown) continue;
      if (best == nullptr || length(error) < length(*best)) best = &error;
    }
    if (best == nullptr) return std::nullopt;
    Violation found{best->finding, {}};
    for (StateIndex at = best->state; at != 0; at = parent[at].first)
      found.steps.push_back(parent[at].second);
    std::ranges::reverse(found.steps);
    if (best->finding.step != Finding::kStateItself) found.steps.push_back(best->finding.step);
    return found;
  }

  Hunter& hunter_;
  StateTree tree_;  // its ways are not used
  Expansion expansion_;
  std::vector<Edge> edges_;
  std::vector<std::uint64_t> first_edge_;  // by state
  std::vector<Error> errors_;
  StateIndex next_ = 0;
};

}  // namespace

std::optional<Violation> search_neighbourhood(Hunter& hunter, const Violation& known) {
  return Neighbourhood(hunter).run(known);
}

}  // namespace spoor
