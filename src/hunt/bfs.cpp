// Breadth-first search: the states in the order of their distance.
//
// The first trace is the shortest, and when the search ends without one there is no error: it is the only
// method that proves something, and it needs memory for all states up to the depth of the error. In the
// portfolio it finds what is near, and it shows that a known trace is the shortest when no error is nearer.
//
// An error on a step of a state at depth d makes a trace of d + 1 steps, one of the state itself a trace of
// d. So an error on a step is kept until the states at its depth have been expanded: one of them could end a
// trace of the same length, none a shorter one; and before that, another state at depth d could have an error
// of its own.
//
// Tested by: tests/unit/test_hunt.cpp
#include <algorithm>

#include "hunt/hunter.h"
#include "hunt/state_tree.h"

namespace spoor {

MethodResult hunt_bfs(Hunter& hunter, const MethodOptions& options) {
  MethodResult result;
  StateTree tree;
  Expansion expansion;
  tree.add(hunter.system().initial_state(), kNoState, StepId::none());
  bool is_cut = false;  // states were left out because of their depth
  StateIndex next = 0;
  for (; next < tree.size(); ++next) {
    const std::uint32_t depth = tree.depth(next);
    result.states = tree.size();
    result.depth = tree.greatest_depth();
    if (result.found && depth >= result.found->steps.size()) break;
    if (!hunter.expand(tree.bytes(next), expansion, tree)) return result;
    hunter.note_taken();
    const Finding* const finding = hunter.finding_of(expansion);
    const std::uint32_t length = finding != nullptr ? length_of(*finding, depth) : 0;
    if (finding != nullptr && length <= options.most_steps &&
        (!result.found || length < result.found->steps.size()))
      result.found = tree.violation(next, *finding);
    if (result.found) continue;
    if (depth == options.most_steps) {
      is_cut |= !expansion.successors.empty();
      continue;
    }
    for (const Successor& successor : expansion.successors)
      tree.add(expansion.state(successor), next, successor.step);
  }
  result.has_seen_all_within = true;
  result.has_seen_all = !result.found && !is_cut;
  return result;
}

}  // namespace spoor
