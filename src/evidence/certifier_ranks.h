// Certifies a certificate with several processes (base/ranks.h), on several machines perhaps.
//
// The idea. Regions can be certified in any order, and what one leaves is its two sums, 32 bytes, and five
// figures (certifier.h). So rank 0 hands out ranges of regions to ranks as they become free, and adds up what
// they send. Every rank has the model and the certificate as files of its own and compiles code of its own;
// no state crosses the network. Rank 0 has a thread that certifies like the others.
//
// Ranges are large at first and small at the end: a quarter of what is left, shared by all ranks, and one
// region at least (guided self-scheduling). So there are few messages, and no rank has much left when the
// others are done.
//
// What is proved. Ranks must have the same certificate, model, options and version of the program: rank 0
// compares digests of all before it draws the key, so that the key is drawn when the file is complete
// wherever it is. A region that a rank refuses is certified again by rank 0, which gives the reason; a
// difference of sums is found by rank 0 alone.
//
// When a rank dies. mpirun ends the others with a signal, and rank 0 saves the regions that are done
// (certifier_checkpoint.h) and says so. A rank that throws tells rank 0, which ends all of them in the same
// way. Rival: to give the dead rank's range to others, which needs an MPI that survives it (ULFM), and
// Debian's does not.
//
// Cost: a message of some 100 bytes per range, each way. Every rank decompresses the whole file.
// Thread safety: of Ranks, one thread per process. Tested by: tests/unit/test_certifier_ranks.cpp,
// tests/suites/test_mpi.py
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/ranks.h"
#include "evidence/certifier.h"
#include "evidence/certifier_checkpoint.h"

namespace spoor {

// Certifies ranges of regions, in one thread.
class RegionCertifier {
 public:
  RegionCertifier(const TransitionSystem& system, const CertificateClaim& claim, FramedReader& file,
                  const CertifierOptions& options, const KeyedHash::Key& key);
  ~RegionCertifier();

  // Regions from `first` on, before `end`, as far as there are any. False: one is refused, or a limit was
  // reached. Throws as certify() does.
  bool certify(std::uint64_t first, std::uint64_t end, RegionTotals& totals);
  std::optional<LimitHit> limit() const;
  // The answer, when all regions are done or one was refused. Reads the file again.
  CertifierResult conclude(const CertifierProgress& progress);
  bool poll();  // is it over because of a limit?
  void end(LimitHit limit);
  // What another thread certifies is given up.
  void stop();

 private:
  struct Part;
  std::unique_ptr<Part> part_;
};

// `identity`: what all ranks must have in common. Ranks but 0 return an answer that means nothing.
// `options.checkpoint`: of rank 0. Throws as certify() does, and RegionError where a rank cannot go on.
CertifierResult certify_with_ranks(const TransitionSystem& system, const CertificateClaim& claim,
                                   FramedReader& file, const CertifierOptions& options, Ranks& ranks,
                                   const std::string& identity);

}  // namespace spoor
