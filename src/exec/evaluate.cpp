// Expressions; machine.h tells what they mean.
#include <cstdint>

#include "exec/machine.h"

namespace spoor::exec {

using promela::ExprCode;
using promela::kNone;
using promela::Op;
using promela::Place;

void Machine::report(Problem problem, const Context& context) const {
  context.problems->push_back({problem, context.statement});
}

bool Machine::has_failed(const Context& context) {
  return !context.problems->empty() && is_fatal(context.problems->back().problem);
}

bool Machine::address(const Place& place, int pid, Context& context, std::uint32_t& offset) const {
  offset = place.offset;
  if (place.region == Place::Region::kLocal) offset += context.view->process_offset(pid);
  for (const Place::Index& index : place.indices) {
    const std::int32_t i = evaluate(index.expr, context);
    if (has_failed(context)) return false;
    if (i < 0 || static_cast<std::uint32_t>(i) >= index.count) {
      report(Problem::kIndex, context);
      return false;
    }
    offset += static_cast<std::uint32_t>(i) * index.stride;
  }
  return true;
}

std::int32_t Machine::load(const Place& place, int pid, Context& context) const {
  switch (place.region) {
    case Place::Region::kPid: return pid;
    case Place::Region::kNrPr: return context.view->process_count();
    case Place::Region::kLast: return context.view->byte(program_.last_offset);
    case Place::Region::kPriority: return program_.uses_priority ? context.view->priority(pid) : 1;
    case Place::Region::kDiscard: return 0;
    case Place::Region::kGlobal:
    case Place::Region::kLocal: break;
  }
  std::uint32_t offset = 0;
  return address(place, pid, context, offset) ? context.view->get(offset, place.type) : 0;
}

const StateView::Channel* Machine::channel(promela::ExprId expr, Context& context,
                                           std::uint32_t& number) const {
  number = static_cast<std::uint32_t>(evaluate(expr, context));
  if (has_failed(context)) return nullptr;
  if (number == 0) {
    report(Problem::kNoChannel, context);
    return nullptr;
  }
  const auto& channels = context.view->channels();
  if (number > channels.size()) {
    report(Problem::kDeadChannel, context);
    return nullptr;
  }
  return &channels[number - 1];
}

std::int32_t Machine::evaluate(promela::ExprId id, Context& context) const {
  const ExprCode& e = program_.exprs[id];
  const auto both = [&](auto combine) {
    const std::int32_t a = evaluate(e.left, context);
    const std::int32_t b = evaluate(e.right, context);
    return static_cast<std::int32_t>(combine(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)));
  };
  const auto compare = [&](auto holds) {
    const std::int32_t a = evaluate(e.left, context);
    const std::int32_t b = evaluate(e.right, context);
    return holds(a, b) ? 1 : 0;
  };
  const auto queue = [&](auto ask) -> std::int32_t {
    std::uint32_t number = 0;
    const StateView::Channel* c = channel(e.left, context, number);
    if (c == nullptr) return 0;
    const auto length = static_cast<std::int32_t>(context.view->length(*c));
    const promela::ChannelType& type = program_.channel_types[c->type];
    return ask(length, static_cast<std::int32_t>(type.is_rendezvous() ? 1 : type.capacity));
  };
  switch (e.op) {
    case Op::kConstant: return e.value;
    case Op::kLoad: return load(program_.places[e.place], context.pid, context);
    case Op::kNot: return evaluate(e.left, context) == 0 ? 1 : 0;
    case Op::kComplement: return ~evaluate(e.left, context);
    case Op::kNegate:
      return static_cast<std::int32_t>(0U - static_cast<std::uint32_t>(evaluate(e.left, context)));
    case Op::kAdd: return both([](std::uint32_t a, std::uint32_t b) { return a + b; });
    case Op::kSub: return both([](std::uint32_t a, std::uint32_t b) { return a - b; });
    case Op::kMul: return both([](std::uint32_t a, std::uint32_t b) { return a * b; });
    case Op::kBitAnd: return both([](std::uint32_t a, std::uint32_t b) { return a & b; });
    case Op::kBitXor: return both([](std::uint32_t a, std::uint32_t b) { return a ^ b; });
    case Op::kBitOr: return both([](std::uint32_t a, std::uint32_t b) { return a | b; });
    case Op::kShiftLeft: return both([](std::uint32_t a, std::uint32_t b) { return a << (b & 31U); });
    case Op::kShiftRight:
      return both([](std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a) >> (b & 31U); });
    case Op::kDiv:
    case Op::kMod: {
      const std::int64_t a = evaluate(e.left, context);
      const std::int64_t b = evaluate(e.right, context);
      if (b == 0) {
        if (!has_failed(context)) report(Problem::kDivision, context);
        return 0;
      }
      return static_cast<std::int32_t>(e.op == Op::kDiv ? a / b : a % b);
    }
    case Op::kLess: return compare([](std::int32_t a, std::int32_t b) { return a < b; });
    case Op::kLessEqual: return compare([](std::int32_t a, std::int32_t b) { return a <= b; });
    case Op::kGreater: return compare([](std::int32_t a, std::int32_t b) { return a > b; });
    case Op::kGreaterEqual: return compare([](std::int32_t a, std::int32_t b) { return a >= b; });
    case Op::kEqual: return compare([](std::int32_t a, std::int32_t b) { return a == b; });
    case Op::kNotEqual: return compare([](std::int32_t a, std::int32_t b) { return a != b; });
    case Op::kAnd: return evaluate(e.left, context) != 0 && evaluate(e.right, context) != 0 ? 1 : 0;
    case Op::kOr: return evaluate(e.left, context) != 0 || evaluate(e.right, context) != 0 ? 1 : 0;
    case Op::kConditional: return evaluate(evaluate(e.left, context) != 0 ? e.right : e.third, context);
    case Op::kRun: return run(e, context);
    case Op::kLen: return queue([](std::int32_t length, std::int32_t) { return length; });
    case Op::kEmpty: return queue([](std::int32_t length, std::int32_t) { return length == 0 ? 1 : 0; });
    case Op::kNotEmpty: return queue([](std::int32_t length, std::int32_t) { return length > 0 ? 1 : 0; });
    case Op::kFull:
      return queue([](std::int32_t length, std::int32_t capacity) { return length == capacity ? 1 : 0; });
    case Op::kNotFull:
      return queue([](std::int32_t length, std::int32_t capacity) { return length != capacity ? 1 : 0; });
    case Op::kPoll: return poll(e, context);
    case Op::kEnabled: return is_enabled(e, context);
    case Op::kPcValue: {
      const std::int32_t pid = evaluate(e.left, context);
      const bool lives = pid >= 0 && pid < context.view->process_count();
      return lives ? static_cast<std::int32_t>(context.view->location(pid)) : 0;
    }
    case Op::kGetPriority: {
      const std::int32_t pid = evaluate(e.left, context);
      const bool lives = pid >= 0 && pid < context.view->process_count();
      return lives && program_.uses_priority ? context.view->priority(pid) : 0;
    }
    case Op::kTimeout: return context.timeout ? 1 : 0;
    case Op::kNonProgress: {  // no process is at a progress label
      for (int pid = 0; pid < context.view->process_count(); ++pid) {
        if (context.view->process(pid).locations[context.view->location(pid)].is_progress) return 0;
      }
      return 1;
    }
    case Op::kAccepting: {
      for (int pid = 0; pid < context.view->process_count(); ++pid) {
        if (context.view->process(pid).locations[context.view->location(pid)].is_accept) return 1;
      }
      return 0;
    }
    case Op::kRemoteLabel:
    case Op::kRemoteVariable:
    case Op::kRemotePredefined: return remote(e, context);
    case Op::kEmbedded: return run_embedded(static_cast<std::uint32_t>(e.value), context);
  }
  return 0;
}

AtomValues Machine::atom_values(StateView& view, std::vector<ProblemAt>& problems) const {
  AtomValues values;
  Rendezvous none;
  Context context;
  context.view = &view;
  context.rendezvous = &none;
  context.problems = &problems;
  const std::vector<promela::ExprId>& atoms = program_.claim.atoms;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const std::size_t before = problems.size();
    context.statement = question_of(program_, i);
    const bool holds = evaluate(atoms[i], context) != 0;
    if (problems.size() > before) {
      values.failed |= std::uint64_t{1} << i;
      problems.resize(before + 1);
    } else if (holds) {
      values.truth |= std::uint64_t{1} << i;
    }
  }
  return values;
}

// A reference to a process that does not exist, or is of another type, is 0.
std::int32_t Machine::remote(const ExprCode& e, Context& context) const {
  int pid = -1;
  if (e.left != kNone) {
    pid = evaluate(e.left, context);
  } else {
    for (int i = 0; i < context.view->process_count() && pid < 0; ++i) {
      if (context.view->process_type(i) == e.third) pid = i;
    }
  }
  if (has_failed(context) || pid < 0 || pid >= context.view->process_count()) return 0;
  if (e.op == Op::kRemotePredefined) {  // processes of all types have these
    switch (static_cast<promela::Predefined>(e.value)) {
      case promela::Predefined::kPid: return pid;
      case promela::Predefined::kPriority: return program_.uses_priority ? context.view->priority(pid) : 1;
      default: return static_cast<std::int32_t>(context.view->location(pid));
    }
  }
  if (context.view->process_type(pid) != e.third) return 0;
  if (e.op == Op::kRemoteLabel)
    return context.view->location(pid) == static_cast<std::uint32_t>(e.value) ? 1 : 0;
  // The variable is remote, its index is ours.
  const Place& place = program_.places[e.place];
  std::uint32_t offset = 0;
  Place local = place;
  local.region = Place::Region::kGlobal;
  if (!address(local, pid, context, offset)) return 0;
  return context.view->get(offset + context.view->process_offset(pid), place.type);
}

std::int32_t Machine::is_enabled(const ExprCode& e, Context& context) const {
  const std::int32_t pid = evaluate(e.left, context);
  if (has_failed(context)) return 0;
  if (pid == context.pid) {
    report(Problem::kEnabledSelf, context);
    return 0;
  }
  if (pid < 0 || pid >= context.view->process_count()) return 0;
  return process_can_move(pid, context) ? 1 : 0;
}

bool Machine::process_can_move(int pid, Context& context) const {
  constexpr int kMaxNesting = 8;  // enabled() asked of a process whose guard asks back
  if (context.enabled_depth >= kMaxNesting) return false;
  Context other = context;
  other.pid = pid;
  other.enabled_depth = context.enabled_depth + 1;
  std::vector<ProblemAt> ignored;
  other.problems = &ignored;
  const auto& location = context.view->process(pid).locations[context.view->location(pid)];
  for (const promela::Transition& transition : location.transitions) {
    ignored.clear();
    other.statement = transition.statement;
    if (is_executable(program_.statements[transition.statement], other)) return true;
  }
  return false;
}

bool Machine::may_run(int pid, Context& context) const {
  const auto is_provided = [&](int p) {
    const promela::ProcessType& type = context.view->process(p);
    if (type.provided == kNone) return true;
    Context own = context;
    own.pid = p;
    return evaluate(type.provided, own) != 0;
  };
  if (!is_provided(pid)) return false;
  if (!program_.uses_priority) return true;
  for (int other = 0; other < context.view->process_count(); ++other) {
    if (other == pid || context.view->priority(other) <= context.view->priority(pid)) continue;
    if (is_provided(other) && process_can_move(other, context)) return false;
  }
  return true;
}

}  // namespace spoor::exec
