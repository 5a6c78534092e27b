// Looking for something inside an expression.
#pragma once

#include <functional>

#include "promela/syntax.h"

namespace spoor::promela {

using ExprVisitor = std::function<bool(const Expr&)>;

// Whether `visit` says true for the expression or anything inside it; stops at the first such.
bool any_expression(const Expr& expr, const ExprVisitor& visit);
// The same without the expression itself.
bool any_child(const Expr& expr, const ExprVisitor& visit);
// The same for the indices of a reference.
bool any_in_ref(const VarRef& ref, const ExprVisitor& visit);

}  // namespace spoor::promela
