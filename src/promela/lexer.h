// The lexer: characters to tokens, with four jobs that are usually elsewhere.
//
// Optional semicolons. A newline inside a body ends a statement when the token before it can end
// one (a name, a constant, a closing bracket, od, fi, else, break, ++, --) and no parenthesis is
// open. On top of that a semicolon is slipped in after `}` and `else` where one is missing, and
// dropped before `}` and before another separator. The parser then sees a plain grammar.
//
// Inlines. Promela's inline is a macro: SPIN re-reads the characters of the body at each call, with
// the text of the actual parameters in place of the formal ones. That text is put together from
// tokens, without blanks and with constants as numbers, and is itself read again; the name of a
// parameter at its very end is replaced once more (with f(a, b), the call f(1 + b, 2) makes 1 + 2 of a). To
// agree on all of that we work on characters too. A frame per running expansion says where in the
// text we are, so that every token still knows its place in the user's file. Expansion cannot run
// away: an inline may not call itself, directly or not, at most kMaxInlineDepth calls may be open,
// and the text that comes out of all calls is limited.
//
// Formulas. `ltl` formulas may speak of what is declared after them: their text is left out where
// it stands and comes after everything else.
//
// Classification. Whether a name is a type, a proctype, an inline, an mtype constant or something
// else decides the grammar, so names are looked up here, at the moment they are read.
//
// The parser steers: it must not ask for a token before it has updated `mode`, because the mode
// takes part in reading it. Parser::peek is lazy for this reason.
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

// A brace-enclosed stretch that is not Promela, or not yet: the body of an inline, embedded C.
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
  // Inlines that call inlines can multiply without end; this much text is enough for anybody.
  static constexpr std::size_t kMaxExpandedText = std::size_t{4} << 20;

  struct Mode {
    bool in_sequence = false;     // newlines may end statements
    int open_parens = 0;          // not while a parenthesis is open
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

  // Goes on reading at the body of the inline, with the actual parameters collected since
  // mode.in_inline_call was set. False when it calls itself or is nested too deeply (reported).
  bool enter_inline(const InlineDefinition& definition, std::size_t argument_count, Range call);
  // The call that was being read was broken: its parameters are not wanted.
  void forget_arguments() { argument_parens_ = 0; }
  // Which expansion the lexer is in: 0 for none, else a number unique to the call.
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
    bool is_reported = false;  // trouble with its parameters
  };
  // Text of our own that is read before anything else.
  struct Insert {
    std::string text;
    std::size_t position = 0;
    std::size_t offset = 0;  // the place that all of it stands for
    bool is_empty() const { return position >= text.size(); }
  };

  static constexpr int kEndOfText = -1;

  int peek_char();
  int get_char();
  std::size_t offset();
  bool accept_char(char wanted);

  Token read();  // one token, before the repairs
  Token make(Tok kind, std::size_t begin, std::string text);
  bool skip_comment();
  bool newline_ends_statement();
  Token read_word(std::size_t begin);
  Token read_number(std::size_t begin);
  Token read_string(std::size_t begin, char quote);
  Token read_character(std::size_t begin);
  Token read_operator(std::size_t begin);
  Token read_formula_operator(std::size_t begin, bool& found);
  // The parameter that `word` names in the running expansion starts being read.
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
  Tok last_returned_ = Tok::kEnd;  // decides about repairs
  std::optional<Token> held_;

  std::vector<Actual> arguments_;
  int argument_parens_ = 0;
};

}  // namespace spoor::promela
