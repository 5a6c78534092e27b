// Translating the C preprocessor's messages.
//
// A user of Spoor should not need to know that a C preprocessor reads the model first. So each
// message that a model can cause is recognised by its wording (in English, see subprocess.h; the
// wording of gcc is the same in many versions) and gets a code, a range and a hint of Spoor. An
// unknown wording is reported under the code P019, so no message is lost when a wording changes.
//
// gcc's warnings are dropped, except for two: a macro that is defined twice, which in a model is
// most often a mistake, and #warning. A warning about an apostrophe, for example, concerns only C.
//
// Tested by: tests/unit/test_preprocess.cpp
#include "promela/cpp_messages.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include "promela/align.h"
#include "promela/preprocess.h"

namespace spoor::promela {
namespace {

struct Message {
  std::string file;
  std::uint32_t line = 0;    // 0: not told
  std::uint32_t column = 0;  // as displayed, tabs to multiples of 8; 0: not told
  bool is_error = false;
  std::string text;
};

// "12" at the end of `place`, after a colon; removes both. 0 where there is none.
std::uint32_t take_number(std::string_view& place) {
  const std::size_t colon = place.rfind(':');
  if (colon == std::string_view::npos) return 0;
  const std::string_view digits = place.substr(colon + 1);
  std::uint32_t number = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || stop != digits.data() + digits.size()) return 0;
  place = place.substr(0, colon);
  return number;
}

// "model.pml:3:7: error: text". Notes and "In file included from" lines are no messages.
std::optional<Message> parse(std::string_view line) {
  static constexpr std::array<std::string_view, 3> kKinds{": fatal error: ", ": error: ", ": warning: "};
  for (const std::string_view kind : kKinds) {
    const std::size_t at = line.find(kind);
    if (at == std::string_view::npos) continue;
    std::string_view place = line.substr(0, at);
    Message message;
    const std::uint32_t last = take_number(place);
    const std::uint32_t before = take_number(place);
    message.line = before != 0 ? before : last;
    message.column = before != 0 ? last : 0;
    message.file = std::string(place);
    message.is_error = kind != ": warning: ";
    message.text = std::string(line.substr(at + kind.size()));
    return message;
  }
  return std::nullopt;
}

// The byte (from 0) that gcc shows in a given column.
std::size_t byte_of_column(std::string_view line, std::uint32_t column) {
  std::size_t shown = 1;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (shown >= column) return i;
    if (line[i] == '\t') {
      shown = (shown + 7) / 8 * 8 + 1;
    } else if ((static_cast<unsigned char>(line[i]) & 0xC0) != 0x80) {
      ++shown;
    }
  }
  return line.size();
}

// The last place of `name` as a whole word before `limit`, or else the first one anywhere.
std::optional<std::size_t> find_word(std::string_view line, std::string_view name, std::size_t limit) {
  std::optional<std::size_t> found;
  for (std::size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
    const bool starts = at == 0 || !is_name_char(line[at - 1]);
    const bool ends = at + name.size() == line.size() || !is_name_char(line[at + name.size()]);
    if (!starts || !ends) continue;
    if (found && at > limit) break;
    found = at;
  }
  return found;
}

// "F" in: macro "F" requires 2 arguments, but only 1 given.
std::string quoted_part(std::string_view text) {
  const std::size_t open = text.find('"');
  if (open == std::string_view::npos) return {};
  const std::size_t close = text.find('"', open + 1);
  return close == std::string_view::npos ? "" : std::string(text.substr(open + 1, close - open - 1));
}

std::size_t length_of_token(std::string_view line, std::size_t at) {
  if (at >= line.size()) return 1;
  std::size_t end = at + 1;
  if (line[at] == '"' || line[at] == '<') {
    end = std::min(line.find(line[at] == '<' ? '>' : '"', end), line.size() - 1) + 1;
  } else if (line.substr(at, 2) == "/*") {
    ++end;
  } else {
    if (line[at] == '#') end = std::min(line.find_first_not_of(" \t", end), line.size());
    while (end < line.size() && is_name_char(line[end])) ++end;
  }
  return end - at;
}

// gcc notices a call without its ')' only at the end of the file. The call is the first '(' after
// that macro's name which is never closed.
Range unclosed_call(const std::string& macro, std::uint32_t file, const SourceFile& source) {
  std::vector<std::size_t> open;  // tokens before each '(' that is open
  const std::vector<CToken> tokens = tokens_of(source.text);
  const auto word = [&](std::size_t i) {
    return std::string_view(source.text).substr(tokens[i].offset, tokens[i].length);
  };
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (word(i) == "(") open.push_back(i - 1);
    if (word(i) == ")" && !open.empty()) open.pop_back();
  }
  for (const std::size_t i : open) {
    if (word(i) != macro) continue;
    const std::uint32_t column = tokens[i].offset - source.line_starts[tokens[i].line - 1] + 1;
    return {{file, tokens[i].line, column}, tokens[i].length};
  }
  return {{file, 0, 0}};
}

Range range_of(const Message& message, std::uint32_t file, const SourceSet& sources) {
  if (message.line == 0) return {};
  const std::string_view line = sources.line(file, message.line);
  const bool points_past_line = message.text.starts_with("#include nested depth");
  std::size_t at = message.column == 0 || points_past_line ? line.find_first_not_of(" \t")
                                                           : byte_of_column(line, message.column);
  if (at == std::string_view::npos) at = 0;
  const std::string name = quoted_part(message.text);
  if (message.text.starts_with("unterminated argument list")) {
    return unclosed_call(name, file, sources.file(file));
  }
  if (!name.empty() && message.text[0] != '#') at = find_word(line, name, at).value_or(at);
  // gcc points at the word of a directive; the '#' belongs to it.
  const std::size_t before = at == 0 ? std::string_view::npos : line.find_last_not_of(" \t", at - 1);
  if (before != std::string_view::npos && line[before] == '#') at = before;
  return {{file, message.line, static_cast<std::uint32_t>(at + 1)},
          static_cast<std::uint32_t>(length_of_token(line, at))};
}

struct Explanation {
  std::string code;
  std::string message;
  std::string hint;
};

Explanation missing_include(const std::string& name, const std::string& includer) {
  const std::filesystem::path folder = std::filesystem::path(includer).parent_path();
  const std::string near = nearest_file((folder / name).string());
  return {"P012", "the included file '" + name + "' does not exist",
          near.empty() ? "included files are searched in the folder of the file that includes them"
                       : "did you mean '" + std::filesystem::path(near).filename().string() + "'?"};
}

Explanation unknown_directive(std::string_view text) {
  static const std::vector<std::string> kDirectives{"define", "undef", "include", "if",    "ifdef",
                                                    "ifndef", "elif",  "else",    "endif", "error"};
  std::string word(text.substr(text.rfind('#') + 1));
  const std::string near = nearest_name(word, kDirectives);
  return {"P017", "'#" + word + "' is not a preprocessor directive",
          near.empty() ? "a line that begins with '#' is for the C preprocessor"
                       : "did you mean '#" + near + "'?"};
}

Explanation explain_error(const Message& message, const std::string& file) {
  const std::string& text = message.text;
  const auto has = [&](std::string_view part) { return text.find(part) != std::string::npos; };
  const std::string name = quoted_part(text);
  if (const std::size_t at = text.rfind(": No such file or directory"); at != std::string::npos) {
    return missing_include(text.substr(0, at), file);
  }
  if (text.starts_with("unterminated #")) {
    return {"P013", "this " + text.substr(text.find('#')) + " has no #endif",
            "close the part with a line '#endif'"};
  }
  if (has(" without #if") || has(" after #else")) {
    return {"P013", text, "every #else, #elif and #endif belongs to one #if, #ifdef or #ifndef before it"};
  }
  if (text.starts_with("unterminated argument list")) {
    return {"P014", "this call of the macro '" + name + "' has no closing ')'",
            "a macro with arguments is called as " + name + "(...)"};
  }
  if (text.starts_with("macro ") && has(" argument")) {
    std::string said = text;
    std::replace(said.begin(), said.end(), '"', '\'');
    return {"P014", said, "commas inside ( ) belong to one argument, commas inside { } and [ ] do not"};
  }
  if (text.starts_with("#error")) {
    return {"P015", "the model says: " + text.substr(std::min<std::size_t>(7, text.size())),
            "an #error line stops the preprocessor on purpose; see the #if around it"};
  }
  if (text == "unterminated comment") {
    return {"P016", "this comment is never closed", "close it with '*/'"};
  }
  if (text.starts_with("invalid preprocessing directive")) return unknown_directive(text);
  if (text.starts_with("#include nested depth")) {
    return {"P020", "files include each other in a cycle",
            "guard the included file with #ifndef, #define and #endif"};
  }
  if (has("out of memory")) {
    return {"P011", "the macros of this model expand to too much text",
            "look for macros that use another macro more than once, in a chain"};
  }
  return {"P019", "the C preprocessor says: " + text, ""};
}

void report_warning(const Message& message, Range range, Diagnostics& diagnostics) {
  if (message.text.ends_with(" redefined")) {
    diagnostics.warning("W101", range, "the macro '" + quoted_part(message.text) + "' is defined again",
                        "the new text replaces the old one from here on; #undef it first if you mean that");
  } else if (message.text.starts_with("#warning")) {
    std::string said = message.text.substr(std::min<std::size_t>(9, message.text.size()));
    said = said.substr(0, said.rfind(" [-W"));
    diagnostics.warning("W102", range, "the model says: " + said);
  }
}

void report_messages(const std::string& printed,
                     const std::function<std::uint32_t(const std::string&)>& index_of,
                     const SourceSet& sources, Diagnostics& diagnostics) {
  std::set<std::string_view> seen;
  for (std::size_t at = 0; at < printed.size();) {
    const std::size_t end = std::min(printed.find('\n', at), printed.size());
    const std::string_view line = std::string_view(printed).substr(at, end - at);
    at = end + 1;
    const std::optional<Message> message = parse(line);
    // A file that is included twice repeats its errors.
    if (!message || !seen.insert(line).second) continue;
    const std::uint32_t file = index_of(message->file);
    const Range range = range_of(*message, file, sources);
    // "the conditional began here" only supplements the error before it.
    if (message->text == "the conditional began here") continue;
    if (message->is_error) {
      const Explanation explanation = explain_error(*message, sources.file(file).name);
      diagnostics.error(explanation.code, range, explanation.message, explanation.hint);
    } else {
      report_warning(*message, range, diagnostics);
    }
  }
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

void report_preprocessor(const ChildResult& child,
                         const std::function<std::uint32_t(const std::string&)>& index_of,
                         const SourceSet& sources, Diagnostics& diagnostics) {
  switch (child.end) {
    case ChildResult::End::kNotStarted:
      if (child.start_error == ENOENT) {
        diagnostics.error("P010", {}, "this model needs the C preprocessor, but 'cpp' was not found",
                          "install a C compiler (package cpp or gcc) or add it to PATH");
      } else {
        diagnostics.error(
            "P010", {},
            "the C preprocessor cannot be started: " + std::generic_category().message(child.start_error));
      }
      return;
    case ChildResult::End::kOutOfTime:
    case ChildResult::End::kTooMuchOutput:
      diagnostics.error("P011", {}, "the macros of this model expand to too much text",
                        "look for macros that use another macro more than once, in a chain");
      return;
    case ChildResult::End::kExited:
    case ChildResult::End::kCancelled: break;  // does not occur: no cancel flag is given
  }
  const std::size_t errors_before = diagnostics.error_count();
  report_messages(child.errors, index_of, sources, diagnostics);
  if (child.exit_code == 0 || diagnostics.error_count() != errors_before) return;
  if (child.errors.find("out of memory") != std::string::npos) {
    diagnostics.error("P011", {}, "the macros of this model expand to too much text",
                      "look for macros that use another macro more than once, in a chain");
  } else {
    diagnostics.error(
        "P019", {},
        "the C preprocessor failed: " + (child.errors.empty() ? "exit code " + std::to_string(child.exit_code)
                                                              : first_line(child.errors)));
  }
}

}  // namespace spoor::promela
