// Aligning the C preprocessor's output with the text that it was made from.
//
// The preprocessor gives the file and line of every output line, but not the columns: it joins
// blanks, drops comments and replaces macros. The column of a token is found by comparing both lines
// token by token: tokens that are not macros are copied, so they agree in order, and the output in
// place of a macro's name (or call) is the expansion of that macro.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/source.h"
#include "promela/preprocess.h"

namespace spoor::promela {

// A token of the C preprocessor, except that every sign is a token of its own: so a blank that the
// preprocessor puts between the two halves of `->` makes no difference.
struct CToken {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  std::uint32_t line = 0;     // from 1; physical, for positions
  std::uint32_t logical = 0;  // the same for lines joined by a comment or a backslash
};

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The tokens of a text without its comments and directives.
std::vector<CToken> tokens_of(std::string_view text);

// Whether a character may be part of a name. Bytes beyond ASCII may.
bool is_name_char(char c);

// The macros that are defined at some line of the output, and whether each takes arguments.
using Macros = std::unordered_map<std::string, bool>;

// One of the user's files, and the position up to which its macro calls are processed.
struct UserText {
  UserText(std::uint32_t file_index, std::string_view file_text);

  std::string_view word(std::size_t token) const;
  Position position(std::size_t token) const;
  std::size_t first_token_of_line(std::uint32_t line) const;

  std::uint32_t file;
  std::string_view text;
  std::vector<CToken> tokens;
  std::vector<std::uint32_t> line_starts;
  int open_parentheses = 0;  // of a macro call that an earlier line began
};

struct PrintedLine {
  std::string_view text;        // as the preprocessor printed it
  std::uint32_t line = 0;       // the user's line, by the preprocessor's line marker
  std::uint32_t next_line = 0;  // the user's lines before this one may be joined with it
  std::size_t offset = 0;       // in the result
};

// Appends anchors for the tokens of `printed`.
void align_line(UserText& user, const PrintedLine& printed, const Macros& macros,
                std::vector<Preprocessed::Anchor>& anchors);

}  // namespace spoor::promela
