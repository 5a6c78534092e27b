// Depth-first search in a random order, of bounded size, again and again.
//
// From every state the search goes on to one of its new successors, chosen at random, and comes back to the
// others when there is nothing new below. Unlike a random walk it never meets a state twice, so it gets out
// of a part with many cycles; but it seldom comes back to a decision that was taken early. So a search is
// given up after a number of expansions, and another one begins with another order and twice the number.
//
// A state counts as seen when it is found, not when the search goes there: that keeps one copy of it, and
// traces shorter.
//
// Tested by: tests/unit/test_hunt.cpp
#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "hunt/hunter.h"
#include "hunt/state_tree.h"

namespace spoor {
namespace {

constexpr std::uint64_t kFirstSize = 1000;

}  // namespace

MethodResult hunt_random_dfs(Hunter& hunter, const MethodOptions& options) {
  MethodResult result;
  std::mt19937_64 random(options.seed);
  Expansion expansion;
  std::vector<StateIndex> waiting;
  for (std::uint64_t most = kFirstSize; !hunter.is_over(); most *= 2) {
    StateTree tree;
    bool is_cut = false;
    waiting.assign(1, tree.add(hunter.system().initial_state(), kNoState, StepId::none()).index);
    for (std::uint64_t count = 0; count < most && !waiting.empty(); ++count) {
      const StateIndex state = waiting.back();
      waiting.pop_back();
      const std::uint32_t depth = tree.depth(state);
      if (!hunter.expand(tree.bytes(state), expansion, tree)) return result;
      hunter.note_taken();
      const Finding* const finding = hunter.finding_of(expansion);
      if (finding != nullptr && length_of(*finding, depth) <= options.most_steps) {
        result.found = tree.violation(state, *finding);
        return result;
      }
      if (depth == options.most_steps) {
        is_cut |= !expansion.successors.empty();
        continue;
      }
      const std::size_t first = waiting.size();
      for (const Successor& successor : expansion.successors) {
        const Insertion inserted = tree.add(expansion.state(successor), state, successor.step);
        if (inserted.is_new) waiting.push_back(inserted.index);
      }
      for (std::size_t i = waiting.size(); i > first + 1; --i)  // a shuffle that is the same everywhere
        std::swap(waiting[i - 1], waiting[first + random() % (i - first)]);
    }
    result.states = tree.size();
    result.depth = std::max<std::uint64_t>(result.depth, tree.greatest_depth());
    if (waiting.empty()) {
      result.has_seen_all = !is_cut;
      if (!is_cut) result.has_seen_all_within = true;
      return result;
    }
  }
  return result;
}

}  // namespace spoor
