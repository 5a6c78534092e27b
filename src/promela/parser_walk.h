// Searching an expression for a subexpression.
#pragma once

#include <functional>

#include "promela/syntax.h"

namespace spoor::promela {

using ExprVisitor = std::function<bool(const Expr&)>;

// Whether `visit` is true for the expression or any subexpression; stops at the first.
bool any_expression(const Expr& expr, const ExprVisitor& visit);
// The same without the expression itself.
bool any_child(const Expr& expr, const ExprVisitor& visit);
// The same for the indices of a reference.
bool any_in_ref(const VarRef& ref, const ExprVisitor& visit);

}  // namespace spoor::promela
