// Budgets: which limit ends a piece of work, and what its parts may use.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "model/budget.h"

namespace spoor {
namespace {

void spend(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

TEST(Budget, WithoutLimitsIsNeverOver) {
  Budget budget;
  EXPECT_FALSE(budget.poll(UINT64_MAX / 2));
  EXPECT_FALSE(budget.is_exhausted(UINT64_MAX / 2));
  EXPECT_EQ(budget.limit(), std::nullopt);
  EXPECT_GT(budget.left_s(), 1e300);
  const Limits part = budget.part({0.1, 0.1});
  EXPECT_EQ(part.seconds, 0);
  EXPECT_EQ(part.memory_bytes, 0u);
}

TEST(Budget, IsOverWhenALimitIsExceededAndTellsTheFirst) {
  Limits limits;
  limits.memory_bytes = 100;
  Budget budget(limits);
  EXPECT_FALSE(budget.poll(100));
  EXPECT_TRUE(budget.poll(101));
  EXPECT_EQ(budget.limit(), LimitHit::kMemory);
  budget.end(LimitHit::kTime);
  EXPECT_EQ(budget.limit(), LimitHit::kMemory);
  EXPECT_TRUE(budget.poll(0));
  EXPECT_EQ(budget.peak_bytes(), 101u);
}

TEST(Budget, IsOverWhenTimeHasRunOut) {
  Limits limits;
  limits.seconds = 1e-3;
  Budget budget(limits);
  spend(2e-3);
  EXPECT_TRUE(budget.poll());
  EXPECT_EQ(budget.limit(), LimitHit::kTime);
  EXPECT_GT(budget.part().seconds, 0) << "0 would be no limit";
  EXPECT_GT(limits.after(5).seconds, 0);
  EXPECT_NEAR(Limits{10}.after(4).seconds, 6, 1e-9);
  EXPECT_EQ(Limits{}.after(4).seconds, 0);
}

TEST(Budget, IsInterruptedFromOutside) {
  std::atomic<bool> interrupt = false;
  Limits limits;
  limits.interrupt = &interrupt;
  Budget whole(limits);
  Budget part(whole.part());
  Budget part_of_part(part.part());
  EXPECT_FALSE(part_of_part.poll());
  interrupt = true;
  EXPECT_TRUE(part_of_part.poll());
  EXPECT_EQ(part_of_part.limit(), LimitHit::kInterrupted);
  whole.begin_stage(1);
  EXPECT_TRUE(whole.poll());
  whole.begin_stage(1);
  EXPECT_TRUE(whole.is_over()) << "an interrupt ends all stages";
}

TEST(Budget, EndsWithTheWholeOfWhichItIsAPart) {
  Budget whole;
  Budget part(whole.part());
  EXPECT_FALSE(part.poll(1));
  whole.stop();
  EXPECT_EQ(whole.limit(), std::nullopt) << "stopped, not cut short";
  EXPECT_TRUE(part.poll(1));
  EXPECT_EQ(part.limit(), LimitHit::kInterrupted);
  whole.end(LimitHit::kTime);
  EXPECT_EQ(whole.limit(), std::nullopt);
}

TEST(Budget, GivesAPartItsShareAndNeverMoreThanIsLeft) {
  Limits limits;
  limits.seconds = 100;
  limits.memory_bytes = 1000;
  limits.depth = 7;
  const Budget whole(limits);
  const Limits part = whole.part({0.25, 0.5});
  EXPECT_EQ(part.seconds, 25);
  EXPECT_EQ(part.memory_bytes, 500u);
  EXPECT_EQ(part.depth, 7u);
  EXPECT_LE(whole.part().seconds, 100);
  EXPECT_LE(whole.part({.time = 3}).seconds, 100) << "no more than is left";
  EXPECT_EQ(whole.part({.held_bytes = 300}).memory_bytes, 700u);
  EXPECT_EQ(whole.part({.held_bytes = 3000}).memory_bytes, 1u) << "0 would be no limit";
}

TEST(Budget, OfALaterStageMayBeLarger) {
  Limits limits;
  limits.memory_bytes = 1000;
  Budget budget(limits);
  budget.begin_stage(0.6);
  EXPECT_FALSE(budget.poll(600));
  EXPECT_TRUE(budget.poll(601));
  budget.begin_stage(1.5);
  EXPECT_EQ(budget.limit(), std::nullopt);
  EXPECT_FALSE(budget.poll(1500));
  EXPECT_TRUE(budget.poll(1501));
}

TEST(Budget, CountsALongExpansionOnTopOfWhatWasPolled) {
  Limits limits;
  limits.memory_bytes = 1000;
  Budget budget(limits);
  budget.poll(600);
  EXPECT_FALSE(budget.is_exhausted(400));
  EXPECT_FALSE(budget.is_exhausted(400)) << "the bytes of an expansion do not add up";
  EXPECT_TRUE(budget.is_exhausted(401));
  EXPECT_EQ(budget.limit(), LimitHit::kMemory);
}

TEST(Budget, TellsOfDepthUnlessSomethingElseHasEndedIt) {
  Budget budget;
  budget.note_depth_limit();
  EXPECT_FALSE(budget.is_over());
  EXPECT_EQ(budget.limit(), LimitHit::kDepth);
  budget.end(LimitHit::kObserver);
  EXPECT_EQ(budget.limit(), LimitHit::kObserver);
}

TEST(Budget, HasOneReasonWhenSeveralThreadsEndIt) {
  for (int round = 0; round < 50; ++round) {
    Budget budget;
    std::vector<std::thread> threads;
    for (const LimitHit limit : {LimitHit::kTime, LimitHit::kMemory, LimitHit::kObserver}) {
      threads.emplace_back([&budget, limit] { budget.end(limit); });
    }
    for (std::thread& thread : threads) thread.join();
    const auto first = budget.limit();
    ASSERT_TRUE(first.has_value());
    budget.end(LimitHit::kOutOfMemory);
    EXPECT_EQ(budget.limit(), first);
  }
}

}  // namespace
}  // namespace spoor
