// The probes after a search, the count after a long one, and the time that they have.
#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <memory>

#include "check/check_coverage.h"
#include "check/probing.h"
#include "check/state_count.h"
#include "model/budget.h"
#include "unit/counters.h"

namespace spoor {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

// Counts the searches that begin.
class CountedStarts : public Counters {
 public:
  using Counters::Counters;

  std::vector<std::byte> initial_state() const override {
    ++starts;
    return Counters::initial_state();
  }

  mutable std::atomic<int> starts = 0;
};

Probing sizes(unsigned from_log, unsigned to_log, unsigned threads = 1) {
  Probing how;
  how.from_bits = std::uint64_t{1} << from_log;
  how.to_bits = std::uint64_t{1} << to_log;
  how.threads = threads;
  return how;
}

// Takes ten microseconds for a state, so that the smallest pair takes more than a hundredth of a second on
// any machine.
class SlowStarts : public CountedStarts {
 public:
  using CountedStarts::CountedStarts;

  void expand(StateBytes state, Expansion& out) const override {
    const Budget clock;
    Counters::expand(state, out);
    while (clock.elapsed_s() < 1e-5) {
    }
  }
};

TEST(Probing, GrowsToTheLargestSizeInFewPairs) {
  const SlowStarts system(5, 8);  // 32,768 states
  const Probed probed = probe_growing(system, {}, sizes(12, 16));
  ASSERT_TRUE(probed.figures);
  EXPECT_EQ(probed.bits, std::uint64_t{1} << 16);
  EXPECT_EQ(system.starts, 4);  // doubled sizes have six
}

TEST(Probing, HasNoPairWhereTheSmallerFilterWouldBeTooSmall) {
  const CountedStarts system(3, 4);
  EXPECT_FALSE(probe_growing(system, {}, sizes(6, 6)).figures);
  EXPECT_TRUE(probe_growing(system, {}, sizes(7, 7)).figures);
}

TEST(Probing, ThreadsDoNotChangeTheFigures) {
  const CountedStarts system(5, 8);
  const Probed one = probe_growing(system, {}, sizes(12, 15)),
               two = probe_growing(system, {}, sizes(12, 15, 2));
  ASSERT_TRUE(one.figures && two.figures);
  EXPECT_EQ(one.bits, two.bits);
  EXPECT_EQ(one.figures->met_by_larger, two.figures->met_by_larger);
  EXPECT_EQ(one.figures->met_by_all, two.figures->met_by_all);
  EXPECT_EQ(one.figures->smaller_in_larger.share, two.figures->smaller_in_larger.share);
}

TEST(Probing, GoesOnWhereTheTimeHasEndedIt) {
  const CountedStarts system(6, 8);
  GrowingProbes probes(system, {}, sizes(15, 18));
  probes.grow(1e-9);
  EXPECT_FALSE(probes.probed().figures);
  EXPECT_EQ(probes.probed().limit, LimitHit::kTime);
  probes.grow(0);  // no time
  EXPECT_FALSE(probes.probed().figures);
  probes.grow(kForever);
  ASSERT_TRUE(probes.probed().figures);
  EXPECT_EQ(probes.probed().bits, std::uint64_t{1} << 18);
  const int starts = system.starts;
  probes.grow(kForever);  // there is no larger size
  EXPECT_EQ(system.starts, starts);
}

TEST(Probing, ALargerFilterThanEnoughNeedsTime) {
  const CountedStarts system(6, 8);
  Probing how = sizes(15, 18);
  how.enough_bits = std::uint64_t{1} << 16;
  how.further_s = 1e-9;
  EXPECT_EQ(probe_growing(system, {}, how).bits, how.enough_bits);
  how.further_s = 1e9;
  EXPECT_EQ(probe_growing(system, {}, how).bits, how.to_bits);
}

// Not enough for two filters beside each other, nor for one of 2^24 bits.
TEST(Probing, UsesSmallerFiltersWhereMemoryIsShort) {
  const CountedStarts system(6, 8);
  SearchOptions options;
  options.limits.memory_bytes = std::uint64_t{1200} << 10;
  Probing how = sizes(24, 24, 2);
  EXPECT_FALSE(probe_growing(system, options, how).figures);
  how.least_bits = kFewestProbeBits;
  const Probed probed = probe_growing(system, options, how);
  ASSERT_TRUE(probed.figures);
  EXPECT_LT(probed.bits, how.from_bits);
  EXPECT_GE(probed.bits, how.least_bits);
}

TEST(Probing, TheTimeOfACountIsThatOfItsStatesAndThreads) {
  Statistics statistics;
  statistics.states = 1000;
  statistics.elapsed_s = 10;
  SearchOptions of_search;
  EXPECT_DOUBLE_EQ(predicted_count(statistics, of_search, 1, 2000).seconds, 20);
  EXPECT_LT(predicted_count(statistics, of_search, 2, 2000).seconds, 20);
  EXPECT_GT(predicted_count(statistics, of_search, 2, 2000).seconds, 10);
  of_search.threads = 2;
  EXPECT_DOUBLE_EQ(predicted_count(statistics, of_search, 2, 2000).seconds, 20);
  of_search.store = StoreKind::kBitstate;  // a filter is faster than hashes
  EXPECT_GT(predicted_count(statistics, of_search, 2, 2000).seconds, 25);
  of_search = SearchOptions();
  of_search.order = Order::kDepthFirst;  // one thread
  EXPECT_DOUBLE_EQ(predicted_count(statistics, of_search, 4, 2000).seconds, 20);
  EXPECT_GE(predicted_count(statistics, of_search, 1, 2000).bytes, 16'000);
}

// A search that counts as long, with a filter that is too small.
class LongSearch : public testing::Test {
 protected:
  static constexpr double kStates = 262'144;

  LongSearch() {
    model_.system = std::make_shared<Counters>(6, 8);
    options_.store = StoreKind::kBitstate;
    options_.filter = {std::uint64_t{1} << 20, 3, FilterKind::kClassic, 1, true};
    options_.counted = FindingKinds::none();
    times_.long_search = 0;
    report_.property = "safety";
    report_.options.store = StoreKind::kBitstate;
  }

  Coverage coverage() {
    report_.result = search(*model_.system, options_);
    return coverage_of(report_, model_, options_, times_).value();
  }

  LoadedModel model_;
  SearchOptions options_;
  CheckReport report_;
  CoverageTimes times_;
};

TEST_F(LongSearch, IsCountedWhereThatIsPredictedToFit) {
  const Coverage found = coverage();
  const double actual = static_cast<double>(report_.result.statistics.states) / kStates;
  EXPECT_GT(actual, 0.8);
  EXPECT_LT(actual, 0.9999);
  EXPECT_EQ(found.method, "count");
  EXPECT_DOUBLE_EQ(found.chosen->coverage, actual);
}

TEST_F(LongSearch, IsNotCountedWhereThatWouldNeedMoreMemoryThanItMayUse) {
  options_.limits.memory_bytes = std::uint64_t{3} << 20;
  const Coverage found = coverage();
  EXPECT_EQ(found.method, "probes");
  const double actual = static_cast<double>(report_.result.statistics.states) / kStates;
  EXPECT_NEAR(found.chosen->coverage, actual, 0.1);
  EXPECT_LE(found.chosen->interval->low, actual);
  EXPECT_GE(found.chosen->interval->high, actual);
}

TEST_F(LongSearch, HasProbesOfTheSizeOfItsFilterWhereItIsNotCounted) {
  times_.counts_after_long_search = false;
  options_.filter.bits = std::uint64_t{1} << 18;
  const Coverage found = coverage();
  EXPECT_EQ(found.method, "probes");
  const Interval interval = *found.chosen->interval;
  const double actual = static_cast<double>(report_.result.statistics.states) / kStates;
  EXPECT_LE(interval.low, actual);
  EXPECT_GE(interval.high, actual);
  EXPECT_LT(interval.high - interval.low, 0.5);  // wider with probes of a quarter
}

// The figures of the filter alone are far too high where few states were seen.
TEST_F(LongSearch, HasAnIntervalFromZeroWithoutProbes) {
  report_.options.limits.seconds = 1e-9;
  options_.filter.bits = std::uint64_t{1} << 18;
  const Coverage found = coverage();
  EXPECT_EQ(found.method, "dillinger");
  EXPECT_EQ(found.chosen->interval->low, 0);
  EXPECT_GE(found.chosen->interval->high, static_cast<double>(report_.result.statistics.states) / kStates);
}

}  // namespace
}  // namespace spoor
