#include "ltl/parse_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ltl/formula_lexer.h"

namespace spoor::ltl {
namespace {

constexpr std::uint32_t kMaxSize = 20000;

class Parser {
 public:
  Parser(Formulas& formulas, const SourceSet& sources, std::uint32_t file, Reading reading)
      : formulas_(formulas),
        source_(sources.file(file)),
        file_(file),
        reading_(reading),
        tokens_(tokenize(source_.text)) {}

  std::optional<Formula> run(Diagnostics& diagnostics) {
    diagnostics_ = &diagnostics;
    if (peek().kind == Kind::kEnd) {
      fail("L101", peek(), "the formula is empty", "for example: [] (request -> <> answer)");
      return std::nullopt;
    }
    const Formula f = level(0);
    if (!has_failed_ && peek().kind != Kind::kEnd) unexpected_rest();
    if (has_failed_) return std::nullopt;
    return f;
  }

  // The position of an implication directly after another one of its level, if any.
  const Token* chained_implication() const { return chained_; }
  Range range(const Token& token) const {
    const auto& starts = source_.line_starts;
    const auto after = std::upper_bound(starts.begin(), starts.end(), token.offset);
    const auto line = static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(1, after - starts.begin()));
    const std::size_t begin = starts.empty() ? 0 : starts[line - 1];
    return {{file_, line, static_cast<std::uint32_t>(token.offset - begin + 1)},
            static_cast<std::uint32_t>(std::max<std::size_t>(1, token.text.size()))};
  }
  Range whole() const { return range(tokens_.front()); }

 private:
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }

  Formula fail(std::string_view code, const Token& where, std::string message, std::string hint = {}) {
    if (!has_failed_) {
      diagnostics_->error(code, range(where), std::move(message), std::move(hint));
    }
    has_failed_ = true;
    return formulas_.truth(true);
  }

  // The binary operators of each level, loosest first.
  bool is_of_level(Kind kind, int level) const {
    const bool is_boolean = kind >= Kind::kAnd && kind <= Kind::kEquivalent;
    if (level == 3) return is_binary(kind) && !is_boolean;
    if (reading_ == Reading::kCommandLine) return level == 0 && is_boolean;
    if (level == 0) return kind == Kind::kImplies || kind == Kind::kEquivalent;
    return kind == (level == 1 ? Kind::kOr : Kind::kAnd);
  }

  Formula level(int number) {
    if (number == 4) return unary();
    Formula left = level(number + 1);
    int implications = 0;
    while (!has_failed_ && is_of_level(peek().kind, number)) {
      const Token& op = take();
      const bool is_arrow = op.kind == Kind::kImplies || op.kind == Kind::kEquivalent;
      const Formula right = level(number + 1);
      if (has_failed_) break;
      left = binary(op.kind, left, right);
      if (is_arrow && ++implications == 2 && chained_ == nullptr) chained_ = &op;
      if (formulas_.depth(left) > kMaxDepth || formulas_.size(left) > kMaxSize) {
        return fail("L106", op, "the formula is too large",
                    "at most " + std::to_string(kMaxDepth) + " operators within each other, and " +
                        std::to_string(kMaxSize) + " in all when <-> is written out");
      }
    }
    return left;
  }

  Formula binary(Kind op, Formula f, Formula g) {
    switch (op) {
      case Kind::kAnd: return formulas_.both(f, g);
      case Kind::kOr: return formulas_.either(f, g);
      case Kind::kImplies: return formulas_.either(formulas_.negation(f), g);
      case Kind::kEquivalent: {
        const Formula not_g = formulas_.negation(g);
        const Formula neither = formulas_.both(formulas_.negation(f), not_g);
        return formulas_.either(formulas_.both(f, g), neither);
      }
      case Kind::kUntil: return formulas_.until(f, g);
      case Kind::kRelease: return formulas_.release(f, g);
      default: return formulas_.weak_until(f, g);
    }
  }

  Formula unary() {
    const Token& token = peek();
    if (++nesting_ > kMaxDepth) return fail("L106", token, "the formula is nested too deeply");
    const Formula f = operand();
    --nesting_;
    return f;
  }

  Formula operand() {
    const Token& token = peek();
    switch (token.kind) {
      case Kind::kAlways: take(); return formulas_.globally(unary());
      case Kind::kEventually: take(); return formulas_.finally(unary());
      case Kind::kNext: take(); return formulas_.next(unary());
      case Kind::kNot:
        if (is_expression(at_)) return atom();
        take();
        return formulas_.negation(unary());
      case Kind::kTrue:
      case Kind::kFalse:
      case Kind::kNumber:
        if (is_expression(at_)) return atom();
        take();
        return formulas_.truth(token.kind != Kind::kFalse &&
                               token.text.find_first_not_of('0') != std::string_view::npos);
      case Kind::kOpen: return is_expression(at_) ? atom() : parenthesized();
      case Kind::kWord: return atom();
      case Kind::kOperator:
        if (token.text == "-") return atom();
        if (token.text == "~") {
          return fail("L103", token, "'~' is the bitwise complement in Promela, not a negation",
                      "write '!' for `not`, or parentheses as in (~x) == 3");
        }
        break;
      default: break;
    }
    return missing_operand(token);
  }

  Formula parenthesized() {
    const Token& open = take();
    const Formula f = level(0);
    if (has_failed_) return f;
    const bool closes = peek().kind == Kind::kClose && (peek().text == ")") == (open.text == "(");
    if (!closes) {
      if (peek().kind == Kind::kEnd) {
        return fail("L104", open, "this parenthesis is not closed");
      }
      return unexpected_rest();
    }
    take();
    return f;
  }

  // The token after the simple operand that begins here: a name with its brackets and parentheses, a
  // parenthesis up to its end, a number.
  std::size_t behind_primary(std::size_t at) const {
    while (tokens_[at].kind == Kind::kNot) ++at;
    if (tokens_[at].kind == Kind::kWord && tokens_[at + 1].text == "(") ++at;
    if (tokens_[at].kind != Kind::kOpen) return tokens_[at].kind == Kind::kEnd ? at : at + 1;
    int depth = 0;
    for (; tokens_[at].kind != Kind::kEnd; ++at) {
      if (tokens_[at].kind == Kind::kOpen) ++depth;
      if (tokens_[at].kind == Kind::kClose && --depth == 0) return at + 1;
    }
    return at;
  }

  // Does an expression of the model with more than one operand begin here?
  bool is_expression(std::size_t at) const { return tokens_[behind_primary(at)].kind == Kind::kOperator; }

  static char partner(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

  Formula atom() {
    const std::size_t first = at_;
    std::string open;           // the open brackets and parentheses
    bool wants_operand = true;  // outside of all parentheses
    for (; peek().kind != Kind::kEnd; take()) {
      const Token& token = peek();
      if (token.kind == Kind::kOpen || token.text == "[") {
        open += token.text[0];
      } else if (token.kind == Kind::kClose || token.text == "]") {
        if (open.empty()) break;
        if (token.text[0] != partner(open.back())) {
          return fail("L104", token, "this does not match the last open parenthesis or bracket");
        }
        open.pop_back();
        if (open.empty()) wants_operand = false;
        continue;
      } else if (open.empty()) {
        if (is_binary(token.kind) || is_temporal(token.kind)) break;
        const bool is_operand = token.kind >= Kind::kTrue && token.kind <= Kind::kNumber;
        if (!wants_operand && (is_operand || token.kind == Kind::kNot)) break;
        if (token.kind == Kind::kUnknown) break;
        wants_operand = token.kind == Kind::kOperator || token.kind == Kind::kNot;
      } else if (is_temporal(token.kind)) {
        return fail("L107", token, "a temporal operator within an expression",
                    "an expression such as `x > 3` is evaluated in one state");
      }
    }
    if (peek().kind == Kind::kUnknown) return unknown_sign(peek());
    if (!open.empty()) {
      return fail("L104", tokens_[first], "a parenthesis or bracket is not closed here");
    }
    if (wants_operand) return missing_operand(peek());
    return named(first);
  }

  // Without a blank between them, would the two tokens be read differently, here or in Promela?
  static bool must_be_apart(const Token& left, const Token& right) {
    if (left.text == right.text && (left.text == "-" || left.text == "+")) return true;
    const std::string both = std::string(left.text) + std::string(right.text);
    return tokenize(both).front().text != left.text;
  }

  Formula named(std::size_t first) {
    static constexpr std::string_view kSpaced[] = {"==", "!=", "<", ">", "<=", ">=", "&&", "||", "->"};
    std::string text;
    for (std::size_t i = first; i < at_; ++i) {
      const Token& token = tokens_[i];
      if (token.kind == Kind::kUnknown) return unknown_sign(token);
      const bool is_spaced =
          std::find(std::begin(kSpaced), std::end(kSpaced), token.text) != std::end(kSpaced);
      const bool is_apart = i > first && must_be_apart(tokens_[i - 1], token);
      if ((is_spaced || is_apart) && !text.empty() && text.back() != ' ') text += ' ';
      text += token.text;
      if (is_spaced) text += ' ';
    }
    const std::optional<Formula> made = formulas_.atom(text);
    if (made) return *made;
    return fail("L105", tokens_[first], "more than " + std::to_string(kMaxAtoms) + " different propositions");
  }

  Formula unknown_sign(const Token& token) {
    return fail("L103", token, fmt::format("'{}' is not an operator of formulas", token.text),
                "operators: [] <> X U V W ! && || -> <->");
  }

  Formula missing_operand(const Token& token) {
    if (token.kind == Kind::kUnknown) return unknown_sign(token);
    const std::string before =
        at_ > 0 ? " after '" + std::string(tokens_[at_ - 1].text) + "'" : std::string();
    if (token.kind == Kind::kEnd) return fail("L102", token, "an operand is missing" + before);
    return fail("L102", token,
                "an operand is missing" + before + " and before '" + std::string(token.text) + "'");
  }

  Formula unexpected_rest() {
    const Token& token = peek();
    if (token.kind == Kind::kUnknown) return unknown_sign(token);
    if (token.kind == Kind::kClose) {
      return fail("L104", token, "this parenthesis has no opening parenthesis");
    }
    const std::string_view before = at_ > 0 ? tokens_[at_ - 1].text : std::string_view();
    std::string hint = "two propositions need an operator between them: && || -> U";
    if (before == "G") hint = "`always` is written [] here";
    if (before == "F") hint = "`eventually` is written <> here";
    if (token.text == "and" || before == "and") hint = "`and` is written && here";
    if (token.text == "or" || before == "or") hint = "`or` is written || here";
    return fail("L103", token, "there is no operator before '" + std::string(token.text) + "'", hint);
  }

  Formulas& formulas_;
  const SourceFile& source_;
  std::uint32_t file_;
  Reading reading_;
  std::vector<Token> tokens_;
  Diagnostics* diagnostics_ = nullptr;
  std::size_t at_ = 0;
  std::uint32_t nesting_ = 0;
  bool has_failed_ = false;
  const Token* chained_ = nullptr;
};

}  // namespace

std::optional<Formula> parse(Formulas& formulas, const SourceSet& sources, std::uint32_t file,
                             Diagnostics& diagnostics, Reading reading) {
  Parser parser(formulas, sources, file, reading);
  const std::optional<Formula> read = parser.run(diagnostics);
  if (!read) return std::nullopt;
  const Reading other = reading == Reading::kBlock ? Reading::kCommandLine : Reading::kBlock;
  Diagnostics ignored;
  const std::optional<Formula> otherwise = Parser(formulas, sources, file, other).run(ignored);
  if (otherwise && *otherwise != *read) {
    diagnostics.warning("L110", parser.whole(),
                        std::string("SPIN reads this in two ways; here it is ") + to_text(formulas, *read),
                        std::string(reading == Reading::kBlock ? "`spin -f`" : "an `ltl` block") +
                            " would read " + to_text(formulas, *otherwise) +
                            "; parentheses make it explicit");
  } else if (const Token* chained = parser.chained_implication()) {
    diagnostics.warning("L111", parser.range(*chained),
                        "implications group from the left: " + to_text(formulas, *read),
                        "parentheses make it explicit");
  }
  return read;
}

}  // namespace spoor::ltl
