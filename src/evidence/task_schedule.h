// What the tasks of so many workers would be, from the regions that one worker or a few have certified.
//
// A certificate has many more regions than workers, and each worker takes the next one when it is free.
// How well that divides the work among 10, 50 or 100 workers can be told without them: the regions are
// timed, and given in the order in which they were done to workers that exist on paper only. The next to
// be free is the one that has spent the fewest transitions (for the size of its task), or seconds (for its
// time).
//
// Parts that are given out like this make a largest task of at most 1/n of the whole and the largest part
// (Graham 1966). The reading of the file is not divided: one worker does it for all, and it is reported
// beside.
//
// Cost: two readings of the clock and a logarithm of the workers for each region; nothing where no tasks
// are asked for. Thread safety: the caller locks. Tested by: tests/unit/test_task_schedule.cpp
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/process_time.h"
#include "evidence/certifier.h"

namespace spoor {

class TaskSchedule {
 public:
  // 0 workers: nothing is timed.
  explicit TaskSchedule(unsigned workers) : steps_(workers), seconds_(workers) {}

  // The clock of the calling thread.
  double now_s() const { return steps_.empty() ? 0 : thread_cpu_s(); }
  void add(std::uint64_t steps, double seconds) {
    if (steps_.empty()) return;
    give(steps_, steps);
    give(seconds_, seconds);
  }
  void add_reading(double seconds) { reading_s_ += seconds; }
  void report(CertifierResult& result) const {
    if (steps_.empty()) return;
    result.largest_task = *std::ranges::max_element(steps_);
    result.longest_task_s = *std::ranges::max_element(seconds_);
    result.division_s = reading_s_;
  }

 private:
  // `tasks` is a heap with the smallest in front.
  template <class Amount>
  static void give(std::vector<Amount>& tasks, Amount amount) {
    std::ranges::pop_heap(tasks, std::greater());
    tasks.back() += amount;
    std::ranges::push_heap(tasks, std::greater());
  }

  std::vector<std::uint64_t> steps_;
  std::vector<double> seconds_;
  double reading_s_ = 0;
};

}  // namespace spoor
