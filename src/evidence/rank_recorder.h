// Makes a closed set whose members have ranks (closed_set.h) of a search for bad cycles, when that has found
// none.
//
// While the search runs, its steps and their marks are kept (run_graph.h), and references are counted. When
// it is over, the ranks are computed; then the states are taken from the store and written with them. A state
// has one rank, and so the number of its references is that of the steps that lead to it.
//
// Any search will do that expands every state in full and keeps all states, with any number of threads. The
// ranks depend on the order of the steps, but not on the search: the bytes of the file are the same.
//
// Cost: 3 to 7 bytes of memory per step, 14 per state; they are bounded (memory_share.h). Tested by:
// tests/unit/test_rank_certificate.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "evidence/certificate_recorder.h"
#include "evidence/memory_share.h"
#include "evidence/reference_counts.h"
#include "evidence/run_graph.h"
#include "evidence/sorted_members.h"
#include "model/omega.h"

namespace spoor {

class RankRecorder : public CertificateRecorder {
 public:
  // `path`: of the certificate. `run_bytes`: of members that are sorted at once. `memory_bytes`: that it may
  // use; 0: no limit. The system need not live longer than the call.
  RankRecorder(const std::string& path, const OmegaSystem& system,
               std::size_t run_bytes = ClosedSetRecorder::kRunBytes, std::uint64_t memory_bytes = 0);
  ~RankRecorder() override;

  std::unique_ptr<WorkerObserver> make_worker_observer() override;
  void merge(WorkerObserver& worker) override;
  void on_end(KeptStates& states) override;

  void save(CertificateClaim claim) override;

 private:
  class Worker;

  void write_members(KeptStates& states, const std::vector<Rank>& ranks);

  static std::size_t bounded_run(std::size_t run_bytes, std::uint64_t memory_bytes);

  const RankRule rule_;
  const std::size_t run_bytes_;
  MemoryShare memory_;
  const std::string initial_state_;
  RunGraph graph_;
  ReferenceCounts references_;
  std::uint64_t states_ = 0;
  Rank initial_rank_ = 0;
  SortedMembers members_;
};

}  // namespace spoor
