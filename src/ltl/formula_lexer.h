// The tokens of a formula; see parse_formula.h for the syntax.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace spoor::ltl {

enum class Kind {
  kEnd,
  kOpen,   // ( {
  kClose,  // ) }
  kNot,
  kAnd,
  kOr,
  kImplies,
  kEquivalent,
  kAlways,
  kEventually,
  kNext,
  kUntil,
  kRelease,
  kWeakUntil,
  kTrue,
  kFalse,
  kWord,  // a name
  kNumber,
  kOperator,  // of an expression: == + @ : . [ ] ...
  kUnknown,   // a character that is not part of any formula
};

struct Token {
  Kind kind;
  std::string_view text;
  std::size_t offset;  // in the whole text
};

// Always ends with a kEnd.
std::vector<Token> tokenize(std::string_view text);

// Is the token a binary operator of formulas?
bool is_binary(Kind kind);
// Is the token a temporal operator?
bool is_temporal(Kind kind);

}  // namespace spoor::ltl
