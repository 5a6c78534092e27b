// Why a process does not move, in words: for a deadlock, the statements at which each process stands, and
// what each of them lacks. The machine decides whether a statement can run; here it is only said why not, and
// nothing where the reason is not known.
//
// Tested by: tests/suites/test_traces.py
#include <algorithm>

#include <fmt/format.h>

#include "exec/interpreter.h"

namespace spoor::exec {

using promela::BaseType;
using promela::ExprCode;
using promela::ExprId;
using promela::kNone;
using promela::Op;
using promela::Statement;
using promela::StatementOp;

namespace {

constexpr std::size_t kMostValues = 6;  // named in the reason of one statement

// The statement that a d_step waits at; null where it begins with a choice.
const Statement* entry_of(const promela::Program& program, const Statement& dstep) {
  const promela::DStepNode& node = program.dsteps[dstep.dstep].nodes.front();
  const bool is_statement = node.kind == promela::DStepNode::Kind::kStatement && node.statement != kNone;
  return is_statement ? &program.statements[node.statement] : nullptr;
}

// The loads in an expression, the indices of their places included, in the order of the text.
void find_loads(const promela::Program& program, ExprId id, std::vector<promela::PlaceId>& out) {
  if (id == kNone) return;
  const ExprCode& expr = program.exprs[id];
  if (expr.op == Op::kLoad && std::ranges::find(out, expr.place) == out.end()) out.push_back(expr.place);
  if (expr.place != kNone) {
    for (const auto& index : program.places[expr.place].indices) find_loads(program, index.expr, out);
  }
  for (const ExprId part : {expr.left, expr.right}) find_loads(program, part, out);
  if (expr.op == Op::kConditional) find_loads(program, expr.third, out);
}

}  // namespace

std::string Interpreter::why_false(ExprId condition, Context& context) const {
  std::vector<promela::PlaceId> places;
  find_loads(*program_, condition, places);
  std::string text = "is false";
  std::size_t named = 0;
  for (const promela::PlaceId id : places) {
    const promela::Place& place = program_->places[id];
    const bool is_variable =
        place.region == promela::Place::Region::kGlobal || place.region == promela::Place::Region::kLocal;
    if (!is_variable || place.type.base == BaseType::kChan) continue;
    std::uint32_t offset = 0;
    if (!machine_.address(place, context.pid, context, offset)) continue;
    if (named++ == kMostValues) return text + ", ...";
    text += fmt::format("{}{} = {}", named == 1 ? ": " : ", ", place.text,
                        value_text(context.view->get(offset, place.type), place.type, place.mtype_set));
  }
  return text;
}

std::string Interpreter::why_not_passed(const Statement& statement, Context& context) const {
  const bool is_send = statement.op == StatementOp::kSend;
  const auto number = static_cast<std::uint32_t>(machine_.evaluate(statement.chan, context));
  if (number == 0 || number > context.view->channels().size()) return "there is no such channel";
  const StateView::Channel& channel = context.view->channels()[number - 1];
  const promela::ChannelType& type = program_->channel_types[channel.type];
  if (type.is_rendezvous())
    return is_send ? "no process can receive it here" : "no process offers a message that matches";
  const std::string contents = channel_text(*context.view, channel);
  if (is_send) {
    const bool is_full = context.view->length(channel) == type.capacity;
    return is_full ? fmt::format("the channel is full: {}", contents) : "";
  }
  if (context.view->length(channel) == 0) return "the channel is empty";
  return fmt::format("{}: {}", statement.random ? "no message matches" : "the first message does not match",
                     contents);
}

std::string Interpreter::why_stuck(const Statement& statement, Context& context) const {
  switch (statement.op) {
    case StatementOp::kCondition: return why_false(statement.expr, context);
    case StatementOp::kSend:
    case StatementOp::kReceive: return why_not_passed(statement, context);
    case StatementOp::kEnd: return "the processes that were started after it have not ended";
    case StatementOp::kDStep: {
      const Statement* const entry = entry_of(*program_, statement);
      return entry != nullptr ? why_stuck(*entry, context) : "no option of it can be taken";
    }
    default: return {};
  }
}

std::vector<Waiting> Interpreter::waiting(StateBytes state) const {
  StateView view(*program_);
  view.load(state);
  std::vector<ProblemAt> problems;
  Rendezvous none;
  Context context;
  context.view = &view;
  context.rendezvous = &none;
  context.problems = &problems;
  context.is_question = true;
  context.timeout = true;
  std::vector<Waiting> out;
  for (int pid = 0; pid < view.process_count(); ++pid) {
    const promela::ProcessType& type = view.process(pid);
    const promela::Location& location = type.locations[view.location(pid)];
    Waiting process;
    process.process = fmt::format("{}[{}]", type.name, pid);
    process.position = location.position;
    process.may_end_here = location.is_end;
    context.pid = pid;
    for (const promela::Transition& transition : location.transitions) {
      const Statement& statement = program_->statements[transition.statement];
      context.statement = transition.statement;
      const bool is_stopped =
          (program_->uses_priority || type.provided != kNone) && !machine_.may_run(pid, context);
      // A rendezvous can always be offered; whether somebody takes the offer is another question.
      const bool can_run = statement.op != StatementOp::kSend && machine_.is_executable(statement, context);
      std::string reason;
      if (!problems.empty()) {  // it is not false: it has no value
        reason = exec::describe(problems.back().problem, statement.text);
      } else if (is_stopped) {
        reason = program_->uses_priority ? "the process must not run: its priority, or its provided clause"
                                         : "the provided clause of the process is false";
      } else if (!can_run) {
        reason = why_stuck(statement, context);
      }
      process.options.push_back({statement.position, statement.text, std::move(reason)});
      problems.clear();
    }
    out.push_back(std::move(process));
  }
  return out;
}

}  // namespace spoor::exec
