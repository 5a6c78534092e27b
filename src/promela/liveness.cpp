#include "promela/liveness.h"

#include <algorithm>

namespace spoor::promela {

std::vector<bool> reachable_locations(const Program& program, const ProcessType& type) {
  std::vector<bool> seen(type.locations.size(), false);
  std::vector<std::uint32_t> todo{type.start};
  while (!todo.empty()) {
    const std::uint32_t at = todo.back();
    todo.pop_back();
    if (at >= seen.size() || seen[at]) continue;
    seen[at] = true;
    for (const Transition& t : type.locations[at].transitions) {
      if (program.statements[t.statement].op != StatementOp::kEnd) todo.push_back(t.target);
    }
  }
  return seen;
}

bool never_blocks(const Program& program, const Statement& s) {
  switch (s.op) {
    case StatementOp::kCondition:
      return program.exprs[s.expr].op == Op::kConstant && program.exprs[s.expr].value != 0;
    case StatementOp::kDStep: {  // its first statement decides
      const DStepNode& first = program.dsteps[s.dstep].nodes.front();
      return first.kind == DStepNode::Kind::kStatement &&
             never_blocks(program, program.statements[first.statement]);
    }
    case StatementOp::kSkip:
    case StatementOp::kElse:
    case StatementOp::kAssign:
    case StatementOp::kAssert:
    case StatementOp::kPrint:
    case StatementOp::kPrintMtype:
    case StatementOp::kSetPriority: return true;
    default: return false;
  }
}

bool Liveness::names(PlaceId id) const {
  if (id == kNone) return false;
  const Place& place = program_.places[id];
  return place.region == region_ && place.offset < end_ && begin_ < place.end();
}

bool Liveness::indexes_read(PlaceId id) const {
  if (id == kNone) return false;
  const auto& indices = program_.places[id].indices;
  return std::any_of(indices.begin(), indices.end(), [this](const Place::Index& i) { return reads(i.expr); });
}

bool Liveness::reads(ExprId id) const {
  if (id == kNone) return false;
  const ExprCode& e = program_.exprs[id];
  if (e.op == Op::kLoad && names(e.place)) return true;
  if (indexes_read(e.place)) return true;
  const bool third_is_expr = e.op == Op::kConditional;
  if (reads(e.left) || reads(e.right) || (third_is_expr && reads(e.third))) return true;
  return std::any_of(e.args.begin(), e.args.end(), [this](ExprId a) { return reads(a); }) ||
         patterns_read(e.fields);
}

bool Liveness::patterns_read(const std::vector<FieldPattern>& fields) const {
  return std::any_of(fields.begin(), fields.end(),
                     [this](const FieldPattern& f) { return reads(f.match) || indexes_read(f.store); });
}

bool Liveness::reads(const Statement& s) const {
  if (reads(s.expr) || reads(s.chan) || indexes_read(s.place) || patterns_read(s.fields)) return true;
  return std::any_of(s.args.begin(), s.args.end(), [this](ExprId a) { return reads(a); });
}

bool Liveness::ends_life(const Statement& s) const {
  if (!is_scalar_) return false;
  return (s.op == StatementOp::kAssign && names(s.place)) ||
         std::any_of(s.fields.begin(), s.fields.end(),
                     [this](const FieldPattern& f) { return names(f.store); });
}

// Is the variable live before the statement, given that it is (or is not) live after it?
bool Liveness::is_live_before(StatementId id, bool after) const {
  const Statement& s = program_.statements[id];
  if (s.op != StatementOp::kDStep) return reads(s) || (!ends_life(s) && after);
  const auto& nodes = program_.dsteps[s.dstep].nodes;
  std::vector<bool> live(nodes.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = nodes.size(); i-- > 0;) {  // backwards: later nodes mostly have higher numbers
      const DStepNode& node = nodes[i];
      bool now = false;
      switch (node.kind) {
        case DStepNode::Kind::kExit: now = after; break;
        case DStepNode::Kind::kStatement: now = is_live_before(node.statement, live[node.next]); break;
        case DStepNode::Kind::kChoice:
          now =
              std::any_of(node.options.begin(), node.options.end(), [&](std::uint32_t o) { return live[o]; });
          break;
      }
      changed |= now != live[i];
      live[i] = now;
    }
  }
  return live[0];
}

bool Liveness::writes(StatementId id) const {
  const Statement& s = program_.statements[id];
  if (s.op == StatementOp::kDStep) {
    const auto& nodes = program_.dsteps[s.dstep].nodes;
    return std::any_of(nodes.begin(), nodes.end(), [this](const DStepNode& node) {
      return node.kind == DStepNode::Kind::kStatement && writes(node.statement);
    });
  }
  return (s.op == StatementOp::kAssign && names(s.place)) ||
         std::any_of(s.fields.begin(), s.fields.end(),
                     [this](const FieldPattern& f) { return names(f.store); });
}

std::vector<bool> Liveness::live_locations(const ProcessType& type) const {
  const std::size_t n = type.locations.size();
  std::vector<bool> live(n, false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = n; i-- > 0;) {
      if (live[i]) continue;
      const auto& transitions = type.locations[i].transitions;
      live[i] = std::any_of(transitions.begin(), transitions.end(), [&](const Transition& t) {
        return is_live_before(t.statement, t.target < n && live[t.target]);
      });
      changed |= live[i];
    }
  }
  return live;
}

}  // namespace spoor::promela
