// Expressions and statements as text, in the notation of SPIN's trails: `x = (x+1)`, `q?z,eval(y)`,
// and with one more pair of parentheses around an expression that stands as a statement: `((i>3))`.
//
// Users compare traces with SPIN's, and files name a statement by this text; so it is defined only
// here. It depends on the tree alone, not on blanks or redundant parentheses in the model.
#pragma once

#include <string>

#include "promela/syntax.h"

namespace spoor::promela {

std::string to_text(const Model& model, const Expr& expr);
// For a composite statement only its head: "if", "atomic", "d_step {...}", "for (i : 1 .. n)".
std::string to_text(const Model& model, const Stmt& stmt);
std::string to_text(const Model& model, const VarRef& ref);

}  // namespace spoor::promela
