// Claims out of the text of a model: which words they accept, and what is refused.
//
// A claim is judged on random words (prefix and loop) by the semantics of a formula that a person wrote
// beside it; the words are over the variables a, b, c.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ltl/formula.h"
#include "ltl/parse_formula.h"
#include "promela/compile.h"
#include "promela/parse.h"
#include "test_ltl_words.h"

namespace spoor::promela {
namespace {

constexpr char kModel[] =
    "bool a, b, c;\nactive proctype P() { do :: a = 1 - a :: b = 1 - b :: c = 1 - c od }\n";
constexpr int kWords = 400;

struct Compiled {
  ClaimCode claim;
  std::string errors;  // codes
};

// The last never claim or the last formula of the text.
Compiled compiled(const std::string& text, ClaimCode::Kind kind) {
  ParseResult parsed = parse_text("test.pml", text, {});
  EXPECT_FALSE(parsed.diagnostics.has_errors()) << text << parsed.diagnostics.all().front().message;
  ClaimChoice choice{kind, 0};
  if (kind == ClaimCode::Kind::kFormula)
    choice.index = static_cast<std::uint32_t>(parsed.model.formulas.size() - 1);
  for (std::uint32_t i = 0; kind == ClaimCode::Kind::kNever && i < parsed.model.proctypes.size(); ++i) {
    if (parsed.model.proctypes[i].kind == BodyKind::kNever) choice.index = i;
  }
  Compiled result{compile(parsed.model, parsed.sources, parsed.diagnostics, choice).claim, ""};
  for (const Diagnostic& d : parsed.diagnostics.all()) {
    if (d.severity == Severity::kError) result.errors += (result.errors.empty() ? "" : " ") + d.code;
  }
  return result;
}

Compiled never(const std::string& body) {
  return compiled(kModel + ("never { " + body + " }"), ClaimCode::Kind::kNever);
}

Compiled formula(const std::string& text) {
  return compiled(kModel + ("ltl p { " + text + " }"), ClaimCode::Kind::kFormula);
}

// The word as the claim sees it: its atoms stand in an order of their own.
ltl::Lasso seen_by(const ClaimCode& claim, const ltl::Lasso& word) {
  std::vector<std::uint32_t> place;
  for (std::string text : claim.atom_texts) {
    if (text.starts_with("assert")) text = text.substr(6);
    std::erase_if(text, [](char c) { return c == '(' || c == ')' || c == ' '; });
    EXPECT_TRUE(text == "a" || text == "b" || text == "c") << text;
    place.push_back(static_cast<std::uint32_t>(text[0] - 'a'));
  }
  ltl::Lasso seen{{}, word.loop};
  for (const std::uint64_t letter : word.letters) {
    std::uint64_t own = 0;
    for (std::size_t i = 0; i < place.size(); ++i) own |= ((letter >> place[i]) & 1) << i;
    seen.letters.push_back(own);
  }
  return seen;
}

// Does the claim accept the words that satisfy the formula, and no others?
void expect_accepts(const Compiled& compiled, const std::string& formula) {
  ASSERT_EQ(compiled.errors, "") << formula;
  ltl::Formulas formulas;
  for (const char* name : {"a", "b", "c"}) formulas.atom(name);
  Diagnostics diagnostics;
  SourceSet sources;
  const std::uint32_t file = sources.add("formula", formula);
  const std::optional<ltl::Formula> meaning = ltl::parse(formulas, sources, file, diagnostics);
  ASSERT_TRUE(meaning) << formula;
  std::mt19937 random(7);
  int accepted = 0;
  for (int i = 0; i < kWords; ++i) {
    const ltl::Lasso word = ltl::random_lasso(random, 3);
    const bool is_accepted = ltl::accepts(compiled.claim.automaton, seen_by(compiled.claim, word));
    accepted += is_accepted ? 1 : 0;
    ASSERT_EQ(is_accepted, ltl::holds(formulas, *meaning, word)) << formula << ", word " << i;
  }
  EXPECT_GT(accepted, 0) << formula;
}

TEST(PromelaClaim, TheEndOfANeverClaimAcceptsWhateverFollows) {
  expect_accepts(never("do :: a -> break :: true od"), "<> a");
  expect_accepts(never("a; b"), "a && X b");
  expect_accepts(never("do :: a -> break :: true od; b -> c"), "<> (a && X (b && X c))");
}

TEST(PromelaClaim, ElseIsForWhenNothingBesideItIsPossible) {
  expect_accepts(never("do :: a -> break :: else od"), "<> a");
  expect_accepts(never("do :: a :: else -> break od; b"), "a U (!a && X b)");
}

TEST(PromelaClaim, AcceptLabelsMakeBuchiAcceptance) {
  expect_accepts(
      never("T0: if :: true -> goto T0 :: a -> goto accept_S fi; accept_S: if :: true -> goto T0 fi"),
      "[] <> a");
  expect_accepts(never("do :: true :: a -> break od; accept: do :: !b od"), "<> (a && X [] !b)");
  expect_accepts(never("accept: do :: a od"), "[] a");
}

TEST(PromelaClaim, AnIndivisibleSequenceReadsOneState) {
  expect_accepts(never("do :: atomic { a -> assert(!a) } :: true od"), "<> a");
  expect_accepts(never("do :: atomic { a -> assert(b) } :: true od"), "<> (a && !b)");
  expect_accepts(never("do :: d_step { a; b } -> break :: true od"), "<> (a && b)");
  expect_accepts(never("do :: d_step { a; assert(b) } :: true od"), "<> (a && !b)");
}

TEST(PromelaClaim, AnEscapeInterruptsTheClaim) {
  expect_accepts(never("{ do :: !b od } unless { a }; c"), "(!a && !b) U (a && X c)");
}

TEST(PromelaClaim, AClaimThatNeverMovesAcceptsNothing) {
  const Compiled claim = never("do :: false od");
  ASSERT_EQ(claim.errors, "");
  ASSERT_FALSE(claim.claim.automaton.is_empty()) << "a product needs a state";
  std::mt19937 random(1);
  for (int i = 0; i < 50; ++i)
    EXPECT_FALSE(ltl::accepts(claim.claim.automaton, ltl::random_lasso(random, 1)));
}

TEST(PromelaClaim, AFormulaIsTheAutomatonOfItsNegation) {
  for (const char* text :
       {"[] a", "<> a", "a U b", "a V b", "a W b", "[] (a -> <> b)", "[] <> a && [] <> b", "<> [] (a || b)",
        "(a U b) U c", "!(a <-> <> b)", "X a", "[] (a -> X (b || X c))", "a && b -> <> c", "<> (a && !b)"}) {
    expect_accepts(formula(text), "!(" + std::string(text) + ")");
  }
}

TEST(PromelaClaim, EqualQuestionsAreOneAtom) {
  EXPECT_EQ(formula("[] (a -> <> !a)").claim.atoms.size(), 1u);
  EXPECT_EQ(never("do :: a -> break :: !a od").claim.atoms.size(), 1u);
}

TEST(PromelaClaim, WhatIsTrueOrFalseEverywhereHasAnAutomatonThatSaysSo) {
  EXPECT_TRUE(formula("a || !a").claim.automaton.is_empty());
  EXPECT_FALSE(formula("<> (a && !a)").claim.automaton.is_empty());
  EXPECT_EQ(formula("a || !a").errors + formula("<> (a && !a)").errors, "");
}

TEST(PromelaClaim, WhatCannotBeAskedIsRefused) {
  EXPECT_EQ(never("a = 1; b").errors, "P346");
  EXPECT_TRUE(never("timeout -> a").errors.starts_with("P346"));
  EXPECT_EQ(formula("[] timeout").errors, "P346");
  EXPECT_EQ(formula("([] a) + ([] b) + ([] c) + (<> a) + (<> b) + (<> c) + (a U b) == 3").errors, "P348");
}

TEST(PromelaClaim, ATemporalOperandIsATruthValue) {
  expect_accepts(formula("[] a == 1"), "!([] a)");
  expect_accepts(formula("[] a == 0"), "[] a");
  expect_accepts(formula("[] a != 1"), "[] a");
  expect_accepts(formula("([] a) + (<> b) == 1"), "!(([] a && !<> b) || (!([] a) && <> b))");
  expect_accepts(formula("<> (([] a) < (<> b))"), "!(<> (!([] a) && <> b))");
  EXPECT_TRUE(formula("([] a) + (<> b) < 3").claim.automaton.is_empty());
  EXPECT_FALSE(formula("[] a == 3").claim.automaton.is_empty());
}

}  // namespace
}  // namespace spoor::promela
