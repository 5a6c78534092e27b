// Names that are declared and not used: variables that are never read, parameters, processes.
//
// Every variable is part of every state, so a variable that is written and never read multiplies the
// number of states. A variable that is read and never written is always 0, most often because its
// initial value is missing.
//
// Embedded C may use any name, so a model with embedded C gets no such warnings. `hidden` and `show`
// mean that the user wants to see the variable. A global variable that is only written may be used by
// a property outside the model, so there is a warning only where the model contains a property.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "promela/lint_passes.h"
#include "promela/walk.h"

namespace spoor::promela {
namespace {

struct Usage : Walker<Usage> {
  explicit Usage(const Model& model)
      : model(model), is_read(model.symbols.size()), is_written(model.symbols.size()) {}

  void on_ref(const VarRef& ref, Access access) {
    (access == Access::kRead ? is_read : is_written)[ref.symbol] = true;
    Walker::on_ref(ref, access);
  }
  void on_expr(const Expr& expr) {
    if (std::holds_alternative<EmbeddedExpr>(expr.node)) has_embedded_code = true;
    if (const auto* run = std::get_if<Run>(&expr.node)) started.insert(run->proctype);
    if (const auto* remote = std::get_if<RemoteVariable>(&expr.node)) remote_names.insert(remote->variable);
    Walker::on_expr(expr);
  }
  void on_stmt(const Stmt& stmt) {
    if (std::holds_alternative<EmbeddedCode>(stmt.node)) has_embedded_code = true;
    // A loop reads its own counter.
    if (const auto* loop = std::get_if<ForRange>(&stmt.node)) is_read[loop->index.symbol] = true;
    if (const auto* loop = std::get_if<ForIn>(&stmt.node)) is_read[loop->index.symbol] = true;
    Walker::on_stmt(stmt);
  }

  const Model& model;
  std::vector<bool> is_read, is_written;
  std::set<SymbolId> started;
  std::set<std::string> remote_names;
  bool has_embedded_code = false;
};

bool has_initial_value(const VarDecl& decl) {
  return decl.init != nullptr || !decl.list.empty() || decl.channel.has_value();
}

struct Facts {
  bool is_read = false;
  bool is_written = false;
  bool may_serve_property = false;
};

void check_variable(const Symbol& symbol, const Facts& facts, Diagnostics& diagnostics) {
  const VarDecl& decl = symbol.decl;
  const auto& [is_read, is_written, may_serve_property] = facts;
  const bool is_for_the_eye = decl.visibility == Visibility::kHidden || decl.visibility == Visibility::kShow;
  if (is_for_the_eye || symbol.name.starts_with("_")) return;
  const std::string name = "'" + symbol.name + "'";
  if (symbol.is_parameter) {
    if (!is_read && !is_written) {
      diagnostics.warning("W113", decl.range, "the parameter " + name + " is never used");
    }
  } else if (!is_read && !is_written) {
    diagnostics.warning("W110", decl.range, "the variable " + name + " is never used", "remove it");
  } else if (!is_read && !may_serve_property) {
    diagnostics.warning(
        "W111", decl.range, "the variable " + name + " is written but never read",
        std::string("it makes states differ that are otherwise equal; remove it, ") +
            (symbol.owner == kNoSymbol ? "or declare it 'hidden'" : "or receive into '_' instead"));
  } else if (is_read && !is_written && !has_initial_value(decl) && decl.type.base == BaseType::kChan) {
    diagnostics.warning("W112", decl.range, "the channel " + name + " is used but never created",
                        "initialise it: chan " + symbol.name + " = [1] of { byte }");
  } else if (is_read && !is_written && !has_initial_value(decl) && decl.type.base != BaseType::kRecord) {
    diagnostics.warning("W112", decl.range, "the variable " + name + " is read but never written",
                        "its value is always 0");
  }
}

}  // namespace

void lint_usage(const Model& model, Diagnostics& diagnostics) {
  if (!model.embedded.empty()) return;
  Usage usage(model);
  usage.on_model(model);
  if (usage.has_embedded_code) return;

  const bool has_property =
      !model.formulas.empty() || std::any_of(model.proctypes.begin(), model.proctypes.end(),
                                             [](const Proctype& p) { return p.kind == BodyKind::kNever; });
  for (SymbolId id = 0; id < model.symbols.size(); ++id) {
    const Symbol& symbol = model.symbols[id];
    if (symbol.kind != SymbolKind::kVariable) continue;
    Facts facts;
    facts.is_read = usage.is_read[id] || usage.remote_names.contains(symbol.name);
    facts.is_written = usage.is_written[id];
    facts.may_serve_property = symbol.owner == kNoSymbol && !has_property;
    check_variable(symbol, facts, diagnostics);
  }
  for (const Proctype& proctype : model.proctypes) {
    if (proctype.kind != BodyKind::kProctype || proctype.active > 0) continue;
    if (!usage.started.contains(proctype.symbol)) {
      diagnostics.warning("W115", proctype.range,
                          "no process of type '" + proctype.name + "' is ever started",
                          "start it with 'run " + proctype.name + "(...)' or declare it 'active'");
    }
  }
}

}  // namespace spoor::promela
