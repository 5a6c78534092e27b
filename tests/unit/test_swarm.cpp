// Swarms of searches with filters: what they see together, when they end, and that they can be repeated.
#include <gtest/gtest.h>

#include <atomic>
#include <variant>

#include "graph/fixed.h"
#include "search/swarm.h"
#include "unit/counters.h"

namespace spoor {
namespace {

SearchOptions with_filter(unsigned log_bits, unsigned hashes = 1) {
  SearchOptions options;
  options.store = StoreKind::kBitstate;
  options.filter = {std::uint64_t{1} << log_bits, hashes, FilterKind::kClassic, 1, false};
  options.counted = FindingKinds::none();
  return options;
}

TEST(Swarm, SeesMoreThanOneSearch) {
  const Counters system(5, 9);  // 59,049 states
  const SwarmResult swarm = search_swarm(system, with_filter(14), {12, 1, true, false});
  ASSERT_EQ(swarm.members.size(), 12u);
  const auto alone = static_cast<double>(swarm.members[0].filter.states);
  EXPECT_LT(alone, 16'400);  // no more than there are bits
  EXPECT_GT(swarm.seen, 2.5 * alone);
  EXPECT_LT(swarm.seen, 1.04 * 59'049);
  double before = 0;
  std::uint64_t sum = 0;
  for (const SwarmMember& member : swarm.members) {
    EXPECT_GE(member.seen_by_all, before);
    before = member.seen_by_all;
    sum += member.filter.states;
    EXPECT_TRUE(member.filter.is_complete);
  }
  EXPECT_EQ(swarm.result.statistics.states, sum);
  EXPECT_TRUE(std::holds_alternative<HoldsProbably>(swarm.result.outcome));
  EXPECT_EQ(std::get<HoldsProbably>(swarm.result.outcome).omission_probability, 1.0);
}

// With one thread always the same; with two the same searches, whoever makes them.
TEST(Swarm, CanBeRepeated) {
  const Counters system(5, 9);
  const SwarmResult once = search_swarm(system, with_filter(14, 2), {6, 1, true, false});
  const SwarmResult again = search_swarm(system, with_filter(14, 2), {6, 1, true, false});
  const SwarmResult with_two = search_swarm(system, with_filter(14, 2), {6, 2, true, false});
  ASSERT_EQ(once.members.size(), 6u);
  ASSERT_EQ(again.members.size(), 6u);
  ASSERT_EQ(with_two.members.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(once.members[i].filter.states, again.members[i].filter.states);
    EXPECT_EQ(once.members[i].filter.states, with_two.members[i].filter.states);
    EXPECT_EQ(once.members[i].filter.options.seed, 1 + i);
  }
  EXPECT_EQ(once.seen, again.seen);
  EXPECT_EQ(once.seen, with_two.seen);
  // A member is a search like any other.
  SearchOptions alone = with_filter(14, 2);
  alone.order = Order::kDepthFirst;
  alone.filter.seed = 3;
  alone.shuffle = 4;
  EXPECT_EQ(search(system, alone).statistics.states, once.members[2].filter.states);
  // Their orders differ, not only their hash functions.
  alone.shuffle = 5;
  EXPECT_NE(search(system, alone).statistics.states, once.members[2].filter.states);
}

TEST(Swarm, SequentialHashingEndsWhenNothingIsAdded) {
  const Counters system(4, 8);  // 4,096 states
  const SwarmResult swarm = search_swarm(system, with_filter(16, 2), {50, 1, false, true});
  EXPECT_TRUE(swarm.has_stopped_growing);
  EXPECT_LT(swarm.members.size(), 10u);
  EXPECT_NEAR(swarm.seen, 4096, 0.03 * 4096);
  const SwarmResult small = search_swarm(system, with_filter(10, 1), {4, 1, false, true});
  EXPECT_FALSE(small.has_stopped_growing);
  EXPECT_EQ(small.members.size(), 4u);
}

TEST(Swarm, TheFirstViolationEndsAll) {
  // A line of states with a deadlock at its end.
  FixedGraphOptions line;
  for (std::uint32_t i = 0; i < 50; ++i) line.edges.emplace_back(i, i + 1);
  const FixedGraph graph(line);
  SearchOptions options = with_filter(20, 3);
  options.counted = FindingKinds::all();
  const SwarmResult swarm = search_swarm(graph, options, {100, 2, true, false});
  ASSERT_TRUE(std::holds_alternative<Violated>(swarm.result.outcome));
  ASSERT_EQ(swarm.result.violations.size(), 1u);
  EXPECT_EQ(swarm.result.violations[0].steps.size(), 50u);
  EXPECT_LT(swarm.members.size(), 100u);
}

TEST(Swarm, KeepsItsLimits) {
  const Counters system(20, 4);  // more than anybody can see
  SearchOptions options = with_filter(26, 3);
  options.limits.seconds = 0.3;
  const SwarmResult swarm = search_swarm(system, options, {4, 2, true, false});
  EXPECT_EQ(swarm.result.limit, LimitHit::kTime);
  EXPECT_TRUE(std::holds_alternative<Unknown>(swarm.result.outcome));
  EXPECT_LT(swarm.result.statistics.elapsed_s, 5);
  EXPECT_GT(swarm.seen, 0);
  std::atomic<bool> interrupt = true;
  options.limits.interrupt = &interrupt;
  options.limits.seconds = 0;
  EXPECT_EQ(search_swarm(system, options, {4, 2, true, false}).result.limit, LimitHit::kInterrupted);
}

TEST(Swarm, IsForFilters) {
  SearchOptions options = with_filter(12);
  EXPECT_THROW(search_swarm(Counters(2, 2), options, {0, 1, true, false}), std::invalid_argument);
  options.store = StoreKind::kExact;
  EXPECT_THROW(search_swarm(Counters(2, 2), options, {}), std::invalid_argument);
}

}  // namespace
}  // namespace spoor
