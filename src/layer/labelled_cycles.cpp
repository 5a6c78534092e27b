#include "layer/labelled_cycles.h"

#include <memory>
#include <utility>

namespace spoor {

struct LabelledCycles::Workspace {
  std::shared_ptr<void> system, asking;
};

void LabelledCycles::expand(StateBytes state, Expansion& out) const {
  if (!out.workspace) out.workspace = std::make_shared<Workspace>();
  const std::shared_ptr<void> own = out.workspace;
  auto& [system, asking] = *static_cast<Workspace*>(own.get());
  const Letter letter = propositions_.letter(state, asking, out.findings);
  const std::size_t before = out.findings.size();
  out.workspace = system;
  below().expand(state, out);
  system = std::exchange(out.workspace, own);
  std::erase_if(out.findings, [&, at = std::size_t{0}](const Finding& finding) mutable {
    return at++ >= before && finding.kind == FindingKind::kDeadlock;
  });
  if (out.was_cut) return;
  if (labels_ == Labels::kAccept && out.last_successors().empty() && (letter.truth & 1) != 0) {
    add_successor(state, StepId::stutter(), out);
  }
  for (std::size_t i = out.first_successor; i < out.successors.size(); ++i) {
    const bool has_movers = i < out.movers.size();  // not of standing still
    Marks marks = letter.truth & 1;
    if (labels_ == Labels::kAccept && has_movers && (out.movers[i] & Expansion::kPassedAccept) != 0)
      marks = 1;
    if (is_fair_) marks |= has_movers ? kFairness.of(out, i) : kFairness.all();
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
    return "a run goes on for ever without passing a progress label";
  return below().message(finding);
}

Position LabelledCycles::place(const Finding& finding) const {
  return finding.kind == kind() ? Position{} : below().place(finding);
}

}  // namespace spoor
