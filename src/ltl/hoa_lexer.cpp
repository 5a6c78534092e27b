#include "ltl/hoa_lexer.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace spoor::ltl {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_word_char(char c) { return is_letter(c) || is_digit(c) || c == '-'; }

}  // namespace

HoaLexer::HoaLexer(const SourceSet& sources, std::uint32_t file)
    : source_(sources.file(file)), text_(source_.text), file_(file) {
  advance();
}

HoaToken HoaLexer::take() {
  HoaToken taken = std::move(token_);
  advance();
  return taken;
}

Range HoaLexer::range(const HoaToken& token) const {
  const auto& starts = source_.line_starts;
  const auto after = std::upper_bound(starts.begin(), starts.end(), token.offset);
  const auto line = static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(1, after - starts.begin()));
  const std::size_t begin = starts.empty() ? 0 : starts[line - 1];
  return {{file_, line, static_cast<std::uint32_t>(token.offset - begin + 1)},
          static_cast<std::uint32_t>(std::max<std::size_t>(1, token.length))};
}

// Blanks and comments, which nest.
void HoaLexer::skip_blanks() {
  int depth = 0;
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("/*")) {
      ++depth;
      at_ += 2;
    } else if (depth > 0 && rest.starts_with("*/")) {
      --depth;
      at_ += 2;
    } else if (depth > 0 || std::isspace(static_cast<unsigned char>(rest[0])) != 0) {
      ++at_;
    } else {
      break;
    }
  }
}

void HoaLexer::advance() {
  skip_blanks();
  token_ = HoaToken();
  token_.offset = at_;
  if (at_ >= text_.size()) return;
  const char c = text_[at_];
  if (is_letter(c) || c == '@' || is_digit(c)) {
    read_word();
  } else if (c == '"') {
    read_string();
  } else if (c == '-') {
    read_dashes();
  } else {
    token_.kind =
        std::string_view("!&|()[]{}").find(c) != std::string_view::npos ? HoaKind::kSign : HoaKind::kUnknown;
    token_.text = c;
    ++at_;
  }
  token_.length = at_ - token_.offset;
}

void HoaLexer::read_word() {
  const char first = text_[at_];
  const std::size_t begin = at_++;
  if (is_digit(first)) {
    token_.kind = HoaKind::kNumber;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    for (std::size_t i = begin; i < at_; ++i) {
      const auto digit = static_cast<std::uint64_t>(text_[i] - '0');
      const bool fits = token_.number <= (UINT64_MAX - 1 - digit) / 10;
      token_.number = fits ? token_.number * 10 + digit : UINT64_MAX;
      if (!fits) break;
    }
  } else {
    token_.kind = first == '@' ? HoaKind::kAlias : HoaKind::kName;
    while (at_ < text_.size() && is_word_char(text_[at_])) ++at_;
  }
  token_.text = text_.substr(begin, at_ - begin);
  if (token_.kind == HoaKind::kName && at_ < text_.size() && text_[at_] == ':') {
    token_.kind = HoaKind::kHeader;
    ++at_;
  }
}

void HoaLexer::read_string() {
  token_.kind = HoaKind::kString;
  for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
    if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
    token_.text += text_[at_];
  }
  if (at_ >= text_.size()) token_.kind = HoaKind::kUnknown;  // not terminated
  at_ = std::min(at_ + 1, text_.size());
}

void HoaLexer::read_dashes() {
  constexpr std::pair<std::string_view, HoaKind> kMarks[] = {
      {"--BODY--", HoaKind::kBody}, {"--END--", HoaKind::kEndOfBody}, {"--ABORT--", HoaKind::kAbort}};
  for (const auto& [mark, kind] : kMarks) {
    if (!text_.substr(at_).starts_with(mark)) continue;
    token_.kind = kind;
    token_.text.assign(mark.data(), mark.size());
    at_ += mark.size();
    return;
  }
  token_.kind = HoaKind::kUnknown;
  token_.text.push_back(text_[at_++]);
}

}  // namespace spoor::ltl
