// Showing a diagnostic beside the user's text:
//
//     leader.pml:3:7: error[P201]: there is no variable 'cuont'
//       3 |   x = cuont + 1
//         |       ^~~~~
//         hint: did you mean 'count'?
//
// A position counts bytes, a terminal counts cells: tabs are widened, a character of several bytes
// is one cell (or two, or none), and characters that move the cursor or change colours are replaced,
// so that a caret is always under its text and a hostile model cannot control the terminal. Of a
// very long line only the part around the caret is shown.
//
// Tested by: tests/unit/test_diagnostic.cpp
#include "base/diagnostic.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace spoor {
namespace {

constexpr std::size_t kTabWidth = 4;
constexpr std::size_t kMaxShownBytes = 160;  // of a source line
constexpr std::size_t kShownBeforeCaret = 60;
constexpr std::size_t kMaxNameLength = 128;  // longer names have no near names
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// ---- Characters --------------------------------------------------------------------------------

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool is_valid = true;
};

Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1, true};
  const std::size_t length = first >= 0xF0 && first < 0xF8   ? 4
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xC2 && first < 0xE0 ? 2
                                                             : 0;
  if (length == 0 || at + length > text.size()) return {0, 1, false};
  std::uint32_t code = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {0, 1, false};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  return {code, length, true};
}

bool is_within(std::uint32_t code, std::uint32_t first, std::uint32_t last) {
  return code >= first && code <= last;
}

// The number of terminal cells of a character: the common ranges, not all of Unicode.
std::size_t cells_of(std::uint32_t code) {
  if (is_within(code, 0x300, 0x36F) || is_within(code, 0x200B, 0x200F) || is_within(code, 0xFE00, 0xFE0F)) {
    return 0;
  }
  const bool is_wide = is_within(code, 0x1100, 0x115F) || is_within(code, 0x2E80, 0xA4CF) ||
                       is_within(code, 0xAC00, 0xD7A3) || is_within(code, 0xF900, 0xFAFF) ||
                       is_within(code, 0xFE30, 0xFE6F) || is_within(code, 0xFF00, 0xFF60) ||
                       is_within(code, 0x1F300, 0x1FAFF) || is_within(code, 0x20000, 0x3FFFD);
  return is_wide ? 2 : 1;
}

// Control characters, those of the second page and those that reverse the direction of writing.
bool is_dangerous(std::uint32_t code) {
  return code < 0x20 || is_within(code, 0x7F, 0x9F) || is_within(code, 0x202A, 0x202E) ||
         is_within(code, 0x2066, 0x2069);
}

// Text as it is shown, and the cell at which each byte of the original is.
struct Shown {
  std::string text;
  std::vector<std::size_t> cell;  // one per byte, and one for the end
};

Shown show(std::string_view original) {
  Shown shown;
  std::size_t cell = 0;
  for (std::size_t at = 0; at < original.size();) {
    const Character c = character_at(original, at);
    shown.cell.insert(shown.cell.end(), c.bytes, cell);
    if (c.is_valid && c.code == '\t') {
      const std::size_t width = kTabWidth - cell % kTabWidth;
      shown.text.append(width, ' ');
      cell += width;
    } else if (!c.is_valid || is_dangerous(c.code)) {
      shown.text += kReplacement;
      ++cell;
    } else {
      shown.text += original.substr(at, c.bytes);
      cell += cells_of(c.code);
    }
    at += c.bytes;
  }
  shown.cell.push_back(cell);
  return shown;
}

// Messages may quote the model, so the same characters are replaced in them, except newlines.
std::string harmless(std::string_view text) {
  std::string result;
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += show(text.substr(0, end)).text;
    if (end == text.size()) return result;
    result += '\n';
    text.remove_prefix(end + 1);
  }
}

// ---- Colours -----------------------------------------------------------------------------------

enum class Paint { kPlace, kError, kWarning, kCaret, kHint, kGutter };

std::string painted(std::string text, Paint paint, bool colour) {
  if (!colour) return text;
  const char* code = "";
  switch (paint) {
    case Paint::kPlace: code = "1"; break;
    case Paint::kError: code = "1;31"; break;
    case Paint::kWarning: code = "1;35"; break;
    case Paint::kCaret: code = "1;32"; break;
    case Paint::kHint: code = "36"; break;
    case Paint::kGutter: code = "2"; break;
  }
  return std::string("\x1b[") + code + "m" + text + "\x1b[0m";
}

// ---- The source line ---------------------------------------------------------------------------

bool is_inside_character(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

// The part of a line to show, [begin, end), with `at` in it.
std::pair<std::size_t, std::size_t> window_around(std::string_view line, std::size_t at) {
  if (line.size() <= kMaxShownBytes) return {0, line.size()};
  std::size_t begin = at < kMaxShownBytes / 2 ? 0 : at - kShownBeforeCaret;
  std::size_t end = std::min(line.size(), begin + kMaxShownBytes);
  // A few steps suffice in UTF-8; other bytes need no boundary.
  for (int i = 0; i < 3 && begin > 0 && is_inside_character(line, begin); ++i) --begin;
  for (int i = 0; i < 3 && is_inside_character(line, end); ++i) --end;
  return {begin, end};
}

std::string excerpt(const Range& range, const SourceSet& sources, bool colour, std::string& indent) {
  const std::string_view line = sources.line(range.begin.file, range.begin.line);
  const std::string number = std::to_string(range.begin.line);
  indent = std::string(number.size() + 2, ' ');
  if (line.empty()) return {};

  const bool has_caret = range.begin.column != 0;
  const std::size_t at = has_caret ? std::min<std::size_t>(range.begin.column - 1, line.size()) : 0;
  const auto [begin, end] = window_around(line, at);
  const std::string_view before = begin > 0 ? "..." : "";
  const Shown shown = show(line.substr(begin, end - begin));
  std::string result = painted("  " + number + " | ", Paint::kGutter, colour);
  result.append(before).append(shown.text).append(end < line.size() ? "..." : "").append("\n");
  if (!has_caret) return result;

  const std::size_t from = shown.cell[std::min(at, end) - begin];
  const std::size_t to = shown.cell[std::min<std::size_t>(at + range.length, end) - begin];
  const std::size_t width = to > from ? to - from : 1;
  result += painted(indent + " | ", Paint::kGutter, colour);
  result += std::string(before.size() + from, ' ');
  result += painted("^" + std::string(width - 1, '~'), Paint::kCaret, colour);
  return result + "\n";
}

// ---- Near names --------------------------------------------------------------------------------

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (Damerau 1964,
// in the variant that edits no part twice).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_ago(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_ago = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], two_ago[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

void Diagnostics::error(std::string_view code, Range range, std::string message, std::string hint) {
  add(Severity::kError, code, range, std::move(message), std::move(hint));
}

void Diagnostics::warning(std::string_view code, Range range, std::string message, std::string hint) {
  add(Severity::kWarning, code, range, std::move(message), std::move(hint));
}

void Diagnostics::add(Severity severity, std::string_view code, Range range, std::string message,
                      std::string hint) {
  const std::size_t kept_errors = std::min(errors_, kMaxKept);
  const std::size_t kept = severity == Severity::kError ? kept_errors : all_.size() - kept_errors;
  if (severity == Severity::kError) ++errors_;
  if (kept >= kMaxKept) return;
  all_.push_back({std::string(code), severity, range, std::move(message), std::move(hint)});
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.size() > kMaxNameLength) return {};
  const std::string lower_name = lower(name);
  const std::string* best = nullptr;
  std::pair<std::size_t, std::size_t> best_distance;  // without and with regard to case
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    const std::size_t shorter = std::min(name.size(), candidate.size());
    // One slip per three letters, and something of the name must be left.
    const std::size_t allowed = (longer + 2) / 3;
    if (candidate == name || longer - shorter > allowed) continue;
    const std::size_t distance = edit_distance(lower_name, lower(candidate));
    if (distance > allowed || distance >= shorter) continue;
    const std::pair full{distance, edit_distance(name, candidate)};
    if (best == nullptr || full < best_distance) {
      best = &candidate;
      best_distance = full;
    }
  }
  return best == nullptr ? std::string() : *best;
}

std::string render(const Diagnostic& diagnostic, const SourceSet& sources, bool colour) {
  const bool is_error = diagnostic.severity == Severity::kError;
  const bool has_file = diagnostic.range.begin.file < sources.size();
  std::string result;
  if (has_file) {
    result = painted(harmless(sources.place(diagnostic.range.begin)) + ":", Paint::kPlace, colour) + " ";
  }
  result += painted((is_error ? "error[" : "warning[") + diagnostic.code + "]:",
                    is_error ? Paint::kError : Paint::kWarning, colour);
  result += " " + harmless(diagnostic.message) + "\n";
  std::string indent = " ";
  if (has_file && diagnostic.range.begin.is_known()) {
    result += excerpt(diagnostic.range, sources, colour, indent);
  }
  if (!diagnostic.hint.empty()) {
    result += indent + " " + painted("hint:", Paint::kHint, colour) + " " + harmless(diagnostic.hint) + "\n";
  }
  return result;
}

}  // namespace spoor
