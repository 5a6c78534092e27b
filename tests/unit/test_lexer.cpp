// The lexer: repairs of semicolons, classification of names, expansion of inlines.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "promela/lexer.h"
#include "promela/preprocess.h"
#include "promela/symbols.h"

namespace spoor::promela {
namespace {

class LexerTest : public testing::Test {
 protected:
  // All tokens of `text`, separated by blanks.
  std::string tokens(const std::string& text) {
    start(text);
    return rest();
  }

  void start(const std::string& text) {
    source = preprocess("test.pml", text, {}, diagnostics);
    lexer.emplace(source, *names, diagnostics);
    lexer->mode.in_sequence = in_sequence;
    lexer->mode.in_formula = in_formula;
  }

  std::string rest() {
    std::string result;
    for (Token token = lexer->next(); token.kind != Tok::kEnd; token = lexer->next()) {
      if (!result.empty()) result += ' ';
      result += token.kind == Tok::kString ? '"' + token.text + '"' : token.text;
    }
    return result;
  }

  Diagnostics diagnostics;
  Model model;
  std::optional<SymbolTable> names{std::in_place, model};
  Preprocessed source;
  std::optional<Lexer> lexer;
  bool in_sequence = false;
  bool in_formula = false;
};

TEST_F(LexerTest, ANewlineEndsAStatementInsideABody) {
  in_sequence = true;
  EXPECT_EQ(tokens("x = 1\ny = 2"), "x = 1 ; y = 2");
}

TEST_F(LexerTest, ANewlineMeansNothingOutsideOfBodies) { EXPECT_EQ(tokens("x = 1\ny = 2"), "x = 1 y = 2"); }

TEST_F(LexerTest, ANewlineAfterAnOperatorDoesNotEndTheStatement) {
  in_sequence = true;
  EXPECT_EQ(tokens("x = 1 +\n2"), "x = 1 + 2");
}

TEST_F(LexerTest, ANewlineInsideParenthesesDoesNotEndTheStatement) {
  in_sequence = true;
  start("(x\n== 1)");
  EXPECT_EQ(lexer->next().text, "(");
  ++lexer->mode.open_parens;
  EXPECT_EQ(rest(), "x == 1 )");
}

TEST_F(LexerTest, ASemicolonBeforeABraceOrAnotherSeparatorIsDropped) {
  EXPECT_EQ(tokens("{ x ; } y ; ; z -> ; w"), "{ x } ; y ; z ; w");
}

TEST_F(LexerTest, AMissingSemicolonAfterABraceIsSlippedIn) {
  EXPECT_EQ(tokens("{ x } y"), "{ x } ; y");
  EXPECT_EQ(tokens("{ x } fi"), "{ x } fi");
  EXPECT_EQ(tokens("{ x } unless y"), "{ x } unless y");
}

TEST_F(LexerTest, AMissingSeparatorAfterElseIsSlippedIn) {
  EXPECT_EQ(tokens("else x"), "else ; x");
  EXPECT_EQ(tokens("else -> x"), "else -> x");
  EXPECT_EQ(tokens("else fi"), "else fi");
}

TEST_F(LexerTest, UnlessMayFollowABraceOnTheNextLine) {
  in_sequence = true;
  EXPECT_EQ(tokens("{ x }\nunless y"), "{ x } unless y");
  EXPECT_EQ(tokens("{ x }\nunder = 1"), "{ x } ; under = 1");
}

TEST_F(LexerTest, OperatorsAreReadAsLongAsPossible) {
  EXPECT_EQ(tokens("a<<b<=c->d--"), "a << b <= c -> d --");
  EXPECT_EQ(tokens("q!!x??y..z::w"), "q !! x ?? y .. z :: w");
}

TEST_F(LexerTest, NumbersWrapToThirtyTwoBitsWithAWarning) {
  start("4294967295 2147483647 007");
  EXPECT_EQ(lexer->next().value, -1);
  EXPECT_EQ(lexer->next().value, 2147483647);
  EXPECT_EQ(lexer->next().value, 7);
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].severity, Severity::kWarning);
}

TEST_F(LexerTest, CharactersAreNumbers) {
  start("'a' '\\n' '\\\\'");
  EXPECT_EQ(lexer->next().value, 'a');
  EXPECT_EQ(lexer->next().value, '\n');
  EXPECT_EQ(lexer->next().value, '\\');
}

TEST_F(LexerTest, AStringKeepsItsEscapes) { EXPECT_EQ(tokens("\"a\\\"b\\n\""), "\"a\\\"b\\n\""); }

TEST_F(LexerTest, AnUnclosedStringIsReportedOnce) {
  tokens("printf(\"abc");
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].code, "P102");
}

TEST_F(LexerTest, TemporalOperatorsExistInFormulasOnly) {
  start("U [] <>");
  EXPECT_EQ(lexer->next().kind, Tok::kName);
  EXPECT_EQ(lexer->next().kind, Tok::kLeftBracket);
  in_formula = true;
  start("U [] <> -> <-> always X");
  const std::vector<Tok> wanted = {Tok::kUntil,      Tok::kAlways, Tok::kEventually, Tok::kImplies,
                                   Tok::kEquivalent, Tok::kAlways, Tok::kNext};
  for (const Tok kind : wanted) EXPECT_EQ(lexer->next().kind, kind);
}

TEST_F(LexerTest, FormulasComeAfterEverythingElse) {
  EXPECT_EQ(tokens("ltl p { x } byte y ;"), "byte y ; ltl p { x }");
}

TEST_F(LexerTest, ASelectOverNumbersBecomesAnIf) {
  EXPECT_EQ(tokens("select (x : 1 .. 3) y"), "if :: x = 1 :: x = 2 :: x = 3 fi y");
}

TEST_F(LexerTest, ASelectOverManyNumbersBecomesALoop) {
  EXPECT_EQ(tokens("select (x:0..40)"), "x = 0 ; do :: ( x < 40 ) -> x ++ :: break od ;");
}

TEST_F(LexerTest, ASelectOverOtherBoundsIsLeftAlone) {
  EXPECT_EQ(tokens("select (x : 1 .. n)"), "select ( x : 1 .. n )");
}

TEST_F(LexerTest, TimeoutStandsInParentheses) {
  EXPECT_EQ(tokens("timeout -> x"), "( timeout ) -> x");
  EXPECT_EQ(tokens("(timeout) -> x"), "( timeout ) -> x");
}

TEST_F(LexerTest, InIsAKeywordInForOnly) {
  start("in in");
  EXPECT_EQ(lexer->next().kind, Tok::kName);
  lexer->mode.in_for = true;
  EXPECT_EQ(lexer->next().kind, Tok::kIn);
}

TEST_F(LexerTest, CommentsOverSeveralLinesCountAsANewline) {
  in_sequence = true;
  EXPECT_EQ(tokens("x = 1 /* a\n b */ y = 2"), "x = 1 ; y = 2");
  EXPECT_EQ(tokens("x = 1 /* a */ + 2 // c\ny"), "x = 1 + 2 ; y");
}

TEST_F(LexerTest, TokensKnowTheirPlaceInTheText) {
  start("byte\n  xyz");
  lexer->next();
  const Token token = lexer->next();
  EXPECT_EQ(token.range.begin.line, 2u);
  EXPECT_EQ(token.range.begin.column, 3u);
  EXPECT_EQ(token.range.length, 3u);
}

class InlineTest : public LexerTest {
 protected:
  // Reads `inline NAME(parameters) body` and then a call; the tokens of the expanded call.
  std::string expand(const std::vector<std::string>& parameters, const std::string& body,
                     const std::string& call, std::size_t arguments) {
    start("inline f" + body + call);
    lexer->next();
    lexer->next();
    const std::optional<RawBlock> block = lexer->raw_block(false);
    if (!block) return "no block";
    definition = {"f", parameters, block->begin, block->end, false};
    names->add_inline(definition);
    EXPECT_EQ(lexer->next().kind, Tok::kInlineName);
    lexer->mode.in_inline_call = true;
    int parens = 0;
    do {
      const Token token = lexer->next();
      parens += token.kind == Tok::kLeftParen ? 1 : token.kind == Tok::kRightParen ? -1 : 0;
    } while (parens > 0);
    lexer->mode.in_inline_call = false;
    if (!lexer->enter_inline(*names->inline_named("f"), arguments, {})) return "refused";
    return rest();
  }

  InlineDefinition definition;
};

TEST_F(InlineTest, ArgumentsTakeThePlaceOfParameters) {
  EXPECT_EQ(expand({"a", "b"}, "{ a = b + 1 }", " f(x, y+2)", 2), "{ x = y + 2 + 1 }");
}

TEST_F(InlineTest, AnArgumentDoesNotMeltIntoTheTextBeforeIt) {
  EXPECT_EQ(expand({"a"}, "{ x-a }", " f(-1)", 1), "{ x - - 1 }");
}

TEST_F(InlineTest, AParameterAtTheEndOfAnArgumentIsReplacedOnceMore) {
  EXPECT_EQ(expand({"a", "b"}, "{ x = a }", " f(1+b, 2)", 2), "{ x = 1 + 2 }");
  EXPECT_EQ(expand({"a", "b"}, "{ x = a }", " f(b+1, 2)", 2), "{ x = b + 1 }");
}

TEST_F(InlineTest, ConstantsArePassedAsNumbers) {
  EXPECT_EQ(expand({"a"}, "{ x = a }", " f(true && 'a')", 1), "{ x = 1 && 'a' }");
}

TEST_F(InlineTest, BracesInStringsDoNotEndTheBody) {
  EXPECT_EQ(expand({}, "{ printf(\"}\") }", " f() ; z", 0), "{ printf ( \"}\" ) } ; z");
}

TEST_F(InlineTest, AnArgumentWithTheNameOfAnotherParameterIsRefused) {
  expand({"a", "b"}, "{ a = b }", " f(b, 1)", 2);
  ASSERT_EQ(diagnostics.error_count(), 1u);
  EXPECT_EQ(diagnostics.all()[0].code, "P113");
}

TEST_F(InlineTest, AnInlineCannotBeEnteredTwice) {
  expand({}, "{ g ; h }", " f() ; z", 0);
  EXPECT_FALSE(diagnostics.has_errors());
  // Reading went on to the end: the expansion is over, and the inline can be entered again.
  EXPECT_TRUE(lexer->enter_inline(*names->inline_named("f"), 0, {}));
  EXPECT_FALSE(lexer->enter_inline(*names->inline_named("f"), 0, {}));
  EXPECT_EQ(diagnostics.all()[0].code, "P110");
}

}  // namespace
}  // namespace spoor::promela
