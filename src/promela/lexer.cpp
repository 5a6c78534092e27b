#include "promela/lexer.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace spoor::promela {

namespace {

bool is_digit(int c) { return c >= '0' && c <= '9'; }
bool is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word_start(int c) { return is_letter(c) || c == '_'; }
bool is_word_part(int c) { return is_word_start(c) || is_digit(c); }
bool is_blank(int c) { return c == ' ' || c == '\t' || c == '\f' || c == '\r' || c == '\v'; }

// Tokens after which a newline may replace a semicolon.
bool can_end_statement(Tok kind) {
  switch (kind) {
    case Tok::kRightBrace:
    case Tok::kRightParen:
    case Tok::kRightBracket:
    case Tok::kOd:
    case Tok::kFi:
    case Tok::kElse:
    case Tok::kBreak:
    case Tok::kCCode:
    case Tok::kCExpr:
    case Tok::kCDecl:
    case Tok::kName:
    case Tok::kConst:
    case Tok::kIncrement:
    case Tok::kDecrement: return true;
    default: return false;
  }
}

// Tokens that may follow `}` without a separator.
bool can_follow_brace(Tok kind) {
  switch (kind) {
    case Tok::kProctype:
    case Tok::kInit:
    case Tok::kNever:
    case Tok::kSep:
    case Tok::kFi:
    case Tok::kOd:
    case Tok::kRightBrace:
    case Tok::kUnless:
    case Tok::kSemi:
    case Tok::kArrow:
    case Tok::kEnd: return true;
    default: return false;
  }
}

}  // namespace

Lexer::Lexer(const Preprocessed& source, SymbolTable& names, Diagnostics& diagnostics)
    : source_(source), names_(names), diagnostics_(diagnostics), end_(source.text.size()) {}

Range Lexer::range_at(std::size_t offset, std::size_t length) const {
  Range range;
  range.begin = source_.position(offset);
  range.length = static_cast<std::uint32_t>(std::max<std::size_t>(length, 1));
  return range;
}

// ---- Characters --------------------------------------------------------------------------------

int Lexer::peek_char() {
  for (;;) {
    if (!inserted_.is_empty()) {
      return static_cast<unsigned char>(inserted_.text[inserted_.position]);
    }
    if (frames_.empty()) {
      return position_ < end_ ? static_cast<unsigned char>(source_.text[position_]) : kEndOfText;
    }
    if (in_parameter_) {
      if (!parameter_.is_empty()) {
        return static_cast<unsigned char>(parameter_.text[parameter_.position]);
      }
      in_parameter_ = false;
      continue;
    }
    const Frame& frame = frames_.back();
    if (frame.position < frame.end) {
      return static_cast<unsigned char>(source_.text[frame.position]);
    }
    frames_.pop_back();
  }
}

int Lexer::get_char() {
  const int c = peek_char();
  if (c == kEndOfText) return c;
  if (!inserted_.is_empty()) {
    ++inserted_.position;
  } else if (frames_.empty()) {
    ++position_;
  } else if (in_parameter_) {
    ++parameter_.position;
  } else {
    ++frames_.back().position;
  }
  return c;
}

std::size_t Lexer::offset() {
  if (peek_char() == kEndOfText) return end_;
  if (!inserted_.is_empty()) return inserted_.offset;
  if (frames_.empty()) return position_;
  return in_parameter_ ? parameter_.offset : frames_.back().position;
}

bool Lexer::accept_char(char wanted) {
  if (peek_char() != static_cast<unsigned char>(wanted)) return false;
  get_char();
  return true;
}

// ---- Tokens, before semicolons are inserted or dropped -----------------------------------------

Token Lexer::make(Tok kind, std::size_t begin, std::string text) {
  Token token;
  token.kind = kind;
  token.offset = begin;
  token.range = range_at(begin, text.size());
  token.text = std::move(text);
  last_read_ = kind;
  return token;
}

// REQUIRES: the next character is '/'. The preprocessor removes comments; they occur only in a model
// that was not preprocessed. As in the preprocessor's output, a comment over several lines counts
// as a newline. Returns whether a newline was passed; does not read the '/' when no comment begins.
bool Lexer::skip_comment() {
  const std::size_t begin = offset();
  get_char();
  if (accept_char('/')) {
    while (peek_char() != '\n' && peek_char() != kEndOfText) get_char();
    return false;
  }
  get_char();  // the star
  bool has_newline = false;
  for (;;) {
    const int c = get_char();
    if (c == kEndOfText) {
      diagnostics_.error("P105", range_at(begin, 2), "this comment is never closed", "end it with */");
      return has_newline;
    }
    if (c == '\n') has_newline = true;
    if (c == '*' && accept_char('/')) return has_newline;
  }
}

bool Lexer::newline_ends_statement() {
  if (!mode.in_sequence || mode.open_parens != 0 || !can_end_statement(last_read_)) return false;
  if (last_read_ == Tok::kRightBrace) {
    while (is_blank(peek_char()) || peek_char() == '\n') get_char();
    if (peek_char() == 'u') return false;  // probably `unless`; if not, a semicolon is inserted later
  }
  return true;
}

Token Lexer::read() {
  for (;;) {
    const int c = peek_char();
    const std::size_t begin = offset();
    if (c == kEndOfText) {
      if (next_deferred_ < deferred_.size()) {
        in_deferred_ = true;
        position_ = deferred_[next_deferred_].first;
        end_ = deferred_[next_deferred_].second;
        ++next_deferred_;
        continue;
      }
      return make(Tok::kEnd, begin, "");
    }
    if (is_blank(c)) {
      get_char();
      continue;
    }
    bool is_newline = false;
    if (c == '\n') {
      get_char();
      is_newline = true;
    } else if (c == '/' && inserted_.is_empty() && !in_parameter_) {
      const std::string& text = source_.text;
      if (begin + 1 < text.size() && (text[begin + 1] == '/' || text[begin + 1] == '*')) {
        is_newline = skip_comment();
        if (!is_newline) continue;
      }
    }
    if (c == '*' && inserted_.is_empty() && !in_parameter_ && begin + 1 < source_.text.size() &&
        source_.text[begin + 1] == '/') {
      get_char();  // the end of a comment inside which another one begins: skipped
      get_char();
      continue;
    }
    if (is_newline) {
      if (newline_ends_statement()) return make(Tok::kSemi, begin, ";");
      continue;
    }
    if (c == '"' || c == '$') return read_string(begin, static_cast<char>(c));
    if (c == '\'') return read_character(begin);
    if (is_digit(c)) return read_number(begin);
    if (is_word_start(c)) {
      Token token = read_word(begin);
      if (token.kind == Tok::kStray) continue;  // replaced by other text
      last_read_ = token.kind;
      return token;
    }
    return read_operator(begin);
  }
}

Token Lexer::read_number(std::size_t begin) {
  std::string digits;
  while (is_digit(peek_char())) digits += static_cast<char>(get_char());
  Token token = make(Tok::kConst, begin, digits);
  errno = 0;
  // Larger numbers wrap, like an assignment to an int: 4294967295 is -1.
  token.value = static_cast<std::int32_t>(std::strtol(digits.c_str(), nullptr, 10));
  if (errno != 0 || digits != std::to_string(token.value)) {
    const bool has_leading_zero = digits.size() > 1 && digits[0] == '0';
    if (!has_leading_zero) {
      diagnostics_.warning(
          "P120", token.range,
          "the number " + digits + " does not fit an int; it is read as " + std::to_string(token.value),
          "numbers go from -2147483648 to 2147483647");
    }
  }
  return token;
}

Token Lexer::read_string(std::size_t begin, char quote) {
  get_char();
  std::string text;
  for (;;) {
    const int c = peek_char();
    if (c == '\n' || c == kEndOfText) {
      diagnostics_.error("P102", range_at(begin, 1), "this string is never closed",
                         std::string("end it with ") + quote + " on the same line");
      break;
    }
    get_char();
    if (c == quote) break;
    text += static_cast<char>(c);
    if (c == '\\' && peek_char() != kEndOfText) text += static_cast<char>(get_char());
  }
  Token token = make(Tok::kString, begin, std::move(text));
  token.range.length += 2;
  return token;
}

Token Lexer::read_character(std::size_t begin) {
  get_char();
  int c = get_char();
  if (c == '\\') {
    c = get_char();
    if (c == 'n')
      c = '\n';
    else if (c == 'r')
      c = '\r';
    else if (c == 't')
      c = '\t';
    else if (c == 'f')
      c = '\f';
  }
  if (c == kEndOfText || !accept_char('\'')) {
    diagnostics_.error("P103", range_at(begin, 1), "a character constant needs a closing quote",
                       "write it as 'a' or '\\n'");
  }
  Token token = make(Tok::kConst, begin, std::string("'") + static_cast<char>(c) + "'");
  token.value = c;
  return token;
}

// ---- Words -------------------------------------------------------------------------------------

// A token of kind kStray means: no token here, the word is replaced by other text.
Token Lexer::read_word(std::size_t begin) {
  Token token;
  while (is_word_part(peek_char())) token.text += static_cast<char>(get_char());
  token.offset = begin;
  token.range = range_at(begin, token.text.size());
  token.kind = keyword(token.text, token);
  if (token.kind == Tok::kSelect && frames_.empty() && inserted_.is_empty() && expand_select(begin)) {
    token.kind = Tok::kStray;
    return token;
  }
  if (token.kind == Tok::kTimeout && frames_.empty() && last_read_ != Tok::kLeftParen) {
    // Is read as (timeout), so that a newline after it ends the statement; but not in inlines.
    inserted_ = {"timeout)", 0, begin};
    token.kind = Tok::kLeftParen;
    token.text = "(";
    return token;
  }
  if (token.kind == Tok::kLtl && frames_.empty() && !in_deferred_) {
    defer_formula(begin);
    token.kind = Tok::kStray;
    return token;
  }
  if (token.kind != Tok::kName) return token;
  if (const std::int32_t constant = names_.mtype_named(token.text); constant >= 0) {
    token.kind = Tok::kConst;
    token.is_mtype = true;
    token.value = names_.mtype_value(constant);
    return token;
  }
  if (substitute(token.text)) {
    token.kind = Tok::kStray;
    return token;
  }
  if (names_.record_named(token.text) >= 0) {
    token.kind = Tok::kTypeName;
  } else if (names_.proctype_named(token.text) >= 0) {
    token.kind = Tok::kProcName;
  } else if (names_.inline_named(token.text) != nullptr) {
    token.kind = Tok::kInlineName;
  } else if (!mode.in_record) {
    token.entry = names_.lookup(token.text);
  }
  return token;
}

bool Lexer::substitute(std::string_view word) {
  if (frames_.empty() || in_parameter_) return false;
  Frame& frame = frames_.back();
  const std::vector<std::string>& formals = frame.definition->parameters;
  const auto formal = std::find(formals.begin(), formals.end(), word);
  if (formal == formals.end()) return false;
  const Actual& actual = frame.actuals[static_cast<std::size_t>(formal - formals.begin())];
  if (actual.text == word) return false;
  // The inserted text is read like other text: a parameter's name in it would be replaced again.
  bool is_captured = std::find(formals.begin(), formals.end(), actual.text) != formals.end();
  // A parameter as part of a path in the argument: r.x for x. The test compares text.
  for (std::size_t at = actual.text.find(word); at != std::string::npos && !is_captured;
       at = actual.text.find(word, at + 1)) {
    const std::size_t after = at + word.size();
    is_captured =
        (at > 0 && actual.text[at - 1] == '.') || (after < actual.text.size() && actual.text[after] == '.');
  }
  if (is_captured) {
    if (!frame.is_reported) {
      diagnostics_.error(
          "P113", range_at(actual.offset, actual.text.size()),
          "the argument " + actual.text + " contains the name of a parameter of " + frame.definition->name,
          "rename the parameter in the definition of the inline");
    }
    frame.is_reported = true;
    return false;
  }
  parameter_ = {actual.text, 0, actual.offset};
  in_parameter_ = true;
  return true;
}

// select (x : 1 .. 3) with plain numbers is replaced, as text, by an if with one assignment per
// value, or by a loop when there are many; only outside of inlines. The parser handles all other
// forms.
bool Lexer::expand_select(std::size_t begin) {
  const std::size_t resume = position_;
  const auto scan_to = [&](char stop, auto is_part, std::string& part) {
    for (int c = get_char(); c != kEndOfText; c = get_char()) {
      if (c == static_cast<unsigned char>(stop)) return true;
      if (!is_part(c) && c != ' ' && c != '\t') return false;
      part += static_cast<char>(c);
    }
    return false;
  };
  const auto anything = [](int) { return true; };
  const auto is_plain = [](int c) { return is_letter(c) || is_digit(c); };
  std::string ignored, name, from, to;
  if (!scan_to('(', anything, ignored) || !scan_to(':', is_plain, name) || !scan_to('.', is_digit, from) ||
      !scan_to('.', anything, ignored) || !scan_to(')', is_digit, to)) {
    position_ = resume;
    return false;
  }
  const int first = std::atoi(from.c_str());
  const int last = std::atoi(to.c_str());
  if (first > last) {
    diagnostics_.error(
        "P114", range_at(begin, 6),
        "the range " + std::to_string(first) + " .. " + std::to_string(last) + " of this select is empty",
        "write the smaller number first");
    return true;
  }
  inserted_ = {};
  inserted_.offset = begin;
  std::string& text = inserted_.text;
  constexpr int kMostOptions = 33;
  if (last - first < kMostOptions) {
    text = "if ";
    for (int value = first; value <= last; ++value) {
      text += ":: " + name + " = " + std::to_string(value) + " ";
    }
    text += "fi ";
  } else {
    text = name + " = " + std::to_string(first) + "; do :: (" + name + " < " + std::to_string(last) +
           ") -> " + name + "++ :: break od; ";
  }
  return true;
}

void Lexer::defer_formula(std::size_t begin) {
  int depth = 0;
  for (int c = get_char(); c != kEndOfText; c = get_char()) {
    if (c == '{') ++depth;
    if (c == '}' && --depth <= 0) break;
  }
  deferred_.emplace_back(begin, position_);
}

// ---- Inserted and dropped semicolons -----------------------------------------------------------

Token Lexer::next() {
  Token token;
  if (held_) {
    token = std::move(*held_);
    held_.reset();
    last_read_ = token.kind;
  } else {
    token = read();
    const bool lacks_separator = (last_returned_ == Tok::kElse && token.kind != Tok::kSemi &&
                                  token.kind != Tok::kArrow && token.kind != Tok::kFi) ||
                                 (last_returned_ == Tok::kRightBrace && !can_follow_brace(token.kind));
    if (lacks_separator) {
      Token separator;
      separator.kind = Tok::kSemi;
      separator.text = ";";
      separator.range = token.range;
      held_ = std::move(token);
      last_returned_ = Tok::kEnd;
      last_read_ = Tok::kSemi;
      return separator;
    }
    if (token.kind == Tok::kSemi || token.kind == Tok::kArrow) {
      // After a separator in a body, a name is not a field.
      const bool in_record = mode.in_record;
      mode.in_record = in_record && names_.context() == kNoContext;
      Token after = read();
      mode.in_record = in_record;
      if (after.kind == Tok::kRightBrace || after.kind == Tok::kArrow || after.kind == Tok::kSemi) {
        token = std::move(after);
      } else {
        held_ = std::move(after);
      }
    }
  }
  last_returned_ = token.kind;
  if (mode.in_inline_call) collect_argument(token);
  return token;
}

}  // namespace spoor::promela
