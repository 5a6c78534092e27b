#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "base/catalogue.h"
#include "base/diagnostic.h"

namespace spoor {
namespace {

Diagnostic error_at(std::uint32_t line, std::uint32_t column, std::uint32_t length, std::string hint = {}) {
  return {"P201", Severity::kError, {{0, line, column}, length}, "no such thing", std::move(hint)};
}

std::string shown(const std::string& text, const Diagnostic& diagnostic) {
  SourceSet sources;
  sources.add("m.pml", text);
  return render(diagnostic, sources, false);
}

// The line with the caret, without its gutter.
std::string caret_line(const std::string& rendered) {
  const std::size_t caret = rendered.find('^');
  if (caret == std::string::npos) return {};
  const std::size_t begin = rendered.rfind("| ", caret) + 2;
  return rendered.substr(begin, rendered.find('\n', caret) - begin);
}

TEST(Render, ShowsPlaceMessageLineCaretAndHint) {
  EXPECT_EQ(shown("byte x;\ninit { y = 1 }\n", error_at(2, 8, 1, "declare it")),
            "m.pml:2:8: error[P201]: no such thing\n"
            "  2 | init { y = 1 }\n"
            "    |        ^\n"
            "    hint: declare it\n");
}

TEST(Render, UnderlinesTheWholeRangeButNotBeyondTheLine) {
  EXPECT_EQ(caret_line(shown("x = count;\n", error_at(1, 5, 5))), "    ^~~~~");
  EXPECT_EQ(caret_line(shown("x = count;\n", error_at(1, 5, 500))), "    ^~~~~~");
}

TEST(Render, PointsBehindTheLineWhenSomethingIsMissingThere) {
  EXPECT_EQ(caret_line(shown("x = 1\ny", error_at(1, 6, 1))), "     ^");
  EXPECT_EQ(caret_line(shown("x = 1\ny", error_at(1, 60, 1))), "     ^");
}

TEST(Render, CallsAWarningAWarning) {
  Diagnostic warning = error_at(1, 1, 1);
  warning.severity = Severity::kWarning;
  EXPECT_NE(shown("x", warning).find("m.pml:1:1: warning[P201]: "), std::string::npos);
}

TEST(Render, WidensTabsSoThatTheCaretStandsUnderItsText) {
  const std::string rendered = shown("\tx\t= y\n", error_at(1, 6, 1));
  EXPECT_NE(rendered.find("  1 |     x   = y\n"), std::string::npos);
  EXPECT_EQ(caret_line(rendered), "          ^");
}

TEST(Render, CountsCharactersOfSeveralBytesAsTheCellsTheyTake) {
  // e with acute (2 bytes, 1 cell), a Chinese character (3 bytes, 2 cells), a combining accent (0).
  EXPECT_EQ(caret_line(shown("\xC3\xA9 y", error_at(1, 4, 1))), "  ^");
  EXPECT_EQ(caret_line(shown("\xE4\xB8\xAD y", error_at(1, 5, 1))), "   ^");
  EXPECT_EQ(caret_line(shown("e\xCC\x81 y", error_at(1, 5, 1))), "  ^");
  EXPECT_EQ(caret_line(shown("\xE4\xB8\xAD\xE4\xB8\xAD", error_at(1, 1, 6))), "^~~~");
}

TEST(Render, ReplacesBytesThatWouldDisturbATerminal) {
  const std::string rendered = shown("a\x1b[2J\x07 \xFF y", error_at(1, 10, 1));
  EXPECT_EQ(rendered.find('\x1b'), std::string::npos);
  EXPECT_EQ(rendered.find('\x07'), std::string::npos);
  EXPECT_EQ(rendered.find('\xFF'), std::string::npos);
  EXPECT_EQ(caret_line(rendered), "         ^");
  Diagnostic hostile = error_at(1, 1, 1);
  hostile.message = "unknown name '\x1b[31m'";
  EXPECT_EQ(shown("x", hostile).find('\x1b'), std::string::npos);
}

TEST(Render, ShowsOnlyAWindowOfAVeryLongLine) {
  std::string line(10'000'000, 'a');
  line.replace(7'000'000, 3, "XYZ");
  const std::string rendered = shown(line, error_at(1, 7'000'001, 3));
  EXPECT_LT(rendered.size(), 600u);
  const std::size_t text_begin = rendered.find("| ") + 2;
  const std::size_t where = rendered.find("XYZ") - text_begin;
  EXPECT_EQ(caret_line(rendered), std::string(where, ' ') + "^~~");
  EXPECT_EQ(rendered.substr(text_begin, 4), "...a");
}

TEST(Render, ShowsTheBeginningOfALongLineWhenTheCaretIsThere) {
  const std::string rendered = shown(std::string(500, 'b'), error_at(1, 3, 1));
  EXPECT_NE(rendered.find("| bbb"), std::string::npos);
  EXPECT_NE(rendered.find("b...\n"), std::string::npos);
  EXPECT_EQ(caret_line(rendered), "  ^");
}

TEST(Render, SaysWhatItCanWithoutALineOrAColumn) {
  EXPECT_EQ(shown("x\n", error_at(0, 0, 1)), "m.pml: error[P201]: no such thing\n");
  EXPECT_EQ(shown("x\n", error_at(1, 0, 1)), "m.pml:1: error[P201]: no such thing\n  1 | x\n");
  EXPECT_EQ(shown("x\n", error_at(9, 1, 1)), "m.pml:9:1: error[P201]: no such thing\n");
  EXPECT_EQ(render(error_at(0, 0, 1, "look"), SourceSet(), false),
            "error[P201]: no such thing\n  hint: look\n");
}

TEST(Render, ColoursOnlyOnRequest) {
  SourceSet sources;
  sources.add("m.pml", "x");
  EXPECT_EQ(render(error_at(1, 1, 1), sources, false).find('\x1b'), std::string::npos);
  const std::string coloured = render(error_at(1, 1, 1), sources, true);
  EXPECT_NE(coloured.find("\x1b[1;31merror[P201]:\x1b[0m"), std::string::npos);
}

TEST(Diagnostics, KeepsAHundredErrorsButCountsAll) {
  Diagnostics diagnostics;
  for (int i = 0; i < 250; ++i) diagnostics.error("P101", {}, "e" + std::to_string(i));
  for (int i = 0; i < 250; ++i) diagnostics.warning("W110", {}, "w");
  EXPECT_EQ(diagnostics.error_count(), 250u);
  EXPECT_EQ(diagnostics.all().size(), 2 * Diagnostics::kMaxKept);
  EXPECT_EQ(diagnostics.all()[99].message, "e99");
}

TEST(Diagnostics, WarningsAreNoErrors) {
  Diagnostics diagnostics;
  diagnostics.warning("W110", {}, "w", "h");
  EXPECT_FALSE(diagnostics.has_errors());
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].hint, "h");
}

TEST(NearestName, FindsSlipsOfTheFingers) {
  EXPECT_EQ(nearest_name("cuont", {"amount", "count", "mount"}), "count");  // swapped
  EXPECT_EQ(nearest_name("coun", {"amount", "count"}), "count");            // left out
  EXPECT_EQ(nearest_name("counnt", {"amount", "count"}), "count");          // doubled
  EXPECT_EQ(nearest_name("vount", {"amount", "count"}), "count");           // beside it
  EXPECT_EQ(nearest_name("proctpye", {"proctype", "printf"}), "proctype");
}

TEST(NearestName, TakesAnotherCaseForANearName) {
  EXPECT_EQ(nearest_name("Count", {"mount", "count"}), "count");
  EXPECT_EQ(nearest_name("MUTEX", {"Mutex", "mutex", "MUTE"}), "Mutex");
}

TEST(NearestName, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("turn", {"wantp", "critical"}), "");
  EXPECT_EQ(nearest_name("x", {"y", "z"}), "");
  EXPECT_EQ(nearest_name("ab", {"xy"}), "");
  EXPECT_EQ(nearest_name("count", {"count"}), "");
  EXPECT_EQ(nearest_name("", {"a"}), "");
  EXPECT_EQ(nearest_name(std::string(1'000'000, 'a'), {"aaa"}), "");
}

TEST(Catalogue, IsSortedAndHasEachCodeOnce) {
  std::set<std::string_view> codes;
  std::string_view last;
  for (const CodeEntry& entry : catalogue()) {
    EXPECT_LT(last, entry.code);
    EXPECT_TRUE(codes.insert(entry.code).second) << entry.code;
    EXPECT_EQ(entry.code.size(), 4u) << entry.code;
    EXPECT_FALSE(entry.title.empty()) << entry.code;
    EXPECT_FALSE(entry.text.empty()) << entry.code;
    EXPECT_EQ(entry.text.find("\n\n\n"), std::string_view::npos) << entry.code;
    last = entry.code;
  }
}

TEST(Catalogue, FindsACodeInEitherCase) {
  ASSERT_NE(find_code("P012"), nullptr);
  EXPECT_EQ(find_code("P012")->title, "an included file does not exist");
  EXPECT_EQ(find_code("p012"), find_code("P012"));
  EXPECT_EQ(find_code("P999"), nullptr);
  EXPECT_EQ(find_code(""), nullptr);
}

TEST(Catalogue, ExplainsExactlyTheCodesThatTheSourcesReport) {
  static const std::regex kCode("\"([A-Z][0-9]{3})\"");
  std::set<std::string> reported;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SPOOR_SOURCE_DIR "/src")) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    for (std::sregex_iterator it(text.begin(), text.end(), kCode), end; it != end; ++it) {
      reported.insert((*it)[1]);
    }
  }
  std::set<std::string> explained;
  for (const CodeEntry& entry : catalogue()) explained.emplace(entry.code);
  for (const std::string& code : reported) EXPECT_TRUE(explained.contains(code)) << code;
  for (const std::string& code : explained) EXPECT_TRUE(reported.contains(code)) << code;
}

}  // namespace
}  // namespace spoor
