#include "exec/condition_distance.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "model/guidance.h"

namespace spoor::exec {
namespace {

using promela::ExprCode;
using promela::ExprId;
using promela::Op;

constexpr std::uint32_t kFar = Heuristic::kFar;

std::uint32_t sum_of(std::uint32_t a, std::uint32_t b) { return std::min(a + b, kFar); }

bool is_comparison(Op op) { return op >= Op::kLess && op <= Op::kNotEqual; }

// The comparison that is true where this one is false.
Op opposite(Op op) {
  switch (op) {
    case Op::kLess: return Op::kGreaterEqual;
    case Op::kLessEqual: return Op::kGreater;
    case Op::kGreater: return Op::kLessEqual;
    case Op::kGreaterEqual: return Op::kLess;
    case Op::kEqual: return Op::kNotEqual;
    default: return Op::kEqual;
  }
}

// The difference that is in the way of the comparison.
std::int64_t difference(Op op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Op::kLess: return a < b ? 0 : a - b + 1;
    case Op::kLessEqual: return a <= b ? 0 : a - b;
    case Op::kGreater: return a > b ? 0 : b - a + 1;
    case Op::kGreaterEqual: return a >= b ? 0 : b - a;
    case Op::kEqual: return std::abs(a - b);
    default: return a != b ? 0 : 1;
  }
}

}  // namespace

std::uint32_t ConditionDistance::until(ExprId expr, bool wanted, int pid) {
  const ExprCode& code = program_.exprs[expr];
  switch (code.op) {
    case Op::kNot: return until(code.left, !wanted, pid);
    case Op::kAnd:
    case Op::kOr: {
      const std::uint32_t left = until(code.left, wanted, pid);
      const std::uint32_t right = until(code.right, wanted, pid);
      return (code.op == Op::kAnd) == wanted ? sum_of(left, right) : std::min(left, right);
    }
    case Op::kConditional:
      return std::min(sum_of(until(code.left, true, pid), until(code.right, wanted, pid)),
                      sum_of(until(code.left, false, pid), until(code.third, wanted, pid)));
    case Op::kEmpty:
    case Op::kFull:
    case Op::kNotEmpty:
    case Op::kNotFull: return until_channel(code, wanted, pid);
    case Op::kRemoteLabel: return until_at(code, wanted, pid);
    default: break;
  }
  if (is_comparison(code.op)) return until_compared(wanted ? code.op : opposite(code.op), code, pid);
  const std::optional<std::int32_t> value = evaluator_.evaluate(expr, pid);
  return value && (*value != 0) == wanted ? 0 : 1;
}

std::uint32_t ConditionDistance::until_compared(Op op, const ExprCode& code, int pid) {
  const std::optional<std::int32_t> left = evaluator_.evaluate(code.left, pid);
  const std::optional<std::int32_t> right = evaluator_.evaluate(code.right, pid);
  if (!left || !right) return 1;
  const std::int64_t missing = difference(op, *left, *right);
  const std::int64_t most = has_no_order(code.left) || has_no_order(code.right) ? 1 : kFar;
  return static_cast<std::uint32_t>(std::min(missing, most));
}

std::uint32_t ConditionDistance::until_channel(const ExprCode& code, bool wanted, int pid) {
  const std::optional<std::int32_t> number = evaluator_.evaluate(code.left, pid);
  const auto channel = number ? evaluator_.channel(*number) : std::nullopt;
  if (!channel) return 1;
  const std::uint32_t length = view().length(*channel->place), capacity = channel->type->capacity;
  const bool is_about_full = code.op == Op::kFull || code.op == Op::kNotFull;
  const bool is_negative = code.op == Op::kNotEmpty || code.op == Op::kNotFull;
  const std::uint32_t to_be = is_about_full ? capacity - std::min(capacity, length) : length;
  if (is_negative != wanted) return to_be;
  return to_be == 0 ? 1 : 0;
}

std::uint32_t ConditionDistance::until_at(const ExprCode& code, bool wanted, int pid) {
  std::optional<std::int32_t> wanted_pid;
  if (code.left != promela::kNone) {
    wanted_pid = evaluator_.evaluate(code.left, pid);
    if (!wanted_pid) return 1;
  }
  std::uint32_t least = kFar;
  for (int other = 0; other < view().process_count(); ++other) {
    if (view().process_type(other) != code.third || (wanted_pid && other != *wanted_pid)) continue;
    least = std::min(least, statements_between(code.third, view().location(other),
                                               static_cast<std::uint32_t>(code.value)));
    if (!wanted_pid) break;  // without a number the first process of the type is meant
  }
  if (wanted) return least;
  return least == 0 ? 1 : 0;
}

bool ConditionDistance::has_no_order(ExprId expr) const {
  const ExprCode& code = program_.exprs[expr];
  return code.place != promela::kNone && program_.places[code.place].type.base == promela::BaseType::kMtype;
}

std::uint32_t ConditionDistance::statements_between(std::uint32_t type, std::uint32_t from,
                                                    std::uint32_t to) {
  const auto [known, is_new] = ways_.try_emplace({type, to});
  std::vector<std::uint32_t>& way = known->second;
  if (is_new) {
    const promela::ProcessType& process = program_.processes[type];
    way.assign(std::max<std::size_t>(process.locations.size(), to + 1), kFar);
    way[to] = 0;
    // Rounds until nothing changes: control graphs are small.
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (std::size_t location = 0; location < process.locations.size(); ++location) {
        for (const promela::Transition& transition : process.locations[location].transitions) {
          const bool ends = program_.statements[transition.statement].op == promela::StatementOp::kEnd;
          const std::uint32_t next = ends ? process.end : transition.target;
          if (next >= way.size() || way[next] == kFar || way[next] + 1 >= way[location]) continue;
          way[location] = way[next] + 1;
          has_changed = true;
        }
      }
    }
  }
  return from < way.size() ? way[from] : kFar;
}

}  // namespace spoor::exec
