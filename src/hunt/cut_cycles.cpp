// A trace that comes back to a state is shorter without the way round.
//
// The traces of our methods seldom do, those of other programs often: a random simulation, a depth-first
// search, a trail. What follows a state does not depend on how it was reached, so the rest of the trace
// follows the first visit as well.
//
// Where an error lies on the way, the trace ends there.
//
// States are compared by their bytes. Cost: an expansion per step, and the states of the trace.
// Tested by: tests/unit/test_shorten.cpp
#include <string>
#include <unordered_map>
#include <vector>

#include "hunt/shorten.h"

namespace spoor {
namespace {

std::string text_of(StateBytes state) { return {reinterpret_cast<const char*>(state.data()), state.size()}; }

struct StatesOfTrace {
  std::unordered_map<std::string, std::size_t> place;  // the steps before it
  std::vector<std::string> in_order;

  std::uint64_t memory_bytes() const {
    return in_order.empty() ? 0 : 2 * in_order.size() * in_order.front().size();
  }
};

}  // namespace

std::optional<Violation> cut_cycles(Hunter& hunter, const Violation& known) {
  StatesOfTrace states;
  Violation shorter{known.finding, {}};
  std::vector<std::byte> state = hunter.system().initial_state();
  Expansion expansion;
  for (std::size_t i = 0;; ++i) {
    const auto [found, is_new] = states.place.try_emplace(text_of(state), shorter.steps.size());
    if (is_new) {
      states.in_order.push_back(found->first);
    } else {
      shorter.steps.resize(found->second);
      for (; states.in_order.size() > shorter.steps.size() + 1; states.in_order.pop_back())
        states.place.erase(states.in_order.back());
    }
    if (!hunter.expand(state, expansion, states)) return std::nullopt;
    if (const Finding* const finding = hunter.finding_of(expansion)) {
      shorter.finding = *finding;
      if (finding->step != Finding::kStateItself) shorter.steps.push_back(finding->step);
      break;
    }
    if (i == known.steps.size() || !keep_only(known.steps[i], expansion)) return std::nullopt;
    shorter.steps.push_back(known.steps[i]);
    const StateBytes target = expansion.state(expansion.successors[0]);
    state.assign(target.begin(), target.end());
  }
  if (shorter.steps.size() >= known.steps.size()) return std::nullopt;
  return shorter;
}

}  // namespace spoor
