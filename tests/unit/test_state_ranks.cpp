// Ranks of states: new ones are right behind those that lead to them.
#include "evidence/state_ranks.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/packed_numbers.h"

namespace spoor {
namespace {

std::string ranks_text(std::uint64_t first, const std::vector<std::int64_t>& distances) {
  std::string text;
  put(text, first);
  for (const std::int64_t distance : distances) put_signed(text, distance);
  return text;
}

StateRanks ranks_from(const std::string& text) {
  StateRanks ranks;
  ranks.read(text);
  return ranks;
}

TEST(StateRanks, AreThoseOfNumbersWhereNothingIsAnchored) {
  const StateRanks ranks(1000);
  EXPECT_TRUE(ranks.is_empty());
  EXPECT_EQ(ranks.bound(), 1000U);
  for (StateNumber number = 1; number < 1000; ++number) EXPECT_LT(ranks[number - 1], ranks[number]);
}

TEST(StateRanks, PlaceAStateBetweenItsSourceAndTheNextOne) {
  StateRanks ranks(10);
  for (const StateNumber source : {3, 9, 0, 4}) {
    const StateNumber added = ranks.bound();
    ranks.add_behind(source);
    EXPECT_FALSE(ranks.is_empty());
    EXPECT_EQ(ranks.bound(), added + 1);
    EXPECT_GT(ranks[added], ranks[source]);
    for (StateNumber other = 0; other < 10; ++other) EXPECT_EQ(ranks[added] > ranks[other], other <= source);
  }
}

TEST(StateRanks, PlaceTheLaterOfTwoStatesBehindTheSameSourceAbove) {
  StateRanks ranks(10);
  ranks.add_behind(5);
  ranks.add_behind(2);
  ranks.add_behind(5);
  EXPECT_LT(ranks[10], ranks[12]);
  EXPECT_LT(ranks[12], ranks[6]);
  EXPECT_LT(ranks[11], ranks[10]);
}

TEST(StateRanks, PlaceAStateBehindAnAnchoredOneAtTheSameAnchor) {
  StateRanks ranks(10);
  ranks.add_behind(5);
  ranks.add_behind(10);
  ranks.add_behind(11);
  EXPECT_LT(ranks[5], ranks[10]);
  EXPECT_LT(ranks[10], ranks[11]);
  EXPECT_LT(ranks[11], ranks[12]);
  EXPECT_LT(ranks[12], ranks[6]);
}

TEST(StateRanks, DifferForDifferentStates) {
  StateRanks ranks(4);
  for (const StateNumber source : {3, 3, 4, 0, 7, 5}) ranks.add_behind(source);
  for (StateNumber one = 0; one < ranks.bound(); ++one) {
    for (StateNumber other = 0; other < one; ++other) EXPECT_NE(ranks[one], ranks[other]);
  }
}

TEST(StateRanks, AreRaisedButNeverLowered) {
  StateRanks ranks(10);
  ranks.add_behind(5);
  ranks.add_behind(7);
  const StateRanks::Rank before = ranks[10];
  ranks.raise(10, 3);
  EXPECT_EQ(ranks[10], before);
  ranks.raise(10, 5);
  EXPECT_EQ(ranks[10], before);
  ranks.raise(10, 6);
  EXPECT_GT(ranks[10], ranks[6]);
  EXPECT_LT(ranks[10], ranks[7]);
  ranks.raise(10, 8);
  EXPECT_GT(ranks[10], ranks[8]);
  EXPECT_LT(ranks[10], ranks[9]);
  ranks.raise(11, 10);  // behind an anchored one
  EXPECT_GT(ranks[11], ranks[10]);
  EXPECT_LT(ranks[11], ranks[9]);
  ranks.raise(11, 0);
  EXPECT_GT(ranks[11], ranks[10]);
  EXPECT_EQ(ranks.bound(), 12U);
}

TEST(StateRanks, OfLargeNumbersAreInOrder) {
  const StateNumber first = kNoState - 100;
  StateRanks ranks(first);
  ranks.add_behind(first - 1);
  ranks.add_behind(first - 2);
  EXPECT_GT(ranks[first], ranks[first - 1]);
  EXPECT_GT(ranks[first + 1], ranks[first - 2]);
  EXPECT_LT(ranks[first + 1], ranks[first - 1]);
}

TEST(StateRanks, AreReadAsTheyWereWritten) {
  std::mt19937 random(3);
  for (const std::uint32_t added : {1, 2, 1000, 20'000}) {
    const StateNumber first = 5000;
    StateRanks ranks(first);
    for (std::uint32_t i = 0; i < added; ++i)
      ranks.add_behind(static_cast<StateNumber>(random() % ranks.bound()));
    StateRanks read = ranks_from(ranks.text());
    ASSERT_EQ(read.bound(), ranks.bound());
    for (StateNumber number = 0; number < ranks.bound(); ++number) ASSERT_EQ(read[number], ranks[number]);
    EXPECT_EQ(read.text(), ranks.text());
    // They go on alike.
    for (StateRanks* const each : {&ranks, &read}) {
      each->raise(first, first - 1);
      each->add_behind(first);
    }
    EXPECT_EQ(read.text(), ranks.text());
  }
  EXPECT_TRUE(ranks_from(StateRanks(7).text()).is_empty());
  EXPECT_EQ(ranks_from(StateRanks(7).text()).bound(), 7U);
}

TEST(StateRanks, AreNotReadFromDamagedText) {
  EXPECT_EQ(ranks_from(ranks_text(10, {9, -9, 4})).bound(), 13U);
  const auto expect_damage = [](const std::string& text) {
    EXPECT_THROW(ranks_from(text), FramedFileError) << testing::PrintToString(text);
  };
  expect_damage("");
  expect_damage(ranks_text(10, {10}));         // an anchor that is anchored
  expect_damage(ranks_text(10, {9, 1}));       // the same, later
  expect_damage(ranks_text(10, {-1}));         // an anchor below all states
  expect_damage(ranks_text(10, {3, -4}));      // the same, later
  expect_damage(ranks_text(0, {0}));           // there is nothing to be anchored at
  expect_damage(ranks_text(10, {INT64_MAX}));  // distances that overflow
  expect_damage(ranks_text(10, {INT64_MIN}));
  expect_damage(ranks_text(10, {5, INT64_MAX}));
  expect_damage(ranks_text(kNoState, {}));  // more states than there can be
  expect_damage(ranks_text(std::uint64_t{1} << 32, {}));
  expect_damage(ranks_text(UINT64_MAX, {3}));
  const std::string cut = ranks_text(1000, {500});  // two bytes each
  expect_damage(cut.substr(0, 1));
  expect_damage(cut.substr(0, 3));
}

TEST(StateRanks, AreNotReadTwice) {
  const std::string text = ranks_text(10, {3, 2});
  StateRanks ranks = ranks_from(text);
  EXPECT_THROW(ranks.read(text), FramedFileError);
}

}  // namespace
}  // namespace spoor
