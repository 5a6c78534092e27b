// From the user's text to text without directives, macros and comments, with original positions.
//
// SPIN 6.5.2 runs `gcc -std=gnu99 -E -x c FILE`; `cpp -std=gnu99` is the same program. The option -dD
// is added, which leaves the #define and #undef lines in the output: so the macros are known at each
// line, which makes the alignment (align.h) almost always exact.
//
// The child reads the text from its standard input, after a linemarker with the user's name for the
// file, and runs in the model's folder: so quoted includes are found where SPIN finds them, and a
// change of the file in the meantime has no effect.
//
// Most small models need no preprocessor at all. They are recognised (plain_copy) and no process is
// started, which costs some 10 ms: many times the cost of checking such a model. Both paths must give
// the same tokens; a test compares them.
//
// Tested by: tests/unit/test_preprocess.cpp
#include "promela/preprocess.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "base/files.h"
#include "base/subprocess.h"
#include "promela/align.h"
#include "promela/cpp_messages.h"

namespace spoor::promela {
namespace {

namespace fs = std::filesystem;

// An included file beyond this size is not shown in diagnostics.
constexpr std::uintmax_t kMaxShownBytes = std::uintmax_t{64} << 20;

// The most text that macros may add to a model. A chain of macros that double each other prints 8 MB per
// second.
constexpr std::size_t kMaxExpansion = std::size_t{16} << 20;
// Memory of the child: macros that double their arguments need memory before any output.
constexpr std::size_t kMaxMemory = std::size_t{1} << 30;

// ---- Without the preprocessor ------------------------------------------------------------------

// Names that the preprocessor may replace without a definition.
bool may_be_predefined(std::string_view name) {
  if (name == "linux" || name == "unix") return true;
  return name.size() > 1 && name[0] == '_' &&
         (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1])) != 0);
}

// The text with its comments replaced by blanks of equal length; or nothing when the text needs the
// preprocessor.
std::optional<std::string> plain_copy(const std::string& text) {
  // Joined lines and digraphs of '#' are rare: a simple search is enough.
  for (const char* mark : {"\\\n", "\\\r", "\\ ", "\\\t", "%:"}) {
    if (text.find(mark) != std::string::npos) return std::nullopt;
  }
  std::string copy = text;
  const auto blank = [&](std::size_t from, std::size_t to) {
    std::replace_if(
        copy.begin() + static_cast<std::ptrdiff_t>(from), copy.begin() + static_cast<std::ptrdiff_t>(to),
        [](char c) { return c != '\n'; }, ' ');
  };
  std::size_t at = 0;
  if (text.starts_with(kByteOrderMark)) blank(0, at = kByteOrderMark.size());
  while (at < text.size()) {
    const std::size_t begin = at;
    const char c = text[at++];
    if (c == '/' && text.compare(at, 1, "*") == 0) {
      at = text.find("*/", at + 1);
      if (at == std::string::npos) return std::nullopt;
      blank(begin, at += 2);
    } else if (c == '/' && text.compare(at, 1, "/") == 0) {
      at = std::min(text.find('\n', at), text.size());
      blank(begin, at);
    } else if (c == '"' || c == '\'') {
      while (at < text.size() && text[at] != c && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
      if (at >= text.size() || text[at] != c) return std::nullopt;
      ++at;
    } else if (is_name_char(c)) {
      while (at < text.size() && is_name_char(text[at])) ++at;
      if (may_be_predefined(std::string_view(text).substr(begin, at - begin))) return std::nullopt;
    } else if (c == '#') {
      return std::nullopt;
    } else if (c == '\r') {
      if (text.compare(at, 1, "\n") != 0) return std::nullopt;
      copy[begin] = ' ';
    }
  }
  return copy;
}

void anchor_each_line(Preprocessed& result) {
  const std::vector<std::uint32_t>& starts = result.sources.file(0).line_starts;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    result.anchors.push_back({starts[i], {0, static_cast<std::uint32_t>(i + 1), 1}, true});
  }
}

// ---- With the preprocessor ---------------------------------------------------------------------

// A linemarker is one line; a file's name may be anything.
std::string on_one_line(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '\n' || c == '\r'; }, '?');
  return name;
}

std::string quoted(const std::string& name) {
  std::string result = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

// The name in a linemarker: quotes and backslashes are escaped, odd bytes may be octal.
std::string unquoted(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    unsigned value = 0;
    const char* digits = text.data() + i + 1;
    const char* end = digits + std::min<std::size_t>(3, text.size() - i - 1);
    const auto [stop, error] = std::from_chars(digits, end, value, 8);
    if (error == std::errc() && stop == end) {
      result += static_cast<char>(value);
      i += 3;
    } else {
      result += text[++i];
    }
  }
  return result;
}

// The file that a directive `#line 3 "spec.txt"` (or `# 3 "spec.txt"`) names, "" where it names
// none; nothing when the line is no such directive.
std::optional<std::string> file_of_line_directive(std::string_view line) {
  std::size_t at = 0;
  const auto skip_blanks = [&] { at = std::min(line.find_first_not_of(" \t", at), line.size()); };
  const auto skip_word = [&](std::string_view word) {
    const bool is_there = line.substr(at).starts_with(word);
    if (is_there) at += word.size();
    skip_blanks();
    return is_there;
  };
  skip_blanks();
  if (!skip_word("#")) return std::nullopt;
  skip_word("line");
  const std::size_t digits = at;
  while (at < line.size() && std::isdigit(static_cast<unsigned char>(line[at])) != 0) ++at;
  if (at == digits) return std::nullopt;
  skip_blanks();
  return skip_word("\"") ? unquoted(line.substr(at)) : "";
}

// A generator may have put its own file names and line numbers into the model. They are used only
// where that file exists and can be shown; otherwise the directive is replaced by blanks, and
// positions are those in the model itself.
std::string without_foreign_lines(std::string text, const std::string& name, const std::string& folder) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::optional<std::string> file =
        file_of_line_directive(std::string_view(text).substr(at, end - at));
    if (file) {
      const fs::path path = fs::path(folder) / *file;
      std::error_code error;
      const bool is_shown = !file->empty() && path != fs::path(name) && fs::is_regular_file(path, error);
      if (!is_shown) std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(at), end - at, ' ');
    }
    at = end + 1;
  }
  return text;
}

std::string without_byte_order_mark(std::string text) {
  if (text.starts_with(kByteOrderMark)) text.replace(0, kByteOrderMark.size(), kByteOrderMark.size(), ' ');
  return text;
}

std::string text_of_include(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  if (const auto size = fs::file_size(path, error); error || size > kMaxShownBytes) return {};
  std::string reason;
  return read_file(path, reason).value_or(std::string());
}

// The preprocessor's name for a file, as the user would write it.
class FileNames {
 public:
  FileNames(std::string model, std::string folder, bool has_formula, SourceSet& sources)
      : model_(std::move(model)), folder_(std::move(folder)), has_formula_(has_formula), sources_(sources) {}

  std::uint32_t index_of(const std::string& name) {
    if (name == model_ || name.empty() || name[0] == '<') return 0;
    if (name == kFormulaName && has_formula_) return Preprocessed::kFormulaFile;
    std::string path = folder_.empty() || name[0] == '/' ? name : folder_ + "/" + name;
    if (path == model_) return 0;
    std::string text = text_of_include(path);
    return sources_.add(std::move(path), std::move(text));
  }

 private:
  std::string model_;
  std::string folder_;
  bool has_formula_;
  SourceSet& sources_;
};

struct OutputLine {
  std::string_view text;
  std::uint32_t file = 0;
  std::uint32_t line = 0;
};

bool is_directive(std::string_view line) {
  return line.starts_with("#define ") || line.starts_with("#undef ") || line.starts_with("#pragma") ||
         line.starts_with("#ident");
}

bool needs_place(std::string_view line) {
  return !line.starts_with("#define ") && !line.starts_with("#undef ");
}

bool is_compilers_own(const std::string& name) { return name.starts_with("<") || name.starts_with("/usr/"); }

// Splits the output into lines with their origin. Blank lines are left out, linemarkers are applied.
// Files of the compiler that contain only definitions are not read; the user's files are, because they
// belong to the model's digest.
std::vector<OutputLine> lines_of(std::string_view output, FileNames& names) {
  std::vector<OutputLine> lines;
  std::string name;
  std::uint32_t line = 0;
  std::uint32_t file = 0;
  bool is_looked_up = false;
  std::map<std::string, std::uint32_t> known;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string_view text = output.substr(at, end - at);
    at = end + 1;
    if (text.starts_with("# ")) {
      const char* digits = text.data() + 2;
      const auto [stop, error] = std::from_chars(digits, text.data() + text.size(), line);
      const std::size_t quote = text.find('"');
      if (error == std::errc() && quote != std::string_view::npos) {
        name = unquoted(text.substr(quote + 1));
        is_looked_up = false;
        continue;
      }
    }
    if (text.find_first_not_of(" \t") != std::string_view::npos) {
      if (!is_looked_up && (needs_place(text) || !is_compilers_own(name))) {
        const auto [entry, is_new] = known.try_emplace(name, 0);
        if (is_new) entry->second = names.index_of(name);
        file = entry->second;
        is_looked_up = true;
      }
      lines.push_back({text, file, line});
    }
    ++line;
  }
  return lines;
}

// The preprocessor prints letters beyond ASCII in names as \U000000e9. The user wrote them as UTF-8, and
// messages show them so.
std::string with_utf8_names(const std::string& output) {
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = output.find("\\U"); at != std::string::npos; at = output.find("\\U", at + 1)) {
    std::uint32_t code = 0;
    const char* digits = output.data() + at + 2;
    const char* limit = output.data() + std::min(at + 10, output.size());
    const auto [stop, error] = std::from_chars(digits, limit, code, 16);
    if (error != std::errc() || stop != digits + 8 || code < 0x80 || code > 0x10FFFF) continue;
    result.append(output, done, at - done);
    if (code < 0x800) {
      result += static_cast<char>(0xC0 | code >> 6);
    } else {
      if (code < 0x10000) {
        result += static_cast<char>(0xE0 | code >> 12);
      } else {
        result += static_cast<char>(0xF0 | code >> 18);
        result += static_cast<char>(0x80 | (code >> 12 & 0x3F));
      }
      result += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    }
    result += static_cast<char>(0x80 | (code & 0x3F));
    done = at + 10;
  }
  return done == 0 ? output : result.append(output, done);
}

void follow_directive(const OutputLine& line, Macros& macros, Diagnostics& diagnostics) {
  const bool is_define = line.text.starts_with("#define ");
  if (is_define || line.text.starts_with("#undef ")) {
    const std::string_view rest = line.text.substr(line.text.find(' ') + 1);
    const std::size_t length = rest.find_first_of(" (");
    const std::string name(rest.substr(0, length));
    if (is_define) {
      macros[name] = length != std::string_view::npos && rest[length] == '(';
    } else {
      macros.erase(name);
    }
  } else if (line.text.starts_with("#pragma")) {
    diagnostics.error("P018", {{line.file, line.line, 1}, 7}, "Promela has no #pragma",
                      "SPIN rejects this line too; remove it");
  }
}

// Builds the text and its anchors from the lines of the output.
void assemble(std::string_view output, FileNames& names, Preprocessed& result, Diagnostics& diagnostics) {
  const std::vector<OutputLine> lines = lines_of(output, names);
  std::map<std::uint32_t, UserText> users;
  Macros macros;
  // For each line, the next line of text: the lines between may be joined with the former.
  std::size_t next = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_directive(lines[i].text)) {
      follow_directive(lines[i], macros, diagnostics);
      continue;
    }
    next = std::max(next, i + 1);
    while (next < lines.size() && is_directive(lines[next].text)) ++next;
    const bool goes_on =
        next < lines.size() && lines[next].file == lines[i].file && lines[next].line > lines[i].line;
    const std::uint32_t file = lines[i].file;
    const auto user = users.try_emplace(file, file, result.sources.file(file).text).first;
    align_line(user->second,
               {lines[i].text, lines[i].line,
                goes_on ? lines[next].line : std::numeric_limits<std::uint32_t>::max(), result.text.size()},
               macros, result.anchors);
    result.text.append(lines[i].text).push_back('\n');
  }
}

ChildResult run_preprocessor(const std::string& input, const std::string& folder,
                             const std::vector<std::string>& defines) {
  std::vector<std::string> options{"-std=gnu99", "-dD", "-fno-diagnostics-show-caret"};
  for (const std::string& define : defines) options.push_back("-D" + define);
  options.emplace_back("-");
  ChildLimits limits;
  limits.output_bytes = kMaxExpansion + input.size();
  limits.memory_bytes = kMaxMemory + 2 * input.size();
  ChildResult child;
  // Without a separate `cpp` program the compiler is called for the same output.
  for (const std::vector<std::string>& program :
       {std::vector<std::string>{"cpp"}, {"gcc", "-E", "-x", "c"}, {"cc", "-E", "-x", "c"}}) {
    std::vector<std::string> arguments = program;
    arguments.insert(arguments.end(), options.begin(), options.end());
    child = run_child(arguments, input, folder, limits);
    const bool is_missing = child.end == ChildResult::End::kNotStarted && child.start_error == ENOENT;
    if (!is_missing) break;
  }
  return child;
}

// The end of the last line that is not blank: the position of "unexpected end of the model".
Position end_of_model(const SourceSet& sources) {
  const SourceFile& model = sources.file(0);
  for (auto line = static_cast<std::uint32_t>(model.line_starts.size()); line > 0; --line) {
    const std::string_view text = sources.line(0, line);
    const std::size_t last = text.find_last_not_of(" \t");
    if (last != std::string_view::npos) return {0, line, static_cast<std::uint32_t>(last + 2)};
  }
  return {0, 1, 1};
}

void preprocess_with_child(const std::string& name, const std::string& text,
                           const std::vector<std::string>& defines, const std::string& formula,
                           Preprocessed& result, Diagnostics& diagnostics) {
  std::error_code error;
  std::string folder = fs::path(name).parent_path().string();
  if (!fs::is_directory(folder, error)) folder.clear();
  std::string own_text = without_foreign_lines(without_byte_order_mark(text), name, folder);
  if (!formula.empty()) own_text += "\n# 1 " + quoted(kFormulaName) + "\n" + formula + "\n";
  const std::string marker = on_one_line(name);
  const ChildResult child = run_preprocessor("# 1 " + quoted(marker) + "\n" + own_text, folder, defines);
  FileNames names(marker, folder, !formula.empty(), result.sources);
  report_preprocessor(
      child, [&](const std::string& n) { return names.index_of(n); }, result.sources, diagnostics);
  if (child.end == ChildResult::End::kExited && child.exit_code == 0) {
    assemble(with_utf8_names(child.output), names, result, diagnostics);
  }
}

}  // namespace

Position Preprocessed::position(std::size_t offset) const {
  offset = std::min(offset, text.size());
  const auto after = std::upper_bound(anchors.begin(), anchors.end(), offset,
                                      [](std::size_t o, const Anchor& anchor) { return o < anchor.offset; });
  if (after == anchors.begin()) return {0, 1, 1};
  const Anchor& anchor = *std::prev(after);
  Position position = anchor.position;
  if (anchor.is_copy) position.column += static_cast<std::uint32_t>(offset - anchor.offset);
  return position;
}

Preprocessed preprocess(const std::string& name, const std::string& text,
                        const std::vector<std::string>& defines, Diagnostics& diagnostics,
                        const std::string& formula) {
  Preprocessed result;
  result.sources.add(name, text);
  if (!formula.empty()) result.sources.add(kFormulaName, formula);
  std::optional<std::string> plain;
  if (defines.empty() && formula.empty()) plain = plain_copy(text);
  if (plain) {
    result.text = std::move(*plain);
    anchor_each_line(result);
  } else {
    preprocess_with_child(name, text, defines, formula, result, diagnostics);
  }
  result.anchors.push_back({result.text.size(), end_of_model(result.sources), false});
  return result;
}

}  // namespace spoor::promela
