// Every stage of the translation against the semantics of formulas, on random formulas and words.
#include <gtest/gtest.h>

#include <cstdlib>

#include "ltl/degeneralize.h"
#include "ltl/emptiness.h"
#include "ltl/merge_states.h"
#include "ltl/obligation.h"
#include "ltl/simplify.h"
#include "ltl/simulation.h"
#include "ltl/stutter.h"
#include "ltl/tableau.h"
#include "ltl/translate.h"
#include "unit/instrumented.h"
#include "unit/test_ltl_words.h"

namespace spoor::ltl {
namespace {

constexpr std::uint32_t kAtomsOfWords = 3;

constexpr int kFewer = kIsInstrumented ? 10 : 1;

// More with SPOOR_LTL_ROUNDS in the environment, for campaigns.
int rounds(int usual) {
  const char* wanted = std::getenv("SPOOR_LTL_ROUNDS");
  return wanted != nullptr ? usual * std::atoi(wanted) : std::max(1, usual / kFewer);
}

std::uint32_t first_seed() {
  const char* wanted = std::getenv("SPOOR_LTL_SEED");
  return wanted != nullptr ? static_cast<std::uint32_t>(std::atoi(wanted)) : 1;
}

std::vector<Lasso> some_words(std::mt19937& random, int count) {
  std::vector<Lasso> words;
  words.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) words.push_back(random_lasso(random, kAtomsOfWords));
  return words;
}

struct Case {
  Formulas formulas;
  RandomFormulas maker;
  Formula formula;
  std::vector<Lasso> words;
  std::vector<bool> truth;

  explicit Case(std::uint32_t seed, int word_count = 25)
      : maker(formulas, kAtomsOfWords, seed), formula(maker.make(2 + seed % 9)) {
    words = some_words(maker.random(), word_count);
    for (const Lasso& word : words) truth.push_back(holds(formulas, formula, word));
  }
  std::string text() const { return to_text(formulas, formula); }
};

void expect_same(const Case& test, const Tgba& automaton, const Bdds& bdds, const char* stage,
                 bool expected = true) {
  for (std::size_t i = 0; i < test.words.size(); ++i) {
    ASSERT_EQ(accepts(automaton, bdds, test.words[i]) == expected, test.truth[i])
        << stage << ": " << test.text();
  }
}

TEST(LtlWords, SimplifyingKeepsTheMeaning) {
  for (int round = 0; round < rounds(8000); ++round) {
    Case test(first_seed() + static_cast<std::uint32_t>(round), 12);
    Simplifier simplifier(test.formulas);
    const Formula simple = simplifier.simplify(test.formula);
    const Formula negated = negation_normal_form(test.formulas, test.formula, true);
    for (std::size_t i = 0; i < test.words.size(); ++i) {
      ASSERT_EQ(holds(test.formulas, simple, test.words[i]), test.truth[i])
          << test.text() << " became " << to_text(test.formulas, simple);
      ASSERT_NE(holds(test.formulas, negated, test.words[i]), test.truth[i]) << test.text();
    }
  }
}

TEST(LtlWords, ImplicationsEventualAndUniversalFormulasAreWhatTheyAreCalled) {
  int implications = 0;
  for (int round = 0; round < rounds(6000); ++round) {
    Case test(first_seed() + static_cast<std::uint32_t>(round), 12);
    Simplifier simplifier(test.formulas);
    const Formula f = negation_normal_form(test.formulas, test.formula);
    const Formula g = negation_normal_form(test.formulas, test.maker.make(round % 4));
    const bool implied = simplifier.implies(f, g);
    implications += implied ? 1 : 0;
    for (const Lasso& word : test.words) {
      if (implied && holds(test.formulas, f, word)) {
        ASSERT_TRUE(holds(test.formulas, g, word))
            << to_text(test.formulas, f) << " -> " << to_text(test.formulas, g);
      }
      const bool now = holds(test.formulas, f, word);
      const bool later = holds(test.formulas, test.formulas.next(f), word);
      if (simplifier.is_eventual(f) && later) {
        ASSERT_TRUE(now) << to_text(test.formulas, f);
      }
      if (simplifier.is_universal(f) && now) {
        ASSERT_TRUE(later) << to_text(test.formulas, f);
      }
    }
  }
  EXPECT_GT(implications, 20);
}

TEST(LtlWords, EveryStageOfTheTranslationKeepsTheLanguage) {
  for (int round = 0; round < rounds(1500); ++round) {
    Case test(first_seed() + static_cast<std::uint32_t>(round), 20);
    Bdds bdds;
    const Formula f = negation_normal_form(test.formulas, test.formula);
    const Formula g = negation_normal_form(test.formulas, test.formula, true);
    const Tgba negation = tableau(test.formulas, g, bdds, Arcs::kCubes);
    for (const Arcs arcs : {Arcs::kCubes, Arcs::kSplit}) {
      const Tgba raw = tableau(test.formulas, f, bdds, arcs);
      if (raw.states.size() > 40) continue;
      expect_same(test, raw, bdds, "tableau");
      EXPECT_TRUE(are_disjoint(raw, negation, bdds).value_or(true)) << test.text();
      const Tgba trim = trimmed(raw, bdds);
      expect_same(test, trim, bdds, "trimmed");
      expect_same(test, with_more_marks(trim, false), bdds, "more marks");
      for (const bool all : {false, true}) {
        SimulationOptions options;
        options.transient_have_all = all;
        expect_same(test, reduced_forward(trim, bdds, options), bdds, "forward simulation");
        expect_same(test, reduced_backward(trim, bdds, options), bdds, "backward simulation");
        expect_same(test, reduced_by_simulation(trim, bdds, options), bdds, "simulation");
      }
      expect_same(test, merge_states(trim, negation, bdds, false, 20000), bdds, "merged states");
      if (const auto minimal = minimal_weak(trim, negation, bdds)) {
        ASSERT_TRUE(is_state_based(*minimal));
        ASSERT_TRUE(is_deterministic(*minimal, bdds));
        expect_same(test, *minimal, bdds, "minimal weak");
      }
      if (trim.sets > 5) continue;
      std::vector<std::uint32_t> order;
      for (std::uint32_t i = trim.sets; i-- > 0;) order.push_back(i);
      for (const Entry entry : {Entry::kFirst, Entry::kLast, Entry::kKnown}) {
        expect_same(test, degeneralized(trim, order, entry, Carrier::kArcs, bdds), bdds, "one set");
        const Tgba plain = degeneralized(trim, order, entry, Carrier::kStates, bdds);
        ASSERT_TRUE(is_state_based(plain));
        expect_same(test, plain, bdds, "state-based");
        SimulationOptions options;
        options.by_state = true;
        const Tgba less = reduced_by_simulation(plain, bdds, options);
        ASSERT_TRUE(is_state_based(less)) << test.text();
        expect_same(test, less, bdds, "state-based simulation");
        const Tgba more = with_more_marks(less, true);
        ASSERT_TRUE(is_state_based(more));
        expect_same(test, more, bdds, "state-based marks");
        const Tgba merged = merge_states(less, negation, bdds, true, 20000);
        ASSERT_TRUE(is_state_based(merged));
        expect_same(test, merged, bdds, "state-based, merged states");
      }
    }
  }
}

TEST(LtlWords, AFormulaAndItsNegationShareNoWordAndLeaveNoneOut) {
  for (int round = 0; round < rounds(1500); ++round) {
    Case test(first_seed() + 100000 + static_cast<std::uint32_t>(round), 30);
    const Formula negated = test.formulas.negation(test.formula);
    for (const Target target : {Target::kBuchi, Target::kGeneralized}) {
      Diagnostics diagnostics;
      const auto yes = translate(test.formulas, test.formula, {target, true}, {}, diagnostics);
      const auto no = translate(test.formulas, negated, {target, true}, {}, diagnostics);
      ASSERT_TRUE(yes && no) << test.text();
      for (std::size_t i = 0; i < test.words.size(); ++i) {
        ASSERT_EQ(accepts(*yes, test.words[i]), test.truth[i]) << test.text();
        ASSERT_NE(accepts(*no, test.words[i]), test.truth[i]) << "not " << test.text();
      }
      Bdds bdds;
      const Tgba a = to_tgba(*yes, bdds);
      const Tgba b = to_tgba(*no, bdds);
      EXPECT_TRUE(are_disjoint(a, b, bdds).value_or(true)) << test.text();
      if (!yes->is_deterministic) continue;
      const Tgba others = complement_of_deterministic(a, bdds);
      EXPECT_TRUE(are_disjoint(others, a, bdds).value_or(true)) << test.text();
      expect_same(test, others, bdds, "complement", false);
      EXPECT_EQ(yes->is_stutter_invariant, no->is_stutter_invariant) << test.text();
    }
  }
}

TEST(LtlWords, AFormulaThatDoesNotMindStutteringCannotTellWordsApart) {
  int invariant = 0, sensitive = 0, told_apart = 0;
  for (int round = 0; round < rounds(1200); ++round) {
    Case test(first_seed() + 200000 + static_cast<std::uint32_t>(round), 25);
    if (!test.formulas.has_next(test.formula)) continue;
    Diagnostics diagnostics;
    const auto automaton = translate(test.formulas, test.formula, {}, {}, diagnostics);
    ASSERT_TRUE(automaton && automaton->is_stutter_invariant.has_value());
    bool is_told_apart = false;
    for (std::size_t i = 0; i < test.words.size(); ++i) {
      const Lasso other = stuttered(test.maker.random(), test.words[i]);
      is_told_apart = is_told_apart || holds(test.formulas, test.formula, other) != test.truth[i];
    }
    if (*automaton->is_stutter_invariant) {
      ASSERT_FALSE(is_told_apart) << test.text();
    }
    (*automaton->is_stutter_invariant ? invariant : sensitive) += 1;
    told_apart += is_told_apart ? 1 : 0;
  }
  EXPECT_GT(invariant, 0);
  // Most of those that mind are seen to do so by the few words tried: the test is not always "no".
  EXPECT_GT(told_apart * 2, sensitive);
}

TEST(LtlWords, XFreeFormulasPassTheExactTestOfStuttering) {
  for (int round = 0; round < rounds(400); ++round) {
    Case test(first_seed() + 300000 + static_cast<std::uint32_t>(round), 1);
    if (test.formulas.has_next(test.formula)) continue;
    Bdds bdds;
    const Formula f = negation_normal_form(test.formulas, test.formula);
    const Formula g = negation_normal_form(test.formulas, test.formula, true);
    const auto answer = is_stutter_invariant(tableau(test.formulas, f, bdds, Arcs::kCubes),
                                             tableau(test.formulas, g, bdds, Arcs::kCubes), bdds);
    if (answer) {
      EXPECT_TRUE(*answer) << test.text();
    }
  }
}

}  // namespace
}  // namespace spoor::ltl
