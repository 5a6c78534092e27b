// Certifies the regions of a script with several workers: what full and trustful scripts have in common.
//
// The regions are those of full_script_partition.h; the largest is given away first, and a worker that is
// done takes the next one. A checker has what the workers share, and makes their explorers
// (full_script_walk.h):
//
//     void begin(is_shared)             before the work; several regions are certified in any order
//     Explorer make_explorer(work)      for each worker
//     void end(result)                  afterwards: the answer may become worse, but not better
//
// Tested by: tests/unit/test_full_script_partition.cpp
#pragma once

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "base/process_time.h"
#include "evidence/full_script_partition.h"
#include "evidence/full_script_walk.h"

namespace spoor {

// Walks all regions, and adds up what was seen.
template <class Checker>
void walk_regions(ScriptWork& work, ScriptParts& parts, const std::vector<ScriptRegion>& regions,
                  Checker& checker, CertifierResult& result) {
  std::vector<std::size_t> order(regions.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return regions[i].steps; });
  std::atomic<std::size_t> next = 0;
  const auto take_part = [&] {
    try {
      typename Checker::Explorer explorer = checker.make_explorer(work);
      RegionWalk<typename Checker::Explorer> walk(work, explorer, regions);
      double longest_s = 0;
      for (std::size_t i = next++; i < order.size() && !work.is_over && !work.budget.is_over(); i = next++) {
        const double begin_s = thread_cpu_s();
        ScriptReader reader(parts);
        if (!walk.walk(regions[order[i]], reader)) break;
        longest_s = std::max(longest_s, thread_cpu_s() - begin_s);
      }
      const std::lock_guard guard(work.lock);
      result.states += walk.states();
      result.steps += walk.steps();
      result.compared += explorer.compared();
      result.longest_task_s = std::max(result.longest_task_s, longest_s);
    } catch (const std::bad_alloc&) {
      work.budget.end(LimitHit::kOutOfMemory);
    } catch (...) {
      const std::lock_guard guard(work.lock);
      if (!work.error) work.error = std::current_exception();
      work.is_over = true;
    }
  };
  const std::size_t workers = std::min<std::size_t>(std::max(1u, work.options.workers), regions.size());
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < workers; ++i) others.emplace_back(take_part);
  take_part();
}

template <class Checker>
CertifierResult certify_regions(const TransitionSystem& system, const FullScriptClaim& claim,
                                FramedReader& file, const CertifierOptions& options, Checker& checker) {
  const double cpu_before_s = process_cpu_s();
  ScriptWork work(system, claim, file, options);
  ScriptParts parts(file, work.steps.size(), claim.is_trustful);
  CertifierResult result;
  try {
    const double begin_s = thread_cpu_s();
    const unsigned tasks = options.tasks != 0 ? options.tasks : std::max(1u, options.workers);
    std::vector<ScriptRegion> regions;
    if (!work.budget.is_over()) regions = divide_script(work, parts, tasks);
    result.division_s = thread_cpu_s() - begin_s;
    result.regions = regions.size();
    for (const ScriptRegion& region : regions) {
      result.path_steps += region.path.size();
      result.longest_path = std::max<std::uint64_t>(result.longest_path, region.path.size());
      result.largest_region = std::max(result.largest_region, region.steps);
    }
    if (!regions.empty()) {
      checker.begin(regions.size() > 1);
      walk_regions(work, parts, regions, checker, result);
    }
  } catch (const std::bad_alloc&) {
    work.budget.end(LimitHit::kOutOfMemory);
  }
  if (result.regions == 1) result.largest_region = result.steps;
  result.largest_task = result.largest_region;
  // A step to the root of a region is executed where the explorers do so, and counts in any case.
  const std::uint64_t cut = Checker::Explorer::kExecutesCut || result.regions == 0 ? 0 : result.regions - 1;
  result.steps += cut;
  if (!set_script_failure(work, result) &&
      (result.states != claim.common.states || result.steps != claim.common.steps)) {
    result.answer = CertifierResult::Answer::kRefuted;
    result.reason = fmt::format("it has {} states and {} transitions, and says {} and {}", result.states,
                                result.steps, claim.common.states, claim.common.steps);
  }
  checker.end(result);
  result.memory_bytes = work.budget.peak_bytes();
  result.elapsed_s = work.budget.elapsed_s();
  result.cpu_s = process_cpu_s() - cpu_before_s;
  return result;
}

}  // namespace spoor
