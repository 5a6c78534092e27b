// Values that do not fit, and comparisons that are decided by the types alone.
//
// Each expression is given the interval of values that its types allow: a byte is 0..255, the sum
// of two bytes 0..510, a comparison 0..1. A comparison whose interval is a single value is constant:
// `level < 0` with a byte is a guard that is never true. Expressions made of constants alone are left
// out, because their values mostly come from macros and are sensible for other values of them.
//
// A constant outside the range of the variable that it is stored in is cut off silently at run
// time; so are constants in messages and in arguments of `run`.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "promela/layout.h"
#include "promela/lint_passes.h"
#include "promela/print.h"
#include "promela/walk.h"

namespace spoor::promela {
namespace {

struct Interval {
  std::int64_t low = std::numeric_limits<std::int32_t>::min();
  std::int64_t high = std::numeric_limits<std::int32_t>::max();

  bool is_point() const { return low == high; }
  bool contains(std::int64_t value) const { return low <= value && value <= high; }
};

constexpr Interval kTruth{0, 1};
constexpr Interval kByte{0, 255};
constexpr Interval kLength{0, 65535};  // of a channel

Interval range_of(const ScalarType& type) {
  if (type.bits >= 32) return {};
  const std::int64_t values = std::int64_t{1} << type.bits;
  return type.is_signed ? Interval{-values / 2, values / 2 - 1} : Interval{0, values - 1};
}

std::string name_of(const Type& type) {
  switch (type.base) {
    case BaseType::kBit: return "bit";
    case BaseType::kBool: return "bool";
    case BaseType::kByte: return "byte";
    case BaseType::kPid: return "pid";
    case BaseType::kMtype: return "mtype";
    case BaseType::kChan: return "chan";
    case BaseType::kShort: return "short";
    case BaseType::kUnsigned: return "unsigned : " + std::to_string(type.bits);
    case BaseType::kInt: return "int";
    case BaseType::kRecord: return "record";
  }
  return "?";
}

std::string to_text(const Interval& interval) {
  return std::to_string(interval.low) + " .. " + std::to_string(interval.high);
}

// ---- Intervals of expressions -------------------------------------------------------------------

// Arithmetic wraps around at 32 bits, so a result that may overflow can have any value.
Interval bounded(Interval interval) {
  const Interval all;
  return all.contains(interval.low) && all.contains(interval.high) ? interval : all;
}

Interval truth_of(bool can_be_false, bool can_be_true) { return {can_be_false ? 0 : 1, can_be_true ? 1 : 0}; }

bool can_be_true(Interval interval) { return interval.low != 0 || interval.high != 0; }

Interval compare(BinaryOp op, Interval a, Interval b) {
  const bool can_be_equal = a.low <= b.high && b.low <= a.high;
  const bool must_be_equal = a.is_point() && b.is_point() && a.low == b.low;
  switch (op) {
    case BinaryOp::kLess: return truth_of(a.high >= b.low, a.low < b.high);
    case BinaryOp::kLessEqual: return truth_of(a.high > b.low, a.low <= b.high);
    case BinaryOp::kGreater: return truth_of(a.low <= b.high, a.high > b.low);
    case BinaryOp::kGreaterEqual: return truth_of(a.low < b.high, a.high >= b.low);
    case BinaryOp::kEqual: return truth_of(!must_be_equal, can_be_equal);
    case BinaryOp::kNotEqual: return truth_of(can_be_equal, !must_be_equal);
    default: return kTruth;
  }
}

bool is_comparison(BinaryOp op) {
  switch (op) {
    case BinaryOp::kLess:
    case BinaryOp::kLessEqual:
    case BinaryOp::kGreater:
    case BinaryOp::kGreaterEqual:
    case BinaryOp::kEqual:
    case BinaryOp::kNotEqual: return true;
    default: return false;
  }
}

class Intervals {
 public:
  explicit Intervals(const Model& model) : model_(model) {}

  Interval of(const Expr& expr) const {
    return std::visit([&](const auto& node) { return of_node(node); }, expr.node);
  }

  // The declaration that a reference ends at; null for predefined variables.
  const VarDecl* declaration(const VarRef& ref) const {
    const Symbol& symbol = model_.symbols[ref.symbol];
    if (symbol.kind != SymbolKind::kVariable) return nullptr;
    const VarDecl* decl = &symbol.decl;
    for (std::size_t i = 1; i < ref.path.size(); ++i) {
      decl = &model_.records[decl->type.record].fields[ref.path[i].field];
    }
    return decl;
  }

 private:
  Interval of_node(const Constant& node) const { return {node.value, node.value}; }
  Interval of_node(const Variable& node) const {
    const VarDecl* decl = declaration(node.ref);
    return decl != nullptr ? range_of(scalar_type(*decl)) : Interval{};
  }
  Interval of_node(const Unary& node) const {
    const Interval a = of(*node.operand);
    switch (node.op) {
      case UnaryOp::kNot: return truth_of(a.low != 0 || a.high != 0, a.contains(0));
      case UnaryOp::kMinus: return bounded({-a.high, -a.low});
      case UnaryOp::kComplement: return bounded({-a.high - 1, -a.low - 1});
    }
    return {};
  }
  Interval of_node(const Binary& node) const {
    const Interval a = of(*node.left);
    const Interval b = of(*node.right);
    switch (node.op) {
      case BinaryOp::kAdd: return bounded({a.low + b.low, a.high + b.high});
      case BinaryOp::kSub: return bounded({a.low - b.high, a.high - b.low});
      case BinaryOp::kMul: {
        const auto [low, high] =
            std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
        return bounded({low, high});
      }
      case BinaryOp::kMod:
        if (a.low >= 0 && b.is_point() && b.low > 0) return {0, std::min(a.high, b.low - 1)};
        return {};
      case BinaryOp::kBitAnd:
        if (a.low >= 0 && b.low >= 0) return {0, std::min(a.high, b.high)};
        return {};
      case BinaryOp::kAnd: return truth_of(a.contains(0) || b.contains(0), can_be_true(a) && can_be_true(b));
      case BinaryOp::kOr: return truth_of(a.contains(0) && b.contains(0), can_be_true(a) || can_be_true(b));
      case BinaryOp::kDiv:
      case BinaryOp::kBitXor:
      case BinaryOp::kBitOr:
      case BinaryOp::kShiftLeft:
      case BinaryOp::kShiftRight: return {};
      default: return compare(node.op, a, b);
    }
  }
  Interval of_node(const Conditional& node) const {
    const Interval a = of(*node.if_true);
    const Interval b = of(*node.if_false);
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
  }
  Interval of_node(const Run&) const { return kByte; }
  Interval of_node(const QueryChan& node) const { return node.query == ChanQuery::kLen ? kLength : kTruth; }
  Interval of_node(const Poll&) const { return kTruth; }
  Interval of_node(const Enabled&) const { return kTruth; }
  Interval of_node(const PcValue&) const { return {}; }
  Interval of_node(const GetPriority&) const { return kByte; }
  Interval of_node(const TimeoutExpr&) const { return kTruth; }
  Interval of_node(const NonProgressExpr&) const { return kTruth; }
  Interval of_node(const RemoteLabel&) const { return kTruth; }
  Interval of_node(const RemoteVariable&) const { return {}; }
  Interval of_node(const EmbeddedExpr&) const { return {}; }
  Interval of_node(const Temporal&) const { return kTruth; }

  const Model& model_;
};

// ---- The pass ----------------------------------------------------------------------------------

struct FindsNonConstant : Walker<FindsNonConstant> {
  void on_expr(const Expr& expr) {
    const bool may_be_part_of_constant =
        std::holds_alternative<Constant>(expr.node) || std::holds_alternative<Unary>(expr.node) ||
        std::holds_alternative<Binary>(expr.node) || std::holds_alternative<Conditional>(expr.node);
    if (!may_be_part_of_constant) found = true;
    Walker::on_expr(expr);
  }
  bool found = false;
};

bool is_constant(const Expr& expr) {
  FindsNonConstant finder;
  finder.on_expr(expr);
  return !finder.found;
}

// The value of a number as it is written: 3, -1, red.
std::optional<std::int32_t> literal_value(const Expr& expr) {
  if (const auto* constant = std::get_if<Constant>(&expr.node)) return constant->value;
  const auto* unary = std::get_if<Unary>(&expr.node);
  if (unary == nullptr || unary->op != UnaryOp::kMinus) return std::nullopt;
  const auto* constant = std::get_if<Constant>(&unary->operand->node);
  if (constant == nullptr || constant->value == std::numeric_limits<std::int32_t>::min()) return std::nullopt;
  return -constant->value;
}

// The number of arguments of a format.
std::size_t count_conversions(const std::string& format) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < format.size(); ++i) {
    if (format[i] != '%') continue;
    ++i;
    if (format[i] != '%') ++count;
  }
  return count;
}

struct Values : Walker<Values> {
  Values(const Model& model, Diagnostics& diagnostics)
      : model(model), intervals(model), diagnostics(diagnostics) {}

  void on_expr(const Expr& expr) {
    if (const auto* binary = std::get_if<Binary>(&expr.node)) check_binary(expr, *binary);
    if (const auto* run = std::get_if<Run>(&expr.node)) check_run(*run);
    Walker::on_expr(expr);
  }

  void on_ref(const VarRef& ref, Access access) {
    const VarDecl* decl = nullptr;
    if (model.symbols[ref.symbol].kind == SymbolKind::kVariable) decl = &model.symbols[ref.symbol].decl;
    for (std::size_t i = 0; decl != nullptr && i < ref.path.size(); ++i) {
      if (i > 0) decl = &model.records[decl->type.record].fields[ref.path[i].field];
      check_index(*decl, ref.path[i].index);
    }
    Walker::on_ref(ref, access);
  }

  void on_stmt(const Stmt& stmt) {
    if (const auto* assign = std::get_if<Assign>(&stmt.node)) check_assignment(*assign);
    if (const auto* send = std::get_if<Send>(&stmt.node)) check_send(*send);
    if (const auto* print = std::get_if<Print>(&stmt.node)) check_print(stmt, *print);
    if (const auto* guard = std::get_if<ExprStmt>(&stmt.node)) check_guard(*guard->expr);
    // An assertion may state what the types guarantee: the types may change later.
    const bool was_in_assertion = std::exchange(is_in_assertion, std::holds_alternative<Assert>(stmt.node));
    Walker::on_stmt(stmt);
    is_in_assertion = was_in_assertion;
  }

  void check_binary(const Expr& expr, const Binary& binary) {
    const bool divides = binary.op == BinaryOp::kDiv || binary.op == BinaryOp::kMod;
    if (divides && literal_value(*binary.right) == 0) {
      diagnostics.warning("W142", binary.right->range, "division by zero",
                          "the check ends with an error when this is evaluated");
    }
    if (!is_comparison(binary.op) || is_constant(expr)) return;
    const Interval result = intervals.of(expr);
    if (!result.is_point() || (is_in_assertion && result.low != 0)) return;
    const bool is_left_constant = is_constant(*binary.left);
    const Expr& side = is_left_constant ? *binary.right : *binary.left;
    diagnostics.warning("W130", expr.range,
                        "this comparison is always " + std::string(result.low != 0 ? "true" : "false"),
                        "'" + promela::to_text(model, side) + "' can only be " + to_text(intervals.of(side)));
  }

  // A comparison gets W130; a condition of constants alone is part of the model's configuration.
  void check_guard(const Expr& guard) {
    const auto* binary = std::get_if<Binary>(&guard.node);
    const bool is_others_business = is_constant(guard) || (binary != nullptr && is_comparison(binary->op));
    const Interval value = intervals.of(guard);
    if (is_others_business || !value.is_point() || value.low != 0) return;
    diagnostics.warning("W133", guard.range, "this condition is never true",
                        "the process is blocked here permanently; write `false` if that is intended");
  }

  void check_index(const VarDecl& decl, const ExprPtr& index) {
    if (!index || decl.array_size == 0) return;
    const std::optional<std::int32_t> value = literal_value(*index);
    if (!value || (*value >= 0 && *value < decl.array_size)) return;
    diagnostics.warning("W143", index->range,
                        "the index " + std::to_string(*value) + " is outside of '" + decl.name + "'",
                        "its elements are 0 .. " + std::to_string(decl.array_size - 1));
  }

  // `stored` is the type of the memory for the value: sometimes more than a bit for a bit.
  void check_fits(const Expr& value, const Type& type, const ScalarType& stored, const std::string& what) {
    const std::optional<std::int32_t> constant = literal_value(value);
    const Interval range = range_of(stored);
    if (!constant || type.base == BaseType::kRecord || range.contains(*constant)) return;
    diagnostics.warning(
        "W140", value.range,
        std::to_string(*constant) + " does not fit into " + what + " of type " + name_of(type),
        "the values that it can hold are " + to_text(range));
  }

  void check_assignment(const Assign& assign) {
    const VarDecl* decl = intervals.declaration(assign.target);
    if (decl == nullptr || !assign.value) return;
    check_fits(*assign.value, decl->type, scalar_type(*decl),
               "'" + promela::to_text(model, assign.target) + "'");
  }

  static ScalarType field_type(const std::vector<Type>& fields, std::size_t i) {
    ScalarType type = scalar_type(fields[i]);
    if (fields.size() == 1 && type.bits == 1) type.bits = 8;  // see Layout::flatten
    return type;
  }

  void check_send(const Send& send) {
    const VarDecl* decl = intervals.declaration(send.chan);
    if (decl == nullptr || !decl->channel) return;
    const std::vector<Type>& fields = decl->channel->fields;
    for (std::size_t i = 0; i < std::min(fields.size(), send.args.size()); ++i) {
      if (fields[i].base == BaseType::kRecord) return;  // expands to several arguments
      check_fits(*send.args[i], fields[i], field_type(fields, i),
                 "field " + std::to_string(i + 1) + " of '" + decl->name + "',");
    }
  }

  void check_run(const Run& run) {
    const Proctype& proctype = model.proctypes[model.symbols[run.proctype].proctype];
    for (std::size_t i = 0; i < std::min(run.args.size(), proctype.parameters.size()); ++i) {
      const VarDecl& parameter = model.symbols[proctype.parameters[i]].decl;
      if (parameter.type.base == BaseType::kRecord) return;
      check_fits(*run.args[i], parameter.type, scalar_type(parameter),
                 "the parameter '" + parameter.name + "'");
    }
  }

  void check_print(const Stmt& stmt, const Print& print) {
    const std::size_t wanted = count_conversions(print.format);
    if (wanted == print.args.size()) return;
    diagnostics.warning("W144", stmt.range,
                        "the format needs " + std::to_string(wanted) + " values, but " +
                            std::to_string(print.args.size()) + " are given");
  }

  void check_initial_value(const VarDecl& decl) {
    if (decl.init) check_fits(*decl.init, decl.type, scalar_type(decl), "'" + decl.name + "'");
  }

  const Model& model;
  Intervals intervals;
  Diagnostics& diagnostics;
  bool is_in_assertion = false;
};

}  // namespace

void lint_values(const Model& model, Diagnostics& diagnostics) {
  Values values(model, diagnostics);
  values.on_model(model);
  for (const Symbol& symbol : model.symbols) {
    if (symbol.kind == SymbolKind::kVariable) values.check_initial_value(symbol.decl);
  }
}

}  // namespace spoor::promela
