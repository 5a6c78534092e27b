#include "model/trace.h"

#include <algorithm>
#include <utility>

namespace spoor {
namespace {

using Reason = ReplayError::Reason;

bool has_finding(const std::vector<Finding>& findings, const Finding& wanted) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.kind == wanted.kind && finding.identity == wanted.identity && finding.step == wanted.step;
  });
}

const Successor* find_successor(const Expansion& expansion, StepId step) {
  const auto found = std::find_if(expansion.successors.begin(), expansion.successors.end(),
                                  [&](const Successor& successor) { return successor.step == step; });
  return found == expansion.successors.end() ? nullptr : &*found;
}

bool is_failed_step(const Expansion& expansion, StepId step) {
  return step != Finding::kStateItself &&
         std::any_of(expansion.findings.begin(), expansion.findings.end(),
                     [&](const Finding& finding) { return finding.step == step; });
}

// One step from the last state of `done`, which is expanded already.
std::optional<Reason> take_step(const TransitionSystem& system, const Expansion& expansion, StepId step,
                                bool is_last, ReplayedTrace& done) {
  const Successor* successor = find_successor(expansion, step);
  if (successor == nullptr) {
    if (!is_failed_step(expansion, step)) return Reason::kNoSuchStep;
    if (!is_last) return Reason::kFailedStep;
  }
  Explanation explanation = system.explain(done.states.back(), step);
  const StateBytes target = successor != nullptr ? expansion.state(*successor) : StateBytes();
  if (!std::ranges::equal(explanation.target, target)) return Reason::kTargetDiffers;
  done.steps.push_back(std::move(explanation));
  if (successor != nullptr) done.states.emplace_back(target.begin(), target.end());
  return std::nullopt;
}

// `last` is the expansion of the state that the last step left.
std::optional<Reason> check_finding(const TransitionSystem& system, const Trace& trace, const Expansion& last,
                                    const ReplayedTrace& done) {
  const Finding& finding = *trace.finding;
  if (finding.step == Finding::kStateItself) {
    if (done.states.size() != done.steps.size() + 1) return Reason::kFindingMissing;
    Expansion expansion;
    system.expand(done.states.back(), expansion);
    if (!has_finding(expansion.findings, finding)) return Reason::kFindingMissing;
    return std::nullopt;
  }
  if (trace.steps.empty() || trace.steps.back() != finding.step) {
    return Reason::kFindingElsewhere;
  }
  if (!has_finding(last.findings, finding)) return Reason::kFindingMissing;
  return std::nullopt;
}

}  // namespace

ReplayResult replay(const TransitionSystem& system, const Trace& trace) {
  ReplayedTrace done;
  done.states.push_back(system.initial_state());
  Expansion expansion;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    expansion.clear();
    system.expand(done.states.back(), expansion);
    const bool is_last = i + 1 == trace.steps.size();
    if (const auto reason = take_step(system, expansion, trace.steps[i], is_last, done)) {
      return ReplayError{*reason, i};
    }
  }
  if (trace.loop) {
    const bool is_closed = *trace.loop < trace.steps.size() && done.states.size() == done.steps.size() + 1 &&
                           done.states[*trace.loop] == done.states.back();
    if (!is_closed) return ReplayError{Reason::kLoopIsOpen, trace.steps.size()};
  } else if (trace.finding) {
    if (const auto reason = check_finding(system, trace, expansion, done)) {
      return ReplayError{*reason, trace.steps.size()};
    }
  }
  return done;
}

ReplayResult replay(const OmegaSystem& system, const Trace& trace) {
  ReplayResult result = replay(static_cast<const TransitionSystem&>(system), trace);
  const auto* done = std::get_if<ReplayedTrace>(&result);
  if (done == nullptr || !trace.loop) return result;
  const Marks all = system.all_marks();
  Marks together = 0;
  bool is_in_every_step = true;
  Expansion expansion;
  for (std::size_t i = *trace.loop; i < trace.steps.size(); ++i) {
    expansion.clear();
    system.expand(done->states[i], expansion);
    const Successor* const step = find_successor(expansion, trace.steps[i]);
    const Marks marks = expansion.marks[static_cast<std::size_t>(step - expansion.successors.begin())];
    together |= marks;
    is_in_every_step &= (marks & all) == all;
  }
  const bool is_bad = system.rule() == CycleRule::kEveryStep ? is_in_every_step : (together & all) == all;
  if (!is_bad) return ReplayError{Reason::kLoopIsGood, trace.steps.size()};
  return result;
}

std::string ReplayError::message() const {
  const std::string where = "step " + std::to_string(step + 1);
  switch (reason) {
    case Reason::kNoSuchStep: return where + " does not exist in the state reached";
    case Reason::kFailedStep: return where + " fails without a successor, but the trace goes on";
    case Reason::kTargetDiffers:
      return where + " leads to another state when it is explained than when it is searched";
    case Reason::kFindingMissing: return "the trace replays, but the violation does not occur at its end";
    case Reason::kFindingElsewhere: return "the violation is said to occur on another step than the last";
    case Reason::kLoopIsOpen: return "the cycle does not lead back to where it began";
    case Reason::kLoopIsGood: return "the cycle is there, but it is not a violation";
  }
  return {};
}

}  // namespace spoor
