// Statements in C: when they can run, and what they do; see emit.h.
#include <algorithm>

#include <fmt/format.h>

#include "exec/emitter.h"

namespace spoor::exec {

using promela::DStepNode;
using promela::kNone;
using promela::Op;
using promela::Statement;
using promela::StatementOp;

std::string Emitter::guard(const Statement& s, const Scope& scope) {
  if (s.op == StatementOp::kReceive) return with_preconditions(s, can_receive(s, scope), scope);
  if (s.op == StatementOp::kDStep) return can_start(program_.dsteps[s.dstep], 0, scope);
  const auto alone = [&]() -> std::string {
    switch (s.op) {
      case StatementOp::kElse: return fmt::format("(!{})", scope.taken);
      case StatementOp::kCondition: return program_.exprs[s.expr].op == Op::kRun ? "1" : expr(s.expr, scope);
      case StatementOp::kSend: return can_send(s, scope);
      case StatementOp::kEnd: return fmt::format("({} + 1 == LD1({}))", scope.pid, scope.state);
      default: return "1";
    }
  };
  const std::string checked = with_preconditions(s, alone(), scope);
  return scope.maybe_handshake ? fmt::format("(!w->offered && {})", checked) : checked;
}

std::string Emitter::with_preconditions(const Statement& s, const std::string& guard, const Scope& scope) {
  std::string result;
  for (promela::ExprId e : s.preconditions) result += fmt::format("if (!{}) give_up(w); ", expr(e, scope));
  return result.empty() ? guard : fmt::format("({{ {}{}; }})", result, guard);
}

void Emitter::effect(promela::StatementId id, const Scope& scope) {
  const Statement& s = program_.statements[id];
  line(fmt::format("w->io.executed[{}] = 1;", id));
  switch (s.op) {
    case StatementOp::kCondition:
      if (program_.exprs[s.expr].op == Op::kRun) line(expr(s.expr, scope) + ";");
      break;
    case StatementOp::kAssign: line(store(s.place, expr(s.expr, scope), scope)); break;
    case StatementOp::kSend: {
      const ChannelRef channel = resolve(s.chan, scope);
      if (may_be_buffered(channel)) {
        send_buffered(s, scope);
      } else {  // a handshake cannot begin inside a d_step
        line("give_up(w);");
      }
      break;
    }
    case StatementOp::kReceive: receive(s, scope); break;
    case StatementOp::kAssert:
      line(fmt::format("if (UNLIKELY(!{})) give_up(w);", expr(s.expr, scope)));
      break;
    case StatementOp::kPrint:
      for (promela::ExprId arg : s.args) line(fmt::format("(void){};", expr(arg, scope)));
      break;
    case StatementOp::kPrintMtype: line(fmt::format("(void){};", expr(s.expr, scope))); break;
    case StatementOp::kDStep: dstep(s.dstep, scope); break;
    case StatementOp::kEmbedded:
      line(fmt::format("embedded(w, {}, {}, {}, {});", scope.state, scope.process, scope.pid, s.fragment));
      break;
    case StatementOp::kSkip:
    case StatementOp::kElse:
    case StatementOp::kEnd:                 // its own kind of transition
    case StatementOp::kSetPriority: break;  // why_not_native
  }
}

std::string Emitter::can_start(const promela::DStepCode& code, std::uint32_t index, const Scope& scope) {
  const DStepNode& node = code.nodes[index];
  switch (node.kind) {
    case DStepNode::Kind::kExit: return "1";
    case DStepNode::Kind::kStatement: return guard(program_.statements[node.statement], scope);
    case DStepNode::Kind::kChoice: break;
  }
  Scope inner = scope;
  inner.taken = "0";
  std::string result;
  for (std::uint32_t option : node.options)
    result += (result.empty() ? "" : " || ") + can_start(code, option, inner);
  return result.empty() ? "0" : fmt::format("({})", result);
}

// The flow chart of a d_step, with gotos as its arrows.
void Emitter::dstep(std::uint32_t index, const Scope& scope) {
  const promela::DStepCode& code = program_.dsteps[index];
  const std::string name = unique("d");
  const auto label = [&](std::uint32_t node) { return fmt::format("{}_{}", name, node); };
  Scope inner = scope;
  inner.taken = "0";
  open("{");
  line("u32 steps = 0; (void)steps;");
  for (std::uint32_t i = 0; i < code.nodes.size(); ++i) {
    const DStepNode& node = code.nodes[i];
    line(fmt::format("{}: __attribute__((unused));", label(i)));
    switch (node.kind) {
      case DStepNode::Kind::kExit: line(fmt::format("goto {}_end;", name)); break;
      case DStepNode::Kind::kStatement: {
        const Statement& s = program_.statements[node.statement];
        const std::string can_run = guard(s, inner);
        open("{");
        if (can_run != "1") line(fmt::format("if (!{}) give_up(w);", can_run));
        effect(node.statement, inner);
        close();
        if (node.next <= i) line("if (++steps > 100000) give_up(w);");
        line(fmt::format("goto {};", label(node.next)));
        break;
      }
      case DStepNode::Kind::kChoice: {
        line("if (++steps > 100000) give_up(w);");
        Scope strict = inner;
        strict.taken = "1";
        for (auto option = node.options.begin(); option != node.options.end(); ++option) {
          std::string others;
          for (auto other = option + 1; options_.strict && other != node.options.end(); ++other) {
            others += (others.empty() ? "" : " || ") + can_start(code, *other, strict);
          }
          const std::string check = others.empty() ? "" : fmt::format("if ({}) give_up(w); ", others);
          line(fmt::format("if ({}) {{ {}goto {}; }}", can_start(code, *option, inner), check,
                           label(*option)));
        }
        line("give_up(w);");
        break;
      }
    }
  }
  line(fmt::format("{}_end: ;", name));
  close();
}

}  // namespace spoor::exec
