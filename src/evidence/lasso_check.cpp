#include "evidence/lasso_check.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/packed_numbers.h"
#include "evidence/run_graph.h"

namespace spoor {

bool is_bad_run(const OmegaSystem& runs, const SystemRun& run) {
  const std::size_t end = run.steps.size();
  const auto place_behind = [&](std::size_t place) {
    const std::size_t next = std::min(place + 1, end);
    return next == end && run.loop ? *run.loop : next;
  };
  using Node = std::pair<std::size_t, std::string>;  // a place in the trace, and a state
  std::map<Node, StateNumber> numbers;
  std::vector<const Node*> nodes;
  const auto number_of = [&](std::size_t place, StateBytes state) {
    const auto [found, is_new] =
        numbers.try_emplace({place, std::string(as_text(state))}, static_cast<StateNumber>(nodes.size()));
    if (is_new) nodes.push_back(&found->first);
    return found->second;
  };
  number_of(end == 0 && run.loop ? *run.loop : 0, runs.initial_state());
  RunGraph graph;
  Expansion expansion;
  std::vector<RunStep> steps;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto& [place, text] = *nodes[i];
    const StateBytes state = std::as_bytes(std::span(text));
    expansion.clear();
    runs.expand(state, expansion);
    for (const Finding& finding : expansion.findings) {
      if (finding.kind == FindingKind::kClaim) return true;
    }
    steps.clear();
    for (std::size_t k = 0; k < expansion.successors.size(); ++k) {
      const Successor& successor = expansion.successors[k];
      const std::optional<StepId> below = runs.step_below(state, successor.step);
      const bool is_step = place < end ? below == run.steps[place] : run.loop && !below;
      if (is_step)
        steps.push_back({number_of(place_behind(place), expansion.state(successor)), expansion.marks[k]});
    }
    graph.add(static_cast<StateNumber>(i), steps);
  }
  return runs.has_cycles() && !ranks_of(graph, RankRule(runs));
}

}  // namespace spoor
