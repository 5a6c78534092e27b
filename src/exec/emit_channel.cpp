// Channels in C; see emit.h.
//
// Most channel variables of a model are set once, by their declaration. What such a variable names
// is known when the code is written, so a send to `q[i]` is an address computed from i and a few
// stores. The others (parameters, variables that are assigned to or received into) are looked up in
// the running model, and the code has a case for every type of channel that fits.
#include <algorithm>

#include <fmt/format.h>

#include "exec/emitter.h"

namespace spoor::exec {

using promela::ChannelInfo;
using promela::ChannelType;
using promela::FieldPattern;
using promela::Initializer;
using promela::kNone;
using promela::Op;
using promela::Place;
using promela::Statement;
using promela::StatementOp;

namespace {

// The offset of a field in a message.
std::uint32_t field_offset(const ChannelType& type, std::size_t field) {
  std::uint32_t offset = 0;
  for (std::size_t i = 0; i < field; ++i) offset += type.fields[i].bytes;
  return offset;
}

}  // namespace

// Every declaration has a type of its own in the program; most of them are equal.
void Emitter::find_kinds() {
  for (const ChannelType& type : program_.channel_types) {
    const auto is_same = [&](const ChannelType& kind) {
      return kind.capacity == type.capacity && kind.fields == type.fields;
    };
    const auto found = std::find_if(kinds_.begin(), kinds_.end(), is_same);
    kind_of_.push_back(static_cast<std::uint32_t>(found - kinds_.begin()));
    if (found == kinds_.end()) kinds_.push_back(type);
    max_fields_ = std::max(max_fields_, type.fields.size());
  }
}

// ---- Which channel is it? ----------------------------------------------------------------------

void Emitter::find_fixed_channels() {
  // What is ever assigned to: globals by any process, locals by their own process.
  std::vector<const Place*> global_stores;
  std::vector<std::vector<const Place*>> local_stores(program_.processes.size());
  for (std::size_t type = 0; type < program_.processes.size(); ++type) {
    const auto note = [&](promela::PlaceId id) {
      if (id == kNone) return;
      const Place& place = program_.places[id];
      if (place.region == Place::Region::kGlobal) global_stores.push_back(&place);
      if (place.region == Place::Region::kLocal) local_stores[type].push_back(&place);
    };
    const auto note_statement = [&](const Statement& s) {
      if (s.op == StatementOp::kAssign) note(s.place);
      if (s.op != StatementOp::kReceive) return;
      for (const FieldPattern& field : s.fields) {
        if (field.kind == FieldPattern::Kind::kStore) note(field.store);
      }
    };
    for (const promela::Location& location : program_.processes[type].locations) {
      for (const promela::Transition& t : location.transitions) {
        const Statement& s = program_.statements[t.statement];
        note_statement(s);
        if (s.op != StatementOp::kDStep) continue;
        for (const promela::DStepNode& node : program_.dsteps[s.dstep].nodes) {
          if (node.kind == promela::DStepNode::Kind::kStatement)
            note_statement(program_.statements[node.statement]);
        }
      }
    }
    for (const promela::PlaceId parameter : program_.processes[type].parameters) note(parameter);
  }

  const auto fixed = [this](const std::vector<Initializer>& initializers,
                            const std::vector<ChannelInfo>& channels,
                            const std::vector<const Place*>& stores) {
    std::vector<FixedChannels> result;
    const ChannelInfo* previous = nullptr;
    for (const Initializer& init : initializers) {
      const auto is_changed = [&](const Place* place) {
        return place->offset < init.offset + init.type.bytes && init.offset < place->end();
      };
      if (init.channel == kNone || init.type.bytes != 1 ||
          std::any_of(stores.begin(), stores.end(), is_changed)) {
        previous = nullptr;
        continue;
      }
      const ChannelInfo& channel = channels[init.channel];
      if (previous != nullptr && previous + 1 == &channel &&
          kind_of_[previous->type] == kind_of_[channel.type] &&
          result.back().offset + result.back().count == init.offset) {
        ++result.back().count;
      } else {
        result.push_back({init.offset, 1, kind_of_[channel.type], init.channel + 1, channel.offset});
      }
      previous = &channel;
    }
    return result;
  };
  fixed_globals_ = fixed(program_.initializers, program_.channels, global_stores);
  for (std::size_t type = 0; type < program_.processes.size(); ++type) {
    const promela::ProcessType& process = program_.processes[type];
    fixed_locals_.push_back(fixed(process.initializers, process.channels, local_stores[type]));
    has_local_channels_ |= !process.channels.empty();
  }
}

Emitter::ChannelRef Emitter::resolve(promela::ExprId chan, const Scope& scope) {
  const promela::ExprCode& e = program_.exprs[chan];
  ChannelRef unknown{kNone, "", expr(chan, scope)};
  if (e.op != Op::kLoad) return unknown;
  const Place& place = program_.places[e.place];
  const bool is_local = place.region == Place::Region::kLocal;
  if ((!is_local && place.region != Place::Region::kGlobal) || place.indices.size() > 1) return unknown;
  if (place.indices.size() == 1 && place.indices[0].stride != 1) return unknown;
  for (const FixedChannels& run : is_local ? fixed_locals_[type_] : fixed_globals_) {
    if (place.offset < run.offset || place.end() > run.offset + run.count) continue;
    const std::uint32_t skipped = place.offset - run.offset;
    const ChannelType& type = kinds_[run.type];
    const std::string index =
        place.indices.empty()
            ? ""
            : fmt::format(" + idx(w, {}, {})", expr(place.indices[0].expr, scope), place.indices[0].count);
    const std::string scaled = index.empty() ? "" : fmt::format("{} * {}", index, type.bytes());
    return {run.type,
            fmt::format("({} + {}{})", is_local ? scope.process : scope.state,
                        run.buffer + skipped * type.bytes(), scaled),
            is_local ? unknown.number : fmt::format("({}{})", run.number + skipped, index)};
  }
  return unknown;
}

std::vector<std::uint32_t> Emitter::types_with(std::size_t fields, bool rendezvous) const {
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 0; i < kinds_.size(); ++i) {
    const ChannelType& type = kinds_[i];
    if (type.fields.size() == fields && type.is_rendezvous() == rendezvous) result.push_back(i);
  }
  return result;
}

bool Emitter::may_be_rendezvous(const ChannelRef& channel, std::size_t fields) const {
  if (channel.type != kNone) return kinds_[channel.type].is_rendezvous();
  return !types_with(fields, true).empty();
}

bool Emitter::may_be_buffered(const ChannelRef& channel) const {
  return channel.type == kNone || !kinds_[channel.type].is_rendezvous();
}

// ---- What is in it? ----------------------------------------------------------------------------

std::string Emitter::fill_level(const ChannelType& type, const std::string& buffer) {
  return type.is_rendezvous() ? "0" : fmt::format("LD{}({})", type.length_bytes, buffer);
}

std::string Emitter::queue_question(Op op, promela::ExprId chan, const Scope& scope) {
  const ChannelRef channel = resolve(chan, scope);
  std::string level, capacity, before;
  if (channel.type != kNone) {
    const ChannelType& type = kinds_[channel.type];
    level = fill_level(type, channel.buffer);
    capacity = std::to_string(type.is_rendezvous() ? 1 : type.capacity);
  } else {
    const std::string k = unique("k"), c = unique("c");
    before =
        fmt::format("u32 {0}; u8 *{1} = channel(w, {2}, {3}, &{0}); ", k, c, scope.state, channel.number);
    level = fmt::format("level(w, {}, {})", c, k);
    capacity = fmt::format("(capacity[{0}] ? capacity[{0}] : 1)", k);
  }
  std::string answer;
  switch (op) {
    case Op::kEmpty: answer = fmt::format("{} == 0", level); break;
    case Op::kNotEmpty: answer = fmt::format("{} != 0", level); break;
    case Op::kFull: answer = fmt::format("{} == {}", level, capacity); break;
    case Op::kNotFull: answer = fmt::format("{} != {}", level, capacity); break;
    default: answer = level; break;
  }
  return before.empty() ? fmt::format("({})", answer) : fmt::format("({{ {}{}; }})", before, answer);
}

// Whether the buffer holds a message that fits. An arity that does not fit is the interpreter's.
std::string Emitter::finds_message(std::uint32_t type_index, const std::string& buffer,
                                   std::span<const FieldPattern> fields, bool random, const Scope& scope) {
  const ChannelType& type = kinds_[type_index];
  const std::string level = fill_level(type, buffer);
  if (fields.size() != type.fields.size()) return fmt::format("({} != 0 && (give_up(w), 0))", level);
  const std::string c = unique("c"), k = unique("k");
  const std::string slot = random ? fmt::format(" + {} * {}", k, type.slot_bytes) : "";
  std::string match;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].kind != FieldPattern::Kind::kMatch) continue;
    const std::string field =
        load(type.fields[i], fmt::format("{} + {}{}", c, type.length_bytes + field_offset(type, i), slot));
    match += fmt::format(" && {} == {}", field, expr(fields[i].match, scope));
  }
  if (match.empty()) return fmt::format("({} != 0)", level);
  if (!random)
    return fmt::format("({{ u8 *{0} = {1}; {2} != 0{3}; }})", c, buffer, fill_level(type, c), match);
  return fmt::format(
      "({{ u8 *{0} = {1}; i32 {4}, e{4} = {2}; for ({4} = 0; {4} < e{4} && !(1{3}); {4}++) {{}} {4} < e{4}; }})",
      c, buffer, fill_level(type, c), match, k);
}

std::string Emitter::poll(const promela::ExprCode& e, const Scope& scope) {
  const ChannelRef channel = resolve(e.left, scope);
  if (channel.type != kNone) {
    if (kinds_[channel.type].is_rendezvous()) return "(give_up(w), 0)";
    return finds_message(channel.type, channel.buffer, e.fields, e.value != 0, scope);
  }
  const std::string k = unique("k"), c = unique("c"), found = unique("f");
  std::string cases;
  for (std::uint32_t type : types_with(e.fields.size(), false)) {
    cases += fmt::format(" case {}: {} = {}; break;", type, found,
                         finds_message(type, c, e.fields, e.value != 0, scope));
  }
  return fmt::format(
      "({{ u32 {0}; u8 *{1} = channel(w, {2}, {3}, &{0}); i32 {4} = 0; (void){1}; switch ({0}) {{{5} default: give_up(w); }} {4}; }})",
      k, c, scope.state, channel.number, found, cases);
}

std::string Emitter::can_send(const Statement& s, const Scope& scope) {
  const ChannelRef channel = resolve(s.chan, scope);
  if (channel.type == kNone) return fmt::format("has_room(w, {}, {})", scope.state, channel.number);
  const ChannelType& type = kinds_[channel.type];
  if (type.is_rendezvous()) return fmt::format("((void){}, 1)", channel.number);
  if (options_.lose_messages) return fmt::format("((void){}, 1)", channel.buffer);
  return fmt::format("({} < {})", fill_level(type, channel.buffer), type.capacity);
}

std::string Emitter::matches_offer(std::span<const FieldPattern> fields, const Scope& scope) {
  std::string result = "1";
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].kind == FieldPattern::Kind::kMatch)
      result += fmt::format(" && w->message[{}] == {}", i, expr(fields[i].match, scope));
  }
  return result;
}

std::string Emitter::can_receive(const Statement& s, const Scope& scope) {
  const ChannelRef channel = resolve(s.chan, scope);
  const bool handshake = scope.maybe_handshake;
  if (channel.type != kNone) {
    const ChannelType& type = kinds_[channel.type];
    if (!type.is_rendezvous()) {
      const std::string found = finds_message(channel.type, channel.buffer, s.fields, s.random, scope);
      return handshake ? fmt::format("((void){}, !w->offered && {})", channel.buffer, found) : found;
    }
    if (s.copy)
      return handshake ? fmt::format("((void){}, w->offered ? 0 : (give_up(w), 0))", channel.number)
                       : "(give_up(w), 0)";
    if (!handshake) return fmt::format("((void){}, 0)", channel.number);
    const std::string fits =
        s.fields.size() == type.fields.size() ? matches_offer(s.fields, scope) : "(give_up(w), 0)";
    return fmt::format("((u32){} == w->offered && {})", channel.number, fits);
  }
  const std::string k = unique("k"), c = unique("c"), found = unique("f");
  std::string cases;
  for (std::uint32_t type : types_with(s.fields.size(), false)) {
    cases += fmt::format(" case {}: {} = {}{}; break;", type, found, handshake ? "!w->offered && " : "",
                         finds_message(type, c, s.fields, s.random, scope));
  }
  for (std::uint32_t type : types_with(s.fields.size(), true)) {
    const std::string answer = s.copy ? (handshake ? "w->offered ? 0 : (give_up(w), 0)" : "(give_up(w), 0)")
                               : !handshake ? "0"
                                            : fmt::format("(u32){} == w->offered && {}", channel.number,
                                                          matches_offer(s.fields, scope));
    cases += fmt::format(" case {}: {} = {}; break;", type, found, answer);
  }
  return fmt::format(
      "({{ u32 {0}; u8 *{1} = channel(w, {2}, {3}, &{0}); i32 {4} = 0; (void){1}; switch ({0}) {{{5} default: give_up(w); }} {4}; }})",
      k, c, scope.state, channel.number, found, cases);
}

// ---- Sending and receiving ---------------------------------------------------------------------

void Emitter::check_claims(bool receive, const std::string& number, const Scope& scope) {
  if (program_.has_channel_claims)
    line(fmt::format("check_claims(w, {}, {}, {}, (u32){});", scope.state, scope.pid, receive ? 1 : 0,
                     number));
}

void Emitter::send_buffered(const Statement& s, const Scope& scope) {
  const ChannelRef channel = resolve(s.chan, scope);
  std::string values;
  for (promela::ExprId arg : s.args) values += ", " + expr(arg, scope);
  const auto put = [&](std::uint32_t index, const std::string& buffer) {
    const ChannelType& type = kinds_[index];
    const std::string unless_full =
        options_.lose_messages ? fmt::format("if ({} < {}) ", fill_level(type, buffer), type.capacity) : "";
    return fmt::format("{}{}_{}({}{});", unless_full, s.sorted ? "put_sorted" : "put", index, buffer, values);
  };
  check_claims(false, channel.number, scope);
  if (channel.type != kNone) {
    const bool fits = kinds_[channel.type].fields.size() == s.args.size();
    line(fits ? put(channel.type, channel.buffer) : "give_up(w);");
    return;
  }
  const std::string k = unique("k"), c = unique("c");
  line(fmt::format("u32 {0}; u8 *{1} = channel(w, {2}, {3}, &{0}); (void){1};", k, c, scope.state,
                   channel.number));
  open(fmt::format("switch ({}) {{", k));
  for (std::uint32_t type : types_with(s.args.size(), false))
    line(fmt::format("case {}: {} break;", type, put(type, c)));
  line("default: give_up(w);");
  close();
}

// The message of a handshake goes into the working memory.
void Emitter::offer(const Statement& s, const Scope& scope) {
  const ChannelRef channel = resolve(s.chan, scope);
  const auto put = [&](std::uint32_t index) {
    std::string result;
    for (std::size_t i = 0; i < s.args.size(); ++i) {
      result +=
          fmt::format("w->message[{}] = {}; ", i, truncated(kinds_[index].fields[i], expr(s.args[i], scope)));
    }
    return result;
  };
  check_claims(false, channel.number, scope);
  if (channel.type != kNone) {
    const bool fits = kinds_[channel.type].fields.size() == s.args.size();
    line(fits ? put(channel.type) : "give_up(w);");
  } else {
    const std::string k = unique("k");
    line(fmt::format("u32 {0}; channel(w, {1}, {2}, &{0});", k, scope.state, channel.number));
    open(fmt::format("switch ({}) {{", k));
    for (std::uint32_t type : types_with(s.args.size(), true))
      line(fmt::format("case {}: {}break;", type, put(type)));
    line("default: give_up(w);");
    close();
  }
  line(fmt::format("w->offered = (u32){};", channel.number));
}

// From a buffer.
void Emitter::receive_as(std::uint32_t index, const std::string& buffer, const Statement& s,
                         const Scope& scope) {
  const ChannelType& type = kinds_[index];
  if (s.fields.size() != type.fields.size()) {
    line("give_up(w);");
    return;
  }
  open("{");
  line(fmt::format("u8 *c = {};", buffer));
  std::string slot = "0";
  const bool has_match = std::any_of(s.fields.begin(), s.fields.end(), [](const FieldPattern& f) {
    return f.kind == FieldPattern::Kind::kMatch;
  });
  if (s.random && has_match) {
    std::string match;
    for (std::size_t i = 0; i < s.fields.size(); ++i) {
      if (s.fields[i].kind != FieldPattern::Kind::kMatch) continue;
      const std::string at =
          fmt::format("c + {} + k * {}", type.length_bytes + field_offset(type, i), type.slot_bytes);
      match += fmt::format(" && {} == {}", load(type.fields[i], at), expr(s.fields[i].match, scope));
    }
    line(fmt::format("u32 k = 0; while (!(1{})) k++;", match));
    slot = "k";
  }
  for (std::size_t i = 0; i < s.fields.size(); ++i) {
    if (s.fields[i].kind != FieldPattern::Kind::kStore) continue;
    line(fmt::format(
        "i32 m{} = {};", i,
        load(type.fields[i], fmt::format("c + {} + {} * {}", type.length_bytes + field_offset(type, i), slot,
                                         type.slot_bytes))));
  }
  if (!s.copy) line(fmt::format("take_{}(c, {});", index, slot));
  for (std::size_t i = 0; i < s.fields.size(); ++i) {
    if (s.fields[i].kind == FieldPattern::Kind::kStore)
      line(store(s.fields[i].store, fmt::format("m{}", i), scope));
  }
  close();
}

// The message of a handshake.
void Emitter::take_offer(const Statement& s, const Scope& scope) {
  open("{");
  for (std::size_t i = 0; i < s.fields.size(); ++i) {
    if (s.fields[i].kind == FieldPattern::Kind::kStore) line(fmt::format("i32 m{0} = w->message[{0}];", i));
  }
  line("w->offered = 0;");
  for (std::size_t i = 0; i < s.fields.size(); ++i) {
    if (s.fields[i].kind == FieldPattern::Kind::kStore)
      line(store(s.fields[i].store, fmt::format("m{}", i), scope));
  }
  close();
}

// REQUIRES: the guard held.
void Emitter::receive(const Statement& s, const Scope& scope) {
  const ChannelRef channel = resolve(s.chan, scope);
  check_claims(true, channel.number, scope);
  if (channel.type != kNone) {
    const ChannelType& type = kinds_[channel.type];
    if (!type.is_rendezvous()) return receive_as(channel.type, channel.buffer, s, scope);
    if (!scope.maybe_handshake) return line("give_up(w);");
    return take_offer(s, scope);
  }
  if (scope.maybe_handshake) {
    open("if (w->offered) {");
    take_offer(s, scope);
    close("} else {");
    ++indent_;
  }
  const std::string k = unique("k"), c = unique("c");
  line(fmt::format("u32 {0}; u8 *{1} = channel(w, {2}, {3}, &{0}); (void){1};", k, c, scope.state,
                   channel.number));
  open(fmt::format("switch ({}) {{", k));
  for (std::uint32_t type : types_with(s.fields.size(), false)) {
    line(fmt::format("case {}:", type));
    receive_as(type, c, s, scope);
    line("break;");
  }
  line("default: give_up(w);");
  close();
  if (scope.maybe_handshake) close();
}

// ---- Functions for each type of channel --------------------------------------------------------

void Emitter::channel_functions() {
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    const ChannelType& type = kinds_[k];
    if (type.is_rendezvous()) continue;
    const std::uint32_t head = type.length_bytes, slot = type.slot_bytes;
    const std::string level = fill_level(type, "c");
    std::string parameters, stores, compare;
    for (std::size_t i = 0; i < type.fields.size(); ++i) {
      const std::string v = fmt::format("v{}", i);
      const std::string at = fmt::format("e + {}", field_offset(type, i));
      parameters += fmt::format(", i32 {}", v);
      stores += " " + store_to(type.fields[i], at, v);
      compare += fmt::format(" if ({0} < {1}) break; if ({0} > {1}) continue;", v, load(type.fields[i], at));
    }
    line(fmt::format("/* channels of type {}: {} messages of {} bytes */", k, type.capacity, slot));
    open(fmt::format("static inline __attribute__((unused)) void put_{}(u8 *c{}) {{", k, parameters));
    line(fmt::format("i32 n = {}; u8 *e = c + {} + n * {};", level, head, slot));
    line(fmt::format("ST{}(c, n + 1);{}", head, stores));
    close();
    open(fmt::format("static __attribute__((unused)) void put_sorted_{}(u8 *c{}) {{", k, parameters));
    line(fmt::format("i32 i, n = {}; u8 *e = c + {};", level, head));
    line(fmt::format("for (i = 0; i < n; i++, e += {}) {{{} }}", slot, compare));
    line(fmt::format("memmove(e + {0}, e, (size_t)(n - i) * {0});", slot));
    line(fmt::format("ST{}(c, n + 1);{}", head, stores));
    close();
    open(fmt::format("static inline __attribute__((unused)) void take_{}(u8 *c, u32 k) {{", k));
    constexpr std::uint32_t kMovedWhole = 128;  // so short that moving the unused slots too is faster
    line(fmt::format("i32 n = {};", level));
    line(fmt::format("ST{}(c, n - 1);", head));
    if (type.capacity > 1) {
      if (type.capacity * slot <= kMovedWhole) {
        line(fmt::format("if (k == 0) {{ memmove(c + {0}, c + {1}, {2}); memset(c + {3}, 0, {4}); return; }}",
                         head, head + slot, (type.capacity - 1) * slot, head + (type.capacity - 1) * slot,
                         slot));
      }
      line(fmt::format("u8 *e = c + {} + k * {};", head, slot));
      line(fmt::format("size_t behind = ((size_t)n - k - 1) * {};", slot));
      line(fmt::format("memmove(e, e + {0}, behind); memset(e + behind, 0, {0});", slot));
    } else {
      line(fmt::format("memset(c + {}, 0, {}); (void)k;", head, slot));
    }
    close();
  }

  std::string capacities, heads;
  for (const ChannelType& type : kinds_) {
    capacities += fmt::format("{}, ", type.capacity);
    heads += fmt::format("{}, ", type.length_bytes);
  }
  line(fmt::format("static const i32 capacity[] __attribute__((unused)) = {{ {}0 }};", capacities));
  line(fmt::format("static const u8 head[] __attribute__((unused)) = {{ {}0 }};", heads));
  const auto list = [&](const std::vector<ChannelInfo>& channels) {
    std::string result;
    for (const ChannelInfo& channel : channels)
      result += fmt::format("{{ {}, {} }}, ", channel.offset, kind_of_[channel.type]);
    return result;
  };
  line(fmt::format(
      "static const __attribute__((unused)) struct {{ u32 at, type; }} channels_of_all[] = {{ {}{{ 0, 0 }} }},",
      list(program_.channels)));
  for (std::size_t i = 0; i < program_.processes.size(); ++i) {
    line(fmt::format("  channels_of_{}[] = {{ {}{{ 0, 0 }} }}{}", i, list(program_.processes[i].channels),
                     i + 1 < program_.processes.size() ? "," : ";"));
  }
  if (program_.processes.empty()) line("  no_channels[] = { { 0, 0 } };");
}

}  // namespace spoor::exec
