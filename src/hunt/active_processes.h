// How many processes can move: HSF-SPIN's estimate for deadlocks. In a deadlock it is none.
//
// A process that can move in several ways counts once; EnabledSteps counts every way. The group of a step's
// name is the process that begins it (model/step_id.h); a system without processes has one group, and then
// the number of steps is the estimate.
//
// Tested by: tests/unit/test_hunt.cpp
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/guidance.h"

namespace spoor {

class ActiveProcesses : public Heuristic {
 public:
  bool needs_steps() const override { return true; }
  std::uint32_t estimate(StateBytes, const Expansion& steps) override {
    std::uint32_t count = 0;
    std::uint64_t last = UINT64_MAX;
    for (const Successor& successor : steps.last_successors()) {  // a process's steps lie side by side
      if (successor.step.group() != last) ++count;
      last = successor.step.group();
    }
    return std::min(count, kFar);
  }
};

// How many steps there are.
class EnabledSteps : public Heuristic {
 public:
  bool needs_steps() const override { return true; }
  std::uint32_t estimate(StateBytes, const Expansion& steps) override {
    return static_cast<std::uint32_t>(std::min<std::size_t>(steps.last_successors().size(), kFar));
  }
};

}  // namespace spoor
