// Makes a compact certificate (certificate.h) of a breadth-first search.
//
// The certifier asks for a tree of transitions that are new, and not for the order in which a search has met
// them. So a breadth-first search will do, which takes 0.38 to 0.67 times as long as a depth-first one: its
// lookups do not wait for memory (bfs.h). Search and certificate together take 0.51 to 0.93 times as long as
// a depth-first search without one (models of the lab, ADR 24), and files are smaller, because neighbours
// have like flags and numbers.
//
// The tree needs no pointers. One worker expands states in the order of their numbers, and numbers new states
// as it finds them. So the children of state 0 are 1 to n, those of state 1 come next, and so on: the flags,
// one bit per transition, say where each child is. While the search runs, the flags of each state are added
// to the end of a list; and how often a state is referred to is counted in a table.
//
// When it is over, the states are read once, from the last to the first, so that children come before their
// parents. A state joins the pieces of its children; a child whose piece is large enough (region_cut.h)
// becomes the root of a region, the region is written, and the state refers to it. The pieces that wait for
// their parents are a queue.
//
// Example: 0 -> 1, 0 -> 2, 1 -> 3, 2 -> 3. The flags are 11, 1, 0 and none; the children of 0 are 1 and 2,
// that of 1 is 3. With at least 1 transition per region the piece of 2 is a region, which refers to 3; then
// that of 1 is one, with 3; then that of 0, which refers to both.
//
// Rival: script_recorder.h, which makes certificates of depth-first searches, with less memory (nothing per
// state) and more time.
//
// Cost: some 3 bytes per state and 1 for the table while the search runs, 8 more when it is over. With
// reductions the search must expand a state in full unless one of its steps is new
// (SearchOptions::reduces_to_new).
// Invariants: (1) states are told in the order of their numbers, from 0 on; (2) new states have the next
// numbers, from 1 on; both are checked when the search is complete.
// Thread safety: one worker. Tested by: tests/unit/test_certificate.cpp
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "evidence/certificate_recorder.h"
#include "evidence/chunks.h"
#include "evidence/reference_counts.h"
#include "evidence/region_cut.h"
#include "evidence/region_writer.h"

namespace spoor {

class LevelScriptRecorder : public CertificateRecorder {
 public:
  // `path`: of the certificate. `least_steps`: of a region, at most (region_cut.h).
  explicit LevelScriptRecorder(std::string path, std::uint64_t least_steps = RegionCut::kLeastSteps)
      : CertificateRecorder(std::move(path)), least_steps_(least_steps) {}
  ~LevelScriptRecorder() override;

  std::unique_ptr<WorkerObserver> make_worker_observer() override;
  void merge(WorkerObserver& worker) override;
  void on_end(KeptStates& states) override;

  void save(CertificateClaim claim) override;

 private:
  class Worker;
  class Tree;

  const std::uint64_t least_steps_;
  Chunks entries_;
  ReferenceCounts references_;
  std::uint64_t states_ = 0, steps_ = 0, found_ = 0;
  bool is_in_order_ = true;
  std::unique_ptr<RegionWriter> regions_;
  std::string initial_state_;
};

}  // namespace spoor
