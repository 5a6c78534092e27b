// Finds the origin of each token of a preprocessed line. Example:
//
//     #define NEXT(i)  ((i) + 1) % N
//     x = NEXT(y) ; goto again          the user's line
//     x = ((y) + 1) % 3 ; goto again    the preprocessor's
//
// `x`, `=` agree. NEXT is a macro with arguments, so the user's `NEXT(y)` is a call; the words
// after it, `; goto again`, are plain, so they occur in the output again: everything before them
// belongs to the call. Inside the call, `y` is found among the arguments and refers to it; all other
// tokens refer to the word NEXT. `N`, which is not on the user's line, needs no special case.
//
// Rivals: gcc's origin of each token (-fdebug-cpp) is exact, but multiplies the output by twenty and
// is a debugging aid without a documented format. A macro expansion of our own would be exact too,
// but then the meaning of a model could differ from SPIN's. The alignment can only misplace a caret,
// never change a meaning.
//
// Where it is not exact: of two adjacent macros (`A B`) the second gets all tokens of both; where a
// macro's text contains the words that follow the macro, it may get too few. The line is right even
// then.
//
// Cost: linear in both texts except for the search for the words after a macro, which is bounded by
// kSearchWindow tokens, and that for an argument, bounded by kArgumentWindow.
//
// Tested by: tests/unit/test_preprocess.cpp
#include "promela/align.h"

#include <algorithm>

namespace spoor::promela {
namespace {

constexpr std::size_t kSearchWindow = 1 << 14;
constexpr std::size_t kArgumentWindow = 64;
// So many words after a macro must agree to be accepted as the end of the macro's text.
constexpr std::size_t kAgreement = 16;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

// Cuts a text into tokens. Only what decides token boundaries is modelled.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<CToken> run() {
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        end_line();
      } else if (is_blank(c)) {
        ++at_;
      } else if (const std::size_t joined = length_of_joint(); joined != 0) {
        at_ += joined;
        ++line_;
      } else if (text_.substr(at_, 2) == "/*") {
        skip_block_comment();
      } else if (text_.substr(at_, 2) == "//") {
        skip_line_comment();
      } else if (c == '#' && at_line_start_) {
        skip_directive();
      } else {
        take_token();
      }
    }
    return std::move(tokens_);
  }

 private:
  void end_line() {
    ++at_;
    ++line_;
    logical_ = line_;
    at_line_start_ = true;
  }

  // The length of a backslash and the newline that it hides, or 0.
  std::size_t length_of_joint() const {
    if (text_[at_] != '\\') return 0;
    std::size_t end = at_ + 1;
    while (end < text_.size() && is_blank(text_[end])) ++end;
    return end < text_.size() && text_[end] == '\n' ? end + 1 - at_ : 0;
  }

  void skip_block_comment() {
    std::size_t end = text_.find("*/", at_ + 2);
    end = end == std::string_view::npos ? text_.size() : end + 2;
    line_ += static_cast<std::uint32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                   text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }

  void skip_line_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') skip_joint_or_char();
  }

  // A directive continues after a block comment of any number of lines.
  void skip_directive() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (text_.substr(at_, 2) == "/*") {
        skip_block_comment();
      } else if (text_.substr(at_, 2) == "//") {
        skip_line_comment();
      } else if (text_[at_] == '"' || text_[at_] == '\'') {
        skip_literal(text_[at_++]);
      } else {
        skip_joint_or_char();
      }
    }
  }

  void skip_joint_or_char() {
    const std::size_t joined = length_of_joint();
    at_ += std::max<std::size_t>(joined, 1);
    if (joined != 0) ++line_;
  }

  void take_token() {
    const std::size_t begin = at_;
    const char c = text_[at_++];
    if (c == '"' || c == '\'') {
      skip_literal(c);
    } else if (is_digit(c) || (c == '.' && at_ < text_.size() && is_digit(text_[at_]))) {
      skip_number();
    } else if (is_name_char(c)) {
      while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
    }
    tokens_.push_back(
        {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_ - begin), line_, logical_});
    at_line_start_ = false;
  }

  // An unterminated literal ends with its line, as in the preprocessor.
  void skip_literal(char quote) {
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (length_of_joint() != 0) {
        skip_joint_or_char();
        continue;
      }
      const char c = text_[at_++];
      if (c == quote) return;
      if (c == '\\' && at_ < text_.size() && text_[at_] != '\n') ++at_;
    }
  }

  void skip_number() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const char before = text_[at_ - 1];
      const bool is_exponent_sign =
          (c == '+' || c == '-') && (before == 'e' || before == 'E' || before == 'p' || before == 'P');
      if (!is_name_char(c) && c != '.' && !is_exponent_sign) return;
      ++at_;
    }
  }

  std::string_view text_;
  std::vector<CToken> tokens_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t logical_ = 1;
  bool at_line_start_ = true;
};

class LineWalk {
 public:
  LineWalk(UserText& user, const PrintedLine& printed, const Macros& macros,
           std::vector<Preprocessed::Anchor>& anchors)
      : user_(user),
        printed_(printed),
        macros_(macros),
        anchors_(anchors),
        out_(tokens_of(printed.text)),
        at_(user.first_token_of_line(printed.line)),
        limit_(std::max(at_, user.first_token_of_line(printed.next_line))) {}

  void run() {
    leave_open_call();
    end_ = end_of_logical_line(at_);
    while (next_ < out_.size()) {
      if (at_ >= end_) {
        anchor_to({user_.file, printed_.line, 0}, false);
      } else if (const std::size_t after = end_of_macro(at_); after != at_) {
        if (after > end_) end_ = end_of_logical_line(after - 1);  // the call crosses lines
        expand(at_, after, find_continuation(after, start_of_macro(after)));
        at_ = after;
      } else if (user_.word(at_) == out_word(next_)) {
        anchor_to(user_.position(at_++), true);
      } else {
        recover();
      }
    }
  }

 private:
  std::string_view out_word(std::size_t i) const {
    return printed_.text.substr(out_[i].offset, out_[i].length);
  }

  // Assigns a position to the next token of the output.
  void anchor_to(Position position, bool is_copy) {
    const std::size_t where = printed_.offset + out_[next_++].offset;
    if (!anchors_.empty()) {
      const Preprocessed::Anchor& last = anchors_.back();
      const bool goes_on = is_copy && last.is_copy && last.position.file == position.file &&
                           last.position.line == position.line &&
                           last.position.column + (where - last.offset) == position.column;
      if (goes_on || (!is_copy && !last.is_copy && last.position == position)) return;
    }
    anchors_.push_back({where, position, is_copy});
  }

  // Skips the rest of a call that began on an earlier line: its output is on that line.
  void leave_open_call() {
    for (; user_.open_parentheses > 0 && at_ < limit_; ++at_) {
      user_.open_parentheses += parenthesis(at_);
    }
  }

  int parenthesis(std::size_t token) const {
    const std::string_view w = user_.word(token);
    return w == "(" ? 1 : w == ")" ? -1 : 0;
  }

  std::size_t end_of_logical_line(std::size_t at) const {
    std::size_t end = at;
    while (end < limit_ && user_.tokens[end].logical == user_.tokens[at].logical) ++end;
    return end;
  }

  bool is_macro_use(std::size_t at, bool& takes_arguments) const {
    const auto macro = macros_.find(std::string(user_.word(at)));
    if (macro == macros_.end()) return false;
    takes_arguments = macro->second;
    return !takes_arguments || (at + 1 < limit_ && user_.word(at + 1) == "(");
  }

  // The position after the macro's name or call at `at`; `at` itself without a macro.
  std::size_t end_of_macro(std::size_t at) {
    bool takes_arguments = false;
    if (!is_macro_use(at, takes_arguments)) return at;
    if (!takes_arguments) return at + 1;
    int depth = 0;
    for (std::size_t i = at + 1; i < limit_; ++i) {
      depth += parenthesis(i);
      if (depth == 0) return i + 1;
    }
    user_.open_parentheses = depth;
    return limit_;
  }

  // The first macro at or after `at`, or the end of the line.
  std::size_t start_of_macro(std::size_t at) const {
    bool takes_arguments = false;
    while (at < end_ && !is_macro_use(at, takes_arguments)) ++at;
    return at;
  }

  // The position in the output of the user's plain tokens [from, to): the macro before them ends there.
  std::size_t find_continuation(std::size_t from, std::size_t to) const {
    if (from == to) return to == end_ ? out_.size() : next_;
    const std::size_t length = std::min(to - from, kAgreement);
    const auto agree_at = [&](std::size_t k) {
      for (std::size_t i = 0; i < length; ++i) {
        if (k + i >= out_.size() || out_word(k + i) != user_.word(from + i)) return false;
      }
      return true;
    };
    // Plain tokens to the end of the line: the output ends with the same tokens.
    if (to == end_ && out_.size() >= next_ + (to - from)) {
      const std::size_t tail = out_.size() - (to - from);
      if (agree_at(tail)) return tail;
    }
    const std::size_t last = std::min(out_.size(), next_ + kSearchWindow);
    for (std::size_t k = next_; k < last; ++k) {
      if (agree_at(k)) return k;
    }
    return out_.size();
  }

  // Assigns the output up to `last` to the macro use [from, to) of the user.
  void expand(std::size_t from, std::size_t to, std::size_t last) {
    const Position name = user_.position(from);
    std::size_t argument = from + 1;
    while (next_ < last) {
      const std::string_view w = out_word(next_);
      const std::size_t window = std::min(to, argument + kArgumentWindow);
      std::size_t match = is_name_char(w[0]) || w[0] == '"' ? argument : window;
      while (match < window && user_.word(match) != w) ++match;
      if (match < window) {
        anchor_to(user_.position(match), true);
        argument = match + 1;
      } else {
        anchor_to(name, false);
      }
    }
  }

  // The user's token is not in the output although no macro is known by that name: it may be one
  // of the preprocessor's own (__LINE__), or the line is not the user's at all (after #line).
  void recover() {
    const std::size_t window = std::min(end_, at_ + kArgumentWindow);
    std::size_t match = at_;
    while (match < window && user_.word(match) != out_word(next_)) ++match;
    if (match < window) {
      at_ = match;
    } else if (user_.word(at_).starts_with("__")) {
      anchor_to(user_.position(at_), false);
    } else {
      anchor_to({user_.file, printed_.line, 0}, false);
    }
  }

  UserText& user_;
  const PrintedLine& printed_;
  const Macros& macros_;
  std::vector<Preprocessed::Anchor>& anchors_;
  std::vector<CToken> out_;
  std::size_t next_ = 0;  // in out_
  std::size_t at_ = 0;    // in the user's tokens
  std::size_t end_ = 0;   // of the user's logical line
  std::size_t limit_ = 0;
};

}  // namespace

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::vector<CToken> tokens_of(std::string_view text) { return Scanner(text).run(); }

UserText::UserText(std::uint32_t file_index, std::string_view file_text)
    : file(file_index), text(file_text), tokens(tokens_of(file_text)), line_starts{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') line_starts.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

std::string_view UserText::word(std::size_t token) const {
  return text.substr(tokens[token].offset, tokens[token].length);
}

Position UserText::position(std::size_t token) const {
  const CToken& t = tokens[token];
  return {file, t.line, t.offset - line_starts[t.line - 1] + 1};
}

std::size_t UserText::first_token_of_line(std::uint32_t line) const {
  const auto first = std::lower_bound(tokens.begin(), tokens.end(), line,
                                      [](const CToken& t, std::uint32_t l) { return t.line < l; });
  return static_cast<std::size_t>(first - tokens.begin());
}

void align_line(UserText& user, const PrintedLine& printed, const Macros& macros,
                std::vector<Preprocessed::Anchor>& anchors) {
  LineWalk(user, printed, macros, anchors).run();
}

}  // namespace spoor::promela
