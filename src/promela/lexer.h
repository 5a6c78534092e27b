// The lexer: characters to tokens, with four tasks that are usually elsewhere.
//
// Optional semicolons. A newline inside a body ends a statement when the token before it can end
// one (a name, a constant, a closing bracket, od, fi, else, break, ++, --) and no parenthesis is
// open. In addition a semicolon is inserted after `}` and `else` where one is missing, and dropped
// before `}` and before another separator. The parser then has a plain grammar.
//
// Inlines. Promela's inline is a macro: SPIN re-reads the characters of the body at each call, with
// the text of the actual parameters in place of the formal ones. That text is joined from tokens,
// without blanks and with constants as numbers, and is itself read again; the name of a parameter at
// its very end is replaced once more (with f(a, b), the call f(1 + b, 2) makes 1 + 2 of a). To agree
// with all of that, this lexer works on characters too. A frame per running expansion has the
// position in the text, so that every token still has a position in the user's file. Expansion always
// ends: an inline may not call itself, directly or not, at most kMaxInlineDepth calls may be open,
// and the expanded text of all calls is limited.
//
// Formulas. `ltl` formulas may use names that are declared after them: their text is read after
// everything else.
//
// Classification. Whether a name is a type, a proctype, an inline, an mtype constant or something
// else decides the grammar, so names are looked up here, at the moment they are read.
//
// The parser controls the lexer: it must update `mode` before it requests a token, because reading
// depends on the mode. Parser::peek is lazy for this reason.
//
// Invariants:
//  1. The text of a frame is a stretch of the preprocessed text; only actual parameters and the
//     expansion of select are text of their own.
//  2. Offsets of tokens never decrease within one frame.
//
// Cost: linear in the expanded text. Tested by: tests/unit/test_lexer.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "promela/preprocess.h"
#include "promela/symbols.h"
#include "promela/token.h"

namespace spoor::promela {

// Raw text in braces: the body of an inline, or embedded C.
struct RawBlock {
  std::string text;          // between the braces
  std::string precondition;  // between [ and ], before the braces
  std::size_t begin = 0;     // offset of the opening brace
  std::size_t end = 0;       // offset after the closing brace
  Range range;
};

class Lexer {
 public:
  static constexpr std::size_t kMaxInlineDepth = 16;  // SPIN's limit too
  // Inlines that call inlines can grow exponentially; this limit is larger than any real model needs.
  static constexpr std::size_t kMaxExpandedText = std::size_t{4} << 20;

  struct Mode {
    bool in_sequence = false;     // newlines may end statements
    int open_parens = 0;          // in an open parenthesis newlines do not end statements
    bool in_for = false;          // `in` is a keyword
    bool in_formula = false;      // U, V, W, X, [], <>, ... are operators
    bool in_record = false;       // names are fields: not looked up
    bool in_inline_call = false;  // collect the text of actual parameters
  };
  Mode mode;

  Lexer(const Preprocessed& source, SymbolTable& names, Diagnostics& diagnostics);

  Token next();

  // Reads a block as raw text; nothing when the file ends first or no brace comes (reported).
  std::optional<RawBlock> raw_block(bool allow_precondition);

  // Continues to read at the body of the inline, with the actual parameters collected since
  // mode.in_inline_call was set. False when it calls itself or is nested too deeply (reported).
  bool enter_inline(const InlineDefinition& definition, std::size_t argument_count, Range call);
  // Drops the collected parameters of a call with an error.
  void forget_arguments() { argument_parens_ = 0; }
  // The current expansion: 0 for none, else a number unique to the call.
  std::uint32_t expansion() const { return frames_.empty() ? 0 : frames_.back().expansion; }

  const InlineDefinition* current_inline() const {
    return frames_.empty() ? nullptr : frames_.back().definition;
  }

  Range range_at(std::size_t offset, std::size_t length) const;

 private:
  struct Actual {
    std::string text;
    std::size_t offset = 0;
  };
  struct Frame {
    std::size_t position = 0;
    std::size_t end = 0;
    const InlineDefinition* definition = nullptr;
    std::vector<Actual> actuals;
    std::uint32_t expansion = 0;
    bool is_reported = false;  // an error in its parameters
  };
  // Inserted text that is read before the rest.
  struct Insert {
    std::string text;
    std::size_t position = 0;
    std::size_t offset = 0;  // the position of all of it
    bool is_empty() const { return position >= text.size(); }
  };

  static constexpr int kEndOfText = -1;

  int peek_char();
  int get_char();
  std::size_t offset();
  bool accept_char(char wanted);

  Token read();  // one token, before semicolons are inserted or dropped
  Token make(Tok kind, std::size_t begin, std::string text);
  bool skip_comment();
  bool newline_ends_statement();
  Token read_word(std::size_t begin);
  Token read_number(std::size_t begin);
  Token read_string(std::size_t begin, char quote);
  Token read_character(std::size_t begin);
  Token read_operator(std::size_t begin);
  Token read_formula_operator(std::size_t begin, bool& found);
  // Begins to read the parameter that `word` names in the running expansion.
  bool substitute(std::string_view word);
  bool expand_select(std::size_t begin);
  void defer_formula(std::size_t begin);
  void collect_argument(const Token& token);
  Tok keyword(std::string_view word, Token& token) const;
  bool collect_block(RawBlock& block);

  const Preprocessed& source_;
  SymbolTable& names_;
  Diagnostics& diagnostics_;

  std::size_t position_ = 0;
  std::size_t end_ = 0;
  std::vector<Frame> frames_;
  std::uint32_t expansions_ = 0;
  std::size_t expanded_text_ = 0;
  Insert parameter_;  // the actual parameter being read
  bool in_parameter_ = false;
  Insert inserted_;  // the expansion of a select or timeout
  std::vector<std::pair<std::size_t, std::size_t>> deferred_;
  std::size_t next_deferred_ = 0;
  bool in_deferred_ = false;

  Tok last_read_ = Tok::kEnd;      // decides whether a newline ends a statement
  Tok last_returned_ = Tok::kEnd;  // decides about inserted and dropped semicolons
  std::optional<Token> held_;

  std::vector<Actual> arguments_;
  int argument_parens_ = 0;
};

}  // namespace spoor::promela
