#include "exec/stubborn_tables.h"

#include <algorithm>
#include <optional>

namespace spoor::exec {

using promela::ChannelClaimCode;
using promela::ExprCode;
using promela::ExprId;
using promela::FieldPattern;
using promela::kNone;
using promela::Locality;
using promela::Location;
using promela::Op;
using promela::Place;
using promela::PlaceId;
using promela::ProcessType;
using promela::Program;
using promela::StatementOp;
using promela::Transition;

namespace {

// Marks the expressions that the claim consists of.
void mark(const Program& program, ExprId id, std::vector<bool>& is_asked) {
  if (id == kNone || is_asked[id]) return;
  is_asked[id] = true;
  const ExprCode& e = program.exprs[id];
  mark(program, e.left, is_asked);
  mark(program, e.right, is_asked);
  if (e.op == Op::kConditional) mark(program, e.third, is_asked);
  for (const ExprId arg : e.args) mark(program, arg, is_asked);
  for (const FieldPattern& field : e.fields) mark(program, field.match, is_asked);
  if (e.place == kNone) return;
  for (const Place::Index& index : program.places[e.place].indices) mark(program, index.expr, is_asked);
}

std::vector<bool> asked_by_claim(const Program& program) {
  std::vector<bool> is_asked(program.exprs.size(), false);
  for (const ExprId atom : program.claim.atoms) mark(program, atom, is_asked);
  return is_asked;
}

// Is there anything that accesses cannot tell? (A claim may look at where processes are.)
bool is_beyond_us(const Program& program) {
  if (program.trace_process != kNone) return true;
  const Locality locality(program);
  if (locality.everything_is_visible() || locality.notices_offers()) return true;
  const auto is_strange = [](const ProcessType& p) { return p.provided != kNone || p.deterministic; };
  if (std::any_of(program.processes.begin(), program.processes.end(), is_strange)) return true;
  const std::vector<bool> is_asked = asked_by_claim(program);
  for (std::size_t i = 0; i < program.exprs.size(); ++i) {
    const Op op = program.exprs[i].op;
    if (op == Op::kRemoteVariable || op == Op::kGetPriority) return true;
    if (op == Op::kRemoteLabel && !is_asked[i]) return true;
  }
  return false;
}

void add_table_read(AccessSets& out) {
  out.reads.add(kBirths);
  out.reads.add(kDying);
  out.reads.add(kDeaths);
}

}  // namespace

StubbornTables::StubbornTables(const Machine& m, bool lose)
    : machine(m), program(m.program()), lose_messages(lose) {
  if (is_beyond_us(program)) return;
  accesses = find_accesses(program, lose);
  find_children();
  find_visible();
  is_useful = std::all_of(accesses.types.begin(), accesses.types.end(),
                          [](const TypeAccesses& t) { return t.has_stable_claims; });
}

// ---- What the claim sees.

void StubbornTables::find_visible() {
  const std::vector<bool> is_asked = asked_by_claim(program);
  for (std::size_t i = 0; i < program.exprs.size(); ++i) {
    if (is_asked[i]) add_seen(program.exprs[i]);
  }
  if (!sees_places) return;
  AccessSets table;  // a process that begins or ends is or was at a location
  add_table_read(table);
  seen.add(table.reads);
  const Locality locality(program);
  for (std::uint32_t type = 0; type < program.processes.size(); ++type) {
    const std::vector<Location>& locations = program.processes[type].locations;
    std::vector<bool>& watched = is_watched.emplace_back(locations.size(), false);
    for (std::uint32_t i = 0; i < locations.size(); ++i) watched[i] = leads_past(locality, type, i, {});
  }
}

void StubbornTables::add_seen(const ExprCode& e) {
  AccessSets sets;
  switch (e.op) {
    case Op::kLoad:
      if (program.places[e.place].region == Place::Region::kGlobal)
        add_place(nullptr, 0, e.place, sets.reads);
      else if (program.places[e.place].region == Place::Region::kNrPr)
        add_table_read(sets);
      break;
    case Op::kLen:
    case Op::kEmpty:
    case Op::kFull:
    case Op::kNotEmpty:
    case Op::kNotFull:
    case Op::kPoll: add_channel(nullptr, 0, e.left, Access::Kind::kQuestion, sets); break;
    case Op::kRemoteLabel:
    case Op::kNonProgress:
    case Op::kAccepting: sees_places = true; break;
    default: break;
  }
  seen.add(sets.reads);
}

// A step from here begins, ends or passes at a location that an expression refers to.
bool StubbornTables::leads_past(const Locality& locality, std::uint32_t type, std::uint32_t from,
                                std::vector<std::uint32_t> passed) const {
  if (locality.is_watched(type, from)) return true;
  passed.push_back(from);
  for (const Transition& t : program.processes[type].locations[from].transitions) {
    if (program.statements[t.statement].op == StatementOp::kEnd) continue;
    if (locality.is_watched(type, t.target)) return true;
    const bool is_new = std::find(passed.begin(), passed.end(), t.target) == passed.end();
    if (t.stays_atomic && is_new && leads_past(locality, type, t.target, passed)) return true;
  }
  return false;
}

// ---- From accesses to cells.

void StubbornTables::add_place(StateEvaluator* state, int pid, PlaceId id, Cells& out) const {
  const Place& place = program.places[id];
  const std::optional<std::uint32_t> at = state != nullptr || place.indices.empty()
                                              ? (state != nullptr ? state->address(place, pid) : place.offset)
                                              : std::nullopt;
  const std::uint32_t begin = at.value_or(place.offset), end = at ? *at + place.type.bytes : place.end();
  for (std::uint32_t i = begin; i < end; ++i) out.add(accesses.cell_of_byte[i]);
}

void StubbornTables::add_ends(std::uint32_t channel, Access::Kind kind, AccessSets& out) const {
  const bool heads =
      kind == Access::Kind::kReceive || kind == Access::Kind::kQuestion || kind == Access::Kind::kSortedSend;
  const bool tails = kind != Access::Kind::kReceive;
  AccessSets both;
  if (heads) both.reads.add(accesses.head(channel));
  if (tails) both.reads.add(accesses.tail(channel));
  if (kind != Access::Kind::kQuestion) both.writes = both.reads;
  out.add(both);
}

// `state` null: nothing is known.
void StubbornTables::add_channel(StateEvaluator* state, int pid, ExprId chan, Access::Kind kind,
                                 AccessSets& out) const {
  if (program.has_channel_claims) out.reads.add(kBirths);  // a process may start and claim it
  const std::optional<std::int32_t> value = state != nullptr ? state->evaluate(chan, pid) : std::nullopt;
  if (value && state->channel(*value)) {
    add_ends(static_cast<std::uint32_t>(*value), kind, out);
    return;
  }
  for (std::uint32_t i = 1; i <= accesses.channel_slots; ++i) add_ends(i, kind, out);
}

void StubbornTables::add_death(StateEvaluator* state, int pid, std::uint32_t type, ProcessCell cell,
                               AccessSets& out) const {
  out.reads.add(kBirths);
  out.writes.add(cell);
  for (const ChannelClaimCode& claim : program.processes[type].claims) {  // it is free from now on
    AccessSets end;
    add_channel(state, pid, claim.chan, claim.receive ? Access::Kind::kReceive : Access::Kind::kSend, end);
    out.writes.add(end.writes);
  }
  const std::size_t own = program.processes[type].channels.size();
  if (own == 0) return;
  const std::uint32_t first = state != nullptr ? state->first_channel(pid) : 1;
  const std::uint32_t last =
      state != nullptr ? first + static_cast<std::uint32_t>(own) - 1 : accesses.channel_slots;
  for (std::uint32_t i = first; i <= last; ++i) {
    add_ends(i, Access::Kind::kSend, out);
    add_ends(i, Access::Kind::kReceive, out);
  }
}

AccessSets StubbornTables::sets_of(StateEvaluator* state, int pid, const Access& access) const {
  AccessSets out;
  switch (access.kind) {
    case Access::Kind::kRead: add_place(state, pid, access.what, out.reads); break;
    case Access::Kind::kWrite: add_place(state, pid, access.what, out.writes); break;
    case Access::Kind::kSend:
    case Access::Kind::kSortedSend:
    case Access::Kind::kReceive:
    case Access::Kind::kQuestion: add_channel(state, pid, access.what, access.kind, out); break;
    case Access::Kind::kCount: add_table_read(out); break;
    case Access::Kind::kRun:
      add_table_read(out);
      out.writes.add(kBirths);
      out.add(start_of(access.what));
      break;
    case Access::Kind::kChild: out.add(child[access.what]); break;
    case Access::Kind::kEnd: add_death(state, pid, access.what, kDeaths, out); break;
  }
  return out;
}

AccessSets StubbornTables::start_of(std::uint32_t type) const {
  AccessSets out;
  const TypeAccesses& t = accesses.types[type];
  for (const std::uint32_t access : t.lists[t.start]) out.add(sets_of(nullptr, 0, t.accesses[access]));
  return out;
}

void StubbornTables::find_children() {
  child.resize(program.processes.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t type = 0; type < child.size(); ++type) {
      const TypeAccesses& t = accesses.types[type];
      const ProcessType& process = program.processes[type];
      if (process.locations.empty()) continue;
      AccessSets sum = start_of(type);
      for (const std::uint32_t access : t.lists[t.locations[process.start].future])
        sum.add(sets_of(nullptr, 0, t.accesses[access]));
      if (sum == child[type]) continue;
      child[type] = sum;
      changed = true;
    }
  }
}

}  // namespace spoor::exec
