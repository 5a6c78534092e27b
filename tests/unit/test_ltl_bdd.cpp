#include <gtest/gtest.h>

#include <random>

#include "ltl/bdd.h"
#include "unit/test_ltl_words.h"

namespace spoor::ltl {
namespace {

// A random set over six variables together with its truth table.
struct Sample {
  Bdd set;
  std::uint64_t table;
};

Sample random_set(Bdds& bdds, std::mt19937& random, int depth) {
  if (depth == 0) {
    const std::uint32_t variable = random() % 6;
    std::uint64_t table = 0;
    for (std::uint64_t v = 0; v < 64; ++v) table |= (v >> variable & 1) << v;
    return {bdds.variable(variable), table};
  }
  const Sample a = random_set(bdds, random, depth - 1);
  const Sample b = random_set(bdds, random, depth - 1);
  switch (random() % 4) {
    case 0: return {bdds.both(a.set, b.set), a.table & b.table};
    case 1: return {bdds.either(a.set, b.set), a.table | b.table};
    case 2: return {bdds.without(a.set, b.set), a.table & ~b.table};
    default: return {bdds.negation(a.set), ~a.table};
  }
}

bool has_letter(const Literals& cube, std::uint64_t letter) {
  for (const auto& [variable, positive] : cube) {
    if (((letter >> variable & 1) != 0) != positive) return false;
  }
  return true;
}

TEST(LtlBdd, SetsAreWhatTheirTruthTablesSay) {
  std::mt19937 random(1);
  Bdds bdds;
  std::map<std::uint64_t, Bdd> known;
  for (int round = 0; round < 3000; ++round) {
    const Sample sample = random_set(bdds, random, 4);
    for (std::uint64_t v = 0; v < 64; ++v) {
      ASSERT_EQ(contains(bdds, sample.set, v), (sample.table >> v & 1) != 0);
    }
    EXPECT_EQ(known.emplace(sample.table, sample.set).first->second, sample.set);
  }
}

TEST(LtlBdd, CubesCoverTheSetAndNoneIsSuperfluous) {
  std::mt19937 random(2);
  Bdds bdds;
  for (int round = 0; round < 1000; ++round) {
    const Sample sample = random_set(bdds, random, 4);
    const std::vector<Literals> cubes = bdds.irredundant_cubes(sample.set);
    std::vector<std::uint64_t> tables;
    std::uint64_t all = 0;
    for (const Literals& cube : cubes) {
      std::uint64_t table = 0;
      for (std::uint64_t v = 0; v < 64; ++v) table |= std::uint64_t{has_letter(cube, v)} << v;
      tables.push_back(table);
      all |= table;
    }
    ASSERT_EQ(all, sample.table);
    for (std::size_t i = 0; i < tables.size(); ++i) {
      std::uint64_t others = 0;
      for (std::size_t j = 0; j < tables.size(); ++j) others |= i == j ? 0 : tables[j];
      EXPECT_NE(others, all);
    }
  }
}

// A table that kept an entry for a node that was refused once led to automata of anything.
TEST(LtlBdd, AfterALimitWasReachedTheManagerIsStillRight) {
  std::mt19937 random(3);
  Bdds bdds;
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    if (round % 2 == 0) {
      bdds.grant(random() % 60, random() % 8);
      try {
        random_set(bdds, random, 5);
      } catch (const TooLarge&) {
        ++refused;
      }
      continue;
    }
    bdds.grant(1000000, 100000);
    const Sample sample = random_set(bdds, random, 4);
    for (std::uint64_t v = 0; v < 64; ++v) {
      ASSERT_EQ(contains(bdds, sample.set, v), (sample.table >> v & 1) != 0);
    }
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace spoor::ltl
