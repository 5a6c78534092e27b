// A system and a claim about its runs, walked through together.
//
// The idea (Vardi and Wolper 1986). A claim is an automaton that accepts what must not happen. A state of the
// product is a state of the system and one of the claim; at every step the claim reads the state that the
// system is in, by the truth of its atoms, and moves first, then the system does. The system has a run that
// the claim accepts if and only if the product has a bad cycle, where the marks of a step are those of the
// claim's edge.
//
// SPIN's rules for never claims, which are these:
//   - where no edge of the claim can be taken the run is of no interest, and ends;
//   - where the system cannot move at all it stutters (unless the options say that it does not), and
//     the claim keeps reading the same state. So a finite run counts as an infinite one that stutters at its
//     end;
//   - when the claim reaches a state from which it accepts whatever follows, which for a never claim is its
//     end, that is a violation at once: there is no need to look for a cycle. It is found by any search.
//
// An atom whose evaluation fails (an index out of bounds) is an error only where an edge depends on it: one
// whose other literals all hold. Such an edge is not taken.
//
// Deadlocks are not reported here, as in SPIN; assertions and other errors on the way are.
//
// A step is named by the step of the system, with the number of the claim's edge as its choice. A step on
// which the system stutters is StepId::stutter() with that choice.
//
// The bytes of a state: those of the system's state, then the number of the claim's state in 1 or 2 bytes.
// They stand at the end so that a state begins like the system's own.
//
// Cost: one evaluation of the atoms per state, and a copy of every successor. Thread safety: as for every
// system.
// Tested by: tests/unit/test_claim.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/buffer.h"
#include "layer/infinite_runs.h"
#include "layer/run_guidance.h"
#include "ltl/automaton.h"
#include "ltl/tgba.h"
#include "model/layer.h"
#include "model/omega.h"
#include "model/propositions.h"

namespace spoor {

struct ClaimOptions {
  std::string name;                                   // what was claimed, for messages
  std::uint32_t identity = 0;                         // of the findings that are violations of it
  FindingKind cycle = FindingKind::kAcceptanceCycle;  // what a bad cycle is called
  bool ends_stutter = true;                           // a run that ends counts as one that stutters
  bool counts_passed_labels = false;  // a step that passes an accepting point is accepting (expansion.h)
  bool is_fair = false;               // only runs that are weakly fair count (infinite_runs.h)
};

class ClaimProduct : public LayerOver<OmegaSystem> {
 public:
  static constexpr std::uint32_t kMostClaimStates = 65536;

  // System, propositions and claim must live as long as the product. REQUIRES: the claim has states, and at
  // most kMostClaimStates, of at most StepId::kMostChoices edges each. Throws NotSupported where an option
  // needs movers that the system does not tell apart, or fairness has no room for its marks beside the
  // claim's.
  ClaimProduct(const TransitionSystem& system, const Propositions& propositions, const ltl::Automaton& claim,
               ClaimOptions options);

  bool has_cycles() const override { return has_cycles_; }
  std::uint32_t claim_state(StateBytes state) const;
  StateBytes system_state(StateBytes state) const { return state.first(state.size() - claim_bytes_); }

  CycleRule rule() const override { return rule_; }
  Marks all_marks() const override { return claim_.all_marks() | stutter_marks(); }
  Finding cycle() const override { return {options_.cycle, options_.identity, Finding::kStateItself}; }
  ClaimView look(StateBytes state) const override;
  std::optional<StepId> step_below(StateBytes state, StepId step) const override;

  std::vector<std::byte> initial_state() const override;
  void expand(StateBytes state, Expansion& out) const override;
  bool step(StateBytes state, StepId step, Expansion& out) const override;
  bool is_well_formed(StateBytes state) const override {
    return state.size() > claim_bytes_ && claim_state(state) < claim_.states.size() &&
           below().is_well_formed(system_state(state));
  }
  Explanation explain(StateBytes state, StepId step) const override;
  std::vector<std::string> describe(StateBytes state) const override;
  std::string message(const Finding& finding) const override;
  Position place(const Finding& finding) const override;
  const Guidance* guidance() const override { return guidance_ ? &*guidance_ : nullptr; }

 private:
  struct Workspace;
  static Workspace& workspace_of(Expansion& out);

  // Of a step of the system, beside those of the claim's edge.
  Marks marks_of_step(const Expansion& inner, std::size_t successor) const {
    Marks marks = fairness_ ? fairness_->of(inner, successor) : 0;
    if (options_.counts_passed_labels && passes_accepting(inner, successor)) marks |= claim_.all_marks();
    return marks;
  }
  Marks stutter_marks() const { return fairness_ ? fairness_->all() : 0; }
  Columns needed_columns() const { return {.movers = fairness_ || options_.counts_passed_labels}; }
  // `edge`: the one that names the steps on which something goes wrong.
  static void add_findings(const Expansion& inner, std::uint32_t edge, Expansion& out);
  bool is_repeated(const std::vector<ltl::Edge>& edges, const std::vector<Marks>& marks, std::uint32_t edge,
                   std::uint64_t values) const;
  void expand_system(StateBytes state, std::uint32_t edge, Expansion& inner, Expansion& out) const;
  void add(StateBytes system_part, StepId step, std::uint32_t claim_state, Marks marks, Expansion& out) const;
  void append_claim_state(std::uint32_t state, Buffer<std::byte>& arena) const;
  // What the graph of the claim says of its states, for hunts.
  std::vector<RunGuidance::ClaimState> states_for_guidance(const ltl::Tgba& claim,
                                                           const ltl::Components& parts) const;

  StateBytes state_below(StateBytes state, std::vector<std::byte>&) const override {
    return system_state(state);
  }

  const Propositions& propositions_;
  const ltl::Automaton& claim_;
  const ClaimOptions options_;
  const std::optional<Fairness> fairness_;
  std::vector<std::vector<Marks>> marks_;  // by state of the claim, and edge
  std::vector<bool> is_final_;             // by state of the claim: whatever follows is accepted
  std::uint32_t claim_bytes_ = 1;
  CycleRule rule_ = CycleRule::kTogether;
  bool has_cycles_ = true;
  std::optional<RunGuidance> guidance_;
};

}  // namespace spoor
