#include "model/system.h"

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

}  // namespace spoor
