// Rules that need a whole body, or the whole model.
#include <algorithm>
#include <unordered_set>

#include "promela/parser.h"
#include "promela/parser_walk.h"
#include "promela/walk.h"

namespace spoor::promela {

namespace {

// end, progress and accept labels keep a state of their own even on a goto.
bool is_special(const Label& label) {
  return label.name.starts_with("end") || label.name.starts_with("progress") ||
         label.name.starts_with("accept");
}

}  // namespace

// ---- Bodies ------------------------------------------------------------------------------------

// The target label of a goto: of the same block, of a block around it, or any other of the body.
const Parser::LabelSite* Parser::find_label(const std::string& name, std::uint32_t scope) const {
  const auto exact = labels_by_scope_.find(name + "@" + std::to_string(scope));
  if (exact != labels_by_scope_.end()) return &labels_[exact->second];
  const auto namesakes = labels_by_name_.find(name);
  if (namesakes == labels_by_name_.end()) return nullptr;
  const LabelSite* found = nullptr;
  for (auto index = namesakes->second.rbegin(); index != namesakes->second.rend(); ++index) {
    const LabelSite* site = &labels_[*index];
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
  check_goto_circles();
}

// A label on a goto leads to one other label at most, so each label is followed once: a walk ends at a
// statement, at a label of an earlier walk, or at a label of its own, which is a cycle.
void Parser::check_goto_circles() {
  const auto next = [this](const LabelSite* at) -> const LabelSite* {
    if (at->stmt == nullptr) return nullptr;
    const auto* jump = std::get_if<Goto>(&at->stmt->node);
    const std::vector<Label>& labels = at->stmt->labels;
    if (jump == nullptr || std::any_of(labels.begin(), labels.end(), is_special)) return nullptr;
    return find_label(jump->label, jump->scope);
  };
  const auto number = [this](const LabelSite* at) { return static_cast<std::size_t>(at - labels_.data()); };
  std::vector<std::size_t> passed_by(labels_.size(), 0);  // number of the walk, from 1
  std::vector<bool> is_circular(labels_.size(), false);
  for (std::size_t walk = 1; walk <= labels_.size(); ++walk) {
    const LabelSite* at = &labels_[walk - 1];
    while (at != nullptr && passed_by[number(at)] == 0) {
      passed_by[number(at)] = walk;
      at = next(at);
    }
    while (at != nullptr && passed_by[number(at)] == walk && !is_circular[number(at)]) {
      is_circular[number(at)] = true;
      at = next(at);
    }
  }
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (!is_circular[i]) continue;
    error("P211", labels_[i].label.range, "this goto leads back to itself, without a statement");
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
  // [] x == 1 means ([] x) == 1: SPIN accepts it, so it is accepted here, but it is rarely intended.
  const auto is_temporal = [](const Expr& expr) { return std::holds_alternative<Temporal>(expr.node); };
  const auto is_in_index = [&](const Expr& expr) {
    const bool has_index =
        std::holds_alternative<Variable>(expr.node) || std::holds_alternative<QueryChan>(expr.node) ||
        std::holds_alternative<Poll>(expr.node) || std::holds_alternative<RemoteLabel>(expr.node) ||
        std::holds_alternative<RemoteVariable>(expr.node);
    if (!has_index || !any_child(expr, is_temporal)) return false;
    error("P343", expr.range, "a temporal operator cannot be part of an index");
    return true;
  };
  if (any_expression(formula, is_in_index)) return;
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
    diagnostics_.warning("W151", expr.range, "the operand of this operator is a temporal formula",
                         "temporal operators bind tightest: write [] (x == 1), not [] x == 1");
    return true;
  };
  any_expression(formula, is_misplaced);
}

namespace {

// The runs that are part of the model.
struct FindsRuns : Walker<FindsRuns> {
  std::unordered_set<const Run*> found;
  void on_expr(const Expr& expr) {
    if (const auto* run = std::get_if<Run>(&expr.node)) found.insert(run);
    Walker::on_expr(expr);
  }
};

}  // namespace

// A declaration or a statement with an error may have been dropped, and its runs with it. Memory is
// reused, so of several runs at one address only the last one can exist.
void Parser::forget_dropped_runs() {
  FindsRuns live;
  live.on_model(model_);
  for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) {
    if (live.found.erase(run->node) == 0) run->node = nullptr;
  }
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
  if (run.node == nullptr) return;
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
        error(
            "P335", args[i]->range,
            constant->mtype_name + " does not belong to the mtype set of the parameter " + formals[i]->name);
      }
    } else if (has_name(*args[i])) {
      error("P335", args[i]->range,
            "the argument for the mtype parameter " + formals[i]->name + " must be a constant",
            "declare the parameter as a byte to pass a variable");
    }
  }
}

// SPIN keeps the constant's name only at the root of a variable or of a channel query.
bool Parser::has_name(const Expr& expr) const {
  return std::holds_alternative<Variable>(expr.node) || std::holds_alternative<QueryChan>(expr.node) ||
         std::holds_alternative<Poll>(expr.node) || std::holds_alternative<Run>(expr.node) ||
         std::holds_alternative<RemoteVariable>(expr.node) || std::holds_alternative<EmbeddedExpr>(expr.node);
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
  if (remote_predefined(remote.variable) && !remote.has_index) return;
  const VarDecl* decl = find(proctype.parameters);
  if (decl == nullptr) decl = find(proctype.locals);
  if (decl == nullptr) {
    std::vector<std::string> candidates;
    for (const SymbolId symbol : proctype.locals) candidates.push_back(model_.symbols[symbol].name);
    for (const SymbolId symbol : proctype.parameters) {
      candidates.push_back(model_.symbols[symbol].name);
    }
    const std::string near = nearest_name(remote.variable, candidates);
    error("P213", remote.range, "the proctype " + remote.proctype + " has no variable " + remote.variable,
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

// Each `active [n]` is compared with the limit when it is read; here the sum, with init.
void Parser::check_process_count() {
  std::int64_t count = 0;
  for (const Proctype& proctype : model_.proctypes) {
    const bool did_fit = count <= kMaxProcesses;
    if (proctype.active <= kMaxProcesses) count += std::max(proctype.active, 0);  // else P328 was reported
    if (did_fit && count > kMaxProcesses) {
      error("P328", proctype.range, "with these the initial state has more than 255 processes");
    }
  }
}

void Parser::check_model() {
  check_process_count();
  forget_dropped_runs();
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
  const bool has_process = std::any_of(model_.proctypes.begin(), model_.proctypes.end(),
                                       [](const Proctype& proctype) { return proctype.active > 0; });
  if (!has_process && !diagnostics_.has_errors()) {
    error("P216", lexer_.range_at(0, 1), "no process ever starts in this model",
          "add an init, or active before a proctype");
  }
}

}  // namespace spoor::promela
