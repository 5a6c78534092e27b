#include "exec/state_evaluator.h"

namespace spoor::exec {

using promela::ExprCode;
using promela::ExprId;
using promela::kNone;
using promela::Op;
using promela::Place;

std::optional<std::int32_t> StateEvaluator::evaluate(ExprId id, int pid) const {
  const ExprCode& e = program.exprs[id];
  switch (e.op) {
    case Op::kConstant: return e.value;
    case Op::kTimeout: return 0;
    case Op::kLoad: {
      const Place& place = program.places[e.place];
      if (place.region == Place::Region::kPid) return pid;
      if (place.region == Place::Region::kNrPr) return count();
      if (place.region != Place::Region::kGlobal && place.region != Place::Region::kLocal)
        return std::nullopt;
      const std::optional<std::uint32_t> at = address(place, pid);
      return at ? std::optional(get(*at, place.type)) : std::nullopt;
    }
    case Op::kLen:
    case Op::kEmpty:
    case Op::kFull:
    case Op::kNotEmpty:
    case Op::kNotFull: {
      const std::optional<std::int32_t> value = evaluate(e.left, pid);
      const std::optional<Channel> c = value ? channel(*value) : std::nullopt;
      if (!c) return std::nullopt;
      const std::uint32_t n = length(*c), capacity = c->type->is_rendezvous() ? 1 : c->type->capacity;
      if (e.op == Op::kLen) return static_cast<std::int32_t>(n);
      if (e.op == Op::kEmpty) return n == 0 ? 1 : 0;
      if (e.op == Op::kNotEmpty) return n > 0 ? 1 : 0;
      return (n == capacity) == (e.op == Op::kFull) ? 1 : 0;
    }
    case Op::kAnd:
    case Op::kOr: {
      const std::optional<std::int32_t> left = evaluate(e.left, pid);
      if (!left) return std::nullopt;
      if ((*left != 0) == (e.op == Op::kOr)) return e.op == Op::kOr ? 1 : 0;
      const std::optional<std::int32_t> right = evaluate(e.right, pid);
      return right ? std::optional<std::int32_t>(*right != 0 ? 1 : 0) : std::nullopt;
    }
    case Op::kConditional: {
      const std::optional<std::int32_t> condition = evaluate(e.left, pid);
      return condition ? evaluate(*condition != 0 ? e.right : e.third, pid) : std::nullopt;
    }
    case Op::kNot:
    case Op::kComplement:
    case Op::kNegate: {
      const std::optional<std::int32_t> value = evaluate(e.left, pid);
      if (!value) return std::nullopt;
      if (e.op == Op::kNot) return *value == 0 ? 1 : 0;
      return e.op == Op::kComplement ? ~*value
                                     : static_cast<std::int32_t>(0U - static_cast<std::uint32_t>(*value));
    }
    default: break;
  }
  if (e.left == kNone || e.right == kNone) return std::nullopt;
  const std::optional<std::int32_t> left = evaluate(e.left, pid),
                                    right = left ? evaluate(e.right, pid) : std::nullopt;
  if (!right) return std::nullopt;
  const std::int32_t a = *left, b = *right;
  const auto u = static_cast<std::uint32_t>(a), v = static_cast<std::uint32_t>(b);
  switch (e.op) {
    case Op::kAdd: return static_cast<std::int32_t>(u + v);
    case Op::kSub: return static_cast<std::int32_t>(u - v);
    case Op::kMul: return static_cast<std::int32_t>(u * v);
    case Op::kBitAnd: return a & b;
    case Op::kBitXor: return a ^ b;
    case Op::kBitOr: return a | b;
    case Op::kShiftLeft: return static_cast<std::int32_t>(u << (v & 31U));
    case Op::kShiftRight: return a >> (v & 31U);
    case Op::kDiv:
      return b == 0 ? std::nullopt : std::optional(static_cast<std::int32_t>(std::int64_t{a} / b));
    case Op::kMod:
      return b == 0 ? std::nullopt : std::optional(static_cast<std::int32_t>(std::int64_t{a} % b));
    case Op::kLess: return a < b ? 1 : 0;
    case Op::kLessEqual: return a <= b ? 1 : 0;
    case Op::kGreater: return a > b ? 1 : 0;
    case Op::kGreaterEqual: return a >= b ? 1 : 0;
    case Op::kEqual: return a == b ? 1 : 0;
    case Op::kNotEqual: return a != b ? 1 : 0;
    default: return std::nullopt;
  }
}

}  // namespace spoor::exec
