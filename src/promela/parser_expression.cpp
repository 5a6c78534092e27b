// Expressions and formulas.
//
// Precedence, loosest first:  -> <-> (formulas)   ||   &&   U W V (formulas)   |   ^   &   == !=
// < > <= >=   << >>   + -   * / %   and tightest the prefix operators ! ~ - [] <> X. All binary
// operators associate to the left. Constants are not folded: the tree is the text.
//
// full, empty, nfull and nempty ("probes") may be combined with && and || and with parentheses
// only: partial-order reduction has rules for them that are not valid under negation.
#include <algorithm>

#include "promela/parser.h"

namespace spoor::promela {

namespace {

// 0: not a binary operator.
int precedence(Tok kind) {
  switch (kind) {
    // clang-format off
    case Tok::kImplies: case Tok::kEquivalent: return 1;
    case Tok::kOr: return 2;
    case Tok::kAnd: return 3;
    case Tok::kUntil: case Tok::kWeakUntil: case Tok::kRelease: return 4;
    case Tok::kBar: return 5;
    case Tok::kCaret: return 6;
    case Tok::kAmpersand: return 7;
    case Tok::kEqual: case Tok::kNotEqual: return 8;
    case Tok::kLess: case Tok::kLessEqual: case Tok::kGreater: case Tok::kGreaterEqual: return 9;
    case Tok::kShiftLeft: case Tok::kShiftRight: return 10;
    case Tok::kPlus: case Tok::kMinus: return 11;
    case Tok::kStar: case Tok::kSlash: case Tok::kPercent: return 12;
    // clang-format on
    default: return 0;
  }
}

BinaryOp binary_op(Tok kind) {
  switch (kind) {
    case Tok::kPlus: return BinaryOp::kAdd;
    case Tok::kMinus: return BinaryOp::kSub;
    case Tok::kStar: return BinaryOp::kMul;
    case Tok::kSlash: return BinaryOp::kDiv;
    case Tok::kPercent: return BinaryOp::kMod;
    case Tok::kAmpersand: return BinaryOp::kBitAnd;
    case Tok::kCaret: return BinaryOp::kBitXor;
    case Tok::kBar: return BinaryOp::kBitOr;
    case Tok::kShiftLeft: return BinaryOp::kShiftLeft;
    case Tok::kShiftRight: return BinaryOp::kShiftRight;
    case Tok::kLess: return BinaryOp::kLess;
    case Tok::kLessEqual: return BinaryOp::kLessEqual;
    case Tok::kGreater: return BinaryOp::kGreater;
    case Tok::kGreaterEqual: return BinaryOp::kGreaterEqual;
    case Tok::kEqual: return BinaryOp::kEqual;
    case Tok::kNotEqual: return BinaryOp::kNotEqual;
    case Tok::kAnd: return BinaryOp::kAnd;
    default: return BinaryOp::kOr;
  }
}

// The temporal operator that a token of a formula stands for, if it is one.
bool temporal_op(Tok kind, TemporalOp& op) {
  switch (kind) {
    case Tok::kImplies: op = TemporalOp::kImplies; return true;
    case Tok::kEquivalent: op = TemporalOp::kEquivalent; return true;
    case Tok::kUntil: op = TemporalOp::kUntil; return true;
    case Tok::kWeakUntil: op = TemporalOp::kWeakUntil; return true;
    case Tok::kRelease: op = TemporalOp::kRelease; return true;
    case Tok::kAlways: op = TemporalOp::kAlways; return true;
    case Tok::kEventually: op = TemporalOp::kEventually; return true;
    case Tok::kNext: op = TemporalOp::kNext; return true;
    default: return false;
  }
}

}  // namespace

ExprPtr Parser::make_constant(std::int32_t value, Range range) {
  return std::make_unique<Expr>(Expr{Constant{value, {}}, range});
}

// Reports operands that are allowed alone but not inside an expression.
void Parser::require_plain(const Operand& operand) {
  if (operand.is_probe) {
    fail("P301", operand.range, "full, empty, nfull and nempty can only be combined with && and ||",
         "use nfull instead of !full, nempty instead of !empty, or compare len() with a number");
  }
  if (operand.is_list) {
    fail("P302", operand.range, "a whole record cannot be part of an expression", "name one of its fields");
  }
}

Operand Parser::full_expression() { return binary_expression(1); }

ExprPtr Parser::expression(int* height) {
  Operand operand = full_expression();
  require_plain(operand);
  if (height != nullptr) *height = std::max(*height, operand.height + 1);
  return std::move(operand.expr);
}

Operand Parser::binary_expression(int min_precedence) {
  const Nesting nesting(*this);
  return binary_from(unary_expression(), min_precedence);
}

// Continues after a left operand that has been parsed already.
Operand Parser::binary_from(Operand left, int min_precedence) {
  for (;;) {
    const int level = precedence(peek().kind);
    if (level == 0 || level < min_precedence) return left;
    const Token op = take();
    Operand right = binary_expression(level + 1);
    left = combine(op, std::move(left), std::move(right));
  }
}

Operand Parser::combine(const Token& op, Operand left, Operand right) {
  const bool is_probe = left.is_probe || right.is_probe;
  if (!is_probe || (op.kind != Tok::kAnd && op.kind != Tok::kOr)) {
    require_plain(left);
    require_plain(right);
  } else if (left.is_list || right.is_list) {
    require_plain(left.is_list ? left : right);
  }
  const int height = std::max(left.height, right.height) + 1;
  check_height(height, op.range);
  const Range range = since(left.range);
  TemporalOp temporal;
  Operand result =
      temporal_op(op.kind, temporal)
          ? make_operand(Temporal{temporal, std::move(left.expr), std::move(right.expr)}, range, height)
          : make_operand(Binary{binary_op(op.kind), std::move(left.expr), std::move(right.expr)}, range,
                         height);
  result.is_probe = is_probe;
  return result;
}

void Parser::check_height(int height, Range range) {
  if (height <= kMaxExpressionHeight) return;
  fail("P107", range, "this expression is too long",
       "at most " + std::to_string(kMaxExpressionHeight) + " operators can be chained");
}

Operand Parser::unary_expression() {
  const Nesting nesting(*this);
  const Tok kind = peek().kind;
  TemporalOp temporal;
  const bool is_temporal =
      (kind == Tok::kAlways || kind == Tok::kEventually || kind == Tok::kNext) && temporal_op(kind, temporal);
  if (!is_temporal && kind != Tok::kSend && kind != Tok::kTilde && kind != Tok::kMinus) {
    return primary_expression();
  }
  const Token op = take();
  Operand operand = unary_expression();
  require_plain(operand);
  const int height = operand.height + 1;
  const Range range = since(op.range);
  if (is_temporal) {
    return make_operand(Temporal{temporal, nullptr, std::move(operand.expr)}, range, height);
  }
  const UnaryOp unary = kind == Tok::kSend    ? UnaryOp::kNot
                        : kind == Tok::kTilde ? UnaryOp::kComplement
                                              : UnaryOp::kMinus;
  return make_operand(Unary{unary, std::move(operand.expr)}, range, height);
}

// ( e ), or the conditional ( c -> a : b ).
Operand Parser::parenthesized() {
  const Range begin = peek().range;
  left_paren();
  Operand inner = full_expression();
  if (at(Tok::kArrow)) {
    take();
    require_plain(inner);
    Operand if_true = full_expression();
    require_plain(if_true);
    expect(Tok::kColon, "between the two values of ( condition -> value : value )");
    Operand if_false = full_expression();
    require_plain(if_false);
    right_paren();
    const int height = std::max({inner.height, if_true.height, if_false.height}) + 1;
    return make_operand(Conditional{std::move(inner.expr), std::move(if_true.expr), std::move(if_false.expr)},
                        since(begin), height);
  }
  right_paren();
  inner.range = since(begin);
  return inner;
}

Operand Parser::constant_operand() {
  const Token token = take();
  Constant constant;
  constant.value = token.value;
  if (token.is_mtype) {
    constant.mtype_name = token.text;
    if (!is_quiet_) {
      model_.mtypes[static_cast<std::size_t>(names_.mtype_named(token.text))].is_used = true;
    }
  }
  return make_operand(std::move(constant), token.range);
}

// len(q) and the probes.
Operand Parser::channel_query(ChanQuery query, bool is_probe) {
  const Range begin = take().range;
  left_paren();
  Reference channel = reference();
  right_paren();
  if (is_probe) check_channel(channel);  // len() accepts any variable that holds a channel
  if (!in_inline_arguments_) check_readable(channel);
  mark_read(channel);
  Operand operand = make_operand(QueryChan{query, std::move(channel.ref)}, since(begin), channel.height);
  operand.is_probe = is_probe;
  return operand;
}

// A function of one argument: enabled, pc_value, get_priority.
template <typename Node>
Operand Parser::function_of_pid() {
  const Range begin = take().range;
  left_paren();
  Operand pid = full_expression();
  require_plain(pid);
  right_paren();
  return make_operand(Node{std::move(pid.expr)}, since(begin), pid.height + 1);
}

Operand Parser::primary_expression() {
  switch (peek().kind) {
    case Tok::kLeftParen: return parenthesized();
    case Tok::kConst: return constant_operand();
    case Tok::kName: return reference_expression();
    case Tok::kRun: return run_expression();
    case Tok::kLen: return channel_query(ChanQuery::kLen, false);
    case Tok::kFull: return channel_query(ChanQuery::kFull, true);
    case Tok::kNfull: return channel_query(ChanQuery::kNotFull, true);
    case Tok::kEmpty: return channel_query(ChanQuery::kEmpty, true);
    case Tok::kNempty: return channel_query(ChanQuery::kNotEmpty, true);
    case Tok::kEnabled:
      if (!enabled_use_) enabled_use_ = peek().range;
      return function_of_pid<Enabled>();
    case Tok::kPcValue: return function_of_pid<PcValue>();
    case Tok::kGetPriority: model_.uses_priority = true; return function_of_pid<GetPriority>();
    case Tok::kTimeout: return make_operand(TimeoutExpr{}, take().range);
    case Tok::kNonProgress: {
      const Range range = take().range;
      if (proctype_ != kNoContext && model_.proctypes[proctype_].kind != BodyKind::kNever) {
        error("P303", range, "np_ can only be used in never claims and formulas");
      }
      return make_operand(NonProgressExpr{}, range);
    }
    case Tok::kProcName: return remote_reference();
    case Tok::kCExpr: return embedded_expression();
    case Tok::kInlineName:
      unexpected("an expression",
                 "an inline can only be called as a statement, or as x = " + peek().text + "(...)");
    case Tok::kTypeName: unexpected("an expression", "this is the name of a typedef");
    default: unexpected("an expression");
  }
}

Operand Parser::embedded_expression() {
  const Range begin = take().range;
  std::optional<RawBlock> block = lexer_.raw_block(true);
  if (!block) throw SyntaxError{};
  check_embedded_expression(block->text, begin);
  return make_operand(EmbeddedExpr{std::move(block->text), std::move(block->precondition)}, begin);
}

// A variable, or a poll q?[...] of a channel.
Operand Parser::reference_expression() {
  const Range begin = peek().range;
  Reference found = reference();
  if (at(Tok::kReceive) || at(Tok::kRandomReceive)) {
    const bool random = take().kind == Tok::kRandomReceive;
    return poll(std::move(found), random, begin);
  }
  return from_reference(std::move(found));
}

// The value of a variable.
Operand Parser::from_reference(Reference found) {
  const Range range = found.ref.range;
  const int height = found.height;
  if (found.array_size != 0) {  // the bounds of a for: SPIN reads the first element
    found.ref.path.back().index = make_constant(0, range);
  }
  if (found.is_broken || in_inline_arguments_) {
    return make_operand(Variable{std::move(found.ref)}, range, height);
  }
  if (found.type.base == BaseType::kRecord) {
    if (expand_records_ == 0) {
      error("P302", range, "a whole record cannot be used as a value here", "name one of its fields");
      return make_operand(Constant{}, range);
    }
    mark_read(found);
    Operand operand;
    operand.is_list = true;
    operand.height = height;
    operand.range = range;
    for (VarRef& field : fields_of(found)) {
      operand.list.push_back(std::make_unique<Expr>(Expr{Variable{std::move(field)}, range}));
    }
    return operand;
  }
  mark_read(found);
  const Symbol& symbol = model_.symbols[found.ref.symbol];
  if (symbol.kind == SymbolKind::kPredefined) {
    if (symbol.predefined == Predefined::kUnderscore && !in_trace()) {  // there: any value
      error("P304", range, "_ has no value", "it can only be written to, to discard a value");
    }
    if (symbol.predefined == Predefined::kNone) {  // _p
      VarRef pid;
      pid.symbol = names_[names_.lookup("_pid")].symbol;
      pid.path.emplace_back();
      pid.range = range;
      return make_operand(PcValue{std::make_unique<Expr>(Expr{Variable{std::move(pid)}, range})}, range, 2);
    }
  }
  return make_operand(Variable{std::move(found.ref)}, range, height);
}

Operand Parser::poll(Reference channel, bool random, Range begin) {
  if (!at(Tok::kLeftBracket)) {
    unexpected("[ for a poll", "inside an expression a channel can only be polled: q?[...]");
  }
  take();
  mark_read(channel);
  ReceiveArguments args = receive_arguments();
  expect(Tok::kRightBracket, "to close the poll");
  const int height = std::max(channel.height, args.height + 1);
  check_height(height, begin);
  return make_operand(Poll{std::move(channel.ref), random, std::move(args.list)}, since(begin), height);
}

Operand Parser::run_expression() {
  const Range begin = take().range;
  if (!at(Tok::kName) && !at(Tok::kProcName)) unexpected("the name of a proctype after run");
  const Token name = take();
  if (proctype_ == kNoContext) {
    error("P305", begin, "run can only be used inside a process", "formulas have no side effects");
  }
  ++expand_records_;
  left_paren();
  Arguments args;
  if (!at(Tok::kRightParen)) args = arguments();
  right_paren();
  --expand_records_;
  check_height(args.height + 1, begin);
  const int priority = optional_priority();
  if (priority > 255) error("P330", last_range_, "a priority must be between 1 and 255");
  Operand operand =
      make_operand(Run{kNoSymbol, std::move(args.list), priority}, since(begin), args.height + 1);
  if (!is_quiet_) {
    runs_.push_back({name, &std::get<Run>(operand.expr->node), d_steps_ > 0});
  }
  return operand;
}

}  // namespace spoor::promela
