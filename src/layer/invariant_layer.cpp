#include "layer/invariant_layer.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace spoor {

struct InvariantLayer::Workspace {
  std::shared_ptr<void> system, asking;  // of the system below, of the propositions
  std::vector<Finding> failures;         // of their evaluation
};

namespace {

// Does the condition hold as far as it can be evaluated?
bool may_match(const ltl::Cube& cube, const AtomValues& values) {
  const ltl::Cube rest = {cube.mask & ~values.failed, cube.value & ~values.failed};
  return rest.matches(values.truth);
}

// Some atom that cannot be evaluated decides.
bool is_undecided(const ltl::Cube& cube, const AtomValues& values) {
  return (cube.mask & values.failed) != 0;
}

void add_failures(std::vector<Finding>& failures, StepId step, Expansion& out) {
  for (Finding& failure : failures) {
    failure.step = step;
    out.findings.push_back(failure);
  }
  failures.clear();
}

}  // namespace

InvariantLayer::InvariantLayer(const TransitionSystem& system, const Propositions& propositions,
                               ltl::Invariant invariant, std::string text)
    : LayerOver(system),
      propositions_(propositions),
      invariant_(std::move(invariant)),
      text_(std::move(text)) {}

template <class Ask>
InvariantLayer::Workspace& InvariantLayer::ask_system_below(Expansion& out, const Ask& ask) {
  std::shared_ptr<void>& workspace = out.scratch.workspace;
  if (!workspace) workspace = std::make_shared<Workspace>();
  const std::shared_ptr<void> kept = workspace;
  Workspace& own = *static_cast<Workspace*>(kept.get());
  workspace = own.system;
  ask();
  own.system = std::exchange(workspace, kept);
  return own;
}

void InvariantLayer::expand(StateBytes state, Expansion& out) const {
  Workspace& own = ask_system_below(out, [&] { below().expand(state, out); });
  if (out.was_cut) return;
  const AtomValues now = look_at(state, own, out);
  if (looks_ahead_) look_ahead(now, own, out);
}

bool InvariantLayer::step(StateBytes state, StepId step, Expansion& out) const {
  bool is_there = false;
  ask_system_below(out, [&] { is_there = below().step(state, step, out); });
  return is_there;
}

void InvariantLayer::examine(StateBytes state, Expansion& out) const {
  look_at(state, ask_system_below(out, [] {}), out);
}

AtomValues InvariantLayer::look_at(StateBytes state, Workspace& own, Expansion& out) const {
  own.failures.clear();
  const AtomValues now = propositions_.atom_values(state, own.asking, own.failures);
  bool is_violated = false;
  for (const ltl::Invariant::Case& each : invariant_.violations) {
    if (each.next.mask != 0 || !may_match(each.now, now)) continue;
    if (is_undecided(each.now, now)) {
      add_failures(own.failures, Finding::kStateItself, out);
    } else if (!std::exchange(is_violated, true)) {
      out.findings.push_back({FindingKind::kClaim, 0, Finding::kStateItself});
    }
  }
  return now;
}

// Cases of two states. Where the condition on the first state cannot be evaluated, that is an error of the
// state; on the second, of the step.
void InvariantLayer::look_ahead(AtomValues now, Workspace& own, Expansion& out) const {
  std::vector<const ltl::Cube*> next;
  for (const ltl::Invariant::Case& each : invariant_.violations) {
    if (each.next.mask == 0 || !may_match(each.now, now)) continue;
    if (is_undecided(each.now, now)) {
      add_failures(own.failures, Finding::kStateItself, out);
    } else {
      next.push_back(&each.next);
    }
  }
  if (next.empty()) return;
  for (const Successor& successor : out.last_successors()) {
    own.failures.clear();
    const AtomValues then = propositions_.atom_values(out.state(successor), own.asking, own.failures);
    bool is_violated = false;
    for (const ltl::Cube* cube : next) {
      if (!may_match(*cube, then)) continue;
      if (is_undecided(*cube, then)) {
        add_failures(own.failures, successor.step, out);
      } else if (!std::exchange(is_violated, true)) {
        out.findings.push_back({FindingKind::kClaim, 0, successor.step});
      }
    }
  }
}

std::string InvariantLayer::message(const Finding& finding) const {
  if (finding.kind != FindingKind::kClaim) return below().message(finding);
  return "the invariant " + text_ +
         (finding.step == Finding::kStateItself ? " is violated" : " is violated by this step");
}

Position InvariantLayer::place(const Finding& finding) const {
  return finding.kind == FindingKind::kClaim ? Position{} : below().place(finding);
}

}  // namespace spoor
