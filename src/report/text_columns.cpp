#include "report/text_columns.h"

#include <fmt/format.h>

namespace spoor {
namespace {

// The number of bytes of the UTF-8 sequence at the front of `text`; 0 if it is not valid.
std::size_t sequence_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80             ? 1
                             : (lead & 0xe0) == 0xc0 ? 2
                             : (lead & 0xf0) == 0xe0 ? 3
                             : (lead & 0xf8) == 0xf0 ? 4
                                                     : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  }
  return length;
}

}  // namespace

std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    result.emplace_back(length == 0 ? std::string_view("?") : text.substr(0, length));
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

std::size_t display_width(std::string_view text) { return characters(text).size(); }

std::string pad_right(std::string_view text, std::size_t width) {
  std::string result(text);
  const std::size_t used = display_width(text);
  if (used < width) result.append(width - used, ' ');
  return result;
}

std::string shorten(std::string_view text, std::size_t width, bool ascii) {
  const std::vector<std::string> all = characters(text);
  if (all.size() <= width) return std::string(text);
  const std::string mark = ascii ? "~" : "…";
  std::string result;
  for (std::size_t i = 0; i + 1 < width; ++i) result += all[i];
  return width == 0 ? std::string() : result + mark;
}

std::string escape_controls(std::string_view text) {
  std::string result;
  for (const std::string& character : characters(text)) {
    const auto code = static_cast<unsigned char>(character[0]);
    if (character == "\n") {
      result += "\\n";
    } else if (character == "\t") {
      result += "\\t";
    } else if (character == "\r") {
      result += "\\r";
    } else if (code < 0x20 || code == 0x7f) {
      result += fmt::format("\\x{:02x}", code);
    } else {
      result += character;
    }
  }
  return result;
}

}  // namespace spoor
