// Random walk with restarts: from the initial state on, a random step, until the walk ends.
//
// A walk ends at an error, at a state without steps, at a state that is on its way already (what follows
// could have followed the first time), and where the trace would be too long. Then another walk begins. Every
// expansion shows the errors of all steps of a state, not only of the one that is taken.
//
// This is the baseline: it learns nothing and remembers nothing but its way, so its memory is flat. It finds
// errors that many runs have at once, as in 64 philosophers who never stop; where few runs have the error, as
// in philosophers who eat once, it does not find it. Any method that learns must beat it.
//
// Where infinite runs are hunted, a walk that comes back to a state on its way has closed a cycle, and that
// is an error if the cycle is bad. Otherwise the walk ends there, too.
//
// States on the way are known by a hash of 64 bits: two that have the same one end a walk early, no more.
//
// Tested by: tests/unit/test_hunt.cpp, tests/unit/test_hunt_runs.cpp
#include <algorithm>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "hunt/hunter.h"
#include "hunt/state_tree.h"
#include "hunt/states_on_way.h"

namespace spoor {
namespace {

struct Walk {
  std::vector<std::byte> state;
  std::vector<StepId> steps;
  StatesOnWay on_way;

  std::uint64_t memory_bytes() const {
    return state.capacity() + steps.capacity() * sizeof(StepId) + on_way.memory_bytes();
  }
};

}  // namespace

MethodResult hunt_walk(Hunter& hunter, const MethodOptions& options) {
  MethodResult result;
  std::mt19937_64 random(options.seed);
  const std::vector<std::byte> initial = hunter.system().initial_state();
  Expansion expansion;
  Walk walk{{}, {}, StatesOnWay(hunter.runs())};
  hunter.watch_no_cycles();
  while (!hunter.is_over()) {
    walk.state = initial;
    walk.steps.clear();
    walk.on_way.clear();
    while (true) {
      if (const std::optional<std::size_t> place = walk.on_way.enter(walk.state)) {
        if (!walk.on_way.is_bad_from(*place)) break;
        Violation lasso{hunter.runs()->cycle(), walk.steps, place};
        if (!is_real_lasso(*hunter.runs(), lasso)) break;
        result.found = std::move(lasso);
        return result;
      }
      const auto depth = static_cast<std::uint32_t>(walk.steps.size());
      if (!hunter.expand(walk.state, expansion, walk)) return result;
      hunter.note_taken();
      ++result.states;
      result.depth = std::max<std::uint64_t>(result.depth, depth);
      const Finding* const finding = hunter.finding_of(expansion);
      if (finding != nullptr && length_of(*finding, depth) <= options.most_steps) {
        if (finding->step != Finding::kStateItself) walk.steps.push_back(finding->step);
        result.found = Violation{*finding, walk.steps};
        return result;
      }
      if (expansion.successors.empty() || depth == options.most_steps) break;
      const std::size_t chosen = random() % expansion.successors.size();
      const Successor& next = expansion.successors[chosen];
      walk.on_way.note_step(expansion, chosen);
      walk.steps.push_back(next.step);
      const StateBytes target = expansion.state(next);
      walk.state.assign(target.begin(), target.end());
    }
    if (walk.steps.empty() && expansion.successors.empty()) {  // the initial state is all there is
      result.has_seen_all = result.has_seen_all_within = true;
      return result;
    }
  }
  return result;
}

}  // namespace spoor
