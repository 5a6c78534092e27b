// What is claimed about the infinite runs of a model, in the words that all languages share.
//
// A front end reads claims from its own syntax and hands them over in this form: an automaton of what must
// not happen (or, of labels, one question), whose atoms are answered by the system's Propositions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "ltl/automaton.h"

namespace spoor {

enum class ClaimKind : std::uint8_t {
  kNone,      // safety alone
  kFormula,   // of linear temporal logic
  kNever,     // an automaton that the model spells out
  kAccept,    // no run passes an accept label again and again
  kProgress,  // every infinite run passes progress labels again and again
};

// A claim that a model states.
struct StatedClaim {
  ClaimKind kind = ClaimKind::kFormula;  // or kNever
  std::string name;
  Range range;
  std::uint32_t index = 0;  // among those of its kind, by whatever count the front end uses
};

// What a model is made ready to be checked for, beside safety.
struct ClaimChoice {
  ClaimKind kind = ClaimKind::kNone;
  std::uint32_t index = 0;  // kFormula, kNever: StatedClaim::index
  // kFormula: the formula with `false` behind this premise, counted from 0 (check/vacuity.h).
  std::optional<std::uint32_t> without_conclusion = std::nullopt;
};

// What stands before an implication.
struct Premise {
  std::string text;
  Position position;
};

// A claim that a model was made ready for.
struct Claim {
  ClaimKind kind = ClaimKind::kNone;
  std::string name;  // of the formula or the never claim
  Position position;
  ltl::Automaton automaton;  // kFormula, kNever, kProgress: accepts what must not happen
  // kFormula: what stands before each -> that the formula asserts, in order.
  std::vector<Premise> premises;
  // kNever, kAccept: some process has an accept label inside an indivisible sequence.
  bool has_inner_labels = false;
};

}  // namespace spoor
