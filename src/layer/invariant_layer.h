// A system whose states and steps are asked whether they keep an invariant (ltl/invariant.h).
//
// States and steps are those of the system below. To what goes wrong there the layer adds the violations of
// the invariant: of one state, as of the state itself; of two consecutive states, as of the step between
// them. So any search for errors, and the certifier, checks the invariant along the way, and no product with
// an automaton is needed.
//
// A run that has ended has no next state: what an invariant says of two consecutive states it says of steps.
// (A formula, in which a run that ends stutters, says more.)
//
// Rival: the product with the claim of the formula (claim_product.h), which can express more, has a claim
// state in each of its states, and is searched beside the search for other errors.
//
// Cost: one evaluation of the atoms per state; where a condition on the first of two states holds, one per
// successor. Thread safety: as for every system.
// Tested by: tests/unit/test_invariant.cpp, tests/suites/test_invariant.py
#pragma once

#include <string>
#include <vector>

#include "ltl/invariant.h"
#include "model/layer.h"
#include "model/propositions.h"
#include "model/state_examiner.h"

namespace spoor {

class InvariantLayer : public LayerOver<TransitionSystem>, public StateExaminer {
 public:
  // System and propositions must live as long as the layer. `text`: of the invariant, for messages.
  InvariantLayer(const TransitionSystem& system, const Propositions& propositions, ltl::Invariant invariant,
                 std::string text);

  void expand(StateBytes state, Expansion& out) const override;
  // What the invariant says of the step, if it is about two states, is not examined.
  bool step(StateBytes state, StepId step, Expansion& out) const override;
  void examine(StateBytes state, Expansion& out) const override;
  bool is_well_formed(StateBytes state) const override { return below().is_well_formed(state); }
  // States have the bytes of those below.
  const Guidance* guidance() const override { return below().guidance(); }
  std::string message(const Finding& finding) const override;
  Position place(const Finding& finding) const override;

 private:
  struct Workspace;
  // Calls `ask` while `out` has the workspace of the system below.
  template <class Ask>
  static Workspace& ask_system_below(Expansion& out, const Ask& ask);
  // Adds what is wrong with the state itself; returns the atoms there.
  AtomValues look_at(StateBytes state, Workspace& own, Expansion& out) const;
  void look_ahead(AtomValues now, Workspace& own, Expansion& out) const;

  const Propositions& propositions_;
  const ltl::Invariant invariant_;
  const bool looks_ahead_ = invariant_.looks_ahead();
  const std::string text_;
};

}  // namespace spoor
