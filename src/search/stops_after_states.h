// An observer that ends a search after so many states (LimitHit::kObserver): for a search of the states near
// the initial one before, or after, another. With several threads each of them may see so many.
//
// Tested by: tests/unit/test_observer.cpp
#pragma once

#include <cstdint>
#include <memory>

#include "search/observer.h"

namespace spoor {

class StopsAfterStates : public Observer {
 public:
  explicit StopsAfterStates(std::uint64_t most_states) : most_states_(most_states) {}
  std::unique_ptr<WorkerObserver> make_worker_observer() override {
    return std::make_unique<Worker>(most_states_);
  }

 private:
  class Worker : public WorkerObserver {
   public:
    explicit Worker(std::uint64_t most_states) : left_(most_states) {}
    bool wants_steps() const override { return false; }
    Visit on_state(const StateEvent&) override { return left_-- == 0 ? Visit::kStop : Visit::kExpand; }

   private:
    std::uint64_t left_;
  };

  const std::uint64_t most_states_;
};

}  // namespace spoor
