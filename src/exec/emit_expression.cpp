// Expressions and assignments in C; see emit.h.
#include <fmt/format.h>

#include "exec/emitter.h"

namespace spoor::exec {

using promela::ExprCode;
using promela::kNone;
using promela::Op;
using promela::Place;
using promela::ScalarType;

std::string Emitter::load(const ScalarType& type, const std::string& address) {
  const char* const name = type.bytes == 1   ? "LD1"
                           : type.bytes == 4 ? "LD4"
                           : type.is_signed  ? "LD2S"
                                             : "LD2";
  return fmt::format("{}({})", name, address);
}

std::string Emitter::truncated(const ScalarType& type, const std::string& value) {
  if (type.bits >= 32) return value;
  if (type.is_signed) return fmt::format("(i32)(int16_t)({})", value);
  return fmt::format("(({}) & {})", value, (1U << type.bits) - 1);
}

std::string Emitter::store_to(const ScalarType& type, const std::string& address, const std::string& value) {
  const bool is_whole = type.bits == 8 * type.bytes;
  return fmt::format("ST{}({}, {});", type.bytes, address, is_whole ? value : truncated(type, value));
}

std::string Emitter::address(const Place& place, const Scope& scope) {
  std::uint32_t offset = place.offset;
  std::string indexed;
  for (const Place::Index& index : place.indices) {
    const ExprCode& e = program_.exprs[index.expr];
    if (e.op == Op::kConstant && e.value >= 0 && static_cast<std::uint32_t>(e.value) < index.count) {
      offset += static_cast<std::uint32_t>(e.value) * index.stride;
    } else {
      indexed += fmt::format(" + idx(w, {}, {}){}", expr(index.expr, scope), index.count,
                             index.stride == 1 ? "" : fmt::format(" * {}", index.stride));
    }
  }
  return fmt::format("{} + {}{}", place.region == Place::Region::kLocal ? scope.process : scope.state, offset,
                     indexed);
}

std::string Emitter::store(promela::PlaceId id, const std::string& value, const Scope& scope) {
  const Place& place = program_.places[id];
  if (place.region != Place::Region::kGlobal && place.region != Place::Region::kLocal)
    return fmt::format("(void)({});", value);
  if (!options_.strict || place.type.base != promela::BaseType::kUnsigned)
    return store_to(place.type, address(place, scope), value);
  const std::string v = unique("v");
  return fmt::format("{{ i32 {0} = {1}; if ({2} != {0}) give_up(w); {3} }}", v, value,
                     truncated(place.type, v), store_to(place.type, address(place, scope), v));
}

std::string Emitter::expr(promela::ExprId id, const Scope& scope) {
  const ExprCode& e = program_.exprs[id];
  const auto binary = [&](const char* op) {
    return fmt::format("({} {} {})", expr(e.left, scope), op, expr(e.right, scope));
  };
  const auto shift = [&](const char* op) {
    return fmt::format("({} {} ({} & 31))", expr(e.left, scope), op, expr(e.right, scope));
  };
  const auto call = [&](const char* name) {
    return fmt::format("{}(w, {}, {})", name, expr(e.left, scope), expr(e.right, scope));
  };
  switch (e.op) {
    case Op::kConstant:
      return e.value == INT32_MIN ? "(-2147483647 - 1)"
             : e.value < 0        ? fmt::format("({})", e.value)
                                  : std::to_string(e.value);
    case Op::kLoad: {
      const Place& place = program_.places[e.place];
      switch (place.region) {
        case Place::Region::kPid: return scope.pid;
        case Place::Region::kNrPr: return fmt::format("LD1({})", scope.state);
        case Place::Region::kLast: return fmt::format("LD1({} + {})", scope.state, program_.last_offset);
        case Place::Region::kPriority: return "1";
        case Place::Region::kDiscard: return "0";
        default: return load(place.type, address(place, scope));
      }
    }
    case Op::kNot: return fmt::format("(!{})", expr(e.left, scope));
    case Op::kComplement: return fmt::format("(~{})", expr(e.left, scope));
    case Op::kNegate: return fmt::format("(-{})", expr(e.left, scope));
    case Op::kAdd: return binary("+");
    case Op::kSub: return binary("-");
    case Op::kMul: return binary("*");
    case Op::kBitAnd: return binary("&");
    case Op::kBitXor: return binary("^");
    case Op::kBitOr: return binary("|");
    case Op::kShiftLeft: return shift("<<");
    case Op::kShiftRight: return shift(">>");
    case Op::kDiv: return call("divide");
    case Op::kMod: return call("modulo");
    case Op::kLess: return binary("<");
    case Op::kLessEqual: return binary("<=");
    case Op::kGreater: return binary(">");
    case Op::kGreaterEqual: return binary(">=");
    case Op::kEqual: return binary("==");
    case Op::kNotEqual: return binary("!=");
    case Op::kAnd: return binary("&&");
    case Op::kOr: return binary("||");
    case Op::kConditional:
      return fmt::format("({} ? {} : {})", expr(e.left, scope), expr(e.right, scope), expr(e.third, scope));
    case Op::kRun: return run(e, scope);
    case Op::kLen:
    case Op::kEmpty:
    case Op::kNotEmpty:
    case Op::kFull:
    case Op::kNotFull: return queue_question(e.op, e.left, scope);
    case Op::kPoll: return poll(e, scope);
    case Op::kPcValue: {
      const std::string i = unique("i");
      return fmt::format(
          "({{ i32 {0} = {1}; {0} >= 0 && {0} < LD1({2}) ? LOCATION({2} + w->at[{0}]) : 0; }})", i,
          expr(e.left, scope), scope.state);
    }
    case Op::kGetPriority: return fmt::format("((void){}, 0)", expr(e.left, scope));
    case Op::kTimeout: return scope.timeout;
    case Op::kRemoteLabel:
    case Op::kRemoteVariable: return remote(e, scope);
    case Op::kEmbedded:
      return fmt::format("embedded(w, {}, {}, {}, {})", scope.state, scope.process, scope.pid, e.value);
    case Op::kNonProgress: return fmt::format("(!some_process(w, {}, is_progress))", scope.state);
    case Op::kAccepting: return fmt::format("some_process(w, {}, is_accept)", scope.state);
    case Op::kEnabled:
    case Op::kRemotePredefined: break;  // why_not_native
  }
  return "0";
}

// A reference to a process that does not exist, or is of another type, is 0.
std::string Emitter::remote(const ExprCode& e, const Scope& scope) {
  const std::string r = unique("r");
  const std::string block =
      e.left == kNone ? fmt::format("first_of(w, {}, {})", scope.state, e.third)
                      : fmt::format("block_of(w, {}, {}, {})", scope.state, expr(e.left, scope), e.third);
  std::string value;
  if (e.op == Op::kRemoteLabel) {
    value = fmt::format("LOCATION({}) == {}", r, e.value);
  } else {  // the variable is remote, its index is ours
    const Place& place = program_.places[e.place];
    std::string indexed;
    for (const Place::Index& index : place.indices) {
      indexed += fmt::format(" + idx(w, {}, {}) * {}", expr(index.expr, scope), index.count, index.stride);
    }
    value = load(place.type, fmt::format("{} + {}{}", r, place.offset, indexed));
  }
  return fmt::format("({{ u8 *{0} = {1}; {0} ? {2} : 0; }})", r, block, value);
}

std::string Emitter::run(const ExprCode& e, const Scope& scope) {
  has_run_ = true;
  std::string arguments;
  for (promela::ExprId arg : e.args) arguments += ", " + expr(arg, scope);
  return fmt::format("start_{}(w, {}, &{}{})", e.value, scope.state, scope.length, arguments);
}

}  // namespace spoor::exec
