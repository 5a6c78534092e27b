// Claims about the infinite runs of a model, in a form that does not depend on the language.
//
// A front end reads claims from its own syntax and returns them in this form: an automaton that accepts the
// runs that violate the claim (or, for labels, one proposition). The system's Propositions evaluate its
// atoms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "ltl/automaton.h"
#include "ltl/invariant.h"

namespace spoor {

enum class ClaimKind : std::uint8_t {
  kNone,      // safety alone
  kFormula,   // a formula of linear temporal logic
  kNever,     // an automaton in the model
  kAccept,    // no run passes accept labels infinitely often
  kProgress,  // every infinite run passes progress labels infinitely often
};

// A claim that is stated in a model: a formula, a never claim; or the accept labels, or the progress labels,
// of its processes, which are a claim only where the user asks for it.
struct StatedClaim {
  ClaimKind kind = ClaimKind::kFormula;
  std::string name;         // of a formula, a never claim
  Range range;              // of labels: of the first
  std::uint32_t index = 0;  // among the claims of its kind; the front end defines the count
  std::size_t labels = 0;   // kAccept, kProgress: how many there are
  bool is_given = false;    // the formula of the command line
};

// A claim of the model that a check leaves out.
struct NotChecked {
  std::string property;  // the value of --property that checks it
  Position position;
  std::size_t labels = 0;  // kAccept, kProgress: how many there are
};

// The claim that a model is prepared for, in addition to safety.
struct ClaimChoice {
  ClaimKind kind = ClaimKind::kNone;
  std::uint32_t index = 0;  // kFormula, kNever: StatedClaim::index
  // kFormula: the formula with `false` as the conclusion of this premise, counted from 0 (check/vacuity.h).
  std::optional<std::uint32_t> without_conclusion = std::nullopt;
  // kFormula: it is checked along with safety, in each state and on each step (layer/invariant_layer.h).
  bool is_invariant = false;
};

// The premise of an implication.
struct Premise {
  std::string text;
  Position position;
};

// The claim of a loaded model.
struct Claim {
  ClaimKind kind = ClaimKind::kNone;
  std::string name;  // of the formula or the never claim
  Position position;
  ltl::Automaton automaton;  // kFormula, kNever, kProgress: accepts the runs that violate the claim
  // kFormula: the premise of each -> that the formula asserts, in order.
  std::vector<Premise> premises;
  std::optional<ltl::Invariant> invariant;  // kFormula: where the formula is one
  bool is_invariant = false;                // ClaimChoice::is_invariant
  // kNever, kAccept: some process has an accept label inside an indivisible sequence.
  bool has_inner_labels = false;
};

}  // namespace spoor
