// Inlines and embedded C in the lexer: raw blocks, actual parameters, expansion.
#include <algorithm>

#include "promela/lexer.h"

namespace spoor::promela {

namespace {

bool is_space(int c) { return c == ' ' || c == '\t' || c == '\f' || c == '\r' || c == '\n' || c == '\v'; }

}  // namespace

// REQUIRES: the opening brace has been read. Strings, characters and comments are skipped, so that
// braces in them do not count.
bool Lexer::collect_block(RawBlock& block) {
  int depth = 1;
  const auto take = [&] {
    const int c = get_char();
    if (c != kEndOfText) block.text += static_cast<char>(c);
    return c;
  };
  for (;;) {
    const int c = take();
    if (c == kEndOfText) return false;
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) {
      block.text.pop_back();
      return true;
    }
    if (c == '"' || c == '\'') {
      for (int inner = take(); inner != c; inner = take()) {
        if (inner == kEndOfText) return false;
        if (inner == '\\') take();
      }
    }
    if (c == '/' && peek_char() == '/') {
      while (peek_char() != '\n' && peek_char() != kEndOfText) take();
    }
    if (c == '/' && peek_char() == '*') {
      take();
      for (int inner = take();; inner = take()) {
        if (inner == kEndOfText) return false;
        if (inner == '*' && peek_char() == '/') break;
      }
      take();
    }
  }
}

std::optional<RawBlock> Lexer::raw_block(bool allow_precondition) {
  RawBlock block;
  for (;;) {
    const std::size_t begin = offset();
    const int c = peek_char();
    if (is_space(c)) {
      get_char();
      continue;
    }
    if (c == '[' && allow_precondition) {
      get_char();
      for (int depth = 1; depth > 0;) {
        const int inner = get_char();
        if (inner == kEndOfText) {
          diagnostics_.error("P106", range_at(begin, 1), "this precondition is never closed",
                             "end it with ]");
          return std::nullopt;
        }
        if (inner == '[') ++depth;
        if (inner == ']') --depth;
        if (depth > 0) block.precondition += static_cast<char>(inner);
      }
      continue;
    }
    block.begin = begin;
    block.range = range_at(begin, 1);
    if (c == '{') break;
    diagnostics_.error("P101", block.range, "expected an opening brace here", "the body is between { and }");
    return std::nullopt;
  }
  get_char();
  if (!collect_block(block)) {
    diagnostics_.error("P106", block.range, "this block is never closed", "end it with }");
    return std::nullopt;
  }
  block.end = frames_.empty() ? position_ : frames_.back().position;
  return block;
}

void Lexer::collect_argument(const Token& token) {
  if (token.kind == Tok::kComma) {
    arguments_.emplace_back();
    return;
  }
  if (token.kind == Tok::kLeftParen && argument_parens_++ == 0) {
    arguments_.assign(1, {});
    return;
  }
  if (token.kind == Tok::kRightParen && --argument_parens_ == 0) return;
  if (arguments_.empty()) return;
  Actual& argument = arguments_.back();
  // Blanks between tokens are dropped; named constants become numbers.
  if (argument.text.empty()) argument.offset = token.offset;
  if (token.kind == Tok::kConst && (token.text.empty() || token.text[0] != '\'')) {
    argument.text += std::to_string(token.value);
  } else {
    argument.text += token.text;
  }
}

bool Lexer::enter_inline(const InlineDefinition& definition, std::size_t argument_count, Range call) {
  argument_parens_ = 0;
  const auto is_same = [&](const Frame& frame) { return frame.definition == &definition; };
  if (std::any_of(frames_.begin(), frames_.end(), is_same)) {
    diagnostics_.error("P110", call, "the inline " + definition.name + " calls itself",
                       "an inline is a macro; use a proctype or a loop");
    return false;
  }
  if (frames_.size() >= kMaxInlineDepth) {
    diagnostics_.error("P111", call, "inline calls are nested too deeply",
                       "at most " + std::to_string(kMaxInlineDepth) + " can be open at once");
    return false;
  }
  const bool was_too_large = expanded_text_ > kMaxExpandedText;
  expanded_text_ += definition.end - definition.begin;
  if (expanded_text_ > kMaxExpandedText) {
    if (!was_too_large) {
      diagnostics_.error("P111", call, "the calls of inlines expand to too much text",
                         "the expansions are longer than 4 MB in total");
    }
    return false;
  }
  Frame frame;
  frame.position = definition.begin;
  frame.end = definition.end;
  frame.definition = &definition;
  frame.actuals.assign(arguments_.begin(), arguments_.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                    argument_count, arguments_.size())));
  frame.actuals.resize(definition.parameters.size());
  frame.expansion = ++expansions_;
  frames_.push_back(std::move(frame));
  last_read_ = Tok::kSemi;
  return true;
}

}  // namespace spoor::promela
