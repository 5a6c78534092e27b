// Text in columns: width, padding, shortening, escapes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace spoor {

// The characters of a UTF-8 text, one string each; bytes that are not UTF-8 become "?".
std::vector<std::string> characters(std::string_view text);

// The number of columns of a text, one per character.
std::size_t display_width(std::string_view text);

// The text filled with spaces on its right up to `width` columns.
std::string pad_right(std::string_view text, std::size_t width);

// The text cut to `width` columns; the last column marks the cut.
std::string shorten(std::string_view text, std::size_t width, bool ascii = false);

// The text with control characters written as escapes (\n, \t, \x1b), so that the output of a model
// cannot break a line of a report or control the terminal.
std::string escape_controls(std::string_view text);

}  // namespace spoor
