// Makes a recording (recording.h) of a search while it runs.
//
// Each worker of the search writes down the steps of the states that it expands, as the recording will have
// them (step_code.h), to a file without a name: a megabyte at a time is compressed and forgotten. At the end,
// when the store is complete, the states are copied from it in the same way, in the order of their numbers.
// When the result of the search is known, both are copied behind the head of the recording, as they are. So a
// search that is recorded needs a few megabytes per thread, and nothing else; and one that is killed leaves
// nothing behind.
//
// Without steps the search is not slowed down at all: the states are copied when it is over, unless it has
// not seen all of them, because then it would not be known which of them it has expanded. They are numbered
// anew, in the order of their levels, which matters to reductions (closure_check.h). They are not compressed:
// that takes 3 % of a check, and 8.5 bytes per state instead of 4.2 are still fewer than the steps would
// need.
//
// The search may be one of a recorded system (recorded_system.h), whose states are numbers: `bytes_of` says
// what they stand for. So a chain of versions has a recording each, and each is as good as the first.
//
// Cost: docs/adr/0019.
// Tested by: tests/unit/test_recording.cpp
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "evidence/recording.h"
#include "search/observer.h"

namespace spoor {

class Recorder : public Observer {
 public:
  using BytesOf = std::function<StateBytes(StateBytes)>;
  // `system`: what is searched. `folder`: where the files without a name are. `bytes_of`: for each state of
  // the search the bytes that are recorded; null: its own. They are valid until the next call.
  Recorder(const TransitionSystem& system, std::string folder, bool with_steps, BytesOf bytes_of = nullptr)
      : system_(system),
        folder_(std::move(folder)),
        with_steps_(with_steps),
        bytes_of_(std::move(bytes_of)) {}
  ~Recorder() override;

  std::unique_ptr<WorkerObserver> make_worker_observer() override;
  void merge(WorkerObserver& worker) override;
  bool may_be_left_behind() const override { return true; }
  void on_end(KeptStates& states) override;

  // When the search is over: why there is nothing to be saved; empty: there is.
  const std::string& why_not() const { return why_not_; }
  bool with_steps() const { return with_steps_; }
  std::uint32_t state_count() const { return states_.size(); }
  // `head`: what the recording is about; the number of states, and with steps the elements, are filled in.
  // Throws FramedFileError. REQUIRES: why_not() is empty; without steps, the search has seen all states. To
  // be called once.
  void save(RecordingHead head, const std::string& path);

 private:
  class Worker;

  std::uint32_t number_of_set(std::span<const std::uint32_t> set);
  void add_states(KeptStates& states);
  void add_range(KeptStates& states, IndexRange range);
  std::unique_ptr<FramedWriter> unnamed_file(int level) const;

  const TransitionSystem& system_;
  const std::string folder_;
  const bool with_steps_;
  BytesOf bytes_of_;
  std::mutex sets_lock_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> set_numbers_;
  StatementSets executed_;
  std::vector<std::unique_ptr<FramedWriter>> steps_files_;
  std::unique_ptr<FramedWriter> states_file_;
  PackedStates states_;
  StateSample sample_;
  bool is_complete_ = false;
  bool is_ordered_ = false;  // their numbers ascend from level to level
  std::string lacking_;      // why a worker has not recorded all
  std::string why_not_ = "not recorded: the search has changed its store, for lack of memory";
};

}  // namespace spoor
