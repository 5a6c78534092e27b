// Statements; machine.h tells what they mean.
#include <algorithm>

#include "exec/machine.h"

namespace spoor::exec {

using promela::DStepNode;
using promela::FieldPattern;
using promela::kNone;
using promela::Place;
using promela::Statement;
using promela::StatementOp;

// ---- Can it run? -------------------------------------------------------------------------------

bool Machine::is_executable(const Statement& s, Context& context) const {
  const bool in_handshake = context.rendezvous != nullptr && context.rendezvous->is_offered();
  if (in_handshake && s.op != StatementOp::kReceive && s.op != StatementOp::kDStep) return false;
  if (!preconditions_hold(s, context)) return false;
  switch (s.op) {
    case StatementOp::kElse: return !context.taken_before;
    case StatementOp::kCondition: {
      const promela::ExprCode& e = program_.exprs[s.expr];
      if (e.op == promela::Op::kRun) return true;  // only its effect can tell
      return evaluate(s.expr, context) != 0;
    }
    case StatementOp::kSend: {
      std::uint32_t number = 0;
      const StateView::Channel* c = channel(s.chan, context, number);
      if (c == nullptr) return false;
      const promela::ChannelType& type = program_.channel_types[c->type];
      return type.is_rendezvous() || options_.lose_messages || context.view->length(*c) < type.capacity;
    }
    case StatementOp::kReceive: return can_receive(s, context);
    case StatementOp::kDStep: return dstep_can_start(program_.dsteps[s.dstep], 0, context);
    case StatementOp::kEnd: return context.pid + 1 == context.view->process_count();
    default: return true;
  }
}

bool Machine::can_receive(const Statement& s, Context& context) const {
  std::uint32_t number = 0;
  const StateView::Channel* c = channel(s.chan, context, number);
  if (c == nullptr) return false;
  const bool in_handshake = context.rendezvous != nullptr && context.rendezvous->is_offered();
  if (program_.channel_types[c->type].is_rendezvous()) {
    if (s.copy) {
      if (!in_handshake) report(Problem::kPollRendezvous, context);
      return false;
    }
    return in_handshake && context.rendezvous->channel == number &&
           matches(s.fields, context.rendezvous->message, context);
  }
  return !in_handshake && find_message(*c, s.fields, s.random, context) >= 0;
}

// A field that the message does not have is 0, as in a message that was sent too short. Only the receive that
// is executed is reported, in receive(): where an option does not match, nothing has gone wrong.
bool Machine::matches(std::span<const FieldPattern> fields, std::span<const std::int32_t> message,
                      Context& context) const {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].kind != FieldPattern::Kind::kMatch) continue;
    const std::int32_t wanted = evaluate(fields[i].match, context);
    if (has_failed(context)) return false;
    if (wanted != (i < message.size() ? message[i] : 0)) return false;
  }
  return true;
}

std::vector<std::int32_t> Machine::message_at(const StateView& view, const StateView::Channel& channel,
                                              std::uint32_t slot) const {
  std::vector<std::int32_t> message(program_.channel_types[channel.type].fields.size());
  for (std::uint32_t i = 0; i < message.size(); ++i) message[i] = view.field(channel, slot, i);
  return message;
}

int Machine::find_message(const StateView::Channel& channel, std::span<const FieldPattern> fields,
                          bool random, Context& context) const {
  const std::uint32_t length = context.view->length(channel);
  const std::uint32_t candidates = random ? length : std::min(length, 1U);
  for (std::uint32_t slot = 0; slot < candidates; ++slot) {
    if (matches(fields, message_at(*context.view, channel, slot), context)) return static_cast<int>(slot);
    if (has_failed(context)) return -1;
  }
  return -1;
}

std::int32_t Machine::poll(const promela::ExprCode& e, Context& context) const {
  std::uint32_t number = 0;
  const StateView::Channel* c = channel(e.left, context, number);
  if (c == nullptr) return 0;
  if (program_.channel_types[c->type].is_rendezvous()) {
    report(Problem::kPollRendezvous, context);
    return 0;
  }
  return find_message(*c, e.fields, e.value != 0, context) >= 0 ? 1 : 0;
}

// ---- What does it do? --------------------------------------------------------------------------

void Machine::execute(const Statement& s, Context& context) const {
  if (context.executed != nullptr) context.executed[context.statement] = 1;
  switch (s.op) {
    case StatementOp::kSkip:
    case StatementOp::kElse: break;
    case StatementOp::kEmbedded: run_embedded(s.fragment, context); break;
    case StatementOp::kCondition:
      if (program_.exprs[s.expr].op == promela::Op::kRun) evaluate(s.expr, context);
      break;
    case StatementOp::kAssign: {
      const std::int32_t value = evaluate(s.expr, context);
      if (!has_failed(context)) store(s.place, value, context);
      break;
    }
    case StatementOp::kSend: send(s, context); break;
    case StatementOp::kReceive: receive(s, context); break;
    case StatementOp::kAssert: {
      const std::int32_t value = evaluate(s.expr, context);
      if (!has_failed(context) && value == 0) report(Problem::kAssertion, context);
      break;
    }
    case StatementOp::kPrint: print(s, context); break;
    case StatementOp::kPrintMtype: {
      const std::int32_t value = evaluate(s.expr, context);
      if (context.output != nullptr) *context.output += mtype_name(value, s.mtype_set);
      break;
    }
    case StatementOp::kSetPriority: {
      const std::int32_t pid = evaluate(s.args[0], context);
      const std::int32_t priority = evaluate(s.args[1], context);
      if (has_failed(context) || pid < 0 || pid >= context.view->process_count()) break;
      if (priority < 1 || priority > 255) {
        report(Problem::kPriorityRange, context);
      } else {
        context.view->set_priority(pid, priority);
      }
      break;
    }
    case StatementOp::kDStep: run_dstep(program_.dsteps[s.dstep], context); break;
    case StatementOp::kEnd: context.view->remove_last_process(); break;
  }
}

void Machine::store(promela::PlaceId id, std::int32_t value, Context& context) const {
  const Place& place = program_.places[id];
  std::uint32_t offset = 0;
  switch (place.region) {
    case Place::Region::kGlobal:
    case Place::Region::kLocal:
      if (!address(place, context.pid, context, offset)) return;
      if (options_.strict && place.type.base == promela::BaseType::kUnsigned &&
          place.type.truncate(value) != value) {
        report(Problem::kUnsignedRange, context);
      }
      context.view->set(offset, place.type, value);
      break;
    case Place::Region::kPriority:
      // Unlike set_priority, an assignment truncates in silence, in SPIN and therefore here.
      if (program_.uses_priority) context.view->set_priority(context.pid, value);
      break;
    default:  // `_`, and names that the parser does not let anyone assign to
      break;
  }
}

void Machine::send(const Statement& s, Context& context) const {
  std::uint32_t number = 0;
  const StateView::Channel* found = channel(s.chan, context, number);
  if (found == nullptr) return;
  const StateView::Channel c = *found;
  const promela::ChannelType& type = program_.channel_types[c.type];
  std::vector<std::int32_t> values;
  for (promela::ExprId arg : s.args) values.push_back(evaluate(arg, context));
  if (has_failed(context)) return;
  if (values.size() != type.fields.size()) {
    report(values.size() < type.fields.size() ? Problem::kTooFewFields : Problem::kTooManyFields, context);
  }
  if (program_.has_channel_claims) check_claims(false, number, context);
  if (!type.is_rendezvous() && context.view->length(c) == type.capacity) return;  // lost
  std::uint32_t slot = context.view->length(c);
  if (s.sorted) {  // before the first message that is greater, field by field
    for (slot = 0; slot < context.view->length(c); ++slot) {
      const std::vector<std::int32_t> there = message_at(*context.view, c, slot);
      if (std::lexicographical_compare(values.begin(), values.end(), there.begin(), there.end())) break;
    }
  }
  values.resize(type.fields.size(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = type.fields[i].truncate(values[i]);
  if (type.is_rendezvous()) {
    if (context.rendezvous == nullptr) {
      report(Problem::kDStepRendezvous, context);
      return;
    }
    context.rendezvous->channel = number;
    context.rendezvous->sender = context.pid;
    context.rendezvous->message = values;
  } else {
    context.view->insert(c, slot, values);
  }
  if (context.passed != nullptr) *context.passed = {number, values};
  observe(true, number, values, context);
}

void Machine::receive(const Statement& s, Context& context) const {
  std::uint32_t number = 0;
  const StateView::Channel* found = channel(s.chan, context, number);
  if (found == nullptr) return;
  const StateView::Channel c = *found;
  const promela::ChannelType& type = program_.channel_types[c.type];
  std::vector<std::int32_t> message;
  int slot = 0;
  if (type.is_rendezvous()) {
    message = context.rendezvous->message;
  } else {
    slot = find_message(c, s.fields, s.random, context);
    if (slot < 0) return;
    message = message_at(*context.view, c, static_cast<std::uint32_t>(slot));
  }
  if (context.passed != nullptr) *context.passed = {number, message};
  // A copy may leave fields out: they are not lost.
  if (s.fields.size() < message.size() && !s.copy) report(Problem::kReceiveTooFew, context);
  if (s.fields.size() > message.size()) report(Problem::kReceiveTooMany, context);
  if (program_.has_channel_claims) check_claims(true, number, context);
  if (!s.copy) {
    observe(false, number, message, context);
    if (type.is_rendezvous()) {
      *context.rendezvous = {};
    } else {
      context.view->erase(c, static_cast<std::uint32_t>(slot));
    }
  }
  message.resize(std::max(message.size(), s.fields.size()), 0);
  for (std::size_t i = 0; i < s.fields.size(); ++i) {
    if (s.fields[i].kind == FieldPattern::Kind::kStore) store(s.fields[i].store, message[i], context);
    if (has_failed(context)) return;
  }
}

// ---- Processes ---------------------------------------------------------------------------------

StateView Machine::initial_view(std::vector<ProblemAt>& problems) const {
  StateView view(program_);
  view.reset();
  Context context;
  context.view = &view;
  context.problems = &problems;
  context.statement = initial_values(program_);
  initialize(program_.initializers, 0, 1, context);
  if (program_.has_embedded_code) run_embedded(program_.foreign.initial, context);
  for (std::size_t i = 0; i < program_.active.size(); ++i) {
    if (view.process_count() >= StateView::kMaxProcesses) {
      report(Problem::kTooManyProcesses, context);
      break;
    }
    const int pid = view.add_process(program_.active[i]);
    if (program_.uses_priority) view.set_priority(pid, std::max(program_.active_priority[i], 1));
    start_process(pid, {}, context);
  }
  if (program_.trace_process != kNone)
    view.set_u16(program_.event_offset, program_.processes[program_.trace_process].start);
  return view;
}

std::int32_t Machine::run(const promela::ExprCode& e, Context& context) const {
  std::vector<std::int32_t> arguments;
  for (promela::ExprId arg : e.args) arguments.push_back(evaluate(arg, context));
  if (has_failed(context)) return 0;
  if (context.is_question || context.view->process_count() >= StateView::kMaxProcesses) {
    report(Problem::kTooManyProcesses, context);
    return 0;
  }
  const auto type = static_cast<std::uint32_t>(e.value);
  if (context.view->channels().size() + program_.processes[type].channels.size() > StateView::kMaxChannels) {
    report(Problem::kTooManyChannels, context);
    return 0;
  }
  const int pid = context.view->add_process(type);
  if (program_.uses_priority) context.view->set_priority(pid, e.third != 0 ? static_cast<int>(e.third) : 1);
  start_process(pid, arguments, context);
  return pid;
}

void Machine::start_process(int pid, std::span<const std::int32_t> arguments, Context& context) const {
  const promela::ProcessType& type = context.view->process(pid);
  Context own = context;
  own.pid = pid;
  for (std::size_t i = 0; i < type.parameters.size() && i < arguments.size(); ++i)
    store(type.parameters[i], arguments[i], own);
  const auto first = static_cast<std::uint32_t>(context.view->channels().size() - type.channels.size() + 1);
  initialize(type.initializers, context.view->process_offset(pid), first, own);
  if (program_.has_embedded_code) {
    const std::uint32_t fragment = program_.foreign.at_start[context.view->process_type(pid)];
    if (fragment != kNone) run_embedded(fragment, own);
  }
  if (!options_.keeps_values) context.view->zero_dead(pid);
}

void Machine::initialize(const std::vector<promela::Initializer>& initializers, std::uint32_t base,
                         std::uint32_t first_channel, Context& context) const {
  for (const promela::Initializer& init : initializers) {
    const std::int32_t value = init.channel != kNone ? static_cast<std::int32_t>(first_channel + init.channel)
                                                     : evaluate(init.value, context);
    if (has_failed(context)) return;
    context.view->set(base + init.offset, init.type, value);
  }
}

// ---- d_step ------------------------------------------------------------------------------------

bool Machine::dstep_can_start(const promela::DStepCode& code, std::uint32_t index, Context& context) const {
  const DStepNode& node = code.nodes[index];
  switch (node.kind) {
    case DStepNode::Kind::kExit: return true;
    case DStepNode::Kind::kStatement: return is_executable(program_.statements[node.statement], context);
    case DStepNode::Kind::kChoice: {
      // An else inside looks at this choice alone, not at the rest of the location.
      Context inner = context;
      inner.taken_before = false;
      return std::any_of(node.options.begin(), node.options.end(),
                         [&](std::uint32_t option) { return dstep_can_start(code, option, inner); });
    }
  }
  return false;
}

void Machine::run_dstep(const promela::DStepCode& code, Context& context) const {
  constexpr std::uint64_t kMaxSteps = 10'000'000;
  const promela::StatementId whole = context.statement;
  std::uint32_t at = 0;
  for (std::uint64_t steps = 0; steps < kMaxSteps; ++steps) {
    const DStepNode& node = code.nodes[at];
    if (node.kind == DStepNode::Kind::kExit) {
      context.statement = whole;
      return;
    }
    if (node.kind == DStepNode::Kind::kChoice) {
      context.taken_before = false;
      const auto can_start = [&](std::uint32_t option) { return dstep_can_start(code, option, context); };
      const auto chosen = std::find_if(node.options.begin(), node.options.end(), can_start);
      if (has_failed(context)) return;
      if (chosen == node.options.end()) {
        report(Problem::kDStepBlocked, context);
        return;
      }
      if (options_.strict) {
        context.taken_before = true;  // so that an else does not count as a second way
        if (std::any_of(chosen + 1, node.options.end(), can_start)) report(Problem::kDStepChoice, context);
        context.taken_before = false;
      }
      at = *chosen;
      continue;
    }
    context.statement = node.statement;
    const Statement& s = program_.statements[node.statement];
    if (!is_executable(s, context)) {
      if (!has_failed(context)) report(Problem::kDStepBlocked, context);
      return;
    }
    // No handshake may begin in here (one may end: a receive as the first statement).
    Rendezvous* const outer = context.rendezvous;
    if (s.op == StatementOp::kSend) context.rendezvous = nullptr;
    execute(s, context);
    context.rendezvous = outer;
    if (has_failed(context)) return;
    at = node.next;
  }
  report(Problem::kDStepEndless, context);
}

// ---- Assertions about channels -----------------------------------------------------------------

// The trace assertion is an automaton that moves with every send (receive) on the channels it names.
void Machine::observe(bool is_send, std::uint32_t number, std::span<const std::int32_t> message,
                      Context& context) const {
  if (program_.trace_process == kNone) return;
  const auto& watched = is_send ? program_.traced_sends : program_.traced_receives;
  const auto names = [&](promela::ExprId e) {
    return static_cast<std::uint32_t>(evaluate(e, context)) == number;
  };
  if (std::none_of(watched.begin(), watched.end(), names)) return;
  const promela::ProcessType& automaton = program_.processes[program_.trace_process];
  const bool is_negated = automaton.kind == promela::BodyKind::kNoTrace;
  const std::uint32_t event = context.view->get_u16(program_.event_offset);
  int matching = 0;
  std::uint32_t next = event;
  if (event != automaton.end) {
    for (const promela::Transition& t : automaton.locations[event].transitions) {
      const Statement& s = program_.statements[t.statement];
      if (s.op != (is_send ? StatementOp::kSend : StatementOp::kReceive) || !names(s.chan) ||
          !matches(s.fields, message, context))
        continue;
      if (matching++ == 0) next = t.target;
    }
  }
  if (matching > 1) {
    report(Problem::kTraceAmbiguous, context);
  } else if (matching == 1) {
    context.view->set_u16(program_.event_offset, next);
    if (is_negated && next == automaton.end) report(Problem::kTraceCompleted, context);
  } else if (is_negated) {
    context.view->set_u16(program_.event_offset, automaton.end);
  } else {
    report(Problem::kTraceMismatch, context);
  }
}

void Machine::check_claims(bool receive, std::uint32_t number, Context& context) const {
  for (int pid = 0; pid < context.view->process_count(); ++pid) {
    if (pid == context.pid) continue;
    for (const promela::ChannelClaimCode& claim : context.view->process(pid).claims) {
      if (claim.receive != receive) continue;
      Context own = context;
      own.pid = pid;
      if (static_cast<std::uint32_t>(evaluate(claim.chan, own)) != number) continue;
      report(receive ? Problem::kExclusiveReceive : Problem::kExclusiveSend, context);
      return;
    }
  }
}

// ---- Output ------------------------------------------------------------------------------------

std::string Machine::mtype_name(std::int32_t value, const std::string& set) const {
  for (const auto& constant : program_.mtypes) {
    if (constant.value == value && constant.set == set) return constant.name;
  }
  return std::to_string(value);
}

void Machine::print(const Statement& s, Context& context) const {
  std::vector<std::int32_t> values;
  for (promela::ExprId arg : s.args) values.push_back(evaluate(arg, context));
  if (context.output == nullptr || has_failed(context)) return;
  std::string& out = *context.output;
  std::size_t next = 0;
  for (std::size_t i = 0; i < s.format.size(); ++i) {
    const char c = s.format[i];
    const char d = i + 1 < s.format.size() ? s.format[i + 1] : '\0';
    if (c == '\\' && d != '\0') {
      ++i;
      out += d == 'n' ? '\n' : d == 't' ? '\t' : d == 'r' ? '\r' : d;
    } else if (c == '%' && d != '\0') {
      ++i;
      const std::size_t arg = next;
      const std::int32_t value = d != '%' && next < values.size() ? values[next++] : 0;
      switch (d) {
        case 'd': out += std::to_string(value); break;
        case 'u': out += std::to_string(static_cast<std::uint32_t>(value)); break;
        case 'c': out += static_cast<char>(value); break;
        case 'o':
        case 'x': {
          const unsigned base = d == 'o' ? 8 : 16;
          std::string digits;
          for (auto v = static_cast<std::uint32_t>(value); v != 0 || digits.empty(); v /= base)
            digits.insert(digits.begin(), "0123456789abcdef"[v % base]);
          out += digits;
          break;
        }
        case 'e': {
          const promela::ExprCode* e = arg < s.args.size() ? &program_.exprs[s.args[arg]] : nullptr;
          out += mtype_name(
              value, e != nullptr && e->place != kNone ? program_.places[e->place].mtype_set : std::string());
          break;
        }
        default: out += d; break;
      }
    } else {
      out += c;
    }
  }
}

}  // namespace spoor::exec
