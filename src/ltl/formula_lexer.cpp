#include "ltl/formula_lexer.h"

#include <array>
#include <cctype>
#include <utility>

namespace spoor::ltl {
namespace {

using Row = std::pair<std::string_view, Kind>;

// Operators before their own prefixes.
constexpr std::array<Row, 20> kSigns = {{
    {"<->", Kind::kEquivalent}, {"->", Kind::kImplies},  {"&&", Kind::kAnd},      {"/\\", Kind::kAnd},
    {"||", Kind::kOr},          {"\\/", Kind::kOr},      {"[]", Kind::kAlways},   {"<>", Kind::kEventually},
    {"==", Kind::kOperator},    {"!=", Kind::kOperator}, {"<=", Kind::kOperator}, {">=", Kind::kOperator},
    {"<<", Kind::kOperator},    {">>", Kind::kOperator}, {"!", Kind::kNot},       {"(", Kind::kOpen},
    {"{", Kind::kOpen},         {")", Kind::kClose},     {"}", Kind::kClose},     {"~", Kind::kOperator},
}};

constexpr std::array<Row, 18> kWords = {{
    {"U", Kind::kUntil},
    {"V", Kind::kRelease},
    {"R", Kind::kRelease},
    {"W", Kind::kWeakUntil},
    {"X", Kind::kNext},
    {"until", Kind::kUntil},
    {"stronguntil", Kind::kUntil},
    {"weakuntil", Kind::kWeakUntil},
    {"release", Kind::kRelease},
    {"always", Kind::kAlways},
    {"eventually", Kind::kEventually},
    {"next", Kind::kNext},
    {"implies", Kind::kImplies},
    {"equivalent", Kind::kEquivalent},
    {"not", Kind::kNot},
    {"true", Kind::kTrue},
    {"false", Kind::kFalse},
    {"skip", Kind::kTrue},
}};

constexpr std::string_view kOperatorChars = "<>=+-*/%&|^[]@:.,?";

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

Kind kind_of_word(std::string_view word) {
  for (const auto& [text, kind] : kWords) {
    if (text == word) return kind;
  }
  if (word.find_first_not_of("0123456789") != std::string_view::npos) return Kind::kWord;
  return Kind::kNumber;
}

Token next_token(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  std::size_t length = 0;
  while (length < rest.size() && is_word_char(rest[length])) ++length;
  if (length > 0) {
    const std::string_view word = rest.substr(0, length);
    return {kind_of_word(word), word, at};
  }
  for (const auto& [sign, kind] : kSigns) {
    if (rest.starts_with(sign)) return {kind, rest.substr(0, sign.size()), at};
  }
  const bool is_known = kOperatorChars.find(rest[0]) != std::string_view::npos;
  return {is_known ? Kind::kOperator : Kind::kUnknown, rest.substr(0, 1), at};
}

}  // namespace

std::vector<Token> tokenize(std::string_view text) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (true) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
    if (at == text.size()) break;
    tokens.push_back(next_token(text, at));
    at += tokens.back().text.size();
  }
  // The position of the end is after the last token, where a missing operand is reported.
  const std::size_t end = tokens.empty() ? 0 : tokens.back().offset + tokens.back().text.size();
  tokens.push_back({Kind::kEnd, {}, end});
  return tokens;
}

bool is_binary(Kind kind) {
  return (kind >= Kind::kAnd && kind <= Kind::kEquivalent) ||
         (kind >= Kind::kUntil && kind <= Kind::kWeakUntil);
}

bool is_temporal(Kind kind) { return kind >= Kind::kAlways && kind <= Kind::kWeakUntil; }

}  // namespace spoor::ltl
