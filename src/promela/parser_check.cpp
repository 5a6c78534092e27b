// Rules for expressions and statements beyond the grammar.
//
// SPIN enforces each rule, some while parsing, some only while it generates its verifier; its order
// makes no difference here, because all errors are reported.
#include <algorithm>
#include <cctype>

#include "promela/parser.h"
#include "promela/parser_walk.h"

namespace spoor::promela {

namespace {

constexpr char kUnnamedSet[] = "_unnamed_";

bool is_run(const Expr& expr) { return std::holds_alternative<Run>(expr.node); }

bool is_remote_variable(const Expr& expr) { return std::holds_alternative<RemoteVariable>(expr.node); }

bool is_remote(const Expr& expr) {
  return std::holds_alternative<RemoteLabel>(expr.node) || is_remote_variable(expr);
}

template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

bool starts_with(const std::string& text, std::string_view prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

}  // namespace

// ---- Expressions -------------------------------------------------------------------------------

// In an expression statement, run must be the whole expression.
void Parser::check_runs(const Expr& condition, Range range) {
  if (is_run(condition)) {
    const auto& args = std::get<Run>(condition.node).args;
    if (std::any_of(args.begin(), args.end(),
                    [](const ExprPtr& arg) { return any_expression(*arg, is_run); })) {
      error("P305", range, "only one run can be part of a statement");
    }
    return;
  }
  if (any_expression(condition, is_run)) {
    error("P305", range, "run cannot be part of a larger condition", "assign its result to a variable first");
  }
}

// Conditions only: `x = P:v` is allowed. (remote_reference refuses P@label everywhere.)
void Parser::check_d_step_expression(const Expr& expr, Range range) {
  if (any_expression(expr, is_remote_variable)) {
    error("P332", range, "a d_step cannot refer to another process");
  }
}

// Processes that are active at the start get their initial values before any other process has variables, so
// these values cannot depend on other processes (SPIN: "v not found").
void Parser::check_initial_value(const Expr& value, Range range) {
  if (proctype_ == kNoContext || model_.proctypes[proctype_].active == 0) return;
  if (any_expression(value, is_remote)) {
    error("P338", range,
          "the initial value of a process that is active at the start cannot refer to other processes",
          "assign the value in a statement, after the declaration");
  }
}

// Only what other processes can access too: constants, globals, _pid, and operators over these.
// Indices are not checked.
bool Parser::is_proper_provided(const Expr& expr) {
  const auto is_proper = [this](const ExprPtr& part) { return is_proper_provided(*part); };
  const auto is_global = [this](const VarRef& ref) { return model_.symbols[ref.symbol].owner == kNoSymbol; };
  return std::visit(Overloaded{
                        [](const Constant&) { return true; },
                        [](const TimeoutExpr&) { return true; },
                        [](const EmbeddedExpr&) { return true; },
                        [&](const Variable& e) { return is_global(e.ref); },
                        [&](const QueryChan& e) { return is_global(e.chan); },
                        [&](const Poll& e) { return is_global(e.chan); },
                        [&](const Unary& e) { return is_proper(e.operand); },
                        [&](const Binary& e) { return is_proper(e.left) && is_proper(e.right); },
                        [&](const Conditional& e) {
                          return is_proper(e.condition) && is_proper(e.if_true) && is_proper(e.if_false);
                        },
                        [&](const Enabled& e) { return is_proper(e.pid); },
                        [&](const PcValue& e) { return is_proper(e.pid); },
                        [&](const GetPriority& e) { return is_proper(e.pid); },
                        [](const auto&) { return false; },
                    },
                    expr.node);
}

// An expression in C must not have side effects; the tests are textual.
void Parser::check_embedded_expression(const std::string& code, Range range) {
  const std::string text = code.substr(std::min(code.find_first_not_of(' '), code.size()));
  const auto has = [&text](std::string_view what) {
    const std::size_t at = text.find(what);
    return at != std::string::npos && (at == 0 || (text[at - 1] != '"' && text[at - 1] != '\''));
  };
  bool has_effects = has(";") || has("++") || has("--");
  const std::size_t call = text.find('(');
  if (call != std::string::npos && call > 0 &&
      std::isalnum(static_cast<unsigned char>(text[call - 1])) != 0 &&
      !starts_with(text, "spin_mutex_free(")) {
    has_effects = true;
  }
  for (std::size_t at = text.find('='); at != std::string::npos && !has_effects;) {
    const char before = at > 0 ? text[at - 1] : '{';
    if (before == '!' || before == '>' || before == '<' || before == '"' || before == '\'') {
      at = text.find('=', at + 2);
    } else if (at + 1 < text.size() && text[at + 1] == '=') {
      at = text.find('=', at + 2);
    } else {
      has_effects = true;
    }
  }
  if (has_effects) {
    error("P333", range, "this c_expr calls a function or changes something",
          "use c_code for statements with side effects");
  }
}

// ---- Assignments -------------------------------------------------------------------------------

void Parser::check_assignable(const Reference& target) {
  if (target.is_broken) return;
  const Symbol& symbol = model_.symbols[target.ref.symbol];
  if (symbol.kind == SymbolKind::kPredefined && symbol.predefined != Predefined::kUnderscore &&
      symbol.predefined != Predefined::kPriority) {
    error("P304", target.ref.range, symbol.name + " cannot be assigned to");
  }
  if (target.type.base == BaseType::kRecord) {
    error("P302", target.ref.range, "a whole record cannot be assigned to", "assign its fields one by one");
  }
  check_no_self_index(target);
}

void Parser::check_readable(const Reference& source) {
  if (source.is_broken) return;
  if (model_.symbols[source.ref.symbol].predefined == Predefined::kUnderscore) {
    error("P304", source.ref.range, "_ has no value", "it can only be written to, to discard a value");
  }
}

// The shape of a reference with all its indices left out: "r.a[]".
std::string Parser::shape(const VarRef& ref, const std::vector<std::string>& enclosing,
                          bool& is_self_indexed) {
  const Symbol& symbol = model_.symbols[ref.symbol];
  std::string result = symbol.name;
  const VarDecl* decl = &symbol.decl;
  std::vector<std::string> open = enclosing;
  for (std::size_t i = 0; i < ref.path.size(); ++i) {
    if (i > 0) {
      decl = &model_.records[decl->type.record].fields[ref.path[i].field];
      result += "." + decl->name;
    }
    if (ref.path[i].index == nullptr) continue;
    result += "[]";
    const auto* index = std::get_if<Variable>(&ref.path[i].index->node);
    if (index == nullptr) continue;
    open.push_back(result);
    const std::string inner = shape(index->ref, open, is_self_indexed);
    if (std::find(open.begin(), open.end(), inner) != open.end()) is_self_indexed = true;
    open.pop_back();
  }
  return result;
}

// SPIN's verifier cannot undo a[a[1]] = x, and refuses it.
void Parser::check_no_self_index(const Reference& target) {
  bool is_self_indexed = false;
  shape(target.ref, {}, is_self_indexed);
  if (is_self_indexed) {
    error("P334", target.ref.range, "an array that is assigned to cannot index itself",
          "use a variable for the inner value");
  }
}

// An expression that is evaluated twice must not start a process, or two would start.
void Parser::check_copyable(const VarRef& ref) {
  if (any_in_ref(ref, is_run)) {
    error("P305", ref.range, "run cannot be part of this index", "assign its result to a variable first");
  }
}

void Parser::check_assignment(const Reference& target, const Expr& value) {
  if (target.is_broken || target.has_fields || target.type.base == BaseType::kRecord) return;
  check_channel_use(target, value, false);
}

// Whether a reference is to a channel that is a field of a record: r.c, r[i].c[j].
bool Parser::is_channel_field(const VarRef& ref) const {
  if (ref.path.size() < 2 || ref.symbol >= model_.symbols.size()) return false;
  const VarDecl* decl = &model_.symbols[ref.symbol].decl;
  for (std::size_t i = 1; i < ref.path.size(); ++i) {
    // After a mistake that was reported, there may be no such record or field.
    if (decl->type.record >= model_.records.size()) return false;
    const std::vector<VarDecl>& fields = model_.records[decl->type.record].fields;
    if (ref.path[i].field >= fields.size()) return false;
    decl = &fields[ref.path[i].field];
  }
  return decl->type.base == BaseType::kChan;
}

// Channels can only be copied. `is_nested`: inside a larger expression. The index of an array of channels is
// a value of its own, and may be a number.
void Parser::check_channel_use(const Reference& target, const Expr& value, bool is_nested) {
  const bool to_channel = !target.is_untyped && target.type.base == BaseType::kChan;
  const auto* constant = std::get_if<Constant>(&value.node);
  const auto* variable = std::get_if<Variable>(&value.node);
  const bool is_channel = variable != nullptr &&
                          model_.symbols[variable->ref.symbol].decl.type.base == BaseType::kChan &&
                          model_.symbols[variable->ref.symbol].kind == SymbolKind::kVariable;
  if (to_channel && !is_nested) {
    if (constant != nullptr) {
      error("P345", target.ref.range, "a number cannot be assigned to a channel");
      return;
    }
    if (is_channel || std::holds_alternative<QueryChan>(value.node) ||
        std::holds_alternative<Poll>(value.node)) {
      return;
    }
  }
  if (constant != nullptr && !is_nested && !constant->mtype_name.empty()) {
    check_mtype(target, *constant);
  }
  if (is_channel && is_nested) {
    error("P345", value.range, "a channel cannot be part of an expression",
          "use len() for the number of its messages");
    return;
  }
  if (variable != nullptr) {
    if (to_channel && is_channel_field(variable->ref)) return;
    for (const PathPart& part : variable->ref.path) {
      if (part.index != nullptr) check_channel_use(target, *part.index, false);
    }
    return;
  }
  const auto nested = [&](const ExprPtr& expr) {
    if (expr != nullptr) check_channel_use(target, *expr, true);
  };
  if (const auto* unary = std::get_if<Unary>(&value.node)) nested(unary->operand);
  if (const auto* binary = std::get_if<Binary>(&value.node)) {
    nested(binary->left);
    nested(binary->right);
  }
  if (const auto* conditional = std::get_if<Conditional>(&value.node)) {
    nested(conditional->condition);
    nested(conditional->if_true);
    nested(conditional->if_false);
  }
  if (const auto* enabled = std::get_if<Enabled>(&value.node)) nested(enabled->pid);
  if (const auto* pc_value = std::get_if<PcValue>(&value.node)) nested(pc_value->pid);
  if (const auto* priority = std::get_if<GetPriority>(&value.node)) nested(priority->pid);
  if (const auto* remote = std::get_if<RemoteLabel>(&value.node)) nested(remote->pid);
  if (const auto* remote = std::get_if<RemoteVariable>(&value.node)) {
    nested(remote->pid);
    nested(remote->index);
  }
}

// A variable holds constants of one mtype set: the declared one, or that of the first assignment.
void Parser::check_mtype(const Reference& target, const Constant& value) {
  const std::int32_t index = names_.mtype_named(value.mtype_name);
  if (index < 0 || target.entry == kNoEntry) return;
  const std::string& set = model_.mtypes[static_cast<std::size_t>(index)].set;
  const std::string name = set.empty() ? kUnnamedSet : set;
  Entry& entry = names_[target.entry];
  if (entry.mtype_set.empty()) {
    entry.mtype_set = name;
  } else if (entry.mtype_set != name) {
    const auto shown = [](const std::string& which) {
      return which == kUnnamedSet ? std::string("the mtype set without a name") : "the mtype set " + which;
    };
    error("P335", target.ref.range,
          entry.name + " holds constants of " + shown(entry.mtype_set) + ", but " + value.mtype_name +
              " belongs to " + shown(name));
  }
}

// q?x,x
void Parser::check_distinct(const std::vector<ReceiveArg>& args) {
  if (d_steps_ > 0) return;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i].kind != ReceiveArg::Kind::kVariable) continue;
    const Symbol& symbol = model_.symbols[args[i].variable.symbol];
    if (symbol.predefined == Predefined::kUnderscore || symbol.decl.array_size != 0 ||
        symbol.decl.type.base == BaseType::kRecord) {
      continue;
    }
    for (std::size_t j = i + 1; j < args.size(); ++j) {
      if (args[j].kind == ReceiveArg::Kind::kVariable && args[j].variable.symbol == args[i].variable.symbol) {
        error("P336", args[j].variable.range, symbol.name + " cannot receive two fields of one message");
        return;
      }
    }
  }
}

// ---- Statements --------------------------------------------------------------------------------

bool Parser::in_never() const {
  return proctype_ != kNoContext && model_.proctypes[proctype_].kind == BodyKind::kNever;
}

bool Parser::in_trace() const {
  if (proctype_ == kNoContext) return false;
  const BodyKind kind = model_.proctypes[proctype_].kind;
  return kind == BodyKind::kTrace || kind == BodyKind::kNoTrace;
}

// Trace assertions consist of sends and receives.
void Parser::events_only(Range range) {
  if (in_trace()) {
    error("P337", range, "a trace assertion can only contain sends and receives");
  }
}

bool Parser::uses_channel(const Stmt& stmt) {
  if (std::holds_alternative<Send>(stmt.node) || std::holds_alternative<Receive>(stmt.node)) {
    return true;
  }
  const auto is_probe = [](const Expr& expr) {
    const auto* query = std::get_if<QueryChan>(&expr.node);
    return query != nullptr && query->query != ChanQuery::kLen;
  };
  if (const auto* condition = std::get_if<ExprStmt>(&stmt.node)) {
    return any_expression(*condition->expr, is_probe);
  }
  if (const auto* assign = std::get_if<Assign>(&stmt.node)) {
    return any_expression(*assign->value, is_probe);
  }
  return false;
}

// A block needs a statement, and its first one no label: the label belongs before the block.
void Parser::check_block(const Sequence& sequence, const Token& keyword) {
  if (sequence.empty()) {
    error("P108", keyword.range, "this block has no statement", "put a skip into it");
    return;
  }
  const Stmt& first = *sequence.front();
  const bool is_loop =
      std::holds_alternative<Do>(first.node) || std::holds_alternative<ForRange>(first.node) ||
      std::holds_alternative<ForIn>(first.node) || std::holds_alternative<Select>(first.node);
  if (first.labels.empty() || is_loop) return;
  const std::string word = keyword.kind == Tok::kLeftBrace ? "" : keyword.text + " ";
  error("P208", first.labels.front().range, "the first statement of a block cannot be labelled",
        "put the label before the block: " + first.labels.front().name + ": " + word + "{ ... }");
}

// SPIN refuses an unless at the very beginning of a d_step, also inside further blocks; later on, and in an
// option of a choice, it accepts one.
void Parser::check_d_step_begin(const Sequence& body) {
  const Sequence* at = &body;
  while (!at->empty()) {
    const Stmt& first = *at->front();
    if (std::holds_alternative<Unless>(first.node)) {
      error("P332", first.range, "a d_step cannot begin with an unless", "put the d_step into the unless");
    }
    const auto* block = std::get_if<Block>(&first.node);
    const auto* atomic = std::get_if<Atomic>(&first.node);
    const auto* d_step = std::get_if<DStep>(&first.node);
    if (block != nullptr)
      at = &block->body;
    else if (atomic != nullptr)
      at = &atomic->body;
    else if (d_step != nullptr)
      at = &d_step->body;
    else
      return;
  }
}

void Parser::note_label(const Label& label, const Stmt& stmt) {
  const std::size_t index = labels_.size();
  const InlineDefinition* const inline_body = lexer_.current_inline();
  const auto [latest, is_first] =
      labels_by_scope_.emplace(label.name + "@" + std::to_string(label.scope), index);
  if (!is_first) {
    const LabelSite& other = labels_[latest->second];
    if (other.inline_body == inline_body) {
      error("P205", label.range, "the label " + label.name + " is used at two places",
            "the other one is in line " + std::to_string(other.label.range.begin.line));
    }
    latest->second = index;
  }
  labels_by_name_[label.name].push_back(index);
  // The start of a d_step counts as inside: it cannot be the target of a jump either.
  const bool is_d_step = std::holds_alternative<DStep>(stmt.node);
  labels_.push_back({label, &stmt, is_d_step ? closed_d_step_ : d_step_, inline_body});
  known_labels_.insert(model_.proctypes[proctype_].name + "@" + label.name);
}

}  // namespace spoor::promela
