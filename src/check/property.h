// The values of --property, and the properties of a model that they choose.
//
//   (nothing)      all that the model states: safety, every ltl formula of the model and of the command line,
//                  every never claim. Labels are claims only where one asks for them, as in SPIN
//   safety         assertions, invalid end states, run-time errors, and the invariant of the command line
//   deadlock       invalid end states alone
//   ltl, ltl:NAME  all formulas, or one
//   never, never:NAME   the never claim, or one of several; in a model without one, accept labels
//   accept         infinite runs that pass an accept label infinitely often
//   progress       infinite runs that pass progress labels only finitely often
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/claim_types.h"
#include "check/front_end.h"

namespace spoor {

struct Property {
  std::string name;  // "ltl:p"
  ClaimChoice claim;
  bool is_asked_for = false;  // by the user, not by the model alone
  std::string why_not = {};   // it cannot be checked: the reason
  bool is_given = false;      // a formula of the command line
  bool is_about_runs() const { return claim.kind != ClaimKind::kNone && !claim.is_invariant; }
};

// The error in `wanted` that can be found without the model; empty: none.
std::string property_mistake(const std::string& wanted);

// Nothing, with the reason in `error`, when the model has no such property or `wanted` is malformed.
std::optional<std::vector<Property>> choose_properties(const std::string& wanted, const SourceModel& model,
                                                       std::string& error);

// Has the formula of the command line checked along with safety, and not for itself. False: safety is not
// among the properties.
bool add_invariant(const SourceModel& model, std::vector<Property>& properties);

// What the model states, or has labels for, and these properties leave out.
std::vector<NotChecked> not_checked(const SourceModel& model, const std::vector<Property>& chosen);

}  // namespace spoor
