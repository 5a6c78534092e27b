#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/catalogue.h"
#include "base/diagnostic.h"
#include "ltl/parse_formula.h"
#include "unit/test_ltl_words.h"

namespace spoor::ltl {
namespace {

struct Parsed {
  SourceSet sources;
  Diagnostics diagnostics;
  Formulas formulas;
  std::optional<Formula> formula;
};

Parsed parse_text(const std::string& text, Reading reading = Reading::kBlock) {
  Parsed result;
  result.sources.add("formula", text);
  result.formula = parse(result.formulas, result.sources, 0, result.diagnostics, reading);
  return result;
}

std::string read_back(const std::string& text, Reading reading = Reading::kBlock) {
  const Parsed parsed = parse_text(text, reading);
  return parsed.formula ? to_text(parsed.formulas, *parsed.formula) : "error";
}

// "CODE COLUMN" of the first diagnostic.
std::string complaint(const std::string& text) {
  const Parsed parsed = parse_text(text);
  if (parsed.diagnostics.all().empty()) return "none";
  const Diagnostic& first = parsed.diagnostics.all().front();
  EXPECT_EQ(parsed.formula.has_value(), first.severity == Severity::kWarning) << text;
  EXPECT_NE(find_code(first.code), nullptr) << first.code;
  return first.code + " " + std::to_string(first.range.begin.column);
}

// The same formula, whatever its operands' order.
void expect_equal(const std::string& text, const std::string& other) {
  Formulas formulas;
  SourceSet sources;
  Diagnostics diagnostics;
  sources.add("a", text);
  sources.add("b", other);
  const auto f = parse(formulas, sources, 0, diagnostics);
  const auto g = parse(formulas, sources, text == other ? 0 : 1, diagnostics);
  ASSERT_TRUE(f && g) << text << " and " << other;
  EXPECT_EQ(*f, *g) << text << " is " << to_text(formulas, *f);
}

TEST(LtlParse, UnaryOperatorsBindTightestThenUntilThenAndThenOrThenImplication) {
  expect_equal("[] a U b", "([] a) U b");
  expect_equal("!a U b", "(!a) U b");
  expect_equal("X a U b", "(X a) U b");
  expect_equal("a U b && c", "(a U b) && c");
  expect_equal("a || b && c", "a || (b && c)");
  expect_equal("a && b -> c", "(a && b) -> c");
  expect_equal("a -> b || c", "a -> (b || c)");
  expect_equal("<> a && b", "(<> a) && b");
  expect_equal("! [] <> a", "!([](<>(a)))");
}

TEST(LtlParse, EveryLevelGroupsFromTheLeft) {
  expect_equal("a U b U c", "(a U b) U c");
  expect_equal("a U b V c", "(a U b) V c");
  expect_equal("a W b U c", "(a W b) U c");
  expect_equal("a -> b -> c", "(a -> b) -> c");
  expect_equal("a <-> b -> c", "(a <-> b) -> c");
}

TEST(LtlParse, OnACommandLineSpinHasOneLevelForBooleanOperators) {
  EXPECT_EQ(read_back("a || b && c", Reading::kCommandLine), "(a || b) && c");
  EXPECT_EQ(read_back("a U b && c", Reading::kCommandLine), "(a U b) && c");
  EXPECT_EQ(complaint("a || b && c"), "L110 1");
  EXPECT_EQ(complaint("(a || b) && c"), "none");
  EXPECT_EQ(complaint("a -> b -> c"), "L111 8");
}

TEST(LtlParse, WordsAndSignsMeanTheSame) {
  expect_equal("always (a implies eventually b)", "[] (a -> <> b)");
  expect_equal("a until b", "a U b");
  expect_equal("a stronguntil b", "a U b");
  expect_equal("a weakuntil b", "a W b");
  expect_equal("a release b", "a V b");
  expect_equal("a R b", "a V b");
  expect_equal("next a", "X a");
  expect_equal("a equivalent b", "a <-> b");
  expect_equal("a /\\ b \\/ c", "(a && b) || c");
  expect_equal("not a", "!a");
  expect_equal("{a U b}", "a U b");
  expect_equal("1", "true");
  expect_equal("0", "false");
  expect_equal("\n [] \t a\n", "[]a");
}

TEST(LtlParse, ExpressionsOfTheModelAreAtoms) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"x > 3 U len(q) == 2", {"x > 3", "len(q) == 2"}},
      {"[] (P@L -> P[0]:x)", {"P@L", "P[0]:x"}},
      {"a[i+1] != b && (x+1) < y", {"a[i+1] != b", "(x+1) < y"}},
      {"full(q) || _last == 1", {"full(q)", "_last == 1"}},
      {"!x == 1", {"!x == 1"}},
      {"!(x == 1)", {"x == 1"}},
      {"[] x > 3", {"x > 3"}},
      {"x>3 && x  >  3", {"x > 3"}},
      {"-x < 3", {"-x < 3"}},
      {"(~x) == 3", {"(~x) == 3"}},
      {"(a && b) == c", {"(a && b) == c"}},
      {"q?[m] && nempty(q)", {"q?[m]", "nempty(q)"}},
      {"x| |y && z - -1 == 0", {"x| |y", "z- -1 == 0"}},
      {"s.f.g == 2", {"s.f.g == 2"}},
      {"Until U until_x", {"Until", "until_x"}},
  };
  for (const auto& [text, atoms] : cases) {
    const Parsed parsed = parse_text(text);
    ASSERT_TRUE(parsed.formula) << text;
    EXPECT_EQ(parsed.formulas.atoms(), atoms) << text;
  }
}

TEST(LtlParse, ErrorsNameTheirPlace) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "L101 1"},      {"  ", "L101 1"},   {"p &&", "L102 5"},        {"p U U q", "L102 5"},
      {"[]", "L102 3"},    {"p q", "L103 3"},  {"G p", "L103 3"},         {"p and q", "L103 3"},
      {"p # q", "L103 3"}, {"~p", "L103 1"},   {"(p", "L104 1"},          {"p)", "L104 2"},
      {"a[i", "L104 1"},   {"x >", "L102 4"},  {"(<> p) == 1", "L107 2"}, {"p $", "L103 3"},
      {"G[)", "L104 3"},   {"f(a]", "L104 4"}, {"!", "L102 2"},           {"(", "L102 2"},
      {"()", "L102 2"},    {"{p)", "L104 3"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(complaint(text), expected) << text;
}

TEST(LtlParse, LimitsAreDiagnostics) {
  std::string many = "x0";
  for (int i = 1; i <= 64; ++i) many += " && x" + std::to_string(i);
  EXPECT_EQ(complaint(many).substr(0, 4), "L105");
  EXPECT_EQ(complaint(std::string(100000, '!') + "p").substr(0, 4), "L106");
  EXPECT_EQ(complaint(std::string(100000, '(')).substr(0, 4), "L106");
  std::string chain = "p";
  for (int i = 0; i < 5000; ++i) chain += " U q U p";
  EXPECT_EQ(complaint(chain).substr(0, 4), "L106");
  std::string equivalent = "p0";
  for (int i = 1; i < 60; ++i) equivalent += " <-> p" + std::to_string(i);
  EXPECT_EQ(complaint(equivalent).substr(0, 4), "L106");
}

TEST(LtlParse, WhatIsPrintedIsReadAsTheSameFormula) {
  for (std::uint32_t seed = 1; seed <= 3000; ++seed) {
    Formulas formulas;
    RandomFormulas maker(formulas, 3, seed);
    const Formula f = maker.make(seed % 12);
    SourceSet sources;
    sources.add("f", to_text(formulas, f));
    Diagnostics diagnostics;
    const auto again = parse(formulas, sources, 0, diagnostics);
    ASSERT_TRUE(again) << to_text(formulas, f);
    EXPECT_TRUE(diagnostics.all().empty()) << to_text(formulas, f);
    for (int i = 0; i < 5; ++i) {  // strong release is printed by its dual
      const Lasso word = random_lasso(maker.random(), 3);
      ASSERT_EQ(holds(formulas, f, word), holds(formulas, *again, word)) << to_text(formulas, f);
    }
  }
}

TEST(LtlFormula, EqualFormulasAreOneFormula) {
  Formulas on;
  const Formula a = *on.atom("a"), b = *on.atom("b"), c = *on.atom("c");
  EXPECT_EQ(on.both(a, on.both(b, c)), on.all_of({c, b, a, a}));
  EXPECT_EQ(on.both(a, on.negation(a)), on.truth(false));
  EXPECT_EQ(on.either(a, on.negation(a)), on.truth(true));
  EXPECT_EQ(on.negation(on.negation(a)), a);
  EXPECT_EQ(on.until(on.truth(false), a), a);
  EXPECT_EQ(on.weak_until(a, on.truth(false)), on.globally(a));
  EXPECT_EQ(on.strong_release(a, on.truth(true)), on.finally(a));
  EXPECT_EQ(on.all_of({}), on.truth(true));
}

}  // namespace
}  // namespace spoor::ltl
