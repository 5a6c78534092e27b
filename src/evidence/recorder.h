// Makes a recording (recording.h) of a search while it runs.
//
// Each worker of the search writes down the steps of the states that it expands, as the recording will have
// them: nothing is written twice. At the end, when the store is complete, the states are copied from it, in
// the order of their numbers.
//
// The search may be one of a recorded system (recorded_system.h), whose states are numbers: `bytes_of` says
// what they stand for. So a chain of versions has a recording each, and each is as good as the first.
//
// Cost: docs/adr/0019.
// Tested by: tests/unit/test_recording.cpp
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "evidence/recording.h"
#include "search/observer.h"

namespace spoor {

class Recorder : public Observer {
 public:
  using BytesOf = std::function<StateBytes(StateBytes)>;
  // `system`: what is searched. `bytes_of`: for each state of the search the bytes that are recorded; null:
  // its own. They are valid until the next call.
  explicit Recorder(const TransitionSystem& system, BytesOf bytes_of = nullptr)
      : system_(system), bytes_of_(std::move(bytes_of)) {}

  std::unique_ptr<WorkerObserver> make_worker_observer() override;
  void merge(WorkerObserver& worker) override;
  void on_end(KeptStates& states) override;

  // The graph, when the search is over; what the recording is about is for the caller to fill in. False: the
  // store does not keep states, or there is too much for a recording.
  bool take(Recording& recording);

 private:
  class Worker;

  void add_part(Worker& part);
  void add_states(KeptStates& states);

  const TransitionSystem& system_;
  BytesOf bytes_of_;
  std::vector<std::uint64_t> is_told_of_;  // a bit for each number: there is such a state
  Recording recording_;
  bool is_complete_ = false, is_too_much_ = false;
};

}  // namespace spoor
