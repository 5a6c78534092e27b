// What was certified is not lost: regions whose task fails are done again, and a run continues from a file.
#include "evidence/certifier_checkpoint.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>

#include "base/temporary_folder.h"
#include "evidence/certifier.h"
#include "unit/certificates.h"
#include "unit/counters.h"

namespace spoor::certified {
namespace {

using Answer = CertifierResult::Answer;

constexpr std::uint64_t kRegions = 301;

CertifierProgress some_progress() {
  CertifierProgress progress;
  progress.key[0] = 7;
  progress.key[15] = 255;
  progress.totals = {(Fingerprint{1} << 127) + 3, 5, 0, 400, 500, 60, 7};
  for (const std::uint64_t region : {1u, 2u, 3u, 9u, 300u, unsigned{kRegions}}) {
    progress.note_done(region);
    ++progress.totals.regions;
  }
  progress.elapsed_s = 1.5;
  progress.cpu_s = 0.25;
  return progress;
}

TEST(CertifierCheckpoint, ReadsWhatItHasWritten) {
  const CertifierProgress progress = some_progress();
  EXPECT_EQ(decoded_progress(encoded_progress(progress), kRegions), progress);
  EXPECT_FALSE(progress.has(0));
  EXPECT_TRUE(progress.has(9));
  EXPECT_FALSE(progress.has(10));
  EXPECT_FALSE(progress.has(5000));
  EXPECT_EQ(decoded_progress(encoded_progress({}), kRegions), CertifierProgress());
}

TEST(CertifierCheckpoint, RecordsThatAreCutOrWrongAreDamaged) {
  const std::string record = encoded_progress(some_progress());
  for (std::size_t size = 0; size < record.size(); ++size)
    EXPECT_THROW(decoded_progress(record.substr(0, size), kRegions), FramedFileError) << size;
  CertifierProgress wrong = some_progress();
  ++wrong.totals.regions;
  EXPECT_THROW(decoded_progress(encoded_progress(wrong), kRegions), FramedFileError);
  // More regions than the certificate has.
  EXPECT_THROW(decoded_progress(record, kRegions - 1), FramedFileError);
  for (const std::uint64_t length : {kRegions + 2, std::uint64_t{1} << 31, std::uint64_t{1} << 60}) {
    std::string huge = encoded_progress({});
    put(huge, length);
    EXPECT_THROW(decoded_progress(huge, kRegions), FramedFileError);
  }
  wrong = some_progress();
  wrong.elapsed_s = 1e12;
  EXPECT_THROW(decoded_progress(encoded_progress(wrong), kRegions), FramedFileError);
}

class CertifierCheckpointFile : public testing::Test {
 protected:
  std::string path() const { return folder_.path() + "/kept"; }
  CheckpointOptions options(const std::string& identity = "this", double interval_s = 0.05) const {
    return {path(), std::filesystem::exists(path()) ? path() : "", identity, interval_s};
  }
  mode_t mode() const {
    struct stat status {};
    ::stat(path().c_str(), &status);
    return status.st_mode & 0777;
  }

 private:
  const TemporaryFolder folder_;
};

TEST_F(CertifierCheckpointFile, IsSecretAndOfOneCertification) {
  CertifierCheckpoint checkpoint(options(), kRegions);
  EXPECT_FALSE(checkpoint.resumed());
  // What a killed process has left.
  std::ofstream(path() + ".part") << "x";
  std::filesystem::permissions(path() + ".part", std::filesystem::perms(0644));
  checkpoint.save(some_progress());
  EXPECT_EQ(checkpoint.error(), "");
  EXPECT_EQ(mode(), 0600u);
  EXPECT_EQ(CertifierCheckpoint(options(), kRegions).resumed(), some_progress());
  EXPECT_THROW(CertifierCheckpoint(options("other"), kRegions), FramedFileError);
  std::filesystem::permissions(path(), std::filesystem::perms(0640));
  EXPECT_THROW((CertifierCheckpoint{options(), kRegions}), FramedFileError);
  std::filesystem::permissions(path(), std::filesystem::perms(0600));
  checkpoint.remove();
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(CertifierCheckpointFile, EveryByteCounts) {
  CertifierCheckpoint(options(), kRegions).save(some_progress());
  std::ifstream file(path(), std::ios::binary);
  const std::string right{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t i = 0; i < right.size(); ++i) {
    std::string wrong = right;
    wrong[i] = static_cast<char>(wrong[i] ^ 1);
    std::ofstream(path(), std::ios::binary) << wrong;
    EXPECT_THROW(CertifierCheckpoint(options(), kRegions), FramedFileError) << i;
  }
  std::ofstream(path(), std::ios::binary) << right.substr(0, right.size() - 1);
  EXPECT_THROW(CertifierCheckpoint(options(), kRegions), FramedFileError);
}

TEST_F(CertifierCheckpointFile, AnErrorOfWritingIsKept) {
  CertifierCheckpoint checkpoint({"/nowhere/kept", "", "this", 0}, 0);
  checkpoint.save(some_progress());
  EXPECT_NE(checkpoint.error(), "");
  EXPECT_FALSE(checkpoint.is_saved());
}

// Counters that do something when so many states were expanded.
class TroubledCounters : public Counters {
 public:
  using Action = std::function<void(std::uint64_t)>;
  explicit TroubledCounters(Action action = [](std::uint64_t) {})
      : Counters(4, 8), action_(std::move(action)) {}

  bool is_well_formed(StateBytes) const override { return true; }
  void expand(StateBytes state, Expansion& out) const override {
    action_(++expanded);
    Counters::expand(state, out);
  }
  mutable std::atomic<std::uint64_t> expanded = 0;

 private:
  const Action action_;
};

const Recorded& recorded_counters() {
  static const Recorded recorded = record_script(TroubledCounters(), 50);
  return recorded;
}

TEST(CertifierRetries, ARegionWhoseTaskFailsIsDoneAgain) {
  for (const unsigned workers : {1u, 3u}) {
    CertifierOptions options;
    options.workers = workers;
    std::atomic<int> failures = 0;
    const TroubledCounters troubled([&](std::uint64_t expanded) {
      if (expanded % 200 != 100 || failures >= 4) return;
      if (++failures % 2 == 0) throw std::bad_alloc();
      throw std::runtime_error("a broken worker");
    });
    const CertifierResult result = certify(troubled, recorded_counters().certificate, options);
    EXPECT_EQ(result.answer, Answer::kConfirmed) << result.reason;
    EXPECT_EQ(result.states, recorded_counters().certificate.claim.states);
    EXPECT_EQ(result.steps, recorded_counters().certificate.claim.steps);
    EXPECT_GE(failures, 4);
  }
}

TEST(CertifierRetries, AfterThreeAttemptsThereIsAnError) {
  const auto always = [](const auto& error) {
    return TroubledCounters::Action([error](std::uint64_t expanded) {
      if (expanded >= 30) throw error;
    });
  };
  const TroubledCounters broken(always(std::runtime_error("a broken worker")));
  try {
    certify(broken, recorded_counters().certificate);
    FAIL();
  } catch (const RegionError& error) {
    EXPECT_EQ(std::string(error.what()), "region 3 could not be certified, in 3 attempts: a broken worker");
  }
  EXPECT_EQ(broken.expanded, 32u);
  const TroubledCounters hungry(always(std::bad_alloc()));
  EXPECT_EQ(certify(hungry, recorded_counters().certificate).limit, LimitHit::kOutOfMemory);
  EXPECT_EQ(hungry.expanded, 32u);
  // What disagrees once is wrong.
  const TroubledCounters wrong(always(std::logic_error("they disagree")));
  EXPECT_THROW(certify(wrong, recorded_counters().certificate), std::logic_error);
  EXPECT_EQ(wrong.expanded, 30u);
}

TEST_F(CertifierCheckpointFile, ARunThatWasEndedContinues) {
  const CertificateClaim& claim = recorded_counters().certificate.claim;
  for (const unsigned workers : {1u, 3u}) {
    std::uint64_t expanded = 0, runs = 0;
    for (;; ++runs) {
      std::atomic<bool> interrupt = false;
      const TroubledCounters system(
          [&](std::uint64_t count) { interrupt = interrupt || count == claim.states / 3; });
      CertifierCheckpoint checkpoint(options(), recorded_counters().certificate.claim.regions);
      EXPECT_EQ(checkpoint.resumed().has_value(), runs != 0);
      CertifierOptions how;
      how.workers = workers;
      how.limits.interrupt = &interrupt;
      how.checkpoint = &checkpoint;
      const CertifierResult result = certify(system, recorded_counters().certificate, how);
      expanded += system.expanded;
      if (result.answer == Answer::kConfirmed) {
        EXPECT_EQ(result.states, claim.states);
        EXPECT_EQ(result.steps, claim.steps);
        EXPECT_EQ(result.regions, claim.regions);
        EXPECT_GT(result.largest_region, 49u);
        EXPECT_FALSE(std::filesystem::exists(path()));
        break;
      }
      ASSERT_EQ(result.limit, LimitHit::kInterrupted) << result.reason;
      ASSERT_TRUE(std::filesystem::exists(path()));
      ASSERT_LT(runs, 20u);
    }
    // Of several workers, the others may end the second run before they see that it is interrupted.
    EXPECT_GE(runs, workers == 1 ? 2u : 1u);
    // Only regions that were not complete are done twice.
    EXPECT_LT(expanded, claim.states + runs * workers * 2000);
  }
}

// A region that an earlier run has done is not looked at; what it has found counts.
TEST_F(CertifierCheckpointFile, WhatEarlierRunsHaveFoundCounts) {
  std::atomic<bool> interrupt = false;
  const std::uint64_t states = recorded_counters().certificate.claim.states;
  const TroubledCounters system([&](std::uint64_t count) { interrupt = interrupt || count == states / 2; });
  CertifierOptions how;
  how.limits.interrupt = &interrupt;
  {
    CertifierCheckpoint checkpoint(options(), recorded_counters().certificate.claim.regions);
    how.checkpoint = &checkpoint;
    ASSERT_EQ(certify(system, recorded_counters().certificate, how).answer, Answer::kLimit);
  }
  CertifierProgress progress =
      *CertifierCheckpoint(options(), recorded_counters().certificate.claim.regions).resumed();
  progress.totals.members += 1;
  CertifierCheckpoint(options(), recorded_counters().certificate.claim.regions).save(progress);
  CertifierCheckpoint checkpoint(options(), recorded_counters().certificate.claim.regions);
  interrupt = false;
  how.checkpoint = &checkpoint;
  const CertifierResult result = certify(TroubledCounters(), recorded_counters().certificate, how);
  EXPECT_EQ(result.answer, Answer::kRefuted);
  EXPECT_EQ(result.reason, "its sums differ");
}

}  // namespace
}  // namespace spoor::certified
