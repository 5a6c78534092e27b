#include "exec/access_sets.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace spoor::exec {

using promela::ChannelClaimCode;
using promela::DStepNode;
using promela::ExprCode;
using promela::ExprId;
using promela::FieldPattern;
using promela::Initializer;
using promela::is_operator;
using promela::kNone;
using promela::Location;
using promela::Op;
using promela::Place;
using promela::PlaceId;
using promela::ProcessType;
using promela::Program;
using promela::Scratch;
using promela::Statement;
using promela::StatementId;
using promela::StatementOp;
using promela::Transition;
using promela::VariableInfo;

namespace {

// Which bytes some statement writes.
class Written {
 public:
  explicit Written(const Program& program) : program_(program), locals_(program.processes.size()) {
    for (std::uint32_t type = 0; type < program.processes.size(); ++type) {
      for (const Location& location : program.processes[type].locations) {
        for (const Transition& t : location.transitions) add(type, t.statement);
      }
    }
  }

  bool is_written(std::uint32_t type, const Place& place) const {
    const auto& stretches = place.region == Place::Region::kGlobal ? globals_ : locals_[type];
    return std::any_of(stretches.begin(), stretches.end(), [&](const Scratch& s) {
      return s.offset < place.end() && place.offset < s.offset + s.bytes;
    });
  }

 private:
  void add(std::uint32_t type, StatementId id) {
    const Statement& s = program_.statements[id];
    if (s.op == StatementOp::kAssign) add_place(type, s.place);
    for (const FieldPattern& field : s.fields) {
      if (field.kind == FieldPattern::Kind::kStore) add_place(type, field.store);
    }
    if (s.op != StatementOp::kDStep) return;
    for (const DStepNode& node : program_.dsteps[s.dstep].nodes) {
      if (node.kind == DStepNode::Kind::kStatement) add(type, node.statement);
    }
  }
  void add_place(std::uint32_t type, PlaceId id) {
    if (id == kNone) return;
    const Place& place = program_.places[id];
    if (place.region == Place::Region::kGlobal)
      globals_.push_back({place.offset, place.end() - place.offset});
    if (place.region == Place::Region::kLocal)
      locals_[type].push_back({place.offset, place.end() - place.offset});
  }

  const Program& program_;
  std::vector<Scratch> globals_;
  std::vector<std::vector<Scratch>> locals_;
};

// The accesses of one process type.
class Builder {
 public:
  Builder(const Program& program, const Written& written, bool lose_messages, std::uint32_t type)
      : program_(program),
        written_(written),
        lose_messages_(lose_messages),
        type_(type),
        process_(program.processes[type]) {
    list({});  // number 0: nothing
  }

  TypeAccesses build() {
    const std::size_t n = process_.locations.size();
    result_.locations.resize(n);
    AccessList start;
    for (const Initializer& initializer : process_.initializers) add_expr(initializer.value, start);
    result_.start = list(std::move(start));
    for (const ChannelClaimCode& claim : process_.claims)
      result_.has_stable_claims &= is_stable_expr(claim.chan);
    find_inner();
    for (std::uint32_t i = 0; i < n; ++i) add_location(i);
    for (std::uint32_t i = 0; i < n; ++i) {
      result_.locations[i].all = list(union_of(i, true));
      for (std::size_t k = 0; k < result_.locations[i].moves.size(); ++k) {
        const Transition& t = process_.locations[i].transitions[k];
        if (t.stays_atomic) result_.locations[i].moves[k].chain = list(union_of(t.target, true));
      }
    }
    for (std::uint32_t i = 0; i < n; ++i) result_.locations[i].future = list(union_of(i, false));
    return std::move(result_);
  }

 private:
  // Locations at which an atomic sequence can be under way.
  void find_inner() {
    is_inner_.assign(process_.locations.size(), false);
    for (const Location& location : process_.locations) {
      for (const Transition& t : location.transitions) {
        if (t.stays_atomic) is_inner_[t.target] = true;
      }
    }
  }

  void add_location(std::uint32_t location) {
    LocationAccesses& here = result_.locations[location];
    const auto& transitions = process_.locations[location].transitions;
    for (const Transition& t : transitions) {
      const bool is_else = program_.statements[t.statement].op == StatementOp::kElse;
      here.is_mixed |= is_else || t.escape != 0;
    }
    accessed_here_.emplace_back();
    for (const Transition& t : transitions) {
      AccessList everything;
      add_statement(t.statement, here.is_mixed || is_inner_[location], everything);
      accessed_here_.back() = merged(accessed_here_.back(), everything);
      here.moves.push_back(move(t.statement));
    }
    here.is_free = !here.is_mixed && std::all_of(here.moves.begin(), here.moves.end(),
                                                 [&](const Move& m) { return is_free(m); });
  }

  bool is_free(const Move& move) const {
    switch (program_.statements[move.statement].op) {
      case StatementOp::kSkip:
      case StatementOp::kAssign:
      case StatementOp::kAssert:
      case StatementOp::kPrint:
      case StatementOp::kPrintMtype: return result_.is_list_stable[move.whole];
      default: return false;
    }
  }

  Move move(StatementId id) {
    const Statement& s = program_.statements[id];
    Move result;
    result.statement = id;
    AccessList whole, aside;
    if (s.op == StatementOp::kSend || s.op == StatementOp::kReceive) {
      add_expr(s.chan, aside);
      for (const FieldPattern& field : s.fields) {
        if (field.kind == FieldPattern::Kind::kMatch) add_expr(field.match, aside);
      }
      const auto is_ours = [&](const Access& t) {
        return t.what == s.chan && (t.kind == Access::Kind::kSend || t.kind == Access::Kind::kSortedSend ||
                                    t.kind == Access::Kind::kReceive);
      };
      const auto found = std::find_if(result_.accesses.begin(), result_.accesses.end(), is_ours);
      const auto number = static_cast<std::uint32_t>(found - result_.accesses.begin());
      if (found != result_.accesses.end() && result_.is_stable[number]) result.channel = number;
      whole = aside;
      for (const ExprId arg : s.args) add_expr(arg, whole);
      for (const FieldPattern& field : s.fields) {
        if (field.kind == FieldPattern::Kind::kStore) add_store(field.store, whole);
      }
    } else if (s.op != StatementOp::kEnd) {
      add_statement(id, false, whole);
      std::erase_if(
          whole, [&](std::uint32_t access) { return result_.accesses[access].kind == Access::Kind::kChild; });
    }
    if (s.op == StatementOp::kCondition) add_conjuncts(s.expr, result.conjuncts);
    if (s.op == StatementOp::kDStep) {
      const DStepNode& entry = program_.dsteps[s.dstep].nodes.front();
      const bool is_simple = entry.kind == DStepNode::Kind::kStatement &&
                             program_.statements[entry.statement].op == StatementOp::kCondition;
      if (is_simple) add_conjuncts(program_.statements[entry.statement].expr, result.conjuncts);
    }
    result.whole = list(std::move(whole));
    result.aside = list(std::move(aside));
    return result;
  }

  void add_conjuncts(ExprId id, std::vector<Conjunct>& out) {
    const ExprCode& e = program_.exprs[id];
    if (e.op == Op::kAnd) {
      add_conjuncts(e.left, out);
      add_conjuncts(e.right, out);
      return;
    }
    AccessList accessed;
    add_expr(id, accessed);
    out.push_back({id, list(std::move(accessed)), can_fail(program_, id)});
  }

  // All that is accessed at the locations reachable from here; in an atomic sequence, or anyhow.
  AccessList union_of(std::uint32_t from, bool only_atomic) {
    AccessList result;
    std::vector<bool> seen(process_.locations.size(), false);
    std::vector<std::uint32_t> open = {from};
    seen[from] = true;
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      result = merged(result, accessed_here_[at]);
      for (const Transition& t : process_.locations[at].transitions) {
        if (program_.statements[t.statement].op == StatementOp::kEnd || (only_atomic && !t.stays_atomic) ||
            seen[t.target])
          continue;
        seen[t.target] = true;
        open.push_back(t.target);
      }
    }
    return result;
  }

  static AccessList merged(const AccessList& a, const AccessList& b) {
    AccessList result;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
    return result;
  }

  // ---- What is accessed. Lists are kept in order, each access once.

  void add(Access access, AccessList& out) {
    const auto known = std::find(result_.accesses.begin(), result_.accesses.end(), access);
    const auto number = static_cast<std::uint32_t>(known - result_.accesses.begin());
    if (known == result_.accesses.end()) {
      result_.accesses.push_back(access);
      result_.is_stable.push_back(is_stable(access));
    }
    const auto place = std::lower_bound(out.begin(), out.end(), number);
    if (place == out.end() || *place != number) out.insert(place, number);
  }

  void add_indices(const Place& place, AccessList& out) {
    for (const Place::Index& index : place.indices) add_expr(index.expr, out);
  }
  void add_load(PlaceId id, AccessList& out) {
    const Place& place = program_.places[id];
    if (place.region == Place::Region::kGlobal) add({Access::Kind::kRead, id}, out);
    if (place.region == Place::Region::kNrPr) add({Access::Kind::kCount, kNone}, out);
    add_indices(place, out);
  }
  void add_store(PlaceId id, AccessList& out) {
    if (id == kNone) return;
    const Place& place = program_.places[id];
    if (place.region == Place::Region::kGlobal) add({Access::Kind::kWrite, id}, out);
    add_indices(place, out);
  }

  void add_fields(const std::vector<FieldPattern>& fields, AccessList& out) {
    for (const FieldPattern& field : fields) {
      if (field.kind == FieldPattern::Kind::kMatch) add_expr(field.match, out);
      if (field.kind == FieldPattern::Kind::kStore) add_store(field.store, out);
    }
  }

  void add_expr(ExprId id, AccessList& out) {
    if (id == kNone) return;
    const ExprCode& e = program_.exprs[id];
    switch (e.op) {
      case Op::kConstant:
      case Op::kTimeout: return;
      case Op::kLoad: add_load(e.place, out); return;
      case Op::kRun: {
        for (const ExprId arg : e.args) add_expr(arg, out);
        const auto type = static_cast<std::uint32_t>(e.value);
        add({Access::Kind::kRun, type}, out);
        add({Access::Kind::kChild, type}, out);
        return;
      }
      case Op::kLen:
      case Op::kEmpty:
      case Op::kFull:
      case Op::kNotEmpty:
      case Op::kNotFull:
      case Op::kPoll:
        add_expr(e.left, out);
        add_fields(e.fields, out);
        add({Access::Kind::kQuestion, e.left}, out);
        return;
      default: break;  // arithmetic
    }
    add_expr(e.left, out);
    add_expr(e.right, out);
    if (e.op == Op::kConditional) add_expr(e.third, out);
  }

  // `is_asked`: it matters to another statement that this one is not possible.
  void add_statement(StatementId id, bool is_asked, AccessList& out) {
    const Statement& s = program_.statements[id];
    add_expr(s.expr, out);
    for (const ExprId arg : s.args) add_expr(arg, out);
    switch (s.op) {
      case StatementOp::kAssign: add_store(s.place, out); break;
      case StatementOp::kSend:
        add_expr(s.chan, out);
        add({s.sorted ? Access::Kind::kSortedSend : Access::Kind::kSend, s.chan}, out);
        if (is_asked || lose_messages_) add({Access::Kind::kQuestion, s.chan}, out);
        break;
      case StatementOp::kReceive:
        add_expr(s.chan, out);
        add_fields(s.fields, out);
        add({Access::Kind::kReceive, s.chan}, out);
        if (is_asked) add({Access::Kind::kQuestion, s.chan}, out);
        break;
      case StatementOp::kDStep:
        for (const DStepNode& node : program_.dsteps[s.dstep].nodes) {
          if (node.kind == DStepNode::Kind::kStatement) add_statement(node.statement, true, out);
        }
        break;
      case StatementOp::kEnd: add({Access::Kind::kEnd, type_}, out); break;
      default: break;
    }
  }

  // ---- What never changes.

  bool is_stable(const Access& access) {
    switch (access.kind) {
      case Access::Kind::kRead:
      case Access::Kind::kWrite: {
        const Place& place = program_.places[access.what];
        return std::all_of(place.indices.begin(), place.indices.end(),
                           [&](const Place::Index& i) { return is_stable_expr(i.expr); });
      }
      case Access::Kind::kSend:
      case Access::Kind::kSortedSend:
      case Access::Kind::kReceive:
      case Access::Kind::kQuestion: return is_stable_expr(access.what);
      default: return true;
    }
  }

  bool is_stable_expr(ExprId id) {
    if (id == kNone) return true;
    const ExprCode& e = program_.exprs[id];
    if (e.op == Op::kConstant) return true;
    if (e.op == Op::kLoad) return is_stable_place(program_.places[e.place]);
    if (!is_operator(e.op) && e.op != Op::kConditional) return false;
    return is_stable_expr(e.left) && is_stable_expr(e.right) && is_stable_expr(e.third);
  }

  bool is_stable_place(const Place& place) {
    if (place.region == Place::Region::kPid) return true;
    if (place.region != Place::Region::kGlobal && place.region != Place::Region::kLocal) return false;
    if (written_.is_written(type_, place)) return false;
    if (!std::all_of(place.indices.begin(), place.indices.end(),
                     [&](const Place::Index& i) { return is_stable_expr(i.expr); }))
      return false;
    if (place.region == Place::Region::kLocal) add_key({place.offset, place.end() - place.offset});
    return true;
  }

  void add_key(Scratch bytes) {
    const auto is_same = [&](const Scratch& s) { return s.offset == bytes.offset && s.bytes == bytes.bytes; };
    if (std::none_of(result_.key.begin(), result_.key.end(), is_same)) result_.key.push_back(bytes);
  }

  std::uint32_t list(AccessList accesses) {
    const auto known = std::find(result_.lists.begin(), result_.lists.end(), accesses);
    if (known != result_.lists.end()) return static_cast<std::uint32_t>(known - result_.lists.begin());
    result_.is_list_stable.push_back(
        std::all_of(accesses.begin(), accesses.end(), [&](std::uint32_t t) { return result_.is_stable[t]; }));
    result_.lists.push_back(std::move(accesses));
    return static_cast<std::uint32_t>(result_.lists.size() - 1);
  }

  const Program& program_;
  const Written& written_;
  const bool lose_messages_;
  const std::uint32_t type_;
  const ProcessType& process_;
  TypeAccesses result_;
  std::vector<bool> is_inner_;
  std::vector<AccessList> accessed_here_;  // by location
};

}  // namespace

bool can_fail(const Program& program, ExprId id) {
  if (id == kNone) return false;
  const ExprCode& e = program.exprs[id];
  if (e.op == Op::kConstant || e.op == Op::kTimeout) return false;
  if (e.op == Op::kLoad) return !program.places[e.place].indices.empty();
  if (!is_operator(e.op) || e.op == Op::kDiv || e.op == Op::kMod) return true;
  return can_fail(program, e.left) || can_fail(program, e.right);
}

Cells ProgramAccesses::head(std::uint32_t channel) const {
  Cells result;
  result.add(first_channel_cell + 2 * (std::min(channel, channel_slots) - 1));
  return result;
}
Cells ProgramAccesses::tail(std::uint32_t channel) const {
  Cells result;
  result.add(first_channel_cell + 2 * (std::min(channel, channel_slots) - 1) + 1);
  return result;
}

ProgramAccesses find_accesses(const Program& program, bool lose_messages) {
  constexpr std::uint32_t kMostSlots = 48, kLocalSlots = 24;
  ProgramAccesses result;
  const bool has_local_channels = std::any_of(program.processes.begin(), program.processes.end(),
                                              [](const ProcessType& p) { return !p.channels.empty(); });
  const auto wanted =
      static_cast<std::uint32_t>(program.channels.size()) + (has_local_channels ? kLocalSlots : 0);
  result.channel_slots = std::clamp(wanted, 1U, kMostSlots);
  const std::uint32_t room = Cells::kCount - 2 * result.channel_slots - kFirstVariable;
  const std::uint32_t variable_cells =
      std::clamp(static_cast<std::uint32_t>(program.variables.size()), 1U, room);
  result.first_channel_cell = kFirstVariable + variable_cells;
  result.words = (result.first_channel_cell + 2 * result.channel_slots + 63) / 64;
  // Every byte has a cell, those between variables too; where there are too few, they are shared.
  result.cell_of_byte.assign(program.globals_size, kFirstVariable);
  std::uint32_t next = 0;
  for (const VariableInfo& variable : program.variables) {
    const std::uint32_t cell = kFirstVariable + next++ % variable_cells;
    for (std::uint32_t i = 0; i < variable.type.bytes && variable.offset + i < program.globals_size; ++i)
      result.cell_of_byte[variable.offset + i] = cell;
  }
  const Written written(program);
  for (std::uint32_t type = 0; type < program.processes.size(); ++type)
    result.types.push_back(Builder(program, written, lose_messages, type).build());
  return result;
}

}  // namespace spoor::exec
