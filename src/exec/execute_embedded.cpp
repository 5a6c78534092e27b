// Embedded C, as the machine calls it; embedded.h tells the whole story.
#include <array>
#include <csignal>

#include "exec/machine.h"

namespace spoor::exec {

std::int32_t Machine::run_embedded(std::uint32_t fragment, Context& context) const {
  std::array<char, 4096> printed;
  printed[0] = '\0';
  EmbeddedCall call;
  call.fragment = fragment;
  call.pid = context.pid;
  call.state = context.view->data();
  if (context.pid >= 0) call.process = call.state + context.view->process_offset(context.pid);
  if (context.output != nullptr) {
    call.output = printed.data();
    call.room = printed.size();
  }
  const int signal = embedded_(&call);
  if (context.output != nullptr) *context.output += printed.data();
  switch (signal) {
    case 0: return call.value;
    case SIGSEGV:
    case SIGBUS: report(Problem::kEmbeddedAddress, context); break;
    case SIGFPE:
    case SIGILL: report(Problem::kEmbeddedArithmetic, context); break;
    default: report(Problem::kEmbeddedAbort, context); break;
  }
  return 0;
}

bool Machine::preconditions_hold(const promela::Statement& s, Context& context) const {
  for (promela::ExprId e : s.preconditions) {
    const std::int32_t value = evaluate(e, context);
    if (has_failed(context)) return false;
    if (value == 0) {
      report(Problem::kPrecondition, context);
      return false;
    }
  }
  return true;
}

}  // namespace spoor::exec
