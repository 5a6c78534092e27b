// A certification on disk: which regions are done, and what was found in them.
//
// Regions are certified in any order, and nothing of one matters to another but its sums (certifier.h). So
// what is needed to continue after the process is gone is small: the key of the hash, the numbers of the
// regions that are done, and their sums and figures added up. The file has one record, and is written anew
// each time, under a temporary name that replaces the one before; a process that is killed leaves the old
// file or the new one.
//
// What is proved by it. Whoever knows the key can prepare a certificate whose sums agree and which proves
// nothing. So the key must be drawn when the certificate is complete, and the certificate must not change as
// long as the key is used. The digest of the certificate (SHA-256) is therefore part of the identity: it is
// computed before the key is drawn, and again before the key is used again. And the file is believed:
// somebody who can write it can claim that all regions are done. So nobody else may read or write it (mode
// 0600), and one that others can access is refused. It is removed when there is an answer.
//
// Rival: the sums of each region by itself, so that a part of them could be taken over after a change. The
// key may not be used after a change, so there is nothing to take over.
//
// Cost: 16 bytes for the key, 32 for the sums, some 2 for each range of regions; one file per interval.
// Thread safety: the caller locks. Tested by: tests/unit/test_certifier_checkpoint.cpp,
// tests/suites/test_certify_checkpoint.py, tests/fuzz/certifier_checkpoint.cpp
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/framed_file.h"
#include "base/keyed_hash.h"
#include "search/search.h"

namespace spoor {

// Only for the user who writes it.
inline constexpr FileFormat kRegionsFormat{"spoor-cc", 1, "checkpoint of a certification", false, 1, true};

// Of regions that are done.
struct RegionTotals {
  Fingerprint members = 0, references = 0;  // sums
  std::uint64_t regions = 0, states = 0, steps = 0;
  std::uint64_t largest = 0;   // the steps of the largest one
  std::uint64_t compared = 0;  // members that the second system has expanded

  void add(const RegionTotals& other);
  friend bool operator==(const RegionTotals&, const RegionTotals&) = default;
};

struct CertifierProgress {
  KeyedHash::Key key{};
  std::vector<bool> is_done;  // by the number of the region; shorter where the rest is not
  RegionTotals totals;        // of those that are done
  double elapsed_s = 0, cpu_s = 0;

  bool has(std::uint64_t region) const { return region < is_done.size() && is_done[region]; }
  void note_done(std::uint64_t region);

  friend bool operator==(const CertifierProgress&, const CertifierProgress&) = default;
};

std::string encoded_progress(const CertifierProgress& progress);
// `regions`: that the certificate has. Throws FramedFileError (kDamaged).
CertifierProgress decoded_progress(std::string_view record, std::uint64_t regions);

class CertifierCheckpoint {
 public:
  // `options.identity`: everything that the sums depend on. Reads the file that is to be continued: throws
  // FramedFileError, about `options.resume`. Without a file to write, save() does nothing. `regions`: that
  // the certificate has.
  CertifierCheckpoint(CheckpointOptions options, std::uint64_t regions);

  // What an earlier run has done; nothing: there was none.
  const std::optional<CertifierProgress>& resumed() const { return resumed_; }
  // Is it time to save?
  bool is_due() const;
  // An error is kept: the certification goes on without.
  void save(const CertifierProgress& progress);
  // There is an answer.
  void remove();

  const std::string& file() const { return options_.save; }
  const std::string& error() const { return error_; }  // the predicate of a sentence about the file
  // For the report: was one written, and is still there?
  bool is_saved() const { return is_saved_; }

 private:
  using Clock = std::chrono::steady_clock;

  const CheckpointOptions options_;
  std::optional<CertifierProgress> resumed_;
  Clock::time_point last_ = Clock::now();
  std::string error_;
  bool is_saved_ = false;
};

}  // namespace spoor
