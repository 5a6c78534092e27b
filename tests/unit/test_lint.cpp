#include "promela/lint.h"

#include <gtest/gtest.h>

#include <string>

#include "promela/parse.h"

namespace spoor::promela {
namespace {

// "W110 1:5 the variable 'x' is never used", one line per warning.
std::string warnings(const std::string& text) {
  const ParseResult parsed = parse_text("m.pml", text, {});
  for (const Diagnostic& d : parsed.diagnostics.all()) {
    if (d.severity == Severity::kError) ADD_FAILURE() << render(d, parsed.sources, false);
  }
  if (parsed.diagnostics.has_errors()) return "error";
  Diagnostics diagnostics;
  lint(parsed.model, diagnostics);
  std::string out;
  for (const Diagnostic& d : diagnostics.all()) {
    EXPECT_EQ(d.severity, Severity::kWarning);
    if (!out.empty()) out += "\n";
    out += d.code + " " + std::to_string(d.range.begin.line) + ":" + std::to_string(d.range.begin.column) +
           " " + d.message;
  }
  return out;
}

std::string in_init(const std::string& body) { return warnings("init {\n" + body + "\n}"); }

TEST(Lint, IsSilentAboutASoundModel) {
  EXPECT_EQ(warnings("mtype = { ping, pong };\n"
                     "chan q = [1] of { mtype, byte };\n"
                     "byte n;\n"
                     "proctype A(byte id) {\n"
                     "  byte got;\n"
                     "end: do\n"
                     "  :: q!ping,id\n"
                     "  :: q?pong,got -> n = got\n"
                     "  :: n > 3 -> break\n"
                     "  od\n"
                     "}\n"
                     "init { run A(1); printf(\"%d%%\\n\", n) }\n"),
            "");
}

// ---- Usage -------------------------------------------------------------------------------------

TEST(Lint, FindsVariablesThatNobodyUses) {
  EXPECT_EQ(warnings("byte x;\ninit {\n  int y = 3;\n  skip\n}"),
            "W110 1:6 the variable 'x' is never used\n"
            "W110 3:7 the variable 'y' is never used");
}

TEST(Lint, FindsLocalVariablesThatNobodyReads) {
  EXPECT_EQ(warnings("chan q = [1] of { byte };\ninit { byte x; q!1; q?x }"),
            "W111 2:13 the variable 'x' is written but never read");
}

TEST(Lint, LeavesGlobalVariablesToPropertiesElsewhere) {
  EXPECT_EQ(warnings("byte x; init { x = 1 }"), "");
  EXPECT_EQ(warnings("byte x, y; init { x = 1; y = 2 } ltl p { [] (y < 3) }"),
            "W111 1:6 the variable 'x' is written but never read");
}

TEST(Lint, CountsEveryKindOfReading) {
  EXPECT_EQ(warnings("byte a, b, c, d, i, arr[3]; chan q = [1] of { byte };\n"
                     "proctype P(byte p) provided (a > 0) { p > 0 }\n"
                     "init { a = 1; b = 1; c = 1; d = 1; i = 1; arr[i] = 1; q!b; q?eval(c); run "
                     "P(d); arr[1] == 1 }"),
            "");
}

TEST(Lint, KnowsThatHiddenAndShownVariablesAreForTheUser) {
  EXPECT_EQ(warnings("hidden byte x; show byte y; init { x = 1; y = 1 } ltl p { [] true }"), "");
}

TEST(Lint, FindsVariablesThatAreAlwaysZero) {
  EXPECT_EQ(warnings("byte limit; init { byte x; do :: x < limit -> x++ :: else -> break od }"),
            "W112 1:6 the variable 'limit' is read but never written");
  EXPECT_EQ(warnings("byte limit = 3; init { byte x; do :: x < limit -> x++ :: else -> break od }"), "");
}

TEST(Lint, FindsChannelsThatDoNotExist) {
  EXPECT_EQ(warnings("chan q; chan r = [1] of { byte }; init { q!1; r!1 }"),
            "W112 1:6 the channel 'q' is used but never created");
}

TEST(Lint, FindsUnusedParametersAndUnstartedProcesses) {
  EXPECT_EQ(warnings("proctype A(byte used; byte vain) { used > 0 }\n"
                     "proctype B() { skip }\n"
                     "init { run A(1, 2) }"),
            "W113 1:28 the parameter 'vain' is never used\n"
            "W115 2:1 no process of type 'B' is ever started");
}

TEST(Lint, DoesNotJudgeUsageBesideEmbeddedCode) {
  EXPECT_EQ(warnings("byte x; proctype P() { skip } init { c_code { now.x = 1; } }"), "");
}

// ---- Flow --------------------------------------------------------------------------------------

TEST(Lint, FindsStatementsBehindAJump) {
  EXPECT_EQ(in_init("  goto L;\n  skip;\n  skip;\nL: skip"), "W132 3:3 this statement can never be reached");
  EXPECT_EQ(in_init("do\n:: break;\n   skip\nod"), "W132 4:4 this statement can never be reached");
}

TEST(Lint, FindsStatementsBehindAnEndlessLoop) {
  EXPECT_EQ(in_init("do :: skip od;\nassert(false)"), "W132 3:1 this statement can never be reached");
  EXPECT_EQ(in_init("do :: do :: break od od;\nassert(false)"),
            "W132 3:1 this statement can never be reached");
  EXPECT_EQ(in_init("do :: { skip; if :: break :: timeout fi } od;\nassert(false)"), "");
  EXPECT_EQ(in_init("do :: skip od unless { timeout };\nassert(false)"), "");
}

TEST(Lint, FindsStatementsBehindAChoiceThatNeverComesBack) {
  EXPECT_EQ(in_init("do :: if :: true -> goto L :: timeout -> break fi;\nskip od;\nL: skip"),
            "W132 3:1 this statement can never be reached");
  EXPECT_EQ(in_init("if :: timeout -> goto L :: else fi;\nskip;\nL: skip"), "");
}

TEST(Lint, TakesALabelForAWayIn) {
  EXPECT_EQ(in_init("goto M;\n{ skip; L: skip };\nM: timeout; goto L"), "");
}

TEST(Lint, FindsAnElseBesideACertainOption) {
  EXPECT_EQ(in_init("if\n:: true -> skip\n:: else -> timeout\nfi"), "W131 4:4 this 'else' is never taken");
  EXPECT_EQ(in_init("if\n:: timeout -> skip\n:: else -> skip\nfi"), "");
}

TEST(Lint, ReportsLabelsThatNobodyUses) {
  EXPECT_EQ(in_init("again: skip"), "W121 2:1 the label 'again' is never used");
  EXPECT_EQ(in_init("again: if\n:: goto again\n:: skip\nfi"), "");
  EXPECT_EQ(in_init("end1: timeout"), "");
}

TEST(Lint, ReportsGuardsThatAreNeverTrue) {
  EXPECT_EQ(in_init("timeout && 2 > 3"), "W133 2:1 this condition is never true");
  EXPECT_EQ(in_init("2 > 3"), "");
  EXPECT_EQ(in_init("false"), "");
}

TEST(Lint, FindsLabelsThatOnlyLookSpecial) {
  EXPECT_EQ(in_init("End: timeout"), "W120 2:1 the label 'End' has no special meaning");
  EXPECT_EQ(in_init("_accept1: timeout"), "W120 2:1 the label '_accept1' has no special meaning");
  EXPECT_EQ(in_init("end_of_it: timeout; skip; Ending: skip; goto Ending"), "");
}

// ---- Values ------------------------------------------------------------------------------------

TEST(Lint, FindsComparisonsThatTheTypesDecide) {
  EXPECT_EQ(warnings("byte x = 1; init {\n  x < 0;\n  x >= 0;\n  x == 256;\n  300 > x\n}"),
            "W130 2:3 this comparison is always false\n"
            "W130 3:3 this comparison is always true\n"
            "W130 4:3 this comparison is always false\n"
            "W130 5:3 this comparison is always true");
  EXPECT_EQ(warnings("bool b = 1; unsigned u : 3 = 1; init {\n  b == 2;\n  u > 7\n}"),
            "W130 2:3 this comparison is always false\n"
            "W130 3:3 this comparison is always false");
}

TEST(Lint, DoesNotTakePossibleComparisonsForDecided) {
  EXPECT_EQ(warnings("byte x = 1, y = 1; short s = 1; int i = 1; unsigned u : 3 = 1; init {\n"
                     "  x + y > 255; x - y < 0; x * y > 65024; s < 0; i < 0; u > 6; x % 4 == 3;\n"
                     "  (x & 7) == 7; x > 254; -x < 0; ~x < -5; i + 1 < i; !x == 1; _pid > 0;\n"
                     "  (x > y -> 300 : 2) > 255; x / 2 == 127; (x << 8) > 300\n}"),
            "");
}

TEST(Lint, LeavesConditionsOnConstantsAndAssertionsAlone) {
  EXPECT_EQ(warnings("#define N 2\nbyte x = 1; init { if :: N > 3 -> skip :: else fi; assert(x <= 255) }"),
            "");
  EXPECT_EQ(warnings("byte x = 1; init { assert(x > 255) }"), "W130 1:27 this comparison is always false");
}

TEST(Lint, FindsConstantsThatDoNotFit) {
  EXPECT_EQ(warnings("byte x = 256; bool b; chan q = [1] of { byte, int };\n"
                     "proctype P(byte p; int i) { p > i }\n"
                     "init { x = -1; b = 2; q!300,300; run P(400, 400); b = x }"),
            "W140 1:10 256 does not fit into 'x' of type byte\n"
            "W140 3:12 -1 does not fit into 'x' of type byte\n"
            "W140 3:20 2 does not fit into 'b' of type bool\n"
            "W140 3:25 300 does not fit into field 1 of 'q', of type byte\n"
            "W140 3:40 400 does not fit into the parameter 'p' of type byte");
  EXPECT_EQ(warnings("byte x = 255; short s = -32768; int i; unsigned u : 4 = 15; init { i = -1; x "
                     "= 0; s = i; u = x; i = u; s > 0 }"),
            "");
}

TEST(Lint, KnowsWhereABitIsAByte) {
  EXPECT_EQ(warnings("bit b[2] = 3; bool one; chan q = [1] of { bit }; chan r = [1] of { bit, byte };\n"
                     "init { b[0] = 255; b[0] == 3; one = b[1]; one == b[0]; q!3; r!3,3; b[1] = 256 }"),
            "W140 2:63 3 does not fit into field 1 of 'r', of type bit\n"
            "W140 2:75 256 does not fit into 'b[1]' of type bit");
}

TEST(Lint, KnowsThatAChannelMayHoldMoreThanAByteCounts) {
  EXPECT_EQ(warnings("chan q = [300] of { byte }; init { q!1; len(q) > 255 }"), "");
}

TEST(Lint, FindsIndicesOutsideTheirArrays) {
  EXPECT_EQ(warnings("typedef R { byte g[2] }; byte a[3]; R r[2]; init {\n"
                     "  a[2] = 1; a[3] = a[0]; r[1].g[2] = r[0].g[1]; a[1] > 0 }"),
            "W143 2:15 the index 3 is outside of 'a'\n"
            "W143 2:33 the index 2 is outside of 'g'");
}

TEST(Lint, FindsDivisionByZeroAndWrongFormats) {
  EXPECT_EQ(warnings("byte x = 1; init {\n  x / 0;\n  x % 0;\n  printf(\"%d %d\\n\", x)\n}"),
            "W142 2:7 division by zero\n"
            "W142 3:7 division by zero\n"
            "W144 4:3 the format needs 2 values, but 1 are given");
}

TEST(Lint, ReportsABodyThatIsUsedTwiceOnce) {
  EXPECT_EQ(warnings("byte x = 1;\ninline test() {\n  x > 255\n}\ninit { test(); test() }"),
            "W130 3:3 this comparison is always false");
}

}  // namespace
}  // namespace spoor::promela
