// Which statements are local to a process; see reduce.h.
#include <algorithm>

#include "promela/reduce.h"

namespace spoor::promela {

Locality::Locality(const Program& program) : program_(program) {
  everything_is_visible_ = program.uses_priority || program.has_embedded_code || program.last_offset != kNone;
  for (const ExprCode& e : program.exprs) {
    switch (e.op) {
      case Op::kPcValue:
      case Op::kEnabled:
      case Op::kRemotePredefined: everything_is_visible_ = true; break;
      case Op::kNonProgress: watch([](const Location& location) { return location.is_progress; }); break;
      case Op::kAccepting: watch([](const Location& location) { return location.is_accept; }); break;
      case Op::kRemoteLabel: watched_.push_back({e.third, static_cast<std::uint32_t>(e.value)}); break;
      case Op::kRemoteVariable: {
        const Place& place = program.places[e.place];
        remote_variables_.push_back({e.third, place.offset, place.end()});
        break;
      }
      default: break;
    }
  }
  const auto is_rendezvous = [](const ChannelType& c) { return c.is_rendezvous(); };
  if (std::none_of(program.channel_types.begin(), program.channel_types.end(), is_rendezvous)) return;
  for (const ProcessType& type : program.processes) {
    for (std::uint32_t i = 0; i < type.locations.size(); ++i) notices_offers_ |= notices_offer_at(type, i);
  }
}

void Locality::watch(bool (*is_asked_for)(const Location&)) {
  for (std::uint32_t type = 0; type < program_.processes.size(); ++type) {
    const std::vector<Location>& locations = program_.processes[type].locations;
    for (std::uint32_t i = 0; i < locations.size(); ++i) {
      if (is_asked_for(locations[i])) watched_.emplace_back(type, i);
    }
  }
}

bool Locality::notices_offer_at(const ProcessType& type, std::uint32_t location) const {
  const auto& transitions = type.locations[location].transitions;
  const auto is_send = [&](const Transition& t) {
    return program_.statements[t.statement].op == StatementOp::kSend;
  };
  if (std::none_of(transitions.begin(), transitions.end(), is_send)) return false;
  if (type.deterministic) return true;
  const auto shuts_out = [&](const Transition& t) {
    return t.escape != 0 || program_.statements[t.statement].op == StatementOp::kElse;
  };
  if (std::any_of(transitions.begin(), transitions.end(), shuts_out)) return true;
  return std::any_of(type.locations.begin(), type.locations.end(), [&](const Location& from) {
    return std::any_of(from.transitions.begin(), from.transitions.end(),
                       [&](const Transition& t) { return t.stays_atomic && t.target == location; });
  });
}

bool Locality::takes_message(StatementId id) const {
  const Statement& s = program_.statements[id];
  if (s.op == StatementOp::kReceive) return true;
  if (s.op != StatementOp::kDStep) return false;
  const auto& nodes = program_.dsteps[s.dstep].nodes;
  return std::any_of(nodes.begin(), nodes.end(), [&](const DStepNode& n) {
    return n.kind == DStepNode::Kind::kStatement && takes_message(n.statement);
  });
}

bool Locality::is_noticed_arrival(std::uint32_t type, std::uint32_t location) const {
  if (!notices_offers_) return false;
  const auto& transitions = program_.processes[type].locations[location].transitions;
  return std::any_of(transitions.begin(), transitions.end(),
                     [&](const Transition& t) { return takes_message(t.statement); });
}

bool Locality::is_watched(std::uint32_t type, std::uint32_t location) const {
  return std::find(watched_.begin(), watched_.end(), std::pair(type, location)) != watched_.end();
}

bool Locality::is_named_remotely(std::uint32_t type, std::uint32_t begin, std::uint32_t end) const {
  return std::any_of(remote_variables_.begin(), remote_variables_.end(),
                     [&](const Bytes& b) { return b.type == type && b.begin < end && begin < b.end; });
}

bool Locality::is_local_place(std::uint32_t type, PlaceId id) const {
  if (id == kNone) return true;
  const Place& place = program_.places[id];
  switch (place.region) {
    case Place::Region::kPid:
    case Place::Region::kDiscard: return true;
    case Place::Region::kLocal: break;
    default: return false;
  }
  if (is_named_remotely(type, place.offset, place.end())) return false;
  return std::all_of(place.indices.begin(), place.indices.end(),
                     [&](const Place::Index& i) { return is_local_expr(type, i.expr); });
}

bool Locality::is_local_expr(std::uint32_t type, ExprId id) const {
  if (id == kNone) return true;
  const ExprCode& e = program_.exprs[id];
  switch (e.op) {
    case Op::kConstant: return true;
    case Op::kLoad: return is_local_place(type, e.place);
    case Op::kRun:
    case Op::kLen:
    case Op::kEmpty:
    case Op::kFull:
    case Op::kNotEmpty:
    case Op::kNotFull:
    case Op::kPoll:
    case Op::kEnabled:
    case Op::kPcValue:
    case Op::kGetPriority:
    case Op::kTimeout:
    case Op::kNonProgress:
    case Op::kAccepting:
    case Op::kRemoteLabel:
    case Op::kRemoteVariable:
    case Op::kEmbedded: return false;
    case Op::kRemotePredefined: return false;
    default: break;  // arithmetic
  }
  return is_local_expr(type, e.left) && is_local_expr(type, e.right) &&
         (e.op != Op::kConditional || is_local_expr(type, e.third));
}

bool Locality::is_local(std::uint32_t type, StatementId id) const {
  const Statement& s = program_.statements[id];
  const auto are_local = [&](const std::vector<ExprId>& exprs) {
    return std::all_of(exprs.begin(), exprs.end(), [&](ExprId e) { return is_local_expr(type, e); });
  };
  switch (s.op) {
    case StatementOp::kSkip:
    case StatementOp::kElse: return true;
    case StatementOp::kCondition:
    case StatementOp::kAssert:
    case StatementOp::kPrintMtype: return is_local_expr(type, s.expr);
    case StatementOp::kPrint: return are_local(s.args);
    case StatementOp::kAssign: return is_local_expr(type, s.expr) && is_local_place(type, s.place);
    case StatementOp::kDStep: {
      const auto& nodes = program_.dsteps[s.dstep].nodes;
      return std::all_of(nodes.begin(), nodes.end(), [&](const DStepNode& n) {
        return n.kind != DStepNode::Kind::kStatement || is_local(type, n.statement);
      });
    }
    case StatementOp::kSend:
    case StatementOp::kReceive:
    case StatementOp::kSetPriority:
    case StatementOp::kEnd:
    case StatementOp::kEmbedded: return false;
  }
  return false;
}

}  // namespace spoor::promela
