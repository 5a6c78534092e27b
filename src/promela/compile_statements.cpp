#include "promela/compile_statements.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "promela/print.h"

namespace spoor::promela {

namespace {

Op op_of(UnaryOp op) {
  switch (op) {
    case UnaryOp::kNot: return Op::kNot;
    case UnaryOp::kComplement: return Op::kComplement;
    case UnaryOp::kMinus: return Op::kNegate;
  }
  return Op::kNot;
}

Op op_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::kAdd: return Op::kAdd;
    case BinaryOp::kSub: return Op::kSub;
    case BinaryOp::kMul: return Op::kMul;
    case BinaryOp::kDiv: return Op::kDiv;
    case BinaryOp::kMod: return Op::kMod;
    case BinaryOp::kBitAnd: return Op::kBitAnd;
    case BinaryOp::kBitXor: return Op::kBitXor;
    case BinaryOp::kBitOr: return Op::kBitOr;
    case BinaryOp::kShiftLeft: return Op::kShiftLeft;
    case BinaryOp::kShiftRight: return Op::kShiftRight;
    case BinaryOp::kLess: return Op::kLess;
    case BinaryOp::kLessEqual: return Op::kLessEqual;
    case BinaryOp::kGreater: return Op::kGreater;
    case BinaryOp::kGreaterEqual: return Op::kGreaterEqual;
    case BinaryOp::kEqual: return Op::kEqual;
    case BinaryOp::kNotEqual: return Op::kNotEqual;
    case BinaryOp::kAnd: return Op::kAnd;
    case BinaryOp::kOr: return Op::kOr;
  }
  return Op::kAdd;
}

Op op_of(ChanQuery query) {
  switch (query) {
    case ChanQuery::kLen: return Op::kLen;
    case ChanQuery::kEmpty: return Op::kEmpty;
    case ChanQuery::kFull: return Op::kFull;
    case ChanQuery::kNotEmpty: return Op::kNotEmpty;
    case ChanQuery::kNotFull: return Op::kNotFull;
  }
  return Op::kLen;
}

const char* symbol_of(Op op) {
  switch (op) {
    case Op::kAdd: return "+";
    case Op::kLess: return "<";
    case Op::kLessEqual: return "<=";
    default: return "?";
  }
}

}  // namespace

ExprId CodeBuilder::add(ExprCode code) {
  program_.exprs.push_back(std::move(code));
  return static_cast<ExprId>(program_.exprs.size() - 1);
}

StatementId CodeBuilder::add(Statement statement) {
  program_.statements.push_back(std::move(statement));
  return static_cast<StatementId>(program_.statements.size() - 1);
}

std::uint32_t CodeBuilder::add_fragment(Fragment::Kind kind, const std::string& code, Position position) {
  if (!program_.has_embedded_code) program_.embedded_code = position;
  program_.has_embedded_code = true;
  program_.foreign.fragments.push_back({kind, code, position});
  return static_cast<std::uint32_t>(program_.foreign.fragments.size() - 1);
}

ExprId CodeBuilder::embedded(const std::string& code, Position position) {
  ExprCode result;
  result.op = Op::kEmbedded;
  result.value = static_cast<std::int32_t>(add_fragment(Fragment::Kind::kExpression, code, position));
  result.position = position;
  return add(std::move(result));
}

// ---- Places ------------------------------------------------------------------------------------

const VarDecl& CodeBuilder::declaration(const VarRef& ref) const {
  const VarDecl* decl = &model_.symbols[ref.symbol].decl;
  for (std::size_t i = 1; i < ref.path.size(); ++i)
    decl = &model_.records[decl->type.record].fields[ref.path[i].field];
  return *decl;
}

bool CodeBuilder::is_record(const VarRef& ref) const {
  return model_.symbols[ref.symbol].kind == SymbolKind::kVariable &&
         declaration(ref).type.base == BaseType::kRecord;
}

std::int32_t CodeBuilder::array_size(const VarRef& ref) { return declaration(ref).array_size; }

PlaceId CodeBuilder::place(const VarRef& ref) {
  const Symbol& symbol = model_.symbols[ref.symbol];
  Place place;
  place.text = to_text(model_, ref);
  if (symbol.kind == SymbolKind::kPredefined) {
    place.type = {BaseType::kByte, 8, 1, false};
    switch (symbol.predefined) {
      case Predefined::kPid: place.region = Place::Region::kPid; break;
      case Predefined::kNrPr: place.region = Place::Region::kNrPr; break;
      case Predefined::kLast: place.region = Place::Region::kLast; break;
      case Predefined::kPriority: place.region = Place::Region::kPriority; break;
      case Predefined::kUnderscore:
      case Predefined::kNone: place.region = Place::Region::kDiscard; break;
    }
  } else {
    place.region = symbol.owner == kNoSymbol ? Place::Region::kGlobal : Place::Region::kLocal;
    place.offset = layout_.offset(ref.symbol);
    const VarDecl* decl = &symbol.decl;
    for (std::size_t i = 0; i < ref.path.size(); ++i) {
      if (i > 0) {
        const std::uint32_t record = decl->type.record;
        place.offset += layout_.record(record).field_offsets[ref.path[i].field];
        decl = &model_.records[record].fields[ref.path[i].field];
      }
      if (decl->array_size == 0 || !ref.path[i].index) continue;
      const std::uint32_t stride = layout_.element_size(decl->type);
      const auto* fixed = std::get_if<Constant>(&ref.path[i].index->node);
      if (fixed != nullptr && fixed->value >= 0 && fixed->value < decl->array_size) {
        place.offset += static_cast<std::uint32_t>(fixed->value) * stride;
      } else {
        place.indices.push_back(
            {expression(*ref.path[i].index), static_cast<std::uint32_t>(decl->array_size), stride});
      }
    }
    place.type = scalar_type(*decl);
    place.mtype_set = decl->type.mtype_set;
  }
  program_.places.push_back(std::move(place));
  return static_cast<PlaceId>(program_.places.size() - 1);
}

std::vector<PlaceId> CodeBuilder::scalar_places(const VarRef& record) {
  const PlaceId base = place(record);
  std::vector<PlaceId> out;
  VarDecl element;
  element.name = to_text(model_, record);
  element.type = declaration(record).type;
  for (const VariableInfo& info : layout_.scalars(element, 0)) {
    Place field = program_.places[base];
    field.offset += info.offset;
    field.type = info.type;
    field.text = info.name;
    program_.places.push_back(std::move(field));
    out.push_back(static_cast<PlaceId>(program_.places.size() - 1));
  }
  return out;
}

// ---- Expressions -------------------------------------------------------------------------------

ExprId CodeBuilder::constant(std::int32_t value) {
  ExprCode code;
  code.value = value;
  return add(std::move(code));
}

ExprId CodeBuilder::binary(Op op, ExprId left, ExprId right) {
  ExprCode code;
  code.op = op;
  code.left = left;
  code.right = right;
  return add(std::move(code));
}

ExprId CodeBuilder::load(const VarRef& ref) {
  ExprCode code;
  code.op = Op::kLoad;
  code.place = place(ref);
  code.position = ref.range.begin;
  return add(std::move(code));
}

ExprId CodeBuilder::length(const VarRef& chan) {
  ExprCode code;
  code.op = Op::kLen;
  code.left = load(chan);
  code.position = chan.range.begin;
  return add(std::move(code));
}

FieldPattern CodeBuilder::pattern(const ReceiveArg& arg) {
  if (arg.kind == ReceiveArg::Kind::kMatch)
    return {FieldPattern::Kind::kMatch, expression(*arg.match), kNone};
  if (model_.symbols[arg.variable.symbol].predefined == Predefined::kUnderscore)
    return {FieldPattern::Kind::kDiscard, kNone, kNone};
  return {FieldPattern::Kind::kStore, kNone, place(arg.variable)};
}

ExprId CodeBuilder::expression(const Expr& expr) {
  ExprCode code;
  code.position = expr.range.begin;
  auto pid_query = [&](Op op, const ExprPtr& pid) {
    code.op = op;
    code.left = expression(*pid);
  };
  std::visit(
      [&](const auto& n) {
        using T = std::decay_t<decltype(n)>;
        if constexpr (std::is_same_v<T, Constant>) {
          code.value = n.value;
        } else if constexpr (std::is_same_v<T, Variable>) {
          code.op = Op::kLoad;
          code.place = place(n.ref);
        } else if constexpr (std::is_same_v<T, Unary>) {
          code.op = op_of(n.op);
          code.left = expression(*n.operand);
        } else if constexpr (std::is_same_v<T, Binary>) {
          code.op = op_of(n.op);
          code.left = expression(*n.left);
          code.right = expression(*n.right);
        } else if constexpr (std::is_same_v<T, Conditional>) {
          code.op = Op::kConditional;
          code.left = expression(*n.condition);
          code.right = expression(*n.if_true);
          code.third = expression(*n.if_false);
        } else if constexpr (std::is_same_v<T, Run>) {
          code.op = Op::kRun;
          code.value = static_cast<std::int32_t>(model_.symbols[n.proctype].proctype);
          code.third = static_cast<std::uint32_t>(n.priority);
          for (const ExprPtr& arg : n.args) code.args.push_back(expression(*arg));
        } else if constexpr (std::is_same_v<T, QueryChan>) {
          code.op = op_of(n.query);
          code.left = load(n.chan);
        } else if constexpr (std::is_same_v<T, Poll>) {
          code.op = Op::kPoll;
          code.value = n.random ? 1 : 0;
          code.left = load(n.chan);
          for (const ReceiveArg& arg : n.args) {
            code.fields.push_back(arg.kind == ReceiveArg::Kind::kMatch
                                      ? pattern(arg)
                                      : FieldPattern{FieldPattern::Kind::kDiscard, kNone, kNone});
          }
        } else if constexpr (std::is_same_v<T, Enabled>) {
          pid_query(Op::kEnabled, n.pid);
        } else if constexpr (std::is_same_v<T, PcValue>) {
          pid_query(Op::kPcValue, n.pid);
        } else if constexpr (std::is_same_v<T, GetPriority>) {
          pid_query(Op::kGetPriority, n.pid);
        } else if constexpr (std::is_same_v<T, TimeoutExpr>) {
          code.op = Op::kTimeout;
          uses_timeout_ = true;
        } else if constexpr (std::is_same_v<T, NonProgressExpr>) {
          code.op = Op::kNonProgress;
        } else if constexpr (std::is_same_v<T, RemoteLabel>) {
          code.op = Op::kRemoteLabel;
          code.third = model_.symbols[n.proctype].proctype;
          if (n.pid) code.left = expression(*n.pid);
        } else if constexpr (std::is_same_v<T, RemoteVariable>) {
          code.op = Op::kRemoteVariable;
          code.third = model_.symbols[n.proctype].proctype;
          if (n.pid) code.left = expression(*n.pid);
          if (const std::optional<Predefined> predefined = remote_predefined(n.variable)) {
            code.op = Op::kRemotePredefined;
            code.value = static_cast<std::int32_t>(*predefined);
            return;
          }
          const Proctype& owner = model_.proctypes[code.third];
          auto named = [&](SymbolId s) { return model_.symbols[s].name == n.variable; };
          auto found = std::find_if(owner.parameters.begin(), owner.parameters.end(), named);
          const bool is_parameter = found != owner.parameters.end();
          if (!is_parameter) found = std::find_if(owner.locals.begin(), owner.locals.end(), named);
          VarRef ref;
          ref.symbol = *found;
          ref.path.resize(1);
          code.place = place(ref);
          if (n.index) {
            const VarDecl& decl = model_.symbols[*found].decl;
            program_.places[code.place].indices.push_back(
                {expression(*n.index), static_cast<std::uint32_t>(std::max(decl.array_size, 1)),
                 layout_.element_size(decl.type)});
          }
        } else if constexpr (std::is_same_v<T, EmbeddedExpr>) {
          code.op = Op::kEmbedded;
          code.value =
              static_cast<std::int32_t>(add_fragment(Fragment::Kind::kExpression, n.code, expr.range.begin));
          if (!n.precondition.empty()) preconditions_.push_back(embedded(n.precondition, expr.range.begin));
        } else {
          static_assert(std::is_same_v<T, Temporal>);  // only in formulas, which are not compiled here
        }
      },
      expr.node);
  const ExprId id = add(std::move(code));
  if (const auto* remote = std::get_if<RemoteLabel>(&expr.node)) {
    remote_labels_.push_back(
        {id, model_.symbols[remote->proctype].proctype, remote->label, expr.range.begin});
  }
  return id;
}

std::vector<std::pair<std::uint32_t, std::string>> CodeBuilder::new_remote_labels() {
  std::vector<std::pair<std::uint32_t, std::string>> labels;
  for (; told_labels_ < remote_labels_.size(); ++told_labels_)
    labels.emplace_back(remote_labels_[told_labels_].process, remote_labels_[told_labels_].label);
  return labels;
}

// ---- Statements --------------------------------------------------------------------------------

StatementId CodeBuilder::simple(StatementOp op, Position position, std::string text) {
  Statement statement;
  statement.op = op;
  statement.position = position;
  statement.text = std::move(text);
  return add(std::move(statement));
}

// For messages about the statements that `for` and `select` expand to.
std::string CodeBuilder::text(ExprId expr) const {
  const ExprCode& code = program_.exprs[expr];
  if (code.op == Op::kConstant) return std::to_string(code.value);
  if (code.op == Op::kLoad) return program_.places[code.place].text;
  if (code.op == Op::kLen) return "len(" + text(code.left) + ")";
  if (code.op == Op::kAdd || code.op == Op::kLess || code.op == Op::kLessEqual) {
    return "(" + text(code.left) + symbol_of(code.op) + text(code.right) + ")";
  }
  return "..";
}

StatementId CodeBuilder::compile_assignment(const VarRef& target, ExprId value, Position position) {
  Statement statement;
  statement.op = StatementOp::kAssign;
  statement.place = place(target);
  statement.expr = value;
  statement.position = position;
  statement.text = program_.places[statement.place].text + " = " + text(value);
  return add(std::move(statement));
}

StatementId CodeBuilder::compile_condition(ExprId condition, Position position) {
  Statement statement;
  statement.op = StatementOp::kCondition;
  statement.expr = condition;
  statement.position = position;
  statement.text = "(" + text(condition) + ")";
  return add(std::move(statement));
}

// `for (m in q)` receives each message from the channel and appends it again at the end.
StatementId CodeBuilder::compile_channel_rotation(const ForIn& loop, bool send, Position position) {
  Statement statement;
  statement.op = send ? StatementOp::kSend : StatementOp::kReceive;
  statement.chan = load(loop.over);
  statement.position = position;
  statement.text = to_text(model_, loop.over) + (send ? "!" : "?");
  const std::vector<PlaceId> places =
      is_record(loop.index) ? scalar_places(loop.index) : std::vector<PlaceId>{place(loop.index)};
  for (PlaceId p : places) {
    if (statement.text.back() != '!' && statement.text.back() != '?') statement.text += ",";
    statement.text += program_.places[p].text;
    if (send) {
      ExprCode value;
      value.op = Op::kLoad;
      value.place = p;
      statement.args.push_back(add(std::move(value)));
    } else {
      statement.fields.push_back({FieldPattern::Kind::kStore, kNone, p});
    }
  }
  return add(std::move(statement));
}

bool CodeBuilder::is_constant(StatementId id, std::int32_t value) const {
  const Statement& statement = program_.statements[id];
  if (statement.op != StatementOp::kCondition) return false;
  const ExprCode& expr = program_.exprs[statement.expr];
  return expr.op == Op::kConstant && expr.value == value;
}

StatementId CodeBuilder::compile(const Stmt& stmt) {
  Statement s;
  s.position = stmt.range.begin;
  s.text = to_text(model_, stmt);
  preconditions_.clear();
  const bool in_trace = process_ != kNone && (program_.processes[process_].kind == BodyKind::kTrace ||
                                              program_.processes[process_].kind == BodyKind::kNoTrace);
  std::visit(
      [&](const auto& n) {
        using T = std::decay_t<decltype(n)>;
        if constexpr (std::is_same_v<T, Assign>) {
          if (is_record(n.target)) return;  // a declaration of a record: a step that does nothing
          s.op = StatementOp::kAssign;
          s.place = place(n.target);
          s.expr = expression(*n.value);
        } else if constexpr (std::is_same_v<T, ExprStmt>) {
          s.op = StatementOp::kCondition;
          s.expr = expression(*n.expr);
        } else if constexpr (std::is_same_v<T, Send>) {
          s.op = StatementOp::kSend;
          s.chan = load(n.chan);
          s.sorted = n.sorted;
          for (const ExprPtr& arg : n.args) {
            if (in_trace) {  // an event: constants must match, the rest may be anything
              const bool fixed = std::holds_alternative<Constant>(arg->node);
              s.fields.push_back(fixed ? FieldPattern{FieldPattern::Kind::kMatch, expression(*arg), kNone}
                                       : FieldPattern{FieldPattern::Kind::kDiscard, kNone, kNone});
            } else {
              s.args.push_back(expression(*arg));
            }
          }
        } else if constexpr (std::is_same_v<T, Receive>) {
          s.op = StatementOp::kReceive;
          s.chan = load(n.chan);
          s.random = n.random;
          s.copy = n.copy;
          for (const ReceiveArg& arg : n.args) s.fields.push_back(pattern(arg));
        } else if constexpr (std::is_same_v<T, Assert>) {
          s.op = StatementOp::kAssert;
          s.expr = expression(*n.expr);
        } else if constexpr (std::is_same_v<T, Print>) {
          s.op = StatementOp::kPrint;
          s.format = n.format;
          for (const ExprPtr& arg : n.args) s.args.push_back(expression(*arg));
        } else if constexpr (std::is_same_v<T, PrintMtype>) {
          s.op = StatementOp::kPrintMtype;
          s.expr = expression(*n.value);
          if (const auto* variable = std::get_if<Variable>(&n.value->node))
            s.mtype_set = declaration(variable->ref).type.mtype_set;
        } else if constexpr (std::is_same_v<T, SetPriority>) {
          s.op = StatementOp::kSetPriority;
          s.args = {expression(*n.pid), expression(*n.priority)};
        } else if constexpr (std::is_same_v<T, EmbeddedCode>) {
          s.op = StatementOp::kEmbedded;
          s.fragment = add_fragment(Fragment::Kind::kStatements, n.code, s.position);
          if (!n.precondition.empty()) preconditions_.push_back(embedded(n.precondition, s.position));
        }
        // All others are composite: flow.cpp decomposes them and never calls this.
      },
      stmt.node);
  s.preconditions = std::exchange(preconditions_, {});
  return add(std::move(s));
}

}  // namespace spoor::promela
