// What the layers for infinite runs share: fairness, the step on which a system that cannot move stands
// still, and the atoms of a state in words.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/omega.h"
#include "model/propositions.h"
#include "model/system.h"

namespace spoor {

// Weak fairness: a mover (a process, a thread) that from some point on can always begin a step takes part
// in one again and again. A mark per mover says so, on every step in which it takes part or before which it
// could not begin one. The marks are those from `first` on; a system that stutters has them all. (SPIN
// copies the state space once per process, and in places loses runs that end: docs/spin-differences.md.)
class Fairness {
 public:
  // Throws NotSupported where the system does not tell movers apart, or its movers and the `first` other
  // marks are more than there is room for.
  Fairness(const TransitionSystem& system, std::uint32_t first) : first_(first) {
    const std::uint32_t movers = system.most_movers();
    if (movers == 0) throw NotSupported("fairness needs a system that says which movers take a step");
    if (movers + first > kMostMarks) throw NotSupported("fairness beside so many acceptance sets");
    all_ = ((Marks{1} << movers) - 1) << first;
  }

  Marks all() const { return all_; }
  Marks of(const Expansion& inner, std::size_t successor) const {
    return (inner.movers[successor] | ~inner.enabled) << first_ & all_;
  }

 private:
  static constexpr std::uint32_t kMostMarks = 64;
  std::uint32_t first_;
  Marks all_;
};

// Does the step pass an accepting point that no state shows?
inline bool passes_accepting(const Expansion& inner, std::size_t successor) {
  return (inner.movers[successor] & Expansion::kPassesAccepting) != 0;
}

// Appends a successor with these bytes. They do not lie in `out`.
inline Successor& add_successor(StateBytes state, StepId step, Expansion& out) {
  Successor successor;
  successor.step = step;
  successor.offset = static_cast<std::uint32_t>(out.arena.size());
  successor.length = static_cast<std::uint32_t>(state.size());
  out.arena.append(state);
  out.successors.push_back(successor);
  return out.successors[out.successors.size() - 1];
}

inline Explanation stands_still(StateBytes state) {
  Explanation explanation;
  explanation.target.assign(state.begin(), state.end());
  explanation.actions.push_back(stutter_action());
  return explanation;
}

// Those that cannot be evaluated are left out.
inline ClaimView look_at_atoms(const Propositions& propositions, const std::vector<std::string>& names,
                               StateBytes state) {
  std::shared_ptr<void> workspace;
  std::vector<Finding> unused;
  const AtomValues values = propositions.atom_values(state, workspace, unused);
  ClaimView view;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if ((values.failed >> i & 1) == 0) view.atoms.emplace_back(names[i], (values.truth >> i & 1) != 0);
  }
  return view;
}

}  // namespace spoor
