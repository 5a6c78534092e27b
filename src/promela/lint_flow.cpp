// Statements that cannot be reached, and labels that look like special ones but are not.
//
// Reachability is decided by structure alone: after `goto`, `break`, or a `do` without `break` the
// next statement is unreachable unless it has a label or contains one. Conditions are not evaluated,
// except for an `else` beside a guard that is literally true.
//
// A label without a goto or a remote reference is unused. `End:` or `Progress1:` gets a warning of its
// own: it is most likely meant to be special, and is not, so the verdict could be wrong without notice.
#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "promela/lint_passes.h"
#include "promela/walk.h"

namespace spoor::promela {
namespace {

bool is_literal(const Stmt& stmt, bool truth) {
  const auto* condition = std::get_if<ExprStmt>(&stmt.node);
  if (condition == nullptr) return false;
  const auto* constant = std::get_if<Constant>(&condition->expr->node);
  return constant != nullptr && (constant->value != 0) == truth;
}

// ---- Can control reach the end of a statement? --------------------------------------------------

bool can_complete(const Sequence& body);

// A `break` that leaves the loop around this statement.
struct FindsBreak : Walker<FindsBreak> {
  void on_stmt(const Stmt& stmt) {
    if (std::holds_alternative<Break>(stmt.node)) found = true;
    const bool is_loop = std::holds_alternative<Do>(stmt.node) ||
                         std::holds_alternative<ForRange>(stmt.node) ||
                         std::holds_alternative<ForIn>(stmt.node);
    if (!is_loop) Walker::on_stmt(stmt);
  }
  bool found = false;
};

bool has_break(const Do& loop) {
  FindsBreak finder;
  for (const Sequence& option : loop.options) finder.on_body(option);
  return finder.found;
}

bool can_complete(const Stmt& stmt) {
  if (std::holds_alternative<Goto>(stmt.node) || std::holds_alternative<Break>(stmt.node)) return false;
  if (const auto* loop = std::get_if<Do>(&stmt.node)) return has_break(*loop);
  if (const auto* choice = std::get_if<If>(&stmt.node)) {
    for (const Sequence& option : choice->options) {
      if (can_complete(option)) return true;
    }
    return false;
  }
  if (const auto* part = std::get_if<Atomic>(&stmt.node)) return can_complete(part->body);
  if (const auto* part = std::get_if<DStep>(&stmt.node)) return can_complete(part->body);
  if (const auto* part = std::get_if<Block>(&stmt.node)) return can_complete(part->body);
  if (const auto* part = std::get_if<Unless>(&stmt.node)) {
    return can_complete(*part->body) || can_complete(*part->escape);
  }
  return true;
}

struct FindsLabel : Walker<FindsLabel> {
  void on_stmt(const Stmt& stmt) {
    if (!stmt.labels.empty()) found = true;
    Walker::on_stmt(stmt);
  }
  bool found = false;
};

bool has_label(const Stmt& stmt) {
  FindsLabel finder;
  finder.on_stmt(stmt);
  return finder.found;
}

bool can_complete(const Sequence& body) {
  bool is_live = true;
  for (const StmtPtr& stmt : body) is_live = (is_live || has_label(*stmt)) && can_complete(*stmt);
  return is_live;
}

// ---- The pass ----------------------------------------------------------------------------------

struct Jumps : Walker<Jumps> {
  void on_stmt(const Stmt& stmt) {
    if (const auto* jump = std::get_if<Goto>(&stmt.node)) targets.insert(jump->label);
    Walker::on_stmt(stmt);
  }
  void on_expr(const Expr& expr) {
    if (const auto* remote = std::get_if<RemoteLabel>(&expr.node)) remote_targets.insert(remote->label);
    Walker::on_expr(expr);
  }
  std::set<std::string> targets;
  std::set<std::string> remote_targets;
};

const std::vector<std::string>& special_prefixes() {
  static const std::vector<std::string> kPrefixes{"end", "accept", "progress"};
  return kPrefixes;
}

bool is_special(const std::string& label) {
  return std::any_of(special_prefixes().begin(), special_prefixes().end(),
                     [&](const std::string& prefix) { return label.starts_with(prefix); });
}

// The special prefix that the label was probably meant to have; empty: none.
std::string intended_prefix(const std::string& label) {
  const std::size_t first = label.find_first_not_of('_');
  if (first == std::string::npos) return "";
  std::string lower = label.substr(first);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string& prefix : special_prefixes()) {
    if (lower.starts_with(prefix)) return prefix;
  }
  return "";
}

struct Flow : Walker<Flow> {
  Flow(const Jumps& jumps, Diagnostics& diagnostics) : jumps(jumps), diagnostics(diagnostics) {}

  void on_body(const Sequence& body) {
    bool is_live = true;
    for (const StmtPtr& stmt : body) {
      if (!is_live && !has_label(*stmt)) {
        diagnostics.warning("W132", stmt->range, "this statement can never be reached",
                            "control never passes the statement before it");
        break;  // one warning per unreachable sequence
      }
      is_live = can_complete(*stmt);
    }
    Walker::on_body(body);
  }

  void on_stmt(const Stmt& stmt) {
    for (const Label& label : stmt.labels) {
      if (is_special(label.name) || jumps.targets.contains(label.name) ||
          jumps.remote_targets.contains(label.name)) {
        continue;
      }
      const std::string prefix = intended_prefix(label.name);
      if (prefix.empty()) {
        diagnostics.warning("W121", label.range, "the label '" + label.name + "' is never used",
                            "no goto and no remote reference names it");
      } else {
        diagnostics.warning("W120", label.range, "the label '" + label.name + "' has no special meaning",
                            "labels are special when they begin with '" + prefix + "', in lower case");
      }
    }
    if (const auto* choice = std::get_if<If>(&stmt.node)) check_else(choice->options);
    if (const auto* loop = std::get_if<Do>(&stmt.node)) check_else(loop->options);
    Walker::on_stmt(stmt);
  }

  void check_else(const std::vector<Sequence>& options) {
    const Stmt* otherwise = nullptr;
    bool is_always_possible = false;
    for (const Sequence& option : options) {
      if (option.empty()) continue;  // reported by the parser
      if (std::holds_alternative<ElseStmt>(option.front()->node)) otherwise = option.front().get();
      if (is_literal(*option.front(), true)) is_always_possible = true;
    }
    if (otherwise != nullptr && is_always_possible) {
      diagnostics.warning("W131", otherwise->range, "this 'else' is never taken",
                          "another option begins with a condition that is always true");
    }
  }

  const Jumps& jumps;
  Diagnostics& diagnostics;
};

}  // namespace

void lint_flow(const Model& model, Diagnostics& diagnostics) {
  Jumps remote;  // the references to labels from formulas and other processes
  remote.on_model(model);
  for (const Proctype& proctype : model.proctypes) {
    Jumps jumps;
    jumps.on_proctype(proctype);
    jumps.remote_targets = remote.remote_targets;
    Flow(jumps, diagnostics).on_proctype(proctype);
  }
}

}  // namespace spoor::promela
