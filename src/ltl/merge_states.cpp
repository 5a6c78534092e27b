#include "ltl/merge_states.h"

#include <numeric>
#include <optional>
#include <vector>

#include "ltl/emptiness.h"

namespace spoor::ltl {
namespace {

class StateMerger {
 public:
  StateMerger(const Tgba& negation, Bdds& bdds, bool by_state, std::size_t steps)
      : negation_(negation), bdds_(bdds), by_state_(by_state), steps_(steps) {}

  // A smaller automaton, or nothing when no pair can be merged.
  std::optional<Tgba> merge_some_pair(const Tgba& automaton) {
    const auto count = static_cast<std::uint32_t>(automaton.states.size());
    for (std::uint32_t s = 0; s < count; ++s) {
      for (std::uint32_t t = s + 1; t < count; ++t) {
        if (!can_afford(automaton)) return std::nullopt;
        std::vector<std::uint32_t> to(count);
        std::iota(to.begin(), to.end(), 0u);
        to[t] = s;
        Tgba candidate = merged(automaton, to, bdds_);
        if (by_state_) mark_alike(candidate.states[s]);
        if (is_right(candidate)) return trimmed(candidate, bdds_, by_state_);
      }
    }
    return std::nullopt;
  }

 private:
  // In a state-based automaton a state with a mark on some arc is accepting.
  void mark_alike(std::vector<Arc>& arcs) {
    std::uint64_t marks = 0;
    for (const Arc& arc : arcs) marks |= arc.marks;
    for (Arc& arc : arcs) arc.marks = marks;
  }

  bool can_afford(const Tgba& automaton) {
    const std::size_t cost =
        automaton.arc_count() + negation_.arc_count() + automaton.states.size() * negation_.states.size();
    if (cost > steps_) return false;
    steps_ -= cost;
    return true;
  }

  bool is_right(const Tgba& candidate) {
    return are_disjoint(candidate, negation_, bdds_, 100'000).value_or(false);
  }

  const Tgba& negation_;
  Bdds& bdds_;
  bool by_state_;
  std::size_t steps_;
};

}  // namespace

Tgba merge_states(const Tgba& automaton, const Tgba& negation, Bdds& bdds, bool by_state,
                  std::size_t max_steps) {
  if (automaton.states.size() > 100 || negation.states.size() > 500) return automaton;
  StateMerger merger(negation, bdds, by_state, max_steps);
  Tgba best = automaton;
  while (std::optional<Tgba> smaller = merger.merge_some_pair(best)) best = std::move(*smaller);
  return best;
}

}  // namespace spoor::ltl
