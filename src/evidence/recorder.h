// Makes a recording (recording.h) of a search while it runs.
//
// Each worker of the search writes down the steps of the states that it expands, with their numbers as they
// are. At the end, when the store is complete, the states are written in the order of their numbers, and the
// numbers, which have gaps where several threads gave them, become dense.
//
// The search may be one of a recorded system (recorded_system.h), whose states are numbers: `bytes_of` says
// what they stand for. So a chain of versions has a recording each, and each is as good as the first.
//
// Cost: 2 to 4 bytes per step, and per state a hash of the statements that it executes and one pass at the
// end, which decodes all states. A recorded check takes 1.2 to 2.5 times as long as one that is not
// (docs/adr/0019); the passes at the end are most of it.
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
  // `bytes_of`: for each state of the search the bytes that are recorded; null: its own. They are valid until
  // the next call.
  explicit Recorder(BytesOf bytes_of = nullptr) : bytes_of_(std::move(bytes_of)) {}

  std::unique_ptr<WorkerObserver> make_worker_observer() override;
  void merge(WorkerObserver& worker) override;
  void on_end(KeptStates& states) override;

  // The graph, when the search is over; what the recording is about is for the caller to fill in. False: the
  // store does not keep states.
  bool take(Recording& recording);

 private:
  class Worker;
  // The steps that one worker has seen: for each state its number, and what Recording::steps has, but with
  // numbers that have gaps and the worker's own sets of statements.
  struct Part {
    std::string steps;
    std::vector<std::vector<std::uint32_t>> executed;
    StateNumber bound = 0;  // above all numbers in it
  };

  BytesOf bytes_of_;
  std::vector<Part> parts_;
  Recording recording_;
  bool is_complete_ = false;
};

}  // namespace spoor
