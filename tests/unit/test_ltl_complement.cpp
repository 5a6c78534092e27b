// Complements of automata, against words, and what they say about stuttering against what negated formulas
// say.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "ltl/complement.h"
#include "ltl/degeneralize.h"
#include "ltl/simplify.h"
#include "ltl/stutter.h"
#include "ltl/tableau.h"
#include "ltl/tgba.h"
#include "unit/test_ltl_words.h"

namespace spoor::ltl {
namespace {

constexpr std::uint32_t kAtoms = 2;

Tgba random_automaton(std::mt19937& random, Bdds& bdds) {
  Tgba automaton;
  automaton.sets = random() % 4 == 0 ? 0 : 1;
  automaton.states.resize(1 + random() % 3);
  const Bdd labels[] = {Bdds::kTrue, bdds.variable(0), bdds.variable(0, false), bdds.variable(1),
                        bdds.both(bdds.variable(0), bdds.variable(1))};
  for (auto& arcs : automaton.states) {
    for (std::size_t i = random() % 4; i-- > 0;) {
      const auto target = static_cast<std::uint32_t>(random() % automaton.states.size());
      const std::uint64_t marks = automaton.sets == 1 && random() % 3 == 0 ? 1 : 0;
      arcs.push_back({target, labels[random() % std::size(labels)], marks});
    }
  }
  normalize(automaton, bdds);
  return automaton;
}

TEST(LtlComplement, AWordIsAcceptedByOneOfTheTwo) {
  std::mt19937 random(7);
  int accepted = 0, rejected = 0, too_large = 0;
  for (int round = 0; round < 400; ++round) {
    Bdds bdds;
    const Tgba automaton = random_automaton(random, bdds);
    const std::optional<Tgba> other = complement(automaton, bdds);
    if (!other) {
      ++too_large;
      continue;
    }
    for (int i = 0; i < 20; ++i) {
      const Lasso word = random_lasso(random, kAtoms);
      const bool is_accepted = accepts(automaton, bdds, word);
      ASSERT_NE(is_accepted, accepts(*other, bdds, word)) << "round " << round;
      (is_accepted ? accepted : rejected) += 1;
    }
  }
  EXPECT_GT(accepted, 500);
  EXPECT_GT(rejected, 500);
  EXPECT_LT(too_large, 100);
}

TEST(LtlComplement, LargeOnesAreNotMade) {
  Bdds bdds;
  Tgba automaton;
  automaton.sets = 1;
  automaton.states.resize(12);
  for (std::uint32_t s = 0; s < 12; ++s) {
    for (std::uint32_t t = 0; t < 12; ++t)
      automaton.states[s].push_back({t, Bdds::kTrue, s != 0 && t == 0 ? 1u : 0u});
  }
  EXPECT_FALSE(complement(automaton, bdds).has_value());
  automaton.sets = 2;
  automaton.states.resize(1);
  EXPECT_FALSE(complement(automaton, bdds).has_value());
}

// The automaton of a formula without its negation: the answer is the same.
TEST(LtlComplement, TellsWhetherAnAutomatonMindsStuttering) {
  int invariant = 0, sensitive = 0, unknown = 0;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    Formulas formulas;
    RandomFormulas maker(formulas, kAtoms, seed);
    const Formula any = maker.make(2 + seed % 5);
    Bdds bdds;
    const auto tableau_of = [&](bool negated) {
      const Tgba general =
          tableau(formulas, negation_normal_form(formulas, any, negated), bdds, Arcs::kCubes);
      std::vector<std::uint32_t> order(general.sets);
      std::iota(order.begin(), order.end(), 0u);
      return trimmed(degeneralized(general, order, Entry::kFirst, Carrier::kStates, bdds), bdds, true);
    };
    const Tgba automaton = tableau_of(false);
    const std::optional<bool> expected = is_stutter_invariant(automaton, tableau_of(true), bdds);
    const std::optional<bool> answer = is_stutter_invariant(automaton, bdds);
    if (!answer || !expected) {
      ++unknown;
      continue;
    }
    EXPECT_EQ(*answer, *expected) << to_text(formulas, any);
    (*answer ? invariant : sensitive) += 1;
  }
  EXPECT_GT(invariant, 100);
  EXPECT_GT(sensitive, 20);
  EXPECT_LT(unknown, 60);
}

// As spin -f writes []<>p: neither state simulates the other, and it does not mind.
TEST(LtlComplement, AgainAndAgainDoesNotMindStuttering) {
  Bdds bdds;
  Tgba automaton;
  automaton.sets = 1;
  automaton.states = {{{1, bdds.variable(0), 0}, {0, Bdds::kTrue, 0}}, {{0, Bdds::kTrue, 1}}};
  EXPECT_EQ(is_stutter_invariant(automaton, bdds), true);
  automaton.states[1][0].label = bdds.variable(0);  // twice in a row
  EXPECT_EQ(is_stutter_invariant(automaton, bdds), false);
}

}  // namespace
}  // namespace spoor::ltl
