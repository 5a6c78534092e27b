// A text in one line: each run of spaces and ends of lines is one space, and there is none at the end.
#pragma once

#include <string>
#include <string_view>

namespace spoor {

inline std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char letter : text) {
    const bool is_space = letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
    if (!is_space) {
      line += letter;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace spoor
