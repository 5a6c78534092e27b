// What --property asks for, in the words of the user and in those of the model.
//
//   (nothing)      safety, and every ltl formula of the model and of the command line
//   safety         assertions, invalid end states, run-time errors
//   deadlock       invalid end states alone
//   ltl, ltl:NAME  all formulas, or one
//   never, never:NAME   the never claim, or one of several; in a model without one, accept labels
//   accept         runs that pass an accept label again and again
//   progress       runs that never pass a progress label again
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/claim.h"
#include "check/front_end.h"

namespace spoor {

struct Property {
  std::string name;  // "ltl:p"
  ClaimChoice claim;
  bool is_about_runs() const { return claim.kind != ClaimKind::kNone; }
};

// What of it can be said without the model is wrong with `wanted`; empty: nothing.
std::string property_mistake(const std::string& wanted);

// Nothing, with the reason in `error`, when the model has no such property or `wanted` has a mistake.
std::optional<std::vector<Property>> choose_properties(const std::string& wanted, const SourceModel& model,
                                                       std::string& error);

}  // namespace spoor
