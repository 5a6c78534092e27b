// The frame of the emitted file: processes, locations, transitions, the entry; see emit.h.
#include "exec/emit.h"

#include <algorithm>

#include <fmt/format.h>

#include "exec/emitter.h"

namespace spoor::exec {

using promela::kNone;
using promela::Location;
using promela::Op;
using promela::ProcessType;
using promela::Statement;
using promela::StatementOp;
using promela::Transition;

namespace {

constexpr const char* kRuntime =
#include "exec/native_runtime.inc"
    ;

// Text that may stand in a comment.
std::string commented(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '/' && !result.empty() && result.back() == '*') result += ' ';
    if (c == '*' && !result.empty() && result.back() == '/') result += ' ';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

}  // namespace

std::optional<std::string> why_not_native(const promela::Program& program) {
  if (program.uses_priority) return "it uses priorities";
  if (program.trace_process != kNone) return "it has a trace assertion";
  const auto is = [](Op op) { return [op](const promela::ExprCode& e) { return e.op == op; }; };
  if (std::any_of(program.exprs.begin(), program.exprs.end(), is(Op::kEnabled))) return "it uses enabled()";
  if (std::any_of(program.exprs.begin(), program.exprs.end(), is(Op::kRemotePredefined))) {
    return "it uses _p, _pid or _priority of another process";
  }
  // A run is a statement of its own, or the right side of an assignment.
  std::size_t runs = 0, plain = 0;
  for (const promela::ExprCode& e : program.exprs) runs += e.op == Op::kRun ? 1 : 0;
  for (const Statement& s : program.statements) {
    const bool can_run = s.op == StatementOp::kCondition || s.op == StatementOp::kAssign;
    plain += can_run && s.expr != kNone && program.exprs[s.expr].op == Op::kRun ? 1 : 0;
  }
  if (plain < runs) return "it has a run inside an expression";
  return std::nullopt;
}

std::string emit_c(const promela::Program& program, const Options& options) {
  return Emitter(program, options).emit();
}

Emitter::Emitter(const promela::Program& program, const Options& options)
    : program_(program), options_(options) {
  find_kinds();
  find_fixed_channels();
  looks_at_others_ = program.last_offset != kNone;
  for (const promela::ExprCode& e : program.exprs) {
    looks_at_others_ |= e.op == Op::kRemoteLabel || e.op == Op::kPcValue;
  }
}

void Emitter::line(const std::string& text) {
  out_.append(static_cast<std::size_t>(2 * indent_), ' ');
  out_ += text;
  out_ += '\n';
}
void Emitter::open(const std::string& text) {
  line(text);
  ++indent_;
}
void Emitter::close(const std::string& text) {
  --indent_;
  line(text);
}

bool Emitter::is_startable(std::uint32_t type) const {
  const promela::BodyKind kind = program_.processes[type].kind;
  return kind == promela::BodyKind::kProctype || kind == promela::BodyKind::kInit;
}

std::string Emitter::emit() {
  line("/* Written by spoor: one expansion step of a Promela model. */");
  line(fmt::format("#define MAX_FIELDS {}", max_fields_));
  if (options_.native_columns.movers) line("#define MOVERS");
  if (options_.native_columns.labels) line("#define LABELS");
  out_ += kRuntime;
  line("");
  line("/* Where a process is: behind its type, at the beginning of its block. */");
  line(fmt::format("#define LOCATION(p) LD{}((p) + 1)", program_.location_bytes));
  line(fmt::format("#define SET_LOCATION(p, v) ST{}((p) + 1, v)", program_.location_bytes));
  line("");
  open("static inline void forget_scratch(u8 *t) {");
  line("(void)t;");
  for (const auto& scratch : program_.scratch)
    line(fmt::format("memset(t + {}, 0, {});", scratch.offset, scratch.bytes));
  close();
  line("");
  channel_functions();
  tables();
  if (program_.has_channel_claims) claim_function();
  for (type_ = 0; type_ < program_.processes.size(); ++type_) {
    if (is_startable(type_)) start_function();
  }
  line("");
  dead_function();
  line("static u32 offer_to_all(W *w, u8 *s, u32 n, int sender, u32 target, u32 depth);");
  for (const Mode mode : {Mode::kOrdinary, Mode::kOffered}) {
    for (type_ = 0; type_ < program_.processes.size(); ++type_) {
      if (is_startable(type_)) process_function(mode);
    }
  }
  entry();
  return std::move(out_);
}

// Tables and small functions that look into a state.
void Emitter::tables() {
  std::string sizes, counts;
  for (const ProcessType& process : program_.processes) {
    sizes += fmt::format("{}, ", process.size);
    counts += fmt::format("{}, ", process.channels.size());
  }
  line(fmt::format("static const u32 process_size[] = {{ {}0 }};", sizes));
  line(fmt::format("static const u32 channel_count[] __attribute__((unused)) = {{ {}0 }};", counts));
  line("");
  open("static __attribute__((unused)) u32 live_channels(W *w, const u8 *s) {");
  line(fmt::format("u32 count = {};", program_.channels.size()));
  line("for (int i = 0; i < s[0]; i++) count += channel_count[s[w->at[i]]];");
  line("return count;");
  close();
  line("");
  line("/* The buffer and the type of a channel, by its number. */");
  open("static __attribute__((unused)) u8 *channel(W *w, u8 *s, i32 number, u32 *type) {");
  line("u32 k = (u32)number;");
  line("if (UNLIKELY(k == 0)) give_up(w);");
  open(fmt::format("if (k <= {}) {{", program_.channels.size()));
  line("*type = channels_of_all[k - 1].type;");
  line("return s + channels_of_all[k - 1].at;");
  close();
  if (has_local_channels_) {
    line(fmt::format("k -= {};", program_.channels.size() + 1));
    open("for (int i = 0; i < s[0]; i++) {");
    line("u8 *p = s + w->at[i];");
    line("u32 count = channel_count[p[0]];");
    line("if (k >= count) { k -= count; continue; }");
    open("switch (p[0]) {");
    for (std::size_t i = 0; i < program_.processes.size(); ++i) {
      if (!program_.processes[i].channels.empty())
        line(fmt::format("case {0}: *type = channels_of_{0}[k].type; return p + channels_of_{0}[k].at;", i));
    }
    close();
    close();
  }
  line("give_up(w);");
  close();
  line("");
  open("static __attribute__((unused)) i32 level(W *w, const u8 *c, u32 type) {");
  line("(void)w;");
  line("return capacity[type] == 0 ? 0 : head[type] == 1 ? LD1(c) : LD2(c);");
  close();
  open("static __attribute__((unused)) int has_room(W *w, u8 *s, i32 number) {");
  line("u32 type; u8 *c = channel(w, s, number, &type);");
  line(options_.lose_messages ? "(void)c; return 1;"
                              : "return capacity[type] == 0 || level(w, c, type) < capacity[type];");
  close();
  line("");
  line("/* The block of a process, if it lives and is of this type. */");
  open("static __attribute__((unused)) u8 *block_of(W *w, u8 *s, i32 pid, u32 type) {");
  line("return pid >= 0 && pid < s[0] && s[w->at[pid]] == type ? s + w->at[pid] : 0;");
  close();
  open("static __attribute__((unused)) u8 *first_of(W *w, u8 *s, u32 type) {");
  line("for (int i = 0; i < s[0]; i++) if (s[w->at[i]] == type) return s + w->at[i];");
  line("return 0;");
  close();
  line("");
}

// xr and xs: no other process may receive from (send to) the channel.
void Emitter::claim_function() {
  line("/* xr, xs: is the channel claimed by another process? */");
  open("static __attribute__((unused)) void check_claims(W *w, u8 *s, int mover, int receive, u32 number) {");
  open("for (int pid = 0; pid < s[0]; pid++) {");
  line("if (pid == mover) continue;");
  line("u8 *p = s + w->at[pid]; (void)p; (void)receive; (void)number;");
  open("switch (p[0]) {");
  Scope scope;
  scope.timeout = "0";
  for (type_ = 0; type_ < program_.processes.size(); ++type_) {
    if (program_.processes[type_].claims.empty() || !is_startable(type_)) continue;
    line(fmt::format("case {}:", type_));
    for (const promela::ChannelClaimCode& claim : program_.processes[type_].claims) {
      line(fmt::format("  if (receive == {} && (u32){} == number) give_up(w);", claim.receive ? 1 : 0,
                       expr(claim.chan, scope)));
    }
    line("  break;");
  }
  close();
  close();
  close();
  line("");
}

void Emitter::start_function() {
  const ProcessType& process = program_.processes[type_];
  std::string parameters;
  for (std::size_t i = 0; i < process.parameters.size(); ++i) parameters += fmt::format(", i32 a{}", i);
  line(fmt::format("/* run {} */", process.name));
  open(fmt::format("static __attribute__((unused)) i32 start_{}(W *w, u8 *s, u32 *n{}) {{", type_,
                   parameters));
  line("int pid = s[0]; u32 at = *n;");
  line(fmt::format("if (pid >= {}) give_up(w);", StateView::kMaxProcesses));
  if (!process.channels.empty() || program_.channels.size() > 128) {
    line("u32 first = live_channels(w, s) + 1; (void)first;");
    line(fmt::format("if (first - 1 + {} > {}) give_up(w);", process.channels.size(),
                     StateView::kMaxChannels));
  }
  line(fmt::format("grow(w, s, at, {});", process.size));
  line("u8 *p = s + at;");
  line("w->at[pid] = at;");
  line("s[0] = (u8)(pid + 1);");
  line(fmt::format("*n = at + {};", process.size));
  line(fmt::format("ST1(p, {}); SET_LOCATION(p, {});", type_, process.start));
  Scope scope;
  scope.timeout = "0";
  for (std::size_t i = 0; i < process.parameters.size(); ++i)
    line(store(process.parameters[i], fmt::format("a{}", i), scope));
  for (const promela::Initializer& init : process.initializers) {
    const std::string value =
        init.channel != kNone ? fmt::format("first + {}", init.channel) : expr(init.value, scope);
    line(store_to(init.type, fmt::format("p + {}", init.offset), value));
  }
  if (program_.has_embedded_code && program_.foreign.at_start[type_] != kNone) {
    line(fmt::format("embedded(w, s, p, pid, {});", program_.foreign.at_start[type_]));
  }
  if (const std::string clear = cleared("p", process.locations[process.start].dead); !clear.empty())
    line(clear);
  line("return pid;");
  close();
  line("");
}

// All steps of one process from the state s. Offered: those that complete the handshake under way.
void Emitter::process_function(Mode mode) {
  const ProcessType& process = program_.processes[type_];
  const bool offered = mode == Mode::kOffered;
  line(fmt::format("/* {}{} */", process.name, offered ? ", when a message is offered" : ""));
  open(
      offered
          ? fmt::format(
                "static u32 offer_{}(W *w, u8 *s, u8 *p, u32 n, int pid, int sender, u32 target, u32 depth) {{",
                type_)
          : fmt::format("static u32 try_{}(W *w, u8 *s, u8 *p, u32 n, int pid, int timeout, u32 depth) {{",
                        type_));
  line("u32 taken = 0, escape = 0;");
  line(offered ? "const int timeout = 0; (void)sender; (void)target; (void)n;" : "(void)n;");
  line("(void)s; (void)pid; (void)timeout; (void)depth; (void)escape; (void)w;");
  if (process.provided != kNone) line(fmt::format("if (!{}) return 0;", expr(process.provided, Scope())));
  open("switch (LOCATION(p)) {");
  for (std::size_t i = 0; i < process.locations.size(); ++i) {
    if (process.locations[i].transitions.empty()) continue;
    std::string body = std::exchange(out_, {});
    ++indent_;
    location(process.locations[i], mode);
    --indent_;
    std::swap(body, out_);
    if (body.empty()) continue;
    line(fmt::format("case {}:", i));
    out_ += body;
    line("  break;");
  }
  close();
  line("return taken;");
  close();
  line("");
}

void Emitter::location(const Location& location, Mode mode) {
  const bool has_escapes = std::any_of(location.transitions.begin(), location.transitions.end(),
                                       [](const Transition& t) { return t.escape != 0; });
  if (has_escapes) line("escape = 0;");
  bool is_first = true;
  for (const Transition& t : location.transitions) {
    if (has_escapes && !is_first) line(fmt::format("if (escape != 0 && escape != {}) break;", t.escape));
    is_first = false;
    transition(location, t, mode, has_escapes);
  }
}

void Emitter::transition(const Location& from, const Transition& t, Mode mode, bool has_escapes) {
  const Statement& s = program_.statements[t.statement];
  const bool offered = mode == Mode::kOffered;
  if (offered && s.op != StatementOp::kReceive && s.op != StatementOp::kDStep) return;
  Scope scope;
  scope.maybe_handshake = offered;
  const std::string can_run = guard(s, scope);
  line(fmt::format("/* line {}: {} */", s.position.line, commented(s.text)));
  open(can_run == "1" ? "{" : fmt::format("if ({}) {{", can_run));
  if (program_.processes[type_].deterministic) line("if (taken) give_up(w);");

  if (s.op != StatementOp::kSend) {
    take(from, t, mode);
  } else {
    const ChannelRef channel = resolve(s.chan, scope);
    const bool both = channel.type == kNone && may_be_rendezvous(channel, s.args.size());
    if (both)
      open(fmt::format("u32 kind; channel(w, s, {}, &kind); if (capacity[kind] != 0) {{", channel.number));
    if (may_be_buffered(channel)) take(from, t, mode);
    if (both) {
      close("} else {");
      ++indent_;
    }
    if (may_be_rendezvous(channel, s.args.size())) {
      offer_to_all(t, has_escapes);
    } else if (channel.type != kNone && !may_be_buffered(channel)) {
      line("give_up(w);");
    }
    if (both) close();
    close();
    return;
  }
  close();
}

// The first statement of a path is the label of its steps.
void Emitter::begin_label(const Transition& t) {
  if (options_.native_columns.labels) line(fmt::format("if (depth == 1) w->label = {};", t.statement));
}

// The step is taken: a copy of the state, changed.
void Emitter::take(const Location& from, const Transition& t, Mode mode) {
  const Statement& s = program_.statements[t.statement];
  const bool offered = mode == Mode::kOffered;
  Scope next;
  next.state = "t";
  next.process = "q";
  next.length = "m";
  next.maybe_handshake = offered;
  const ProcessType& process = program_.processes[type_];
  const bool ends = s.op == StatementOp::kEnd;
  has_run_ = false;
  std::string change = std::exchange(out_, {});
  if (!ends) effect(t.statement, next);
  std::swap(change, out_);
  const bool is_whole = !t.stays_atomic && !has_run_;  // it has its length from the beginning
  const char* const copy = is_whole ? "step_to" : "copy";
  if (!offered) begin_label(t);
  if (options_.native_columns.movers) {
    const bool passes_label = t.stays_atomic && !ends && process.locations[t.target].is_accept;
    line(fmt::format("u64 movers_before = w->movers; w->movers |= BIT(pid){};",
                     offered ? " | BIT(sender)" : ""));
    if (passes_label) line("w->movers |= PASSES_ACCEPTING;");
  }
  if (ends) {
    line(fmt::format("u32 m = n - {}; u8 *t = {}(w, s, m); (void)m;", process.size, copy));
    line("t[0]--;");
    line(fmt::format("w->io.executed[{}] = 1;", t.statement));
  } else {
    line(fmt::format("u32 m = n; u8 *t = {}(w, s, n), *q = t + (p - s); (void)m;", copy));
    if (offered) {
      line("SET_LOCATION(t + w->at[sender], target);");
      line(
          "u32 channel_offered = w->offered; i32 message[MAX_FIELDS]; memcpy(message, w->message, sizeof message);");
    }
    out_ += change;
    line(fmt::format("SET_LOCATION(q, {});", t.target));
  }
  if (program_.last_offset != kNone) line(fmt::format("ST1(t + {}, pid);", program_.last_offset));
  line("taken = 1;");
  if (t.escape != 0) line(fmt::format("escape = {};", t.escape));
  if (offered) line("forget_dead(w, t, sender);");
  if (!t.stays_atomic && !ends) {
    if (const std::string clear = cleared("q", newly_dead(from, t)); !clear.empty()) line(clear);
  }
  line(is_whole         ? "forget_scratch(t);"
       : t.stays_atomic ? fmt::format("run_on(w, t, m, pid, depth + {});", offered ? 2 : 1)
                        : "arrive(w, t, m);");
  if (offered) line("w->offered = channel_offered; memcpy(w->message, message, sizeof message);");
  if (options_.native_columns.movers) line("w->movers = movers_before;");
}

// The send half of a handshake. It counts only if a process receives the message.
void Emitter::offer_to_all(const Transition& t, bool has_escapes) {
  const Statement& s = program_.statements[t.statement];
  begin_label(t);
  line(fmt::format("w->io.executed[{}] = 1;", t.statement));
  std::string state = "s";
  if (looks_at_others_) {  // receivers can see that the sender has moved
    line("u8 *t = copy(w, s, n);");
    line(fmt::format("SET_LOCATION(t + (p - s), {});", t.target));
    if (program_.last_offset != kNone) line(fmt::format("ST1(t + {}, pid);", program_.last_offset));
    state = "t";
  }
  offer(s, Scope());
  line("w->path[depth + 1].state = 0;");
  line(fmt::format("u32 met = offer_to_all(w, {}, n, pid, {}, depth);", state, t.target));
  line("w->offered = 0;");
  const std::string mark = t.escape != 0 ? fmt::format(" escape = {};", t.escape) : "";
  line(fmt::format("if (met) {{ taken = 1;{} }}{}", mark, has_escapes ? " else escape = 0;" : ""));
}

void Emitter::location_predicate(const char* name, bool (*holds)(const Location&)) {
  open(fmt::format("static int {}(const u8 *p) {{", name));
  open("switch (p[0]) {");
  for (std::uint32_t i = 0; i < program_.processes.size(); ++i) {
    if (!is_startable(i)) continue;
    std::string cases;
    for (std::size_t k = 0; k < program_.processes[i].locations.size(); ++k) {
      if (holds(program_.processes[i].locations[k])) cases += fmt::format("case {}: ", k);
    }
    if (!cases.empty()) line(fmt::format("case {}: switch (LOCATION(p)) {{ {}return 1; }} break;", i, cases));
  }
  close();
  line("return 0;");
  close();
  line("");
}

// Clears what a process will not read again from where it is.
void Emitter::dead_function() {
  line("/* What the process will not read again from where it is. */");
  open("static inline void forget_dead(W *w, u8 *t, int pid) {");
  line("u8 *q = t + w->at[pid]; (void)q;");
  open("switch (q[0]) {");
  for (std::uint32_t i = 0; i < program_.processes.size(); ++i) {
    const auto& locations = program_.processes[i].locations;
    if (!is_startable(i) ||
        std::all_of(locations.begin(), locations.end(), [](const Location& l) { return l.dead.empty(); }))
      continue;
    open(fmt::format("case {}: switch (LOCATION(q)) {{", i));
    for (std::size_t k = 0; k < locations.size(); ++k) {
      if (!locations[k].dead.empty())
        line(fmt::format("case {}: {} break;", k, cleared("q", locations[k].dead)));
    }
    close("} break;");
  }
  close();
  close();
  line("");
}

std::string Emitter::cleared(const std::string& block, const std::vector<promela::Scratch>& stretches) {
  std::string result;
  for (const promela::Scratch& s : stretches) {
    result += s.bytes == 1 ? fmt::format("{}[{}] = 0; ", block, s.offset)
                           : fmt::format("memset({} + {}, 0, {}); ", block, s.offset, s.bytes);
  }
  return result;
}

// What may be dead and not yet zero after a step. Where a state was stored everything dead is zero
// already; only in the middle of an atomic sequence, where none was, need all of it be cleared.
std::vector<promela::Scratch> Emitter::newly_dead(const Location& from, const Transition& t) const {
  const ProcessType& process = program_.processes[type_];
  const std::vector<promela::Scratch>& dead = process.locations[t.target].dead;
  const auto is_entered_inside = [&](const Location& l) {
    return std::any_of(l.transitions.begin(), l.transitions.end(), [&](const Transition& u) {
      return u.stays_atomic && &process.locations[u.target] == &from;
    });
  };
  const Statement& s = program_.statements[t.statement];
  if (s.op == StatementOp::kDStep ||
      std::any_of(process.locations.begin(), process.locations.end(), is_entered_inside))
    return dead;
  std::vector<bool> is_zero(process.size, false);
  for (const promela::Scratch& stretch : from.dead)
    std::fill_n(is_zero.begin() + stretch.offset, stretch.bytes, true);
  const auto is_written = [&](promela::PlaceId id) {
    if (id == kNone || program_.places[id].region != promela::Place::Region::kLocal) return;
    const promela::Place& place = program_.places[id];
    std::fill(is_zero.begin() + place.offset, is_zero.begin() + place.end(), false);
  };
  if (s.op == StatementOp::kAssign) is_written(s.place);
  for (const promela::FieldPattern& field : s.fields) is_written(field.store);
  std::vector<promela::Scratch> result;
  for (const promela::Scratch& stretch : dead) {
    for (std::uint32_t i = stretch.offset; i < stretch.offset + stretch.bytes; ++i) {
      if (is_zero[i]) continue;
      if (!result.empty() && result.back().offset + result.back().bytes == i) {
        ++result.back().bytes;
      } else {
        result.push_back({i, 1});
      }
    }
  }
  return result;
}

// The questions of the claim.
void Emitter::atom_values_function() {
  line("/* Is a process at such a place? */");
  location_predicate("is_progress", [](const Location& location) { return location.is_progress; });
  location_predicate("is_accept", [](const Location& location) { return location.is_accept; });
  open("static __attribute__((unused)) i32 some_process(W *w, const u8 *s, int (*is_there)(const u8 *p)) {");
  line("for (int i = 0; i < s[0]; i++) if (is_there(s + w->at[i])) return 1;");
  line("return 0;");
  close();
  line("");
  Scope scope;
  scope.timeout = "0";
  scope.pid = "-1";
  std::string answers;
  for (std::size_t i = 0; i < program_.claim.atoms.size(); ++i) {
    answers += fmt::format("  /* {} */\n  answer |= (u64)({} != 0) << {};\n",
                           commented(program_.claim.atom_texts[i]), expr(program_.claim.atoms[i], scope), i);
  }
  open("static __attribute__((noinline)) u64 ask(W *w, u8 *s) {");
  line("u8 *p = 0; u64 answer = 0; (void)p;");
  line(fmt::format("u32 at = {};", program_.globals_size));
  line("for (int i = 0; i < s[0]; i++) { w->at[i] = at; at += process_size[s[at]]; }");
  out_ += answers;
  line("return answer;");
  close();
  line("/* What the claim asks of a state. */");
  open("int spoor_atom_values(W *w, const u8 *state, u64 *values) {");
  line("if (SET_WAY_OUT(w->out)) return w->why;");
  line("w->offered = 0;");
  line("*values = ask(w, (u8 *)state);");
  line("return DONE;");
  close();
  line("");
}

void Emitter::entry() {
  const auto dispatch = [&](const char* name, const char* arguments) {
    open("switch (p[0]) {");
    for (std::uint32_t i = 0; i < program_.processes.size(); ++i) {
      if (is_startable(i)) line(fmt::format("case {0}: return {1}_{0}({2});", i, name, arguments));
    }
    close();
    line("return 0;");
  };
  open(
      "static __attribute__((unused)) u32 offer_to(W *w, u8 *s, u8 *p, u32 n, int pid, int sender, u32 target, u32 depth) {");
  dispatch("offer", "w, s, p, n, pid, sender, target, depth");
  close();
  open(
      "static __attribute__((unused)) u32 offer_to_all(W *w, u8 *s, u32 n, int sender, u32 target, u32 depth) {");
  line("u32 met = 0;");
  line("if (UNLIKELY(depth > LONGEST_PATH - 2)) give_up(w);");
  open("for (int pid = s[0] - 1; pid >= 0; pid--) {");
  line("if (pid != sender) met |= offer_to(w, s, s + w->at[pid], n, pid, sender, target, depth);");
  close();
  line("return met;");
  close();
  open("static u32 try_process(W *w, u8 *s, u32 n, int pid, int timeout, u32 depth) {");
  line("u8 *p = s + w->at[pid];");
  dispatch("try", "w, s, p, n, pid, timeout, depth");
  close();
  line("");
  line("/* Is this location a valid end of a process of this type? */");
  location_predicate("is_end", [](const Location& location) { return location.is_end; });
  line("/* Is it enough to let this process move? (partial-order reduction) */");
  location_predicate("is_ample", [](const Location& location) { return location.is_ample; });
  if (!program_.claim.atoms.empty()) atom_values_function();
  line(fmt::format("const u32 spoor_native_version = {};", kNativeVersion));
  line("const u32 spoor_work_bytes = sizeof(struct work);");
  line("");
  line("/* All successors of a state, which lies in the arena. */");
  open("static __attribute__((noinline)) int expand_all(W *w, u8 *s, u32 n) {");
  line("int count = s[0];");
  const bool has_movers = options_.native_columns.movers;
  // All steps that one process begins.
  const auto try_alone = [&] {
    line("w->io.step = FIRST_STEP(count - 1 - pid, 0);");
    line(has_movers ? "if (try_process(w, s, n, pid, 0, 1)) w->io.enabled |= BIT(pid);"
                    : "try_process(w, s, n, pid, 0, 1);");
  };
  const auto forget_attempts = [&] {
    line("w->io.free = s + rounded(n); w->io.inner_steps = 0;");
    if (has_movers) line("w->io.enabled = 0;");
  };
  if (has_movers) line(fmt::format("if (count > {}) return GAVE_UP;", kMostMovers));
  line(fmt::format("u32 at = {};", program_.globals_size));
  line("for (int i = 0; i < count; i++) { w->at[i] = at; at += process_size[s[at]]; }");
  line("const struct successor *first = w->io.next;");
  line("int high = count - 1, low = 0, round = 0;");
  open("if (UNLIKELY(w->io.reduce == ONE)) {");
  line("if (w->io.chosen >= (u64)count) return DONE;");
  line("high = low = count - 1 - (int)w->io.chosen;");
  line("round = (int)w->io.retry;");
  close();
  open("if (w->io.reduce == AMPLE || w->io.reduce == AMPLE_OR_ASK) {");
  open("for (int pid = count - 1; pid >= 0; pid--) {");
  line("if (!is_ample(s + w->at[pid])) continue;");
  try_alone();
  line("if (w->io.next != first) { w->io.is_reduced = 1; return DONE; }");
  forget_attempts();
  close();
  line("if (w->io.reduce == AMPLE_OR_ASK) return ASKS;");
  close();
  open("if (w->io.reduce == CHOSEN && w->io.chosen) {");
  open("for (int pid = count - 1; pid >= 0; pid--) {");
  line("if ((w->io.chosen >> pid & 1) == 0) continue;");
  try_alone();
  close();
  line("if (w->io.next != first) { w->io.is_reduced = 1; return DONE; }");
  forget_attempts();
  close();
  // One loop for all steps and for those of one process, so that it has the only call of try_process that
  // matters, and the compiler can do without one.
  open(fmt::format("for (int timeout = round; timeout <= {}; timeout++) {{", program_.uses_timeout ? 1 : 0));
  line("u32 taken = 0;");
  line("u64 name = FIRST_STEP(count - 1 - high, timeout);");
  if (has_movers) {
    open("for (int pid = high; pid >= low; pid--) {");
    line("w->io.step = name; name += FIRST_STEP(1, 0);");
    line("if (try_process(w, s, n, pid, timeout, 1)) { taken = 1; w->io.enabled |= BIT(pid); }");
    close();
  } else {
    open("for (int pid = high; pid >= low; pid--) {");
    line("w->io.step = name; name += FIRST_STEP(1, 0);");
    line("taken |= try_process(w, s, n, pid, timeout, 1);");
    close();
  }
  line("if (taken || w->io.reduce == ONE) return DONE;");
  close();
  line("if (w->io.reduce == ONE) return DONE;");
  line("for (int i = 0; i < count; i++) if (!is_end(s + w->at[i])) return GAVE_UP;");
  line("return DONE;");
  close();
  line("");
  line(
      "/* The way out leads through here; the work is done elsewhere, where the compiler may keep things in registers. */");
  open("int spoor_expand(W *w, const u8 *state, u32 n) {");
  line("if (SET_WAY_OUT(w->out)) return w->why;");
  line("u8 *s = w->io.free;");
  line("if (UNLIKELY(s + n > w->io.limit)) return NO_ROOM;");
  line("memcpy(s, state, n);");
  line("w->io.free = s + rounded(n);");
  line("w->io.inner_steps = 0; w->io.is_reduced = 0; w->offered = 0; w->movers = 0; w->io.enabled = 0;");
  line("return expand_all(w, s, n);");
  close();
}

}  // namespace spoor::exec
