// A known trace of an infinite run is made shorter until the hunt is over, or nothing shorter is left.
//
//   after every new trace: elimination of what single processes do in vain (eliminate_run.cpp)
//   repeat with a growing budget:
//     the neighbourhood   a breadth-first search from all states of the trace at once
//     the methods         each for a trace with one step less than the best
//
// The states of the known lasso are part of what each of them has seen (Hunter::note_lasso). So a shorter way
// from the initial state to any state of the cycle makes a shorter lasso, and so does a shorter cycle through
// any state that is met: stem and cycle get shorter apart, and together. The shortest lasso in what was seen
// is found by expanded_graph.h.
//
// Breadth-first search ends the hunt when it has seen all states within the bound and they have no lasso that
// is shorter: a lasso of n steps has n states, none of which is more than n - 1 steps away.
//
// Tested by: tests/unit/test_hunt_runs.cpp
#include "hunt/shorten_run.h"

#include <algorithm>
#include <vector>

#include "hunt/hamming.h"
#include "hunt/state_tree.h"

namespace spoor {
namespace {

constexpr std::uint64_t kFirstRunBudget = 2000;
constexpr std::uint64_t kRunBudgetGrowth = 4;
constexpr std::uint64_t kRunBudgetPerStep = 8;  // a neighbourhood is larger than its trace

struct RunAttempt {
  const char* name;
  Method method;
  std::uint64_t width;  // times that of the round; 0: it has none
  bool goes_to_cycle;
};

constexpr RunAttempt kRunAttempts[] = {
    {"bfs", hunt_bfs, 0, false},
    {"beam", hunt_beam, 1, false},
    {"tuple", hunt_tuple, 0, false},
    {"greedy", hunt_greedy, 0, false},
    {"eda", hunt_eda, 0, false},
    {"beam to the cycle", hunt_beam, 4, true},
    {"wastar to the cycle", hunt_weighted_astar, 0, true},
};

// A breadth-first search from the states of the trace.
MethodResult search_beside(Hunter& hunter, const std::vector<StepId>& steps) {
  MethodResult result;
  StateTree tree;  // its ways are not used
  Expansion expansion;
  std::vector<std::byte> state = hunter.system().initial_state();
  tree.add(state, kNoState, StepId::none());
  for (const StepId step : steps) {
    if (!hunter.step(state, step, expansion) || expansion.successors.empty()) break;
    const StateBytes target = expansion.state(expansion.successors[0]);
    state.assign(target.begin(), target.end());
    tree.add(state, 0, step);
  }
  for (StateIndex next = 0; next < tree.size(); ++next) {
    if (!hunter.expand(tree.bytes(next), expansion, tree)) break;
    hunter.note_taken();
    for (const Successor& successor : expansion.successors)
      tree.add(expansion.state(successor), 0, successor.step);
  }
  result.states = tree.size();
  return result;
}

void eliminate_from_run(Portfolio& portfolio) {
  if (portfolio.hunter().guidance() == nullptr) return;
  while (!portfolio.is_over() && portfolio.improve("elimination", eliminate_run_steps, 0)) {
  }
}

}  // namespace

void make_run_shorter(Portfolio& portfolio) {
  eliminate_from_run(portfolio);
  std::uint64_t width = 4;
  for (std::uint64_t budget = kFirstRunBudget; !portfolio.is_over(); budget *= kRunBudgetGrowth, width *= 2) {
    for (bool is_shorter = true; is_shorter && !portfolio.is_over();) {
      const std::uint64_t length = portfolio.result().best.length;
      MethodOptions options;
      options.expansions = std::max(budget, kRunBudgetPerStep * length);
      options.most_steps = static_cast<std::uint32_t>(length - 1);
      const std::vector<StepId> steps = portfolio.result().found->steps;
      portfolio.run(
          "neighbourhood", [&](Hunter& hunter, const MethodOptions&) { return search_beside(hunter, steps); },
          options);
      is_shorter = portfolio.result().best.length < length;
      if (is_shorter) eliminate_from_run(portfolio);
    }
    for (const RunAttempt& how : kRunAttempts) {
      if (portfolio.is_over()) return;
      MethodOptions options;
      options.expansions = budget + portfolio.result().best.length;
      options.most_steps = static_cast<std::uint32_t>(portfolio.result().best.length - 1);
      options.seed = portfolio.next_seed();
      options.width = how.width * width;
      options.heuristic = portfolio.heuristic();
      HammingDistance distance(portfolio.last_state());
      if (how.goes_to_cycle) options.heuristic = &distance;
      if (portfolio.run(how.name, how.method, options).found) eliminate_from_run(portfolio);
    }
  }
}

}  // namespace spoor
