// The search of Taleghani's thesis: breadth-first, then samples.
#include <gtest/gtest.h>

#include <atomic>

#include "graph/fixed.h"
#include "search/sampling.h"
#include "unit/counters.h"

namespace spoor {
namespace {

SearchOptions within(std::uint64_t bytes, std::uint64_t seed = 1) {
  SearchOptions options;
  options.limits.memory_bytes = bytes;
  options.shuffle = seed;
  return options;
}

TEST(Sampling, FindsEverythingWhereThereIsRoom) {
  const SampledSearch result = search_and_sample(Counters(5, 8), within(0));
  EXPECT_FALSE(result.limit);
  EXPECT_EQ(result.statistics.states, 32'768u);
  EXPECT_EQ(result.statistics.transitions, 1 + 5 * 32'768u);
  EXPECT_EQ(result.samples, 0u);
  std::uint64_t states = 0;
  for (const Level& level : result.levels) states += level.states;
  EXPECT_EQ(states, 32'768u);
}

TEST(Sampling, CountsTheLevels) {
  // 3 counters of 2 values: binomials.
  EXPECT_EQ(search_and_sample(Counters(3, 2), within(0)).levels,
            (std::vector<Level>{{1, 1}, {3, 4}, {3, 13}, {1, 22}}));
}

TEST(Sampling, EndsWithItsMemory) {
  const SampledSearch whole = search_and_sample(Counters(7, 7), within(0));
  ASSERT_EQ(whole.statistics.states, 823'543u);
  const std::uint64_t memory = whole.statistics.memory_bytes / 5;  // not where the table doubles
  const SampledSearch part = search_and_sample(Counters(7, 7), within(memory));
  EXPECT_EQ(part.limit, LimitHit::kMemory);
  EXPECT_LT(part.statistics.states, 823'543u / 2);
  EXPECT_GT(part.statistics.states, 823'543u / 20);
  EXPECT_LT(static_cast<double>(part.statistics.memory_bytes), 1.5 * static_cast<double>(memory));
  EXPECT_GE(part.samples, 1u);
  EXPECT_GE(part.found, part.samples);
  EXPECT_GT(part.left, 0u);
  EXPECT_LT(part.left, 823'543u - part.statistics.states);
}

TEST(Sampling, DependsOnTheSeed) {
  const auto sample = [](std::uint64_t seed) {
    return search_and_sample(Counters(7, 7), within(7'500'000, seed));
  };
  const SampledSearch one = sample(1), again = sample(1), other = sample(2);
  EXPECT_EQ(one.left, again.left);
  EXPECT_EQ(one.found, again.found);
  EXPECT_NE(one.left, other.left);
}

// Behind each of many steps lie states of its own, equally many: what the thesis assumes. A wide root, each
// branch a line.
TEST(Sampling, IsRightAboutBranchesThatShareNothing) {
  constexpr std::uint32_t kBranches = 4000, kLength = 100;
  FixedGraphOptions comb;
  for (std::uint32_t b = 0; b < kBranches; ++b) {
    const std::uint32_t first = 1 + b * kLength;
    comb.edges.emplace_back(0, first);
    for (std::uint32_t i = 1; i < kLength; ++i) comb.edges.emplace_back(first + i - 1, first + i);
  }
  const FixedGraph graph(comb);
  const std::uint64_t all = 1 + kBranches * kLength;
  const std::uint64_t memory = search_and_sample(graph, within(0)).statistics.memory_bytes;
  const SampledSearch part = search_and_sample(graph, within(memory / 3));
  ASSERT_EQ(part.limit, LimitHit::kMemory);
  ASSERT_GT(part.samples, 10u);
  const double each = static_cast<double>(part.found) / static_cast<double>(part.samples);
  const double total = static_cast<double>(part.statistics.states) + each * static_cast<double>(part.left);
  EXPECT_NEAR(total, static_cast<double>(all), 0.05 * static_cast<double>(all));
}

TEST(Sampling, KeepsItsOtherLimits) {
  SearchOptions options = within(0);
  options.limits.seconds = 0.2;
  EXPECT_EQ(search_and_sample(Counters(20, 4), options).limit, LimitHit::kTime);
  std::atomic<bool> interrupt = true;
  options.limits.interrupt = &interrupt;
  EXPECT_EQ(search_and_sample(Counters(20, 4), options).limit, LimitHit::kInterrupted);
}

}  // namespace
}  // namespace spoor
