// Aligning the C preprocessor's output with the text that it was made from.
//
// The preprocessor tells the file and line of every line that it prints, but not the columns: it
// squeezes blanks, drops comments and replaces macros. The column of a token is found by walking
// along both lines at once: tokens that are no macros were copied, so they must agree in order, and
// what the output has in the place of a macro's name (or call) came out of that macro.
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

// A token in the sense of the C preprocessor, except that every sign is a token of its own: then it
// does not matter that the preprocessor may put a blank between the two halves of `->`.
struct CToken {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  std::uint32_t line = 0;     // from 1; physical, for positions
  std::uint32_t logical = 0;  // the same for lines joined by a comment or a backslash
};

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The tokens of a text without its comments and directives.
std::vector<CToken> tokens_of(std::string_view text);

// Whether a character may stand in a name. Bytes beyond ASCII may.
bool is_name_char(char c);

// The macros that are defined at some line of the output, and whether each takes arguments.
using Macros = std::unordered_map<std::string, bool>;

// One of the user's files, and how far its macro calls have been followed.
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
  std::uint32_t line = 0;       // the user's line that it says it is
  std::uint32_t next_line = 0;  // the user's lines before this one may have flowed into it
  std::size_t offset = 0;       // where it stands in the result
};

// Appends anchors for the tokens of `printed`.
void align_line(UserText& user, const PrintedLine& printed, const Macros& macros,
                std::vector<Preprocessed::Anchor>& anchors);

}  // namespace spoor::promela
