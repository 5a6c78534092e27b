// Makes a certificate of a search that visits states again, because its store forgets them (store/cache.h).
//
// The idea (Taleghani 2010, 4.3, algorithm 4.2). The visits of a depth-first search with a cache form a tree,
// in which a state can occur many times. Below a repeated visit nothing is new: a state is left only when all
// of its successors were visited, and it cannot be visited again before it was left, because it is pinned
// until then. So every state has its first visit below first visits only, and all others can be cut out: a
// step to a repeated visit becomes a step to a state that is known. What remains is told to the recorder of
// an ordinary certificate (script_recorder.h), as if a search with room for all states had told it.
//
// Example: 0 -> 1, 0 -> 2, 1 -> 2, 2 -> 3 with room for three states can have the visits 0, 1, 2, 3, and, if
// 2 was evicted, 2' and 3' below 0. Told are 0 -> 1 (new), 1 -> 2 (new), 2 -> 3 (new) and 0 -> 2 (known).
//
// Fingerprints become numbers. A visit has a number, in the order in which visits begin; the number of a
// state is that of its first visit. Which visits are of one state is found after the search: fingerprints of
// 128 bits under a random key are sorted, a class of them at a time. (Two states with one fingerprint would
// be a certificate that is refused, never one that is wrongly confirmed.)
//
// With partial-order reduction the argument has a gap, for which the published algorithm has no remedy: the
// first visit of a state may have left steps out, and a later one may take them, so that first visits can
// hang below it. And a reduced visit whose steps led to repeated visits only would lack the new step which
// the certifier demands of it. So more is kept than first visits: every visit above one that is kept, and of
// a reduced visit without a kept child the child with the fewest visits below it, with all of those. A state
// that is kept twice is expanded twice by the certifier, which does no harm: what counts is the sum of its
// references.
//
// Why not during the search: that would need the table of all states for which there is no memory. The bytes
// of states are written down, and compressed, because regions have roots; as neighbours differ little they
// take less room than fingerprints would. Why not follow paths to the roots again instead: they can be as
// long as the path of the search is deep, for each of ten thousand roots.
//
// Cost: on disk, in files without a name, the compressed bytes of a state per visit and some 2 bytes per
// transition; after the search, when the cache is gone, 4 bytes per visit and 25 MB for the sorting, beside
// what the other recorder needs, some 2 bytes per visit that is kept. That is compared with the memory that
// there is before it is begun; with little memory less is sorted at once.
// Invariant: the first visit of every state is told, and so is every visit above one that is told.
// Thread safety: one worker. Tested by: tests/unit/test_revisit_filter.cpp,
// tests/suites/test_certify_cache.py
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "evidence/certificate_recorder.h"

namespace spoor {

class RevisitFilter : public CertificateRecorder {
 public:
  static constexpr std::uint64_t kSortedVisits = std::uint64_t{1} << 20;  // about so many at once
  // `path`: of the certificate. `recorder`: of a search without repeated visits, by one worker; it gets the
  // bytes of states from KeptStates only. `sorted_visits`: at once. `memory_bytes`: for what is done when the
  // search is over; 0: no limit.
  RevisitFilter(const std::string& path, std::unique_ptr<CertificateRecorder> recorder,
                std::uint64_t sorted_visits = kSortedVisits, std::uint64_t memory_bytes = 0);
  ~RevisitFilter() override;

  std::unique_ptr<WorkerObserver> make_worker_observer() override;
  void merge(WorkerObserver& worker) override;

  void save(CertificateClaim claim) override;

 private:
  class Worker;
  class Visits;  // their states, in the order in which they began
  class Exits;   // their steps, in the order in which they ended

  void divide_memory();
  std::vector<StateNumber> first_visits() const;
  std::vector<bool> kept_visits(const std::vector<StateNumber>& first) const;
  void tell(const std::vector<StateNumber>& first, const std::vector<bool>& kept);

  const std::unique_ptr<CertificateRecorder> recorder_;
  std::uint64_t sorted_visits_;
  const MemoryShare memory_;
  std::unique_ptr<Visits> visits_;
  std::unique_ptr<Exits> exits_;
};

}  // namespace spoor
