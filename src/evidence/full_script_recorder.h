// Makes a full script (full_script.h) of a depth-first search, or a trustful one of any search with one
// worker, while it runs.
//
// An observer is told of a state with all of its steps. A script has the steps of a state between those of
// the states below it. So the states are kept as they are told, and the script is written at the end, by
// following the steps from the initial state: the step that was new is the one by which the state below is
// entered. In a full script steps to known states lead to numbers that were entered before, which is so if
// the search was depth-first. A trustful script is a tree, and that of a breadth-first search is low: a
// certifier keeps the states on one path of it.
//
// Sizes of subtrees are added up at the end, from the last state to the first: a state has a larger number
// than the one from which it was found. The uses of a state are the arrivals at it that were not new.
//
// Example: 0 -> 1, 0 -> 2, 1 -> 2, 2 -> 0. Told are 2 (known 0), 1 (new 2), 0 (new 1, known 2). From 0
// the script follows the step to 1, from there that to 2, and so on.
//
// Rival: an observer that is told of every step when it is followed would need no second pass; but a search
// that finds a reduced expansion too small takes back what it has followed.
//
// Cost: some 3 bytes per transition and 20 per state in memory until the script is written; labels (3.5 to 6
// % of a search, model/expansion.h). At most 4 GiB of steps (chunks.h).
// Thread safety: one worker. Tested by: tests/unit/test_full_script.cpp
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "evidence/certificate_recorder.h"
#include "evidence/chunks.h"
#include "evidence/full_script.h"
#include "evidence/reference_counts.h"
#include "model/system.h"

namespace spoor {

class FullScriptRecorder : public CertificateRecorder {
 public:
  // `path`: of the certificate. `system`: says the keys of statements; it must live as long.
  FullScriptRecorder(std::string path, const TransitionSystem& system, bool is_trustful,
                     std::size_t instructions_per_part = ScriptPartWriter::kUsualInstructions)
      : CertificateRecorder(std::move(path)),
        system_(system),
        is_trustful_(is_trustful),
        per_part_(instructions_per_part) {}
  ~FullScriptRecorder() override;

  std::unique_ptr<WorkerObserver> make_worker_observer() override;
  void merge(WorkerObserver& worker) override;
  void on_end(KeptStates& states) override;

  void save(CertificateClaim claim) override;

 private:
  class Worker;
  struct StateNote {
    Chunks::Place entry = 0;
    std::uint32_t number = 0;  // in the script
    std::uint64_t size = 0;    // of the subtree
  };

  void add_up_sizes();
  void write_steps(FramedWriter& file) const;
  void write_parts(FramedWriter& file);

  const TransitionSystem& system_;
  const bool is_trustful_;
  const std::size_t per_part_;

  Chunks entries_;
  std::vector<StateNote> notes_;  // by the numbers of the search
  ReferenceCounts uses_;
  std::vector<std::pair<StepId, std::uint32_t>> steps_;  // the table: names and labels
  std::uint64_t states_ = 0, tree_steps_ = 0, all_steps_ = 0;
  std::string initial_state_;
};

}  // namespace spoor
