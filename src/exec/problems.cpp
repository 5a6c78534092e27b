#include "exec/problems.h"

namespace spoor::exec {

bool is_fatal(Problem problem) {
  switch (problem) {
    case Problem::kAssertion:
    case Problem::kTooFewFields:
    case Problem::kTooManyFields:
    case Problem::kReceiveTooFew:
    case Problem::kReceiveTooMany:
    case Problem::kPollRendezvous:
    case Problem::kDeterminism:
    case Problem::kTraceMismatch:
    case Problem::kTraceCompleted:
    case Problem::kExclusiveReceive:
    case Problem::kExclusiveSend:
    case Problem::kUnsignedRange:
    case Problem::kDStepChoice:
    case Problem::kDeadlock: return false;
    default: return true;
  }
}

FindingKind kind_of(Problem problem) {
  switch (problem) {
    case Problem::kAssertion: return FindingKind::kAssertion;
    case Problem::kDeadlock: return FindingKind::kDeadlock;
    case Problem::kTraceMismatch:
    case Problem::kTraceCompleted: return FindingKind::kTraceAssertion;
    case Problem::kExclusiveReceive:
    case Problem::kExclusiveSend: return FindingKind::kChannelAssertion;
    default: return FindingKind::kRuntimeError;
  }
}

std::string describe(Problem problem, const std::string& statement) {
  const std::string in = " in `" + statement + "`";
  switch (problem) {
    case Problem::kAssertion: return "assertion violated: " + statement;
    case Problem::kIndex: return "array index out of bounds" + in;
    case Problem::kDivision: return "division by zero" + in;
    case Problem::kNoChannel: return "use of a channel variable that names no channel" + in;
    case Problem::kDeadChannel: return "use of a channel whose process has ended" + in;
    case Problem::kTooFewFields: return "message with fewer fields than the channel has" + in;
    case Problem::kTooManyFields: return "message with more fields than the channel has" + in;
    case Problem::kReceiveTooFew: return "receive with fewer fields than the channel has" + in;
    case Problem::kReceiveTooMany: return "receive with more fields than the channel has" + in;
    case Problem::kPollRendezvous: return "poll of a rendezvous channel (it never holds a message)" + in;
    case Problem::kTooManyProcesses: return "too many processes (at most 255)" + in;
    case Problem::kTooManyChannels: return "too many channels (at most 255)" + in;
    case Problem::kDStepBlocked: return "d_step sequence blocks" + in;
    case Problem::kDStepRendezvous: return "rendezvous send inside a d_step sequence" + in;
    case Problem::kDStepEndless: return "d_step sequence does not end" + in;
    case Problem::kAtomicEndless: return "atomic sequence does not end" + in;
    case Problem::kPriorityRange: return "priority outside 1..255" + in;
    case Problem::kEnabledSelf: return "enabled() asked by a process about itself" + in;
    case Problem::kDeterminism: return "more than one executable statement in a D_proctype" + in;
    case Problem::kTraceMismatch: return "event that the trace assertion does not allow" + in;
    case Problem::kTraceCompleted: return "event that completes a forbidden trace (notrace)" + in;
    case Problem::kTraceAmbiguous: return "trace assertion with more than one matching event" + in;
    case Problem::kExclusiveReceive: return "receive on a channel that another process claimed with xr" + in;
    case Problem::kExclusiveSend: return "send to a channel that another process claimed with xs" + in;
    case Problem::kUnsignedRange: return "value outside the range of an unsigned variable" + in;
    case Problem::kDStepChoice: return "more than one executable option inside a d_step" + in;
    case Problem::kPrecondition: return "precondition of embedded C violated" + in;
    case Problem::kEmbeddedAddress: return "embedded C crashed: bad address (SIGSEGV)" + in;
    case Problem::kEmbeddedArithmetic:
      return "embedded C crashed: bad arithmetic or instruction (SIGFPE, SIGILL)" + in;
    case Problem::kEmbeddedAbort: return "embedded C gave up: abort, exit or a failed assert" + in;
    case Problem::kDeadlock: return "invalid end state: a process is stuck at `" + statement + "`";
    case Problem::kCount: break;
  }
  return "unknown problem" + in;
}

}  // namespace spoor::exec
