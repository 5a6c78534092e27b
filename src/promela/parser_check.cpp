// What a statement, a body and a model must obey beyond their grammar.
//
// Each rule is one that SPIN enforces, some while parsing, some only while it generates its
// verifier; the order in which it finds them does not show, because we report them all.
#include <algorithm>
#include <functional>

#include "promela/parser.h"

namespace spoor::promela {

namespace {

constexpr char kUnnamedSet[] = "_unnamed_";

// Calls `visit` for an expression and everything inside it, until it says true.
bool any_expression(const Expr& expr, const std::function<bool(const Expr&)>& visit);

bool any_in_ref(const VarRef& ref, const std::function<bool(const Expr&)>& visit) {
  for (const PathPart& part : ref.path) {
    if (part.index != nullptr && any_expression(*part.index, visit)) return true;
  }
  return false;
}

struct Children {
  const std::function<bool(const Expr&)>& visit;

  bool one(const ExprPtr& expr) const {
    return expr != nullptr && any_expression(*expr, visit);
  }
  bool operator()(const Constant&) const { return false; }
  bool operator()(const Variable& e) const { return any_in_ref(e.ref, visit); }
  bool operator()(const Unary& e) const { return one(e.operand); }
  bool operator()(const Binary& e) const { return one(e.left) || one(e.right); }
  bool operator()(const Conditional& e) const {
    return one(e.condition) || one(e.if_true) || one(e.if_false);
  }
  bool operator()(const Run& e) const {
    return std::any_of(e.args.begin(), e.args.end(), [&](const ExprPtr& arg) { return one(arg); });
  }
  bool operator()(const QueryChan& e) const { return any_in_ref(e.chan, visit); }
  bool operator()(const Poll& e) const {
    return any_in_ref(e.chan, visit) ||
           std::any_of(e.args.begin(), e.args.end(), [&](const ReceiveArg& arg) {
             return one(arg.match) || any_in_ref(arg.variable, visit);
           });
  }
  bool operator()(const Enabled& e) const { return one(e.pid); }
  bool operator()(const PcValue& e) const { return one(e.pid); }
  bool operator()(const GetPriority& e) const { return one(e.pid); }
  bool operator()(const TimeoutExpr&) const { return false; }
  bool operator()(const NonProgressExpr&) const { return false; }
  bool operator()(const RemoteLabel& e) const { return one(e.pid); }
  bool operator()(const RemoteVariable& e) const { return one(e.pid) || one(e.index); }
  bool operator()(const EmbeddedExpr&) const { return false; }
  bool operator()(const Temporal& e) const { return one(e.left) || one(e.right); }
};

bool any_expression(const Expr& expr, const std::function<bool(const Expr&)>& visit) {
  return visit(expr) || std::visit(Children{visit}, expr.node);
}

bool any_child(const Expr& expr, const std::function<bool(const Expr&)>& visit) {
  return std::visit(Children{visit}, expr.node);
}

bool is_run(const Expr& expr) { return std::holds_alternative<Run>(expr.node); }

bool is_remote(const Expr& expr) {
  return std::holds_alternative<RemoteLabel>(expr.node) ||
         std::holds_alternative<RemoteVariable>(expr.node);
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

// end, progress and accept labels keep a state of their own even on a goto.
bool is_special(const Label& label) {
  return starts_with(label.name, "end") || starts_with(label.name, "progress") ||
         starts_with(label.name, "accept");
}

}  // namespace

// ---- Expressions -------------------------------------------------------------------------------

// As a statement of its own, run must be the whole expression.
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
    error("P305", range, "run cannot be part of a larger condition",
          "assign its result to a variable first");
  }
}

void Parser::check_d_step_expression(const Expr& expr, Range range) {
  if (any_expression(expr, is_remote)) {
    error("P332", range, "a d_step cannot refer to another process");
  }
}

// Only what other processes can see too: constants, globals, _pid, and operators over these.
// Indices are not looked at.
bool Parser::is_proper_provided(const Expr& expr) {
  const auto is_proper = [this](const ExprPtr& part) { return is_proper_provided(*part); };
  const auto is_global = [this](const VarRef& ref) {
    return model_.symbols[ref.symbol].owner == kNoSymbol;
  };
  return std::visit(
      Overloaded{
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
    error("P302", target.ref.range, "a whole record cannot be assigned to",
          "assign its fields one by one");
  }
  check_no_self_index(target);
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

// a[a[1]] = x cannot be undone by SPIN's verifier, and is refused.
void Parser::check_no_self_index(const Reference& target) {
  bool is_self_indexed = false;
  shape(target.ref, {}, is_self_indexed);
  if (is_self_indexed) {
    error("P334", target.ref.range, "an array that is assigned to cannot index itself",
          "use a variable for the inner value");
  }
}

// What is used twice must not start a process, or two would start.
void Parser::check_copyable(const VarRef& ref) {
  if (any_in_ref(ref, is_run)) {
    error("P305", ref.range, "run cannot be part of this index",
          "assign its result to a variable first");
  }
}

void Parser::check_assignment(const Reference& target, const Expr& value) {
  if (target.is_broken || target.has_fields || target.type.base == BaseType::kRecord) return;
  check_channel_use(target, value, false);
}

// Channels can be copied, and that is all. `is_nested`: inside a larger expression.
void Parser::check_channel_use(const Reference& target, const Expr& value, bool is_nested) {
  const bool to_channel = !target.is_untyped && target.type.base == BaseType::kChan;
  const auto* constant = std::get_if<Constant>(&value.node);
  const auto* variable = std::get_if<Variable>(&value.node);
  const bool is_channel =
      variable != nullptr &&
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
      return which == kUnnamedSet ? std::string("the mtype set without a name")
                                  : "the mtype set " + which;
    };
    error("P335", target.ref.range,
          entry.name + " holds constants of " + shown(entry.mtype_set) + ", but " +
              value.mtype_name + " belongs to " + shown(name));
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
      if (args[j].kind == ReceiveArg::Kind::kVariable &&
          args[j].variable.symbol == args[i].variable.symbol) {
        error("P336", args[j].variable.range,
              symbol.name + " cannot receive two fields of one message");
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

bool Parser::touches_channel(const Stmt& stmt) {
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
  const bool is_loop = std::holds_alternative<Do>(first.node) ||
                       std::holds_alternative<ForRange>(first.node) ||
                       std::holds_alternative<ForIn>(first.node) ||
                       std::holds_alternative<Select>(first.node);
  if (first.labels.empty() || is_loop) return;
  const std::string word = keyword.kind == Tok::kLeftBrace ? "" : keyword.text + " ";
  error("P208", first.labels.front().range,
        "the first statement of a block cannot be labelled",
        "put the label before the block: " + first.labels.front().name + ": " + word + "{ ... }");
}

void Parser::note_label(const Label& label, const Stmt& stmt) {
  std::vector<std::size_t>& namesakes = labels_by_name_[label.name];
  for (const std::size_t index : namesakes) {
    const LabelSite& other = labels_[index];
    if (other.label.scope == label.scope && other.label.inline_id == label.inline_id) {
      error("P205", label.range, "the label " + label.name + " stands at two places",
            "the other one is in line " + std::to_string(other.label.range.begin.line));
      break;
    }
  }
  // A d_step counts as part of itself: nothing can jump to its start either.
  const bool is_d_step = std::holds_alternative<DStep>(stmt.node);
  namesakes.push_back(labels_.size());
  labels_.push_back({label, &stmt, is_d_step ? closed_d_step_ : d_step_});
  known_labels_.insert(model_.proctypes[proctype_].name + "@" + label.name);
}

// ---- Bodies ------------------------------------------------------------------------------------

// The label that a goto means: of the same block, of a block around it, or any other of the body.
const Parser::LabelSite* Parser::find_label(const std::string& name, std::uint32_t scope) const {
  const auto namesakes = labels_by_name_.find(name);
  if (namesakes == labels_by_name_.end()) return nullptr;
  const LabelSite* found = nullptr;
  for (auto index = namesakes->second.rbegin(); index != namesakes->second.rend(); ++index) {
    const LabelSite* site = &labels_[*index];
    if (site->label.scope == scope) return site;
    bool is_around = false;
    for (std::uint32_t outer = scope; outer != 0; outer = model_.scope_parent[outer]) {
      is_around = is_around || outer == site->label.scope;
    }
    if (is_around || found == nullptr) found = site;
  }
  return found;
}

std::string Parser::nearest_label(const std::string& name) const {
  if (diagnostics_.error_count() >= Diagnostics::kMaxKept) return {};
  std::vector<std::string> names;
  for (const auto& [candidate, sites] : labels_by_name_) names.push_back(candidate);
  std::sort(names.begin(), names.end());
  return nearest_name(name, names);
}

void Parser::check_gotos() {
  for (const GotoSite& site : gotos_) {
    const LabelSite* target = find_label(site.label.name, site.label.scope);
    if (target == nullptr) {
      const std::string near = nearest_label(site.label.name);
      error("P210", site.label.range, "there is no label " + site.label.name + " in this process",
            near.empty() ? "" : "did you mean " + near + "?");
    } else if (target->d_step != site.d_step) {
      error("P212", site.label.range, "a goto cannot lead into or out of a d_step");
    }
  }
  for (const LabelSite& site : labels_) {
    const LabelSite* at = &site;
    for (std::size_t hops = 0; at != nullptr && at->stmt != nullptr; ++hops) {
      const auto* jump = std::get_if<Goto>(&at->stmt->node);
      if (jump == nullptr || std::any_of(at->stmt->labels.begin(), at->stmt->labels.end(), is_special)) {
        break;
      }
      at = find_label(jump->label, jump->scope);
      if (at == &site || hops > labels_.size()) {
        if (at == &site) {
          error("P211", site.label.range, "this goto leads back to itself, without a statement");
        }
        break;
      }
    }
  }
}

// ---- The model ---------------------------------------------------------------------------------

void Parser::check_priority(int priority, Range range) {
  if (priority < 1 || priority > 255) {
    error("P330", range, "a priority must be between 1 and 255");
  }
}

// SPIN negates formulas, and a probe cannot be negated.
void Parser::check_formula(const Expr& formula) {
  const auto is_probe = [this](const Expr& expr) {
    const auto* query = std::get_if<QueryChan>(&expr.node);
    if (query == nullptr || query->query == ChanQuery::kLen) return false;
    error("P301", expr.range, "full, empty, nfull and nempty cannot be used in formulas",
          "compare len() with a number instead");
    return true;
  };
  any_expression(formula, is_probe);
  // [] x == 1 means ([] x) == 1, which SPIN accepts and turns into nonsense.
  const auto is_temporal = [](const Expr& expr) {
    return std::holds_alternative<Temporal>(expr.node);
  };
  const auto is_misplaced = [&](const Expr& expr) {
    if (is_temporal(expr)) return false;
    if (const auto* unary = std::get_if<Unary>(&expr.node); unary && unary->op == UnaryOp::kNot) {
      return false;
    }
    if (const auto* binary = std::get_if<Binary>(&expr.node);
        binary && (binary->op == BinaryOp::kAnd || binary->op == BinaryOp::kOr)) {
      return false;
    }
    if (!any_child(expr, is_temporal)) return false;
    error("P343", expr.range, "a temporal operator cannot be an operand of this operator",
          "temporal operators bind tightest: write [] (x == 1), not [] x == 1");
    return true;
  };
  any_expression(formula, is_misplaced);
}

void Parser::check_run(PendingRun& run) {
  const std::int32_t index = names_.proctype_named(run.name.text);
  if (index < 0) {
    std::vector<std::string> candidates;
    for (const Proctype& proctype : model_.proctypes) {
      if (proctype.kind == BodyKind::kProctype) candidates.push_back(proctype.name);
    }
    const std::string near = nearest_name(run.name.text, candidates);
    error("P214", run.name.range, "there is no proctype " + run.name.text,
          near.empty() ? "" : "did you mean " + near + "?");
    return;
  }
  const Proctype& proctype = model_.proctypes[static_cast<std::size_t>(index)];
  run.node->proctype = proctype.symbol;
  if (broken_proctypes_.count(static_cast<std::uint32_t>(index)) != 0) return;
  if (run.in_d_step) {
    error("P332", run.name.range, "run cannot be used in a d_step", "use atomic");
  }
  std::vector<const VarDecl*> formals;
  std::size_t wanted = 0;
  for (const SymbolId parameter : proctype.parameters) {
    const VarDecl& decl = model_.symbols[parameter].decl;
    const std::size_t size = flat_size(decl.type, run.name.range);
    wanted += size;
    for (std::size_t i = 0; i < size; ++i) formals.push_back(&decl);
  }
  const std::vector<ExprPtr>& args = run.node->args;
  if (args.size() != wanted) {
    error("P215", run.name.range,
          run.name.text + " takes " + std::to_string(wanted) + " arguments, but is run with " +
              std::to_string(args.size()));
    return;
  }
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (formals[i]->type.base != BaseType::kMtype) continue;
    if (const auto* constant = std::get_if<Constant>(&args[i]->node)) {
      if (constant->mtype_name.empty()) continue;
      const auto at = static_cast<std::size_t>(names_.mtype_named(constant->mtype_name));
      if (model_.mtypes[at].set != formals[i]->type.mtype_set) {
        error("P335", args[i]->range,
              constant->mtype_name + " does not belong to the mtype set of the parameter " +
                  formals[i]->name);
      }
    } else if (has_name(*args[i])) {
      error("P335", args[i]->range,
            "the argument for the mtype parameter " + formals[i]->name + " must be a constant",
            "declare the parameter as a byte to pass a variable");
    }
  }
}

// SPIN keeps a name at the root of a variable and of a channel query only.
bool Parser::has_name(const Expr& expr) const {
  return std::holds_alternative<Variable>(expr.node) ||
         std::holds_alternative<QueryChan>(expr.node) || std::holds_alternative<Poll>(expr.node) ||
         std::holds_alternative<Run>(expr.node) ||
         std::holds_alternative<RemoteVariable>(expr.node) ||
         std::holds_alternative<EmbeddedExpr>(expr.node);
}

void Parser::check_remote(const PendingRemote& remote) {
  const std::int32_t index = names_.proctype_named(remote.proctype);
  if (index < 0 || broken_proctypes_.count(static_cast<std::uint32_t>(index)) != 0) return;
  const Proctype& proctype = model_.proctypes[static_cast<std::size_t>(index)];
  const auto find = [&](const std::vector<SymbolId>& symbols) -> const VarDecl* {
    for (const SymbolId symbol : symbols) {
      if (model_.symbols[symbol].name == remote.variable) return &model_.symbols[symbol].decl;
    }
    return nullptr;
  };
  const VarDecl* decl = find(proctype.parameters);
  if (decl == nullptr) decl = find(proctype.locals);
  if (decl == nullptr) {
    std::vector<std::string> candidates;
    for (const SymbolId symbol : proctype.locals) candidates.push_back(model_.symbols[symbol].name);
    for (const SymbolId symbol : proctype.parameters) {
      candidates.push_back(model_.symbols[symbol].name);
    }
    const std::string near = nearest_name(remote.variable, candidates);
    error("P213", remote.range,
          "the proctype " + remote.proctype + " has no variable " + remote.variable,
          near.empty() ? "" : "did you mean " + near + "?");
    return;
  }
  if (decl->type.base == BaseType::kRecord) {
    error("P338", remote.range, "a remote reference cannot reach into a record");
  } else if ((decl->array_size != 0) != remote.has_index) {
    error("P338", remote.range,
          remote.variable + (remote.has_index ? " is not an array" : " is an array: it needs an index"));
  }
}

void Parser::check_model() {
  for (PendingRun& run : runs_) check_run(run);
  for (const PendingRemote& remote : remotes_) check_remote(remote);
  for (const PendingSend& send : sends_) {
    if (send.count > most_fields_) {
      error("P339", send.range,
            "this message has " + std::to_string(send.count) + " fields, but no channel has more than " +
                std::to_string(most_fields_));
    }
  }
  if (enabled_use_ && has_rendezvous_) {
    error("P340", *enabled_use_, "enabled() cannot be used in a model with rendezvous channels");
  }
  const bool has_process =
      std::any_of(model_.proctypes.begin(), model_.proctypes.end(),
                  [](const Proctype& proctype) { return proctype.active > 0; });
  if (!has_process && !diagnostics_.has_errors()) {
    error("P216", lexer_.range_at(0, 1), "no process ever starts in this model",
          "add an init, or active before a proctype");
  }
}

}  // namespace spoor::promela
