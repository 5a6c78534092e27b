// The control graph: numbers, targets and atomicity as `pan -d` shows them for the same model.
#include <gtest/gtest.h>

#include <string>

#include "promela/compile.h"
#include "promela/parse.h"

namespace spoor::promela {
namespace {

// "1>2 2>3A 3>0": location, target, and A where the sequence stays atomic; escapes in brackets.
std::string graph_of(const std::string& text, const std::string& process = "P") {
  ParseResult parsed = parse_text("test.pml", text, {});
  EXPECT_FALSE(parsed.diagnostics.has_errors()) << parsed.diagnostics.all().front().message;
  const Program program = compile(parsed.model, parsed.sources, parsed.diagnostics);
  if (parsed.diagnostics.has_errors()) return "error " + parsed.diagnostics.all().front().code;
  std::string out;
  for (const ProcessType& type : program.processes) {
    if (type.name != process) continue;
    out = "start " + std::to_string(type.start) + ":";
    for (std::size_t i = 0; i < type.locations.size(); ++i) {
      for (const Transition& t : type.locations[i].transitions) {
        const bool ends = program.statements[t.statement].op == StatementOp::kEnd;
        out += " " + std::to_string(i) + ">" + std::to_string(ends ? 0 : t.target);
        if (t.stays_atomic) out += "A";
        if (t.escape != 0) out += "[" + std::to_string(t.escape) + "]";
      }
    }
  }
  return out;
}

TEST(Flow, StatementsFollowOneAnother) {
  EXPECT_EQ(graph_of("byte x; active proctype P() { x = 1; x = 2 }"), "start 1: 1>2 2>3 3>0");
}

TEST(Flow, AGotoTakesNoStepAndABodyMayBeginWithOne) {
  EXPECT_EQ(graph_of("byte x; active proctype P() { goto b; a: x = 1; b: x = 2; goto a }"),
            "start 3: 1>3 2>3 3>2 4>2 5>0");
}

TEST(Flow, ALoopReturnsToItsHeadOverTheDot) {
  EXPECT_EQ(graph_of("byte x; active proctype P() { do :: x > 0 -> x-- :: else -> break od }"),
            "start 5: 1>2 2>5 3>8 4>8 5>2 5>8 6>5 7>8 8>0");
}

TEST(Flow, AnAtomicSequenceIsAtomicUpToItsLastStatement) {
  EXPECT_EQ(graph_of("byte x; active proctype P() { atomic { x = 1; x = 2; x = 3 }; x = 4 }"),
            "start 4: 1>2A 2>3A 3>5 4>2A 5>6 6>0");
}

TEST(Flow, AChoiceAtTheEndOfAnAtomicSequenceAddsAStep) {
  // The join of the if is the last step of the sequence.
  EXPECT_EQ(graph_of("byte x; active proctype P() { atomic { if :: x = 1 :: x = 2 fi }; x = 3 }"),
            "start 5: 1>4A 2>4A 3>4A 3>4A 4>6 5>4A 5>4A 6>7 7>0");
}

TEST(Flow, TheSecondSkipInARowIsDroppedInAnOptionOnly) {
  EXPECT_EQ(graph_of("byte x; active proctype P() { if :: x = 1; skip; skip; x = 2 fi }"),
            "start 5: 1>2 2>4 4>7 5>2 6>7 7>0");
  EXPECT_EQ(graph_of("byte x; active proctype P() { x = 1; skip; skip; x = 2 }"),
            "start 1: 1>2 2>3 3>4 4>5 5>0");
}

TEST(Flow, AnOptionThatIsFalseIsLeftOut) {
  EXPECT_EQ(graph_of("byte x; active proctype P() { if :: false -> x = 1 :: x = 2 fi }"),
            "start 4: 1>2 2>6 3>6 4>6 5>6 6>0");
}

TEST(Flow, AnEscapeIsTriedBeforeEveryStatementOfTheBody) {
  EXPECT_EQ(graph_of("byte x; active proctype P() { { x = 1; x = 2 } unless { x == 3 -> x = 4 } }"),
            "start 1: 1>4[3] 1>2 2>4[3] 2>7 3>4 4>7 6>7 7>0");
}

TEST(Flow, ALabelledGotoGetsASkipWhenTheLabelIsSpecial) {
  EXPECT_EQ(graph_of("byte x; active proctype P() { a: x = 1; end: goto a }"), "start 1: 1>3 2>1 3>1 4>0");
}

TEST(Flow, ADeclarationInMidBodyIsAStep) {
  EXPECT_EQ(graph_of("byte x; active proctype P() { x = 1; int y; int z = 3; x = y + z }"),
            "start 1: 1>2 2>3 3>4 4>5 5>0");
}

TEST(Flow, ALongDStepIsNoDeepRecursion) {
  std::string text = "byte x; active proctype P() { d_step { x = 0";
  for (int i = 0; i < 60000; ++i) text += "; x = 1";
  EXPECT_TRUE(graph_of(text + " } }").starts_with("start 60002: 60002>60003"));
}

TEST(Flow, AChainOfGotosEndsAfterAsManyAsInSpin) {
  const auto chain = [](int gotos) {
    std::string text = "goto L0";
    for (int i = 0; i < gotos; ++i) text += "; L" + std::to_string(i) + ": goto L" + std::to_string(i + 1);
    return text + "; L" + std::to_string(gotos) + ": x = 1";
  };
  EXPECT_TRUE(graph_of("byte x; active proctype P() { " + chain(300) + " }").starts_with("start 302:"));
  EXPECT_EQ(graph_of("byte x; active proctype P() { " + chain(600) + " }"), "error P411");
  EXPECT_EQ(graph_of("byte x; active proctype P() { " + chain(20000) + " }"), "error P411");
  EXPECT_EQ(graph_of("byte x; active proctype P() { d_step { x = 0; " + chain(600) + " } }"), "error P411");
}

TEST(Flow, ACircleOfGotosThroughAnUnlessIsFound) {
  EXPECT_EQ(graph_of("byte x; active proctype P() {"
                     " do :: x == 0 -> L: break od; { goto L } unless { x == 1 } }"),
            "error P411");
}

TEST(Flow, AGotoRoundAStatelessBlockIsACircle) {
  EXPECT_EQ(graph_of("byte x; active proctype P() { d_step { x = 0; L: { goto L } } }"), "error P411");
}

}  // namespace
}  // namespace spoor::promela
