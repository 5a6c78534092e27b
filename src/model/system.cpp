#include "model/system.h"

#include <algorithm>
#include <utility>

namespace spoor {

const char* to_string(FindingKind kind) {
  switch (kind) {
    case FindingKind::kAssertion: return "assertion";
    case FindingKind::kDeadlock: return "deadlock";
    case FindingKind::kAcceptanceCycle: return "acceptance-cycle";
    case FindingKind::kNonProgress: return "non-progress";
    case FindingKind::kClaim: return "claim-violated";
    case FindingKind::kRuntimeError: return "runtime-error";
    case FindingKind::kTraceAssertion: return "trace-assertion";
    case FindingKind::kChannelAssertion: return "channel-assertion";
  }
  return "?";
}

bool keep_only(StepId step, Expansion& out) {
  bool is_there = false;
  std::size_t kept = out.first_successor;
  for (std::size_t i = kept; i < out.successors.size(); ++i) {
    if (out.successors[i].step != step) continue;
    is_there = true;
    out.move_successor(i, kept);
    ++kept;
    break;  // names are unique
  }
  out.keep_successors(kept);
  const auto first = out.findings.begin() + static_cast<std::ptrdiff_t>(out.first_finding);
  const auto last =
      std::remove_if(first, out.findings.end(), [&](const Finding& finding) { return finding.step != step; });
  is_there |= last != first;
  out.findings.erase(last, out.findings.end());
  return is_there;
}

void TransitionSystem::element_sets_after(std::span<const std::uint8_t>,
                                          std::vector<std::uint32_t>& out) const {
  for (std::uint32_t set = 0; set < element_set_count(); ++set) out.push_back(set);
}

bool TransitionSystem::step(StateBytes state, StepId step, Expansion& out) const {
  const bool may_reduce = std::exchange(out.asked.may_reduce, false);
  expand(state, out);
  out.asked.may_reduce = may_reduce;
  return !out.was_cut && keep_only(step, out);
}

}  // namespace spoor
