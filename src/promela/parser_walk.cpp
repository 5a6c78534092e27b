#include "promela/parser_walk.h"

#include <algorithm>

namespace spoor::promela {

bool any_in_ref(const VarRef& ref, const ExprVisitor& visit) {
  for (const PathPart& part : ref.path) {
    if (part.index != nullptr && any_expression(*part.index, visit)) return true;
  }
  return false;
}

namespace {

struct Children {
  const ExprVisitor& visit;

  bool one(const ExprPtr& expr) const { return expr != nullptr && any_expression(*expr, visit); }
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
    return any_in_ref(e.chan, visit) || std::any_of(e.args.begin(), e.args.end(), [&](const ReceiveArg& arg) {
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

}  // namespace

bool any_expression(const Expr& expr, const ExprVisitor& visit) {
  return visit(expr) || std::visit(Children{visit}, expr.node);
}

bool any_child(const Expr& expr, const ExprVisitor& visit) { return std::visit(Children{visit}, expr.node); }

}  // namespace spoor::promela
