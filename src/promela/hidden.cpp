#include "promela/hidden.h"

#include <algorithm>
#include <vector>

namespace spoor::promela {

namespace {

// The locations that a process can come to, as far as its control graph goes.
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

// Is one variable (the bytes [begin, end) of the globals) live where it must not be?
class Liveness {
 public:
  Liveness(const Program& program, std::uint32_t begin, std::uint32_t end, bool is_scalar)
      : program_(program), begin_(begin), end_(end), is_scalar_(is_scalar) {}

  bool is_scratch() const {
    for (const Initializer& init : program_.initializers) {
      if (reads(init.value)) return false;
    }
    return std::none_of(program_.processes.begin(), program_.processes.end(), [this](const ProcessType& type) { return is_live_in(type); });
  }

 private:
  bool names(PlaceId id) const {
    if (id == kNone) return false;
    const Place& place = program_.places[id];
    return place.region == Place::Region::kGlobal && place.offset >= begin_ && place.offset < end_;
  }

  bool indexes_read(PlaceId id) const {
    if (id == kNone) return false;
    const auto& indices = program_.places[id].indices;
    return std::any_of(indices.begin(), indices.end(), [this](const Place::Index& i) { return reads(i.expr); });
  }

  bool reads(ExprId id) const {
    if (id == kNone) return false;
    const ExprCode& e = program_.exprs[id];
    if (e.op == Op::kLoad && names(e.place)) return true;
    if (indexes_read(e.place)) return true;
    const bool third_is_expr = e.op == Op::kConditional;
    if (reads(e.left) || reads(e.right) || (third_is_expr && reads(e.third))) return true;
    return std::any_of(e.args.begin(), e.args.end(), [this](ExprId a) { return reads(a); }) || patterns_read(e.fields);
  }

  bool patterns_read(const std::vector<FieldPattern>& fields) const {
    return std::any_of(fields.begin(), fields.end(), [this](const FieldPattern& f) { return reads(f.match) || indexes_read(f.store); });
  }

  bool reads(const Statement& s) const {
    if (reads(s.expr) || reads(s.chan) || indexes_read(s.place) || patterns_read(s.fields)) return true;
    return std::any_of(s.args.begin(), s.args.end(), [this](ExprId a) { return reads(a); });
  }

  bool writes(const Statement& s) const {
    if (!is_scalar_) return false;
    return (s.op == StatementOp::kAssign && names(s.place)) ||
           std::any_of(s.fields.begin(), s.fields.end(), [this](const FieldPattern& f) { return names(f.store); });
  }

  // Live before the statement, given that it is (or is not) live after it?
  bool is_live_before(StatementId id, bool after) const {
    const Statement& s = program_.statements[id];
    if (s.op != StatementOp::kDStep) return reads(s) || (!writes(s) && after);
    const auto& nodes = program_.dsteps[s.dstep].nodes;
    std::vector<bool> live(nodes.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = nodes.size(); i-- > 0;) {  // backwards: mostly what follows has a higher number
        const DStepNode& node = nodes[i];
        bool now = false;
        switch (node.kind) {
          case DStepNode::Kind::kExit: now = after; break;
          case DStepNode::Kind::kStatement: now = is_live_before(node.statement, live[node.next]); break;
          case DStepNode::Kind::kChoice:
            now = std::any_of(node.options.begin(), node.options.end(), [&](std::uint32_t o) { return live[o]; });
            break;
        }
        changed |= now != live[i];
        live[i] = now;
      }
    }
    return live[0];
  }

  bool never_blocks(const Statement& s) const {
    switch (s.op) {
      case StatementOp::kCondition:
        return program_.exprs[s.expr].op == Op::kConstant && program_.exprs[s.expr].value != 0;
      case StatementOp::kDStep: {  // its first statement decides
        const DStepNode& first = program_.dsteps[s.dstep].nodes.front();
        return first.kind == DStepNode::Kind::kStatement && never_blocks(program_.statements[first.statement]);
      }
      case StatementOp::kSkip:
      case StatementOp::kElse:
      case StatementOp::kAssign:
      case StatementOp::kAssert:
      case StatementOp::kPrint:
      case StatementOp::kPrintMtype:
      case StatementOp::kSetPriority:
        return true;
      default:
        return false;
    }
  }

  bool has_rendezvous() const {
    return std::any_of(program_.channel_types.begin(), program_.channel_types.end(), [](const ChannelType& c) { return c.is_rendezvous(); });
  }

  // Can a process that is here, inside an atomic sequence, lose its turn?
  bool may_pause(const ProcessType& type, const Location& location) const {
    if (program_.uses_priority || type.provided != kNone) return true;
    bool may_block = true;
    for (const Transition& t : location.transitions) {
      const Statement& s = program_.statements[t.statement];
      // A rendezvous hands the turn over. Without a partner it still keeps an `else` from running.
      if (s.op == StatementOp::kSend && has_rendezvous()) return true;
      if (never_blocks(s)) may_block = false;
    }
    return may_block;
  }

  bool is_live_in(const ProcessType& type) const {
    for (const Initializer& init : type.initializers) {
      if (reads(init.value)) return true;
    }
    if (reads(type.provided)) return true;
    const std::size_t n = type.locations.size();
    const std::vector<bool> reachable = reachable_locations(program_, type);
    std::vector<bool> stored(n, false), live(n, false);
    if (type.start < n) stored[type.start] = true;
    for (std::size_t i = 0; i < n; ++i) {
      // The first statement of an option has a location of its own too, where no process ever is.
      if (!reachable[i]) continue;
      for (const Transition& t : type.locations[i].transitions) {
        if (!t.stays_atomic && t.target < n) stored[t.target] = true;
      }
      if (may_pause(type, type.locations[i])) stored[i] = true;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = n; i-- > 0;) {
        if (live[i]) continue;
        for (const Transition& t : type.locations[i].transitions) {
          if (is_live_before(t.statement, t.target < n && live[t.target])) {
            live[i] = changed = true;
            break;
          }
        }
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (stored[i] && live[i]) return true;
    }
    return false;
  }

  const Program& program_;
  std::uint32_t begin_, end_;
  bool is_scalar_;
};

std::string root_name(const std::string& scalar) { return scalar.substr(0, scalar.find_first_of("[.")); }

}  // namespace

void find_scratch_variables(Program& program) {
  for (std::size_t i = 0; i < program.variables.size();) {
    // The scalars of one declaration lie side by side.
    const std::string root = root_name(program.variables[i].name);
    const bool is_scalar = program.variables[i].name == root;
    const std::uint32_t begin = program.variables[i].offset;
    const bool is_hidden = program.variables[i].is_hidden;
    std::size_t j = i;
    while (j < program.variables.size() && root_name(program.variables[j].name) == root) ++j;
    const std::uint32_t end = program.variables[j - 1].offset + program.variables[j - 1].type.bytes;
    if (is_hidden && Liveness(program, begin, end, is_scalar).is_scratch()) program.scratch.push_back({begin, end - begin});
    i = j;
  }
}

}  // namespace spoor::promela
