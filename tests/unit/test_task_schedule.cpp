#include "evidence/task_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

namespace spoor {
namespace {

CertifierResult reported(const TaskSchedule& schedule) {
  CertifierResult result;
  schedule.report(result);
  return result;
}

TEST(TaskSchedule, AWorkerTakesTheNextRegionWhenItIsFree) {
  TaskSchedule schedule(2);
  EXPECT_EQ(reported(schedule).largest_task, 0u);
  for (const std::uint64_t steps : {5, 2, 2, 2}) schedule.add(steps, 1);
  EXPECT_EQ(reported(schedule).largest_task, 6u);  // 5, and 2, 2, 2
  EXPECT_DOUBLE_EQ(reported(schedule).longest_task_s, 2);
  schedule.add(4, 3);
  schedule.add_reading(0.25);
  schedule.add_reading(0.5);
  EXPECT_EQ(reported(schedule).largest_task, 9u);  // 5, 4
  EXPECT_DOUBLE_EQ(reported(schedule).longest_task_s, 5);
  EXPECT_DOUBLE_EQ(reported(schedule).division_s, 0.75);
}

TEST(TaskSchedule, NothingIsTimedWhereNoTasksAreAskedFor) {
  TaskSchedule schedule(0);
  schedule.add(5, schedule.now_s());
  EXPECT_EQ(schedule.now_s(), 0);
  EXPECT_EQ(reported(schedule).largest_task, 0u);
}

TEST(TaskSchedule, TheLargestTaskIsWithinGrahamsBound) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    const auto workers = static_cast<unsigned>(1 + random() % 20);
    TaskSchedule schedule(workers);
    std::uint64_t all = 0, largest = 0;
    for (std::uint64_t left = 1 + random() % 200; left != 0; --left) {
      const std::uint64_t steps = 1 + random() % 1000;
      schedule.add(steps, 0);
      all += steps;
      largest = std::max(largest, steps);
    }
    const std::uint64_t task = reported(schedule).largest_task;
    EXPECT_GE(task * workers, all);
    EXPECT_GE(task, largest);
    EXPECT_LE(task * workers, all + largest * (workers - 1));
  }
}

}  // namespace
}  // namespace spoor
