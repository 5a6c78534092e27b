// Send, receive, and the arguments of messages and run.
//
// A record in such an argument list is replaced by its fields, in order, arrays element by element; a
// record in a message type is replaced in the same way, so that the two match.
#include <algorithm>

#include "promela/parser.h"

namespace spoor::promela {

void Parser::check_channel(const Reference& reference) {
  if (reference.is_broken || in_inline_arguments_) return;
  if (reference.type.base != BaseType::kChan) {
    error("P326", reference.ref.range, reference.text + " is not a channel");
  }
}

// e, e, ... with records expanded where they may be.
Parser::Arguments Parser::arguments() {
  Arguments result;
  do {
    append_argument(result, full_expression());
  } while (accept(Tok::kComma));
  return result;
}

void Parser::append_argument(Arguments& into, Operand operand) {
  into.height = std::max(into.height, operand.height);
  if (operand.is_list) {
    for (ExprPtr& field : operand.list) into.list.push_back(std::move(field));
    return;
  }
  require_plain(operand);
  into.list.push_back(std::move(operand.expr));
}

// q!a,b or q!a(b,c), after the operator.
StmtPtr Parser::send(Reference channel, bool sorted, Range begin) {
  check_channel(channel);
  mark_read(channel);
  if (in_never()) error("P325", begin, "a never claim cannot send or receive");
  ++expand_records_;
  const std::size_t runs_before = runs_.size();
  Arguments args;
  append_argument(args, full_expression());
  if (at(Tok::kLeftParen)) {
    left_paren();
    Arguments rest = arguments();
    for (ExprPtr& arg : rest.list) args.list.push_back(std::move(arg));
    right_paren();
  } else {
    while (accept(Tok::kComma)) append_argument(args, full_expression());
  }
  --expand_records_;
  if (runs_.size() != runs_before) {
    error("P305", since(begin), "run cannot be part of a message", "assign its result to a variable first");
  }
  sends_.push_back({args.list.size(), since(begin)});
  return make_statement(Send{std::move(channel.ref), std::move(args.list), sorted}, begin);
}

// After the operator: q?..., q??..., q?<...>, q??<...>
StmtPtr Parser::receive(Reference channel, bool random, Range begin) {
  check_channel(channel);
  mark_read(channel);
  if (in_never()) error("P325", begin, "a never claim cannot send or receive");
  const bool copy = at(Tok::kLess);
  if (copy || random) events_only(begin);
  if (copy) take();
  ReceiveArguments args = receive_arguments();
  if (copy) expect(Tok::kGreater, "to close the receive that leaves the message in place");
  check_distinct(args.list);
  return make_statement(Receive{std::move(channel.ref), std::move(args.list), random, copy}, begin);
}

// a, b  |  a (b, c)  |  (a, b), nested in any way that ends with its last argument
Parser::ReceiveArguments Parser::receive_arguments() {
  ++expand_records_;
  ReceiveArguments result;
  int open = 0;
  for (;;) {
    if (at(Tok::kLeftParen)) {
      left_paren();
      ++open;
      continue;
    }
    receive_argument(result);
    if (accept(Tok::kComma)) continue;
    if (!at(Tok::kLeftParen)) break;
  }
  for (; open > 0; --open) right_paren();
  --expand_records_;
  return result;
}

void Parser::receive_argument(ReceiveArguments& into) {
  ReceiveArg arg;
  switch (peek().kind) {
    case Tok::kEval: {
      take();
      left_paren();
      arg.match = expression(&into.height);
      right_paren();
      arg.is_eval = true;
      break;
    }
    case Tok::kConst: arg.match = std::move(constant_operand().expr); break;
    case Tok::kMinus: {
      const Range begin = take().range;
      const Token number = expect(Tok::kConst, "after the minus sign");
      arg.match = make_constant(static_cast<std::int32_t>(-std::int64_t{number.value}), since(begin));
      break;
    }
    default: {
      if (!at(Tok::kName)) unexpected("a variable, a constant or eval() to receive into");
      Reference target = reference();
      into.height = std::max(into.height, target.height);
      mark_written(target);
      if (!target.is_broken && target.type.base == BaseType::kRecord) {
        for (VarRef& field : fields_of(target)) {
          ReceiveArg part;
          part.kind = ReceiveArg::Kind::kVariable;
          part.variable = std::move(field);
          into.list.push_back(std::move(part));
        }
        return;
      }
      arg.kind = ReceiveArg::Kind::kVariable;
      arg.variable = std::move(target.ref);
      break;
    }
  }
  into.list.push_back(std::move(arg));
}

// ---- Records, field by field -------------------------------------------------------------------

std::vector<VarRef> Parser::fields_of(const Reference& record) {
  std::vector<VarRef> result;
  if (flat_size(record.type, record.ref.range) == 0) return result;
  append_fields(record.ref, record.type.record, result);
  return result;
}

void Parser::append_fields(const VarRef& base, std::uint32_t record, std::vector<VarRef>& into) {
  const std::vector<VarDecl>& fields = model_.records[record].fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const VarDecl& field = fields[i];
    VarRef ref = clone(base);
    ref.path.emplace_back();
    ref.path.back().field = static_cast<std::uint32_t>(i);
    if (field.type.base == BaseType::kRecord) {
      if (field.array_size == 0) append_fields(ref, field.type.record, into);
      continue;
    }
    for (std::int32_t k = 0; k < field.array_size; ++k) {
      VarRef element = clone(ref);
      element.path.back().index = make_constant(k, base.range);
      into.push_back(std::move(element));
    }
    if (field.array_size == 0) into.push_back(std::move(ref));
  }
}

// ---- Copies ------------------------------------------------------------------------------------

namespace {

ExprPtr copy(const ExprPtr& expr) { return expr == nullptr ? nullptr : clone(*expr); }

ReceiveArg clone(const ReceiveArg& arg) {
  return {arg.kind, promela::clone(arg.variable), copy(arg.match), arg.is_eval};
}

struct Cloner {
  Constant operator()(const Constant& e) const { return e; }
  Variable operator()(const Variable& e) const { return {promela::clone(e.ref)}; }
  Unary operator()(const Unary& e) const { return {e.op, copy(e.operand)}; }
  Binary operator()(const Binary& e) const { return {e.op, copy(e.left), copy(e.right)}; }
  Conditional operator()(const Conditional& e) const {
    return {copy(e.condition), copy(e.if_true), copy(e.if_false)};
  }
  Run operator()(const Run& e) const {
    Run run{e.proctype, {}, e.priority};
    for (const ExprPtr& arg : e.args) run.args.push_back(copy(arg));
    return run;
  }
  QueryChan operator()(const QueryChan& e) const { return {e.query, promela::clone(e.chan)}; }
  Poll operator()(const Poll& e) const {
    Poll poll{promela::clone(e.chan), e.random, {}};
    for (const ReceiveArg& arg : e.args) poll.args.push_back(clone(arg));
    return poll;
  }
  Enabled operator()(const Enabled& e) const { return {copy(e.pid)}; }
  PcValue operator()(const PcValue& e) const { return {copy(e.pid)}; }
  GetPriority operator()(const GetPriority& e) const { return {copy(e.pid)}; }
  TimeoutExpr operator()(const TimeoutExpr& e) const { return e; }
  NonProgressExpr operator()(const NonProgressExpr& e) const { return e; }
  RemoteLabel operator()(const RemoteLabel& e) const { return {e.proctype, copy(e.pid), e.label}; }
  RemoteVariable operator()(const RemoteVariable& e) const {
    return {e.proctype, copy(e.pid), e.variable, copy(e.index)};
  }
  EmbeddedExpr operator()(const EmbeddedExpr& e) const { return e; }
  Temporal operator()(const Temporal& e) const { return {e.op, copy(e.left), copy(e.right)}; }
};

}  // namespace

ExprPtr clone(const Expr& expr) {
  return std::visit(
      [&](const auto& node) {
        return std::make_unique<Expr>(Expr{Cloner{}(node), expr.range});
      },
      expr.node);
}

VarRef clone(const VarRef& ref) {
  VarRef result;
  result.symbol = ref.symbol;
  result.range = ref.range;
  for (const PathPart& part : ref.path) {
    result.path.push_back({part.field, copy(part.index)});
  }
  return result;
}

}  // namespace spoor::promela
