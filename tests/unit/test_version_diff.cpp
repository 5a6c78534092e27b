// What `spoor diff` says about pairs of versions: which locations are dangerous, and why.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "check/version_diff.h"
#include "graph/graph_system.h"
#include "version_pair.h"

namespace spoor {
namespace {

using Kind = ElementDifference::Kind;

VersionDiff diff_of(const std::string& before, const std::string& after, exec::VersionReductions how = {}) {
  const auto old_version = exec::version_of(before, how);
  const auto new_version = exec::version_of(after, how);
  EXPECT_NE(old_version, nullptr);
  EXPECT_NE(new_version, nullptr);
  return diff_versions(*old_version, *new_version);
}

// "changed x = 1: another statement", one per difference.
std::vector<std::string> words_of(const VersionDiff& diff) {
  std::vector<std::string> words;
  for (const ElementDifference& each : diff.differences) {
    const char* const kind = each.kind == Kind::kChanged ? "changed "
                             : each.kind == Kind::kGone  ? "gone "
                                                         : "new ";
    words.push_back(kind + (each.kind == Kind::kNew ? each.after : each.before) +
                    (each.reason.empty() ? "" : ": " + each.reason));
  }
  return words;
}

using Words = std::vector<std::string>;

TEST(VersionDiff, SeesNothingInCommentsLayoutAndNames) {
  const VersionDiff diff = diff_of(
      "#define LAST 3\nbyte x; active proctype A() { L: do :: x < LAST -> x++ :: else -> break od; goto M; M: x = 0 }",
      "/* better */ byte x;\n#define END 3\nactive proctype A() {\n  K: do :: x < END -> x++\n :: else -> break od; "
      "goto N; N: x = 0\n}");
  EXPECT_TRUE(diff.is_same());
  EXPECT_EQ(words_of(diff), Words{});
  EXPECT_EQ(diff.dangerous, 0u);
  EXPECT_EQ(diff.matched, diff.unchanged);
  EXPECT_GT(diff.locations, 2u);
}

TEST(VersionDiff, NamesTheStatementThatDiffers) {
  const VersionDiff diff = diff_of("byte x; active proctype A() { x = 1; x = 2; x = 3 }",
                                   "byte x; active proctype A() { x = 1; x = 7; x = 3 }");
  EXPECT_EQ(words_of(diff), Words{"changed x = 2: another statement"});
  ASSERT_EQ(diff.differences.size(), 1u);
  EXPECT_EQ(diff.differences[0].after, "x = 7");
  EXPECT_EQ(diff.differences[0].before_position.line, 1u);
  EXPECT_EQ(diff.dangerous, 1u);
  EXPECT_EQ(diff.locations, 4u);
}

TEST(VersionDiff, NamesWhatIsNewAndWhatLeadsThere) {
  const VersionDiff diff = diff_of("byte x; active proctype A() { x = 1; x = 3 }",
                                   "byte x; active proctype A() { x = 1; x = 2; x = 3 }");
  EXPECT_EQ(words_of(diff), (Words{"changed x = 1: a step leads to another place", "new x = 2"}));
  EXPECT_EQ(diff.dangerous, 1u);
}

TEST(VersionDiff, NamesWhatIsGone) {
  const VersionDiff diff = diff_of("byte x; active proctype A() { x = 1; x = 2; x = 3 }",
                                   "byte x; active proctype A() { x = 1; x = 3 }");
  EXPECT_EQ(words_of(diff), (Words{"changed x = 1: a step leads to another place", "gone x = 2"}));
  EXPECT_EQ(diff.dangerous, 2u);
}

TEST(VersionDiff, CountsTheLocationsThatDependOnAChannel) {
  const VersionDiff diff =
      diff_of("chan q = [1] of { byte }; byte x; active proctype A() { q!1; q!2; x = 1 }",
              "chan q = [2] of { byte }; byte x; active proctype A() { q!1; q!2; x = 1 }");
  EXPECT_EQ(words_of(diff), Words{"changed chan q: another capacity"});
  ASSERT_EQ(diff.differences.size(), 1u);
  EXPECT_EQ(diff.differences[0].locations, 2u);
  EXPECT_EQ(diff.dangerous, 2u);
}

TEST(VersionDiff, CountsTheLocationsWhoseStepPassesAnotherOne) {
  const VersionDiff diff = diff_of("byte x; active proctype A() { x = 0; atomic { x = 1; x = 2 }; x = 3 }",
                                   "byte x; active proctype A() { x = 0; atomic { x = 1; x = 7 }; x = 3 }");
  EXPECT_EQ(words_of(diff), Words{"changed x = 2: another statement"});
  ASSERT_EQ(diff.differences.size(), 1u);
  EXPECT_EQ(diff.differences[0].locations, 2u);
  EXPECT_EQ(diff.dangerous, 2u);
}

TEST(VersionDiff, SaysThatTheSameWordsMeanSomethingElse) {
  const VersionDiff diff =
      diff_of("int x; active proctype A() { x = 300 }", "byte x; active proctype A() { x = 300 }");
  ASSERT_EQ(diff.differences.size(), 1u);
  EXPECT_NE(diff.differences[0].reason.find("in the same words"), std::string::npos)
      << diff.differences[0].reason;
}

TEST(VersionDiff, NamesEachPartOfTheMeaning) {
  const auto reason = [](const std::string& before, const std::string& after) {
    const VersionDiff diff = diff_of(before, after);
    return diff.differences.empty() ? "" : diff.differences[0].reason;
  };
  EXPECT_EQ(reason("byte x = 1; active proctype A() { x = 2 }", "byte x = 3; active proctype A() { x = 2 }"),
            "another value of a global variable");
  EXPECT_EQ(reason("byte x; active proctype A() { x = 2 }", "byte x; active [2] proctype A() { x = 2 }"),
            "another process, another value of a local variable");
  EXPECT_EQ(reason("byte x; active proctype A() { byte n = 1; x = n }",
                   "byte x; active proctype A() { byte n = 2; x = n }"),
            "another value of a local variable");
  EXPECT_EQ(reason("byte x; active proctype A() { end: x == 1 }", "byte x; active proctype A() { x == 1 }"),
            "another label");
  EXPECT_EQ(reason("byte x; active proctype A() provided (x < 2) { x = 1 }",
                   "byte x; active proctype A() { x = 1 }"),
            "another provided clause");
  EXPECT_EQ(reason("byte x; active proctype A() { atomic { x = 1; x = 2 } }",
                   "byte x; active proctype A() { x = 1; x = 2 }"),
            "another extent of the indivisible sequence");
  EXPECT_EQ(reason("byte x; active proctype A() { if :: x = 1 :: x = 2 fi }",
                   "byte x; active proctype A() { if :: x = 1 :: x = 2 :: x = 3 fi }"),
            "another number of ways out");
}

TEST(VersionDiff, ComparesGraphs) {
  const GraphSystem before(Graph(0, {{0, 1, 0, {}}, {1, 0, 0, {}}}, {"a"}));
  const GraphSystem same(Graph(0, {{0, 1, 0, {}}, {1, 0, 0, {}}}, {"b"}));
  const GraphSystem other(Graph(0, {{0, 1, 0, {}}, {1, 1, 0, {}}}, {"a"}));
  const GraphSystem elsewhere(Graph(1, {{0, 1, 0, {}}, {1, 0, 0, {}}}, {"a"}));
  EXPECT_TRUE(diff_versions(before, same).is_same());
  EXPECT_EQ(diff_versions(before, other).dangerous, 1u);
  EXPECT_EQ(words_of(diff_versions(before, elsewhere)),
            Words{"changed initial state: a step leads to another place"});
  EXPECT_EQ(diff_versions(before, elsewhere).dangerous, 0u);
}

}  // namespace
}  // namespace spoor
