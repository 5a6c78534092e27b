#include "check/shown.h"

#include <algorithm>

namespace spoor {
namespace {

void note_findings(const TransitionSystem& system, const std::vector<Finding>& findings, ShownTrace& shown) {
  for (const Finding& finding : findings) {
    shown.findings.push_back({finding.kind, system.message(finding), system.place(finding)});
  }
}

std::vector<Finding> findings_of_state(const TransitionSystem& system, StateBytes state) {
  Expansion expansion;
  system.expand(state, expansion);
  std::vector<Finding> own;
  for (const Finding& finding : expansion.findings) {
    if (finding.step == Finding::kStateItself) own.push_back(finding);
  }
  return own;
}

// Drops the actions of the last step after the last one that a finding refers to. A finding inside a d_step
// refers to no action; then all actions stay.
void end_at_findings(ShownTrace& shown) {
  const auto is_pointed_at = [&](const ShownAction& action) {
    return std::any_of(shown.findings.begin(), shown.findings.end(), [&](const ShownFinding& f) {
      return f.position.is_known() && f.position == action.action.position;
    });
  };
  const auto step = static_cast<std::uint32_t>(shown.steps.size());
  std::size_t end = shown.actions.size();
  while (end > 0 && shown.actions[end - 1].step == step && !is_pointed_at(shown.actions[end - 1])) {
    --end;
  }
  const bool is_found = end > 0 && shown.actions[end - 1].step == step;
  if (is_found) shown.actions.resize(end);
}

}  // namespace

ShownTrace show_trace(const TransitionSystem& system, const std::vector<StepId>& steps,
                      const std::optional<Finding>& finding) {
  ShownTrace shown;
  std::vector<std::byte> state = system.initial_state();
  std::vector<Finding> findings;
  for (const StepId step : steps) {
    Explanation taken = system.explain(state, step);
    shown.steps.push_back(step);
    for (Action& action : taken.actions) {
      shown.actions.push_back({static_cast<std::uint32_t>(shown.steps.size()), std::move(action)});
    }
    findings = std::move(taken.findings);
    const bool leads_nowhere = taken.target.empty();
    if (leads_nowhere) break;
    state = std::move(taken.target);
  }
  shown.final_state = system.describe(state);
  const bool is_of_step = finding ? finding->step != Finding::kStateItself : !findings.empty();
  if (finding) {
    findings = {*finding};
  } else if (!is_of_step) {
    findings = findings_of_state(system, state);
  }
  note_findings(system, findings, shown);
  const auto is_deadlock = [](const Finding& f) { return f.kind == FindingKind::kDeadlock; };
  if (std::ranges::any_of(findings, is_deadlock)) shown.waiting = system.waiting(state);
  if (is_of_step) end_at_findings(shown);
  return shown;
}

std::vector<ShownFinding> findings_at_end(const TransitionSystem& system, const std::vector<StepId>& steps) {
  std::vector<std::byte> state = system.initial_state();
  ShownTrace shown;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Explanation taken = system.explain(state, steps[i]);
    if (i + 1 == steps.size()) note_findings(system, taken.findings, shown);
    if (taken.target.empty()) return std::move(shown.findings);
    state = std::move(taken.target);
  }
  note_findings(system, findings_of_state(system, state), shown);
  return std::move(shown.findings);
}

ShownTrace show_run(const OmegaSystem& system, const std::vector<StepId>& steps, const Finding& finding,
                    std::optional<std::size_t> loop) {
  ShownTrace shown = show_trace(system, steps, finding);
  shown.steps.clear();
  std::vector<std::byte> state = system.initial_state();
  std::size_t action = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i == loop) shown.loop = action;
    if (const auto below = system.step_below(state, steps[i])) shown.steps.push_back(*below);
    if (action < shown.actions.size()) shown.actions[action].claim = system.look(state);
    while (action < shown.actions.size() && shown.actions[action].step == i + 1) ++action;
    state = system.explain(state, steps[i]).target;
    if (state.empty()) break;
  }
  return shown;
}

bool close_loop(const TransitionSystem& system, std::size_t action, ShownTrace& shown) {
  if (action > shown.actions.size()) return false;
  const bool stands_still = action == shown.actions.size();
  const std::size_t step = stands_still ? shown.steps.size() : shown.actions[action].step - 1;
  std::vector<std::byte> state = system.initial_state();
  std::vector<std::byte> begin;
  for (std::size_t i = 0; i < shown.steps.size(); ++i) {
    if (i == step) begin = state;
    state = system.explain(state, shown.steps[i]).target;
    if (state.empty()) return false;
  }
  if (stands_still) {
    Expansion expansion;
    system.expand(state, expansion);
    if (!expansion.successors.empty()) return false;
    shown.actions.push_back({static_cast<std::uint32_t>(shown.steps.size() + 1), stutter_action()});
  } else if (state != begin) {
    return false;
  }
  shown.loop = action;
  return true;
}

std::vector<StepId> step_ids_of(const Expansion& expansion) {
  std::vector<StepId> steps;
  for (const Successor& successor : expansion.successors) steps.push_back(successor.step);
  for (const Finding& finding : expansion.findings) {
    if (finding.step != Finding::kStateItself) steps.push_back(finding.step);
  }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

}  // namespace spoor
