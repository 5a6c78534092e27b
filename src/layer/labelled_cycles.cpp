#include "layer/labelled_cycles.h"

#include <memory>
#include <utility>

namespace spoor {

struct LabelledCycles::Workspace {
  std::shared_ptr<void> system, asking;
};

LabelledCycles::LabelledCycles(const TransitionSystem& system, const Propositions& propositions,
                               Labels labels, Options options)
    : LayerOver(system),
      propositions_(propositions),
      labels_(labels),
      counts_passed_labels_(options.counts_passed_labels),
      fairness_(options.is_fair ? std::optional(Fairness(system, 1)) : std::nullopt) {
  if (counts_passed_labels_ && system.most_movers() == 0)
    throw NotSupported("accept labels inside steps need a system that says what a step passes");
  if (system.guidance() != nullptr)
    guidance_.emplace(*system.guidance(), std::vector<RunGuidance::ClaimState>(), 0);
}

void LabelledCycles::expand(StateBytes state, Expansion& out) const {
  std::shared_ptr<void>& workspace = out.scratch.workspace;
  if (!workspace) workspace = std::make_shared<Workspace>();
  const std::shared_ptr<void> own = workspace;
  auto& [system, asking] = *static_cast<Workspace*>(own.get());
  const AtomValues values = propositions_.atom_values(state, asking, out.findings);
  const std::size_t before = out.findings.size();
  const MoreColumns more(out, {.movers = fairness_ || counts_passed_labels_});
  workspace = system;
  below().expand(state, out);
  system = std::exchange(workspace, own);
  std::erase_if(out.findings, [&, at = std::size_t{0}](const Finding& finding) mutable {
    return at++ >= before && finding.kind == FindingKind::kDeadlock;
  });
  if (out.was_cut) return;
  if (labels_ == Labels::kAccept && out.last_successors().empty() && (values.truth & 1) != 0) {
    add_successor(state, StepId::stutter(), out);
    add_stutter_columns(out);
  }
  for (std::size_t i = out.first_successor; i < out.successors.size(); ++i) {
    Marks marks = values.truth & 1;
    if (counts_passed_labels_ && passes_accepting(out, i)) marks = 1;
    if (fairness_)
      marks |= out.successors[i].step == StepId::stutter() ? fairness_->all() : fairness_->of(out, i);
    out.marks.push_back(marks);
  }
}

ClaimView LabelledCycles::look(StateBytes state) const {
  return look_at_atoms(propositions_, {labels_ == Labels::kAccept ? "accept" : "np_"}, state);
}

Explanation LabelledCycles::explain(StateBytes state, StepId step) const {
  return step == StepId::stutter() ? stands_still(state) : below().explain(state, step);
}

std::string LabelledCycles::message(const Finding& finding) const {
  if (finding.kind == FindingKind::kAcceptanceCycle) return "a run passes an accept label again and again";
  if (finding.kind == FindingKind::kNonProgress)
    return "an infinite run passes no progress label from some point on";
  return below().message(finding);
}

Position LabelledCycles::place(const Finding& finding) const {
  return finding.kind == kind() ? Position{} : below().place(finding);
}

}  // namespace spoor
