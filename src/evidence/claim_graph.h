// The graph of an edited model on which a claim about infinite runs is decided again.
//
// The states of this system are the numbers of a KnownGraph (known_graph.h): the steps of a usable state come
// from the recording, any other state is expanded by the new version. The truth of the atoms is computed once
// per state, from its bytes, which is no expansion: another formula about the same atoms executes nothing.
//
// Without reductions the product with the claim is searched over this system. A state of the product is then
// a few bytes; what the new version has expanded is remembered, because the product asks for a state once per
// state of the claim. The product is that of a full check, in the same order, and so are all figures. With an
// empty recording this is a system that remembers its steps: so the first recording is made.
//
// With reductions a plan is made first (search/reduction_plan.h), as in a full check, but over this system:
//   - a usable state has the reduced set of steps that was recorded. It is sufficient in the new version:
//     none of the state's elements is changed, and what decides about the set belongs to them
//     (exec/stubborn_text.h);
//   - any other state has the reduced set that the new version chooses.
// On which states no step may be left out is decided by the plan, anew, on the whole graph; it asks for all
// steps of such a state, and a usable state that was recorded with fewer is expanded. So no property of the
// recorded graph as a whole is relied on: which cycles it has, or whether the recorded search has visited all
// of it. Of a state that the recorded plan has needed in full all steps are recorded, and the new plan has it
// in full although it may have no need to. Therefore the number of states may be another one than in a full
// check; the verdict is the same.
//
// Rivals. To expand all touched states in full, so that every cycle either was there before or has a full
// state: where processes share their code, an edit touches many states, which in full lead to many that the
// reduced graph does not have (docs/adr/0022). To walk the whole graph first (walk.h) and then search the
// product: that visits states which the claim never asks for. To search only components that hold a touched
// state, if the claim held before: most models are one component.
//
// Names of steps. The k-th recorded or remembered step of a state is called so (`stored_step`); `steps_below`
// names those of a trace as the new version does, by expanding the states along it. Others have their own
// names.
//
// Cost: 4 bytes per state for the atoms, 3 to 5 per remembered step.
// Not here: movers of steps, so no fairness, and no accept labels inside indivisible sequences (such claims
// are checked in full). Thread safety: none; one thread searches. Tested by: tests/suites/test_regression.py
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "evidence/known_graph.h"
#include "evidence/recorded_steps.h"
#include "model/atom_value_table.h"
#include "model/layer.h"
#include "model/propositions.h"

namespace spoor {

class ClaimGraph : public LayerOver<TransitionSystem>, public Propositions {
 public:
  // `reduces`: a plan is made of it; otherwise steps are remembered, and none is left out. The arguments must
  // live as long as this.
  ClaimGraph(const KnownGraph& graph, const TransitionSystem& after, const Propositions& propositions,
             bool reduces);

  std::vector<std::byte> initial_state() const override;
  // Throws NotSupported where columns of steps are asked for, std::bad_alloc, and what KnownGraph throws.
  void expand(StateBytes state, Expansion& out) const override;
  AtomValues atom_values(StateBytes state, std::shared_ptr<void>& workspace,
                         std::vector<Finding>& findings) const override;
  Explanation explain(StateBytes state, StepId step) const override;
  const Propositions* propositions() const override { return this; }

  // The same steps from the initial state, as the new version names them. Those of a product keep what its
  // claim has added (StepId::choice).
  std::vector<StepId> steps_below(const std::vector<StepId>& steps) const;

  // So often the new version has expanded a state.
  std::uint64_t expanded() const { return expanded_; }
  // All that there are, and those whose atoms were asked for.
  std::uint64_t states() const { return graph_.bound() + graph_.new_states(); }
  std::uint64_t visited() const { return visited_; }
  // By statement of the new version: has one of these expansions executed it?
  const std::vector<std::uint8_t>& executed() const { return inner_.executed; }
  // The state of the new version that a number stands for, valid until the next call.
  StateBytes bytes_of(StateIndex number) const { return graph_.bytes_of(number, *own_); }
  // Remembered steps; false: there are none.
  bool read_remembered(StateIndex number, RecordedState& out) const;
  std::uint64_t memory_bytes() const;

 private:
  StateBytes state_below(StateBytes state, std::vector<std::byte>& room) const override;
  void give_stored(StateIndex number, const std::uint8_t* entry, Expansion& out) const;
  // By the new version, into inner_ and targets_. False: it gave up.
  bool expand_below(StateIndex number, Expansion& out) const;
  // What is in there, which is remembered where that is of use.
  void give_inner(StateIndex number, Expansion& out) const;
  // One with this target.
  StepId step_to(StateIndex number, StateIndex target) const;
  StateIndex target_of(StateIndex number, std::uint64_t ordinal) const;

  const KnownGraph& graph_;
  const Propositions& propositions_;
  const bool reduces_;
  const std::unique_ptr<KnownGraph::Workspace> own_;
  mutable Expansion inner_;
  mutable std::vector<StateIndex> targets_;  // of inner_
  mutable RecordedState state_;
  mutable RecordedSteps remembered_;
  mutable std::uint64_t expanded_ = 0, visited_ = 0;
  mutable std::uint64_t bytes_ = 0;  // memory, as of lately
  mutable AtomValueTable values_;
  mutable std::vector<std::uint32_t>
      values_of_;  // by state: 1 more than the number of its values; 0: not known
};

}  // namespace spoor
