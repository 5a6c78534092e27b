// Makes a certificate (certificate.h) of a depth-first search while it runs: for stores that forget states,
// and where that search is asked for. Otherwise level_script_recorder.h does it, in less time.
//
// A state is written down when the search leaves it: which of its transitions were new. The numbers of
// references are counted in a table, because they are known at the end only. Then the states are read twice
// more, in the same order. A state joins the pieces of its children; a child whose piece is large enough
// (region_cut.h) becomes the root of a region, and the state refers to it. The first reading finds these
// roots, the second writes the regions.
//
// Example: with at least 3 transitions per region, the chain 0 -> 1 -> 2 -> 3 -> 4 is left in the order 4, 3,
// 2, 1, 0. State 1 completes a piece of 3 transitions: the region of 1 to 4. The region of 0 has one
// transition, a reference.
//
// Cost: 2 bytes per state for the table and some 3 in a file without a name. With reductions
// the search must expand a state in full unless one of its steps is new (SearchOptions::reduces_to_new).
// Invariant: between two calls of add(), the pieces on the stack are those of the children of states that
// have not been added, and their states are the last ones of `open_`, in order.
// Thread safety: one worker. Tested by: tests/unit/test_certificate.cpp
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "evidence/certificate.h"
#include "evidence/certificate_recorder.h"
#include "evidence/chunks.h"
#include "evidence/reference_counts.h"
#include "evidence/region_cut.h"
#include "evidence/region_writer.h"

namespace spoor {

class ScriptRecorder : public CertificateRecorder {
 public:
  // `path`: of the certificate. `least_steps`: of a region, at most (region_cut.h).
  explicit ScriptRecorder(std::string path, std::uint64_t least_steps = RegionCut::kLeastSteps)
      : CertificateRecorder(std::move(path)), least_steps_(least_steps) {}
  ~ScriptRecorder() override;

  std::unique_ptr<WorkerObserver> make_worker_observer() override;
  void merge(WorkerObserver& worker) override;
  void on_end(KeptStates& states) override;

  void save(CertificateClaim claim) override;

 private:
  class Worker;
  class Regions;

  const std::uint64_t least_steps_;
  std::unique_ptr<FramedWriter> left_;  // states in the order in which they were left
  std::unique_ptr<RegionWriter> regions_;
  ReferenceCounts references_;
  std::uint64_t states_ = 0, steps_ = 0;
  std::string initial_state_;
};

}  // namespace spoor
