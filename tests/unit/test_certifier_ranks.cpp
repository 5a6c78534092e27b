// Several ranks have the answer of one: here they are threads with mailboxes.
#include "evidence/certifier_ranks.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/temporary_folder.h"
#include "unit/certificates.h"
#include "unit/counters.h"
#include "unit/instrumented.h"

namespace spoor::certified {
namespace {

using Answer = CertifierResult::Answer;

class RankCounters : public Counters {
 public:
  explicit RankCounters(std::uint64_t throws_at = UINT64_MAX)
      : Counters(4, kIsInstrumented ? 4 : 8), throws_at_(throws_at) {}
  bool is_well_formed(StateBytes) const override { return true; }
  void expand(StateBytes state, Expansion& out) const override {
    if (++expanded_ >= throws_at_) throw std::runtime_error("a broken machine");
    Counters::expand(state, out);
  }

 private:
  const std::uint64_t throws_at_;
  mutable std::uint64_t expanded_ = 0;
};

struct Mailboxes {
  explicit Mailboxes(unsigned size) : boxes(size) {}
  std::mutex lock;
  std::vector<std::deque<std::pair<unsigned, std::string>>> boxes;
};

class ThreadRank : public Ranks {
 public:
  ThreadRank(Mailboxes& all, unsigned rank) : all_(all), rank_(rank) {}
  unsigned rank() const override { return rank_; }
  unsigned size() const override { return static_cast<unsigned>(all_.boxes.size()); }
  void send(unsigned to, std::string_view message) override {
    const std::lock_guard guard(all_.lock);
    all_.boxes[to].emplace_back(rank_, message);
  }
  bool receive(unsigned& from, std::string& message) override {
    const std::lock_guard guard(all_.lock);
    auto& box = all_.boxes[rank_];
    if (box.empty()) return false;
    std::tie(from, message) = box.front();
    box.pop_front();
    return true;
  }
  void end() override {}
  [[noreturn]] void abort(int) override { std::abort(); }

 private:
  Mailboxes& all_;
  const unsigned rank_;
};

struct RankRun {
  const Certificate& certificate;
  unsigned ranks = 4;
  CertifierCheckpoint* checkpoint = nullptr;
  std::vector<std::string> identities = {};  // of ranks that have another one
  unsigned broken = UINT32_MAX;              // this rank throws
};

CertifierResult certify_with_threads(const RankRun& run) {
  const CertificateFile certificate(run.certificate);
  Mailboxes mailboxes(run.ranks);
  CertifierResult result;
  std::exception_ptr error;
  const auto take_part = [&](unsigned number) {
    const RankCounters system(number == run.broken ? 5 : UINT64_MAX);
    ThreadRank rank(mailboxes, number);
    CertifierOptions options;
    if (number == 0) options.checkpoint = run.checkpoint;
    const std::string identity = number < run.identities.size() ? run.identities[number] : "same";
    certificate.read([&](const CertificateClaim& claim, FramedReader& file) {
      const CertifierResult own = certify_with_ranks(system, claim, file, options, rank, identity);
      if (number == 0) result = own;
    });
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < run.ranks; ++i) others.emplace_back([&, i] { take_part(i); });
  try {
    take_part(0);
  } catch (...) {
    error = std::current_exception();
    ThreadRank rank(mailboxes, 0);
    for (unsigned i = 1; i < run.ranks; ++i) rank.send(i, "s");
  }
  others.clear();
  if (error) std::rethrow_exception(error);
  return result;
}

Certificate good_certificate() { return record_script(RankCounters(), 50).certificate; }

TEST(CertifierRanks, HaveTheAnswerOfOneProcess) {
  const Certificate certificate = good_certificate();
  const CertifierResult alone = certify(RankCounters(), certificate);
  ASSERT_EQ(alone.answer, Answer::kConfirmed) << alone.reason;
  for (const unsigned ranks : {1u, 2u, 4u, 9u}) {
    const CertifierResult result = certify_with_threads({certificate, ranks});
    EXPECT_EQ(result.answer, Answer::kConfirmed) << result.reason;
    EXPECT_EQ(result.states, alone.states);
    EXPECT_EQ(result.steps, alone.steps);
    EXPECT_EQ(result.regions, alone.regions);
    EXPECT_EQ(result.largest_region, alone.largest_region);
    EXPECT_EQ(result.processes, ranks);
    EXPECT_EQ(result.exchanged_bytes == 0, ranks == 1);
    EXPECT_LT(result.exchanged_bytes, 120 * alone.regions);
  }
}

TEST(CertifierRanks, RefuseWhatOneProcessRefuses) {
  const RankCounters system;
  const Script good = script_of(system, good_certificate().groups);
  const auto compare = [&](const std::string& what, const auto& change) {
    SCOPED_TRACE(what);
    Script script = good;
    change(script);
    const Certificate certificate = certificate_of(script);
    const CertifierResult alone = certify(system, certificate), all = certify_with_threads({certificate});
    EXPECT_NE(all.answer, Answer::kConfirmed);
    EXPECT_EQ(all.answer, alone.answer);
  };
  compare("a number", [](Script& script) { ++script[3].states[1].references; });
  compare("a flag", [](Script& script) { script[5].states.back().flags[1].flip(); });
  compare("a region less", [](Script& script) { script.erase(script.begin() + 2); });
  compare("a region twice", [](Script& script) { script.push_back(script[1]); });
  for (const int more : {-1, 1, 1 << 20}) {
    Certificate certificate = good_certificate();
    certificate.claim.regions += static_cast<std::uint64_t>(more);
    const CertifierResult alone = certify(system, certificate), all = certify_with_threads({certificate});
    EXPECT_EQ(all.answer, Answer::kRefuted);
    EXPECT_EQ(all.answer, alone.answer);
  }
}

TEST(CertifierRanks, AllHaveTheSameFiles) {
  const Certificate certificate = good_certificate();
  RankRun run{certificate, 3};
  run.identities = {"same", "same", "other"};
  EXPECT_THROW(certify_with_threads(run), RegionError);
}

TEST(CertifierRanks, ARankThatFailsLeavesACheckpoint) {
  const Certificate certificate = good_certificate();
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/kept";
  {
    CertifierCheckpoint checkpoint({path, "", "this", 0}, certificate.claim.regions);
    RankRun run{certificate, 3, &checkpoint};
    run.broken = 2;
    try {
      certify_with_threads(run);
      FAIL();
    } catch (const RegionError& error) {
      EXPECT_NE(std::string(error.what()).find("rank 2: region "), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("in 3 attempts: a broken machine"), std::string::npos);
    }
  }
  ASSERT_TRUE(std::filesystem::exists(path));
  CertifierCheckpoint checkpoint({path, path, "this", 300}, certificate.claim.regions);
  const CertifierResult result = certify_with_threads({certificate, 2, &checkpoint});
  EXPECT_EQ(result.answer, Answer::kConfirmed) << result.reason;
  EXPECT_EQ(result.states, certificate.claim.states);
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace spoor::certified
