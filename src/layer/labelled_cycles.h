// Cycles that are bad because of labels: the system alone, without a claim beside it.
//
//   accept labels    bad is a run that is at an accept label again and again: every step from a state in
//                    which some process is at one has the mark, and the steps of a cycle need it once.
//                    Where nothing can move any more, the run stutters, as with a claim (SPIN:
//                    "accept stutter").
//   progress labels  bad is a run that from some point on is never at a progress label: every step of the
//                    cycle starts where no process is at one. Runs that end do not count, as in SPIN.
//
// SPIN looks for the latter with a claim of two states (`<>[]np_`), which doubles the states; a search for
// cycles all of whose steps have a mark does without.
//
// The question is atom 0 of the propositions. Deadlocks are not reported here, as in SPIN; assertions and
// other errors are. Names of steps are the system's own; standing still is StepId::stutter().
//
// Cost: one question per state. Thread safety: as for every system.
// Tested by: tests/suites/test_liveness.py
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "layer/infinite_runs.h"
#include "layer/run_guidance.h"
#include "model/layer.h"
#include "model/omega.h"
#include "model/propositions.h"

namespace spoor {

class LabelledCycles : public LayerOver<OmegaSystem> {
 public:
  enum class Labels : std::uint8_t { kAccept, kProgress };

  struct Options {
    // Only weakly fair runs count. REQUIRES: accept labels (progress is a matter of every step, fairness one
    // of all together).
    bool is_fair = false;
    // A step that passes an accept label inside an indivisible sequence counts (Expansion::kPassesAccepting).
    bool counts_passed_labels = false;
  };

  // System and propositions must live as long as this. Throws NotSupported where an option needs movers that
  // the system does not tell apart.
  LabelledCycles(const TransitionSystem& system, const Propositions& propositions, Labels labels)
      : LabelledCycles(system, propositions, labels, Options()) {}
  LabelledCycles(const TransitionSystem& system, const Propositions& propositions, Labels labels,
                 Options options);

  CycleRule rule() const override {
    return labels_ == Labels::kAccept ? CycleRule::kTogether : CycleRule::kEveryStep;
  }
  Marks all_marks() const override { return fairness_ ? 1 | fairness_->all() : 1; }
  Finding cycle() const override { return {kind(), 0, Finding::kStateItself}; }
  ClaimView look(StateBytes state) const override;
  std::optional<StepId> step_below(StateBytes, StepId step) const override {
    return step == StepId::stutter() ? std::nullopt : std::optional(step);
  }

  void expand(StateBytes state, Expansion& out) const override;
  bool is_well_formed(StateBytes state) const override { return below().is_well_formed(state); }
  Explanation explain(StateBytes state, StepId step) const override;
  std::string message(const Finding& finding) const override;
  Position place(const Finding& finding) const override;
  const Guidance* guidance() const override { return guidance_ ? &*guidance_ : nullptr; }

 private:
  struct Workspace;
  FindingKind kind() const {
    return labels_ == Labels::kAccept ? FindingKind::kAcceptanceCycle : FindingKind::kNonProgress;
  }

  const Propositions& propositions_;
  const Labels labels_;
  const bool counts_passed_labels_;
  const std::optional<Fairness> fairness_;
  std::optional<RunGuidance> guidance_;
};

}  // namespace spoor
