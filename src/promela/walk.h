// Visiting a syntax tree without naming each kind of node.
//
// A pass that handles three kinds of node should not have to list the other thirty. These templates
// visit the direct children of a node; a new kind of node does not compile until it is listed here,
// and then every such pass visits it.
#pragma once

#include <type_traits>
#include <variant>
#include <vector>

#include "promela/syntax.h"

namespace spoor::promela {

enum class Access { kRead, kWrite };

namespace walk_detail {

// What a node consists of. `V` has on_expr(const Expr&), on_ref(const VarRef&, Access) and
// on_body(const Sequence&); each is called for direct children only, in the order of the text.
template <class V>
void visit_optional(V& v, const ExprPtr& expr) {
  if (expr) v.on_expr(*expr);
}

template <class V>
void visit_args(V& v, const std::vector<ExprPtr>& args) {
  for (const ExprPtr& arg : args) v.on_expr(*arg);
}

template <class V>
void visit_args(V& v, const std::vector<ReceiveArg>& args, Access access) {
  for (const ReceiveArg& arg : args) {
    if (arg.kind == ReceiveArg::Kind::kVariable) {
      v.on_ref(arg.variable, access);
    } else {
      visit_optional(v, arg.match);
    }
  }
}

template <class V>
void visit(V&, const Constant&) {}
template <class V>
void visit(V& v, const Variable& n) {
  v.on_ref(n.ref, Access::kRead);
}
template <class V>
void visit(V& v, const Unary& n) {
  v.on_expr(*n.operand);
}
template <class V>
void visit(V& v, const Binary& n) {
  v.on_expr(*n.left);
  v.on_expr(*n.right);
}
template <class V>
void visit(V& v, const Conditional& n) {
  v.on_expr(*n.condition);
  v.on_expr(*n.if_true);
  v.on_expr(*n.if_false);
}
template <class V>
void visit(V& v, const Run& n) {
  visit_args(v, n.args);
}
template <class V>
void visit(V& v, const QueryChan& n) {
  v.on_ref(n.chan, Access::kRead);
}
template <class V>
void visit(V& v, const Poll& n) {
  v.on_ref(n.chan, Access::kRead);
  visit_args(v, n.args, Access::kRead);
}
template <class V>
void visit(V& v, const Enabled& n) {
  v.on_expr(*n.pid);
}
template <class V>
void visit(V& v, const PcValue& n) {
  v.on_expr(*n.pid);
}
template <class V>
void visit(V& v, const GetPriority& n) {
  v.on_expr(*n.pid);
}
template <class V>
void visit(V&, const TimeoutExpr&) {}
template <class V>
void visit(V&, const NonProgressExpr&) {}
template <class V>
void visit(V& v, const RemoteLabel& n) {
  visit_optional(v, n.pid);
}
template <class V>
void visit(V& v, const RemoteVariable& n) {
  visit_optional(v, n.pid);
  visit_optional(v, n.index);
}
template <class V>
void visit(V&, const EmbeddedExpr&) {}
template <class V>
void visit(V& v, const Temporal& n) {
  visit_optional(v, n.left);
  visit_optional(v, n.right);
}

template <class V>
void visit(V& v, const Assign& n) {
  visit_optional(v, n.value);
  v.on_ref(n.target, Access::kWrite);
}
template <class V>
void visit(V& v, const ExprStmt& n) {
  v.on_expr(*n.expr);
}
template <class V>
void visit(V&, const ElseStmt&) {}
template <class V>
void visit(V& v, const Send& n) {
  v.on_ref(n.chan, Access::kRead);
  visit_args(v, n.args);
}
template <class V>
void visit(V& v, const Receive& n) {
  v.on_ref(n.chan, Access::kRead);
  visit_args(v, n.args, Access::kWrite);
}
template <class V>
void visit(V& v, const Assert& n) {
  v.on_expr(*n.expr);
}
template <class V>
void visit(V& v, const Print& n) {
  visit_args(v, n.args);
}
template <class V>
void visit(V& v, const PrintMtype& n) {
  v.on_expr(*n.value);
}
template <class V>
void visit(V& v, const SetPriority& n) {
  v.on_expr(*n.pid);
  v.on_expr(*n.priority);
}
template <class V>
void visit(V&, const EmbeddedCode&) {}
template <class V>
void visit(V& v, const If& n) {
  for (const Sequence& o : n.options) v.on_body(o);
}
template <class V>
void visit(V& v, const Do& n) {
  for (const Sequence& o : n.options) v.on_body(o);
}
template <class V>
void visit(V& v, const Atomic& n) {
  v.on_body(n.body);
}
template <class V>
void visit(V& v, const DStep& n) {
  v.on_body(n.body);
}
template <class V>
void visit(V& v, const Block& n) {
  v.on_body(n.body);
}
template <class V>
void visit(V& v, const Unless& n) {
  v.on_stmt(*n.body);
  v.on_stmt(*n.escape);
}
template <class V>
void visit(V&, const Goto&) {}
template <class V>
void visit(V&, const Break&) {}
template <class V>
void visit(V& v, const ForRange& n) {
  v.on_expr(*n.from);
  v.on_expr(*n.to);
  v.on_ref(n.index, Access::kWrite);
  v.on_body(n.body);
}
template <class V>
void visit(V& v, const ForIn& n) {
  v.on_ref(n.over, Access::kRead);
  v.on_ref(n.index, Access::kWrite);
  v.on_body(n.body);
}
template <class V>
void visit(V& v, const Select& n) {
  v.on_expr(*n.from);
  v.on_expr(*n.to);
  v.on_ref(n.index, Access::kWrite);
}

}  // namespace walk_detail

// Derive from this as `struct Pass : Walker<Pass>` and redefine the functions that the pass needs; call
// the function of the same name in the base to visit the children.
template <class Derived>
struct Walker {
  void on_expr(const Expr& expr) { into(expr.node); }
  void on_stmt(const Stmt& stmt) { into(stmt.node); }
  void on_body(const Sequence& body) {
    for (const StmtPtr& stmt : body) self().on_stmt(*stmt);
  }
  void on_ref(const VarRef& ref, Access) {
    for (const PathPart& part : ref.path) walk_detail::visit_optional(self(), part.index);
  }

  void on_proctype(const Proctype& proctype) {
    walk_detail::visit_optional(self(), proctype.provided);
    for (const ChannelClaim& claim : proctype.channel_claims) self().on_ref(claim.chan, Access::kRead);
    self().on_body(proctype.body);
  }
  // All statements and expressions. Initial values are in Model::symbols.
  void on_model(const Model& model) {
    for (const Proctype& proctype : model.proctypes) self().on_proctype(proctype);
    for (const LtlFormula& formula : model.formulas) walk_detail::visit_optional(self(), formula.formula);
    for (const Symbol& symbol : model.symbols) walk_detail::visit_optional(self(), symbol.decl.init);
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }

  template <class Variant>
  void into(const Variant& node) {
    std::visit([&](const auto& n) { walk_detail::visit(self(), n); }, node);
  }
};

}  // namespace spoor::promela
