#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/catalogue.h"
#include "base/diagnostic.h"
#include "ltl/hoa.h"
#include "ltl/parse_formula.h"
#include "ltl/translate.h"
#include "ltl/write.h"
#include "unit/test_ltl_words.h"

namespace spoor::ltl {
namespace {

struct ReadResult {
  SourceSet sources;
  Diagnostics diagnostics;
  std::optional<Automaton> automaton;
};

ReadResult read_text(const std::string& text) {
  ReadResult result;
  result.sources.add("a.hoa", text);
  result.automaton = read_hoa(result.sources, 0, result.diagnostics);
  return result;
}

// "CODE LINE:COLUMN" of the error, or "none".
std::string hoa_complaint(const std::string& text) {
  const ReadResult result = read_text(text);
  EXPECT_EQ(result.automaton.has_value(), !result.diagnostics.has_errors()) << text;
  if (result.diagnostics.all().empty()) return "none";
  const Diagnostic& first = result.diagnostics.all().front();
  EXPECT_NE(find_code(first.code), nullptr) << first.code;
  return first.code + " " + std::to_string(first.range.begin.line) + ":" +
         std::to_string(first.range.begin.column);
}

Automaton automaton_of(const std::string& text, Target target = Target::kBuchi) {
  Formulas formulas;
  SourceSet sources;
  Diagnostics diagnostics;
  sources.add("f", text);
  const auto f = parse(formulas, sources, 0, diagnostics);
  EXPECT_TRUE(f) << text;
  auto automaton = translate(formulas, *f, {target, true}, {}, diagnostics);
  EXPECT_TRUE(automaton) << text;
  return *automaton;
}

const std::string kHead = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"a\" \"b\"\n";
const std::string kBuchi = "Acceptance: 1 Inf(0)\n--BODY--\n";

TEST(LtlHoa, WhatIsWrittenIsReadBack) {
  for (std::uint32_t seed = 1; seed <= 250; ++seed) {
    Formulas formulas;
    RandomFormulas maker(formulas, 3, seed);
    const Formula f = maker.make(seed % 9);
    for (const Target target : {Target::kBuchi, Target::kGeneralized}) {
      Diagnostics diagnostics;
      const auto automaton = translate(formulas, f, {target, true}, {}, diagnostics);
      ASSERT_TRUE(automaton);
      const std::string text = to_hoa(*automaton, "x \"y\" \\");
      const ReadResult again = read_text(text);
      ASSERT_TRUE(again.automaton) << text << render(again.diagnostics.all()[0], again.sources, false);
      EXPECT_EQ(again.automaton->states.size(), automaton->states.size());
      EXPECT_EQ(again.automaton->strength, automaton->strength) << text;
      EXPECT_EQ(again.automaton->is_deterministic, automaton->is_deterministic);
      EXPECT_EQ(again.automaton->atoms, automaton->atoms);
      const auto one_set = to_buchi(*again.automaton);
      ASSERT_TRUE(one_set);
      EXPECT_TRUE(one_set->is_state_based);
      for (int i = 0; i < 20; ++i) {
        const Lasso word = random_lasso(maker.random(), 3);
        const bool expected = holds(formulas, f, word);
        ASSERT_EQ(accepts(*again.automaton, word), expected) << text;
        ASSERT_EQ(accepts(*one_set, word), expected) << text;
      }
    }
  }
}

TEST(LtlHoa, LabelsMayBeImplicitOnStatesOrByAlias) {
  const std::string plain = kHead + kBuchi + "State: 0\n[0&!1 | !0&1] 1\nState: 1 {0}\n[t] 1\n--END--\n";
  const std::string alias = kHead + "Alias: @x 0 & !1\nAlias: @y (@x | !0&1)\n" + kBuchi +
                            "State: 0\n[@y] 1\nState: 1 {0}\n[t] 1\n--END--\n";
  const std::string on_states =
      kHead + kBuchi + "State: [0&!1 | !0&1] 0 \"name\"\n1\nState: [t] 1 {0}\n1\n--END--";
  const std::string implicit =
      kHead + "/* a /* nested */ comment */" + kBuchi + "State: 0\n0 1 1 0\nState: 1 {0}\n1 1 1 1\n--END--\n";
  std::mt19937 random(1);
  for (int i = 0; i < 50; ++i) {
    const Lasso word = random_lasso(random, 2);
    const bool expected = word.letters[0] == 1 || word.letters[0] == 2;
    for (const std::string& text : {plain, alias, on_states}) {
      const ReadResult result = read_text(text);
      ASSERT_TRUE(result.automaton) << text;
      EXPECT_EQ(accepts(*result.automaton, word), expected) << text;
    }
  }
  const ReadResult result = read_text(implicit);
  ASSERT_TRUE(result.automaton);
  EXPECT_TRUE(accepts(*result.automaton, {{0, 0, 2}, 2}));
  EXPECT_FALSE(accepts(*result.automaton, {{0, 3}, 0}));
}

TEST(LtlHoa, AcceptanceOnEdgesTrueFalseAndUnusedSets) {
  const std::string edges =
      "HOA: v1\nStates: 1\nStart: 0\nAP: 2 \"a\" \"b\"\nAcceptance: 3 Inf(2)&(Inf(0))\n"
      "--BODY--\nState: 0 {1}\n[0] 0 {0}\n[1] 0 {2}\n[t] 0\n--END--\n";
  const ReadResult generalized = read_text(edges);
  ASSERT_TRUE(generalized.automaton);
  EXPECT_EQ(generalized.automaton->sets, 2u);
  EXPECT_TRUE(accepts(*generalized.automaton, {{1, 2}, 0}));
  EXPECT_FALSE(accepts(*generalized.automaton, {{2, 1, 1}, 1}));
  const std::string all =
      "HOA: v1 Start: 0 AP: 1 \"a\" acc-name: all Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--";
  ASSERT_TRUE(read_text(all).automaton);
  EXPECT_TRUE(accepts(*read_text(all).automaton, {{1}, 0}));
  EXPECT_FALSE(accepts(*read_text(all).automaton, {{1, 0}, 0}));
  const std::string none = "HOA: v1 Start: 0 AP: 0 Acceptance: 0 f --BODY-- State: 0 [t] 0 --END--";
  ASSERT_TRUE(read_text(none).automaton);
  EXPECT_TRUE(read_text(none).automaton->is_empty());
}

TEST(LtlHoa, SeveralInitialStatesBecomeOne) {
  const ReadResult result = read_text("HOA: v1\nStates: 2\nStart: 0\nStart: 1\nAP: 2 \"a\" \"b\"\n" + kBuchi +
                                      "State: 0 {0}\n[0] 0\nState: 1 {0}\n[1] 1\n--END--\n");
  ASSERT_TRUE(result.automaton);
  EXPECT_TRUE(accepts(*result.automaton, {{1}, 0}));
  EXPECT_TRUE(accepts(*result.automaton, {{2}, 0}));
  EXPECT_FALSE(accepts(*result.automaton, {{1, 2}, 0}));
}

TEST(LtlHoa, WhatIsNotSupportedIsRefusedAtItsPlace) {
  const std::string body = "--BODY--\nState: 0\n[t] 0\n--END--\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "L201 1:1"},
      {"digraph {}", "L201 1:1"},
      {"HOA: v2\n", "L204 1:6"},
      {kHead + "Acceptance: 1 Fin(0)\n" + body, "L203 5:15"},
      {kHead + "Acceptance: 2 Inf(0)|Inf(1)\n" + body, "L203 5:21"},
      {kHead + "Acceptance: 2 Inf(0)&(Fin(1))\n" + body, "L203 5:23"},
      {kHead + "Acceptance: 1 Inf(!0)\n" + body, "L203 5:19"},
      {kHead + "Acceptance: 1 Inf(1)\n" + body, "L205 5:19"},
      {kHead + body, "L202 5:1"},
      {kHead + "Universal: 1\n" + kBuchi, "L204 5:1"},
      {kHead + kBuchi + "State: 2\n--END--", "L205 7:8"},
      {kHead + kBuchi + "State: 0\n[2] 0\n--END--", "L205 8:2"},
      {kHead + kBuchi + "State: 0\n[0] 0&1\n--END--", "L204 8:6"},
      {kHead + kBuchi + "State: 0\n[0 0\n--END--", "L202 8:4"},
      {kHead + kBuchi + "State: 0\n[@x] 0\n--END--", "L202 8:2"},
      {kHead + kBuchi + "State: 0\n0 1\n--END--", "L202 7:8"},
      {kHead + kBuchi + "State: 0\nState: 0\n--END--", "L202 8:8"},
      {kHead + kBuchi + "State: 0\n[t] 0\n", "L202 9:1"},
      {kHead + kBuchi + "--END--\nHOA: v1", "L204 8:1"},
      {"HOA: v1\nStates: 99999999999\n" + kBuchi, "L206 2:9"},
      {"HOA: v1\nStart: 5\nAP: 0\n" + kBuchi + "--END--", "L205 2:8"},
      {"HOA: v1\nAP: 65\n" + kBuchi, "L204 2:5"},
      {"HOA: v1\nAP: 2 \"a\" \"a\"\n" + kBuchi, "L202 2:11"},
      {"HOA: v1\nAP: 1 \"a\n" + kBuchi, "L202 2:7"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(hoa_complaint(text), expected) << text;
  EXPECT_EQ(hoa_complaint(kHead + kBuchi + "State: 0\n[" + std::string(5000, '(')).substr(0, 4), "L206");
  EXPECT_EQ(hoa_complaint(kHead + kBuchi + "State: 0\n[" + std::string(5000, '!')).substr(0, 4), "L206");
}

TEST(LtlWrite, TheClassesOfKnownFormulas) {
  EXPECT_EQ(automaton_of("p U q").strength, Strength::kTerminal);
  EXPECT_EQ(automaton_of("<> [] p").strength, Strength::kWeak);
  EXPECT_EQ(automaton_of("[] p").strength, Strength::kWeak);
  EXPECT_EQ(automaton_of("[] <> p").strength, Strength::kStrong);
  EXPECT_EQ(automaton_of("[] <> p", Target::kGeneralized).states.size(), 1u);
  EXPECT_TRUE(automaton_of("[] (p -> <> q)").is_deterministic);
  EXPECT_FALSE(automaton_of("<> [] p").is_deterministic);
  EXPECT_EQ(automaton_of("X p").is_stutter_invariant, false);
  EXPECT_EQ(automaton_of("X [] <> p").is_stutter_invariant, true);
  EXPECT_EQ(automaton_of("<> (p && X [] p)").is_stutter_invariant, true);
}

TEST(LtlWrite, TrivialFormulasHaveTrivialAutomata) {
  const Automaton all = automaton_of("<> p || [] !p");
  EXPECT_TRUE(all.accepts_everything());
  EXPECT_NE(to_listing(all).find("every run satisfies"), std::string::npos);
  const Automaton none = automaton_of("<> p && [] !p");
  EXPECT_TRUE(none.is_empty());
  EXPECT_NE(to_listing(none).find("no run satisfies"), std::string::npos);
  EXPECT_NE(to_never_claim(none, "f").find("false"), std::string::npos);
}

TEST(LtlWrite, ANeverClaimBeginsWithTheInitialState) {
  const std::string claim = to_never_claim(automaton_of("(x > 3) U q"), "f */");
  EXPECT_EQ(claim,
            "never {    /* f * / */\nT0_init:\n\tdo\n\t:: ((x > 3) && !q) -> goto T0_init\n"
            "\t:: (q) -> goto accept_all\n\tod;\naccept_all:\n\tskip\n}\n");
}

// An order of acceptance sets for an automaton that had none left once made this one accept
// nothing.
TEST(LtlTranslate, AnAutomatonWithoutAcceptanceSetsKeepsItsWords) {
  const Automaton automaton = automaton_of("[] ((b W [] b) || !(!X (<> b U c) W !b))");
  EXPECT_EQ(automaton.states.size(), 1u);
  EXPECT_TRUE(accepts(automaton, {{1}, 0}));
  EXPECT_FALSE(accepts(automaton, {{1, 0}, 0}));
}

TEST(LtlTranslate, AFormulaThatExplodesGetsADiagnostic) {
  std::string text = "<> p0";
  for (int i = 1; i < 20; ++i) text += " && <> p" + std::to_string(i);
  Formulas formulas;
  SourceSet sources;
  Diagnostics diagnostics;
  sources.add("f", text);
  const auto f = parse(formulas, sources, 0, diagnostics);
  ASSERT_TRUE(f);
  EXPECT_FALSE(translate(formulas, *f, {}, {}, diagnostics));
  ASSERT_EQ(diagnostics.error_count(), 1u);
  EXPECT_EQ(diagnostics.all()[0].code, "L108");
  // Its negation is harmless, and finds all it needs although the formula could not be built.
  Diagnostics none;
  const auto negated = translate(formulas, formulas.negation(*f), {}, {}, none);
  ASSERT_TRUE(negated);
  EXPECT_EQ(negated->states.size(), 21u);
}

}  // namespace
}  // namespace spoor::ltl
