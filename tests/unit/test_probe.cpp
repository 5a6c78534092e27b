// Probes: random searches with filters that lines do not stop.
#include <gtest/gtest.h>

#include <atomic>

#include "graph/fixed.h"
#include "search/probe.h"
#include "search/sampling.h"
#include "unit/counters.h"
#include "unit/quiet_system.h"

namespace spoor {
namespace {

SearchOptions with_filter(unsigned log_bits, std::uint64_t seed = 1) {
  SearchOptions options;
  options.store = StoreKind::kBitstate;
  options.filter = {std::uint64_t{1} << log_bits, 1, FilterKind::kClassic, seed, false};
  return options;
}

TEST(Probe, MeetsEverythingWithALargeFilter) {
  const ProbeResult result = probe(Counters(5, 8), with_filter(24));  // 32,768 states
  EXPECT_FALSE(result.limit);
  EXPECT_NEAR(result.met.count.estimate(), 32'768, 0.03 * 32'768);
  EXPECT_GE(result.expanded, 32'700u);
  EXPECT_EQ(result.transitions, 5 * result.expanded);
}

TEST(Probe, MeetsMoreThanItsFilterHolds) {
  const ProbeResult result = probe(Counters(5, 8), with_filter(12));
  EXPECT_LT(result.expanded, 4096u);
  EXPECT_GT(result.met.count.estimate(), 1.5 * static_cast<double>(result.expanded));
}

TEST(Probe, DependsOnItsSeedOnly) {
  const ProbeResult one = probe(Counters(5, 8), with_filter(12)),
                    again = probe(Counters(5, 8), with_filter(12));
  const ProbeResult other = probe(Counters(5, 8), with_filter(12, 2));
  EXPECT_EQ(one.expanded, again.expanded);
  EXPECT_EQ(one.met.sample.hashes(), again.met.sample.hashes());
  EXPECT_NE(one.met.sample.hashes(), other.met.sample.hashes());
}

// 20,000 states one behind the other, and a filter of 1024 bits: a search with it is stopped after some
// dozens.
TEST(Probe, IsNotStoppedByALine) {
  FixedGraphOptions line;
  for (std::uint32_t i = 0; i < 20'000; ++i) line.edges.emplace_back(i, i + 1);
  const ProbeResult result = probe(FixedGraph(line), with_filter(10));
  EXPECT_EQ(result.expanded, 20'001u);
  SearchOptions options = with_filter(10);
  options.counted = FindingKinds::none();
  EXPECT_LT(search(FixedGraph(line), options).statistics.states, 1000u);
}

TEST(Probe, EndsInACycleWithoutAChoice) {
  FixedGraphOptions ring;
  for (std::uint32_t i = 0; i < 1000; ++i) ring.edges.emplace_back(i, (i + 1) % 1000);
  const ProbeResult result = probe(FixedGraph(ring), with_filter(10));
  EXPECT_FALSE(result.limit);
  EXPECT_NEAR(result.met.count.estimate(), 1000, 30);
  EXPECT_LT(result.expanded, 20'000u);
  FixedGraphOptions alone;
  alone.edges.emplace_back(0, 0);
  EXPECT_LT(probe(FixedGraph(alone), with_filter(10)).expanded, 1000u);
}

TEST(Probe, KeepsItsLimits) {
  SearchOptions options = with_filter(26);
  options.limits.seconds = 0.2;
  EXPECT_EQ(probe(Counters(20, 4), options).limit, LimitHit::kTime);
  options.limits.seconds = 0;
  options.limits.memory_bytes = 20'000'000;
  EXPECT_EQ(probe(Counters(20, 4), options).limit, LimitHit::kMemory);
  options.limits.memory_bytes = 0;
  std::atomic<bool> interrupt = true;
  options.limits.interrupt = &interrupt;
  EXPECT_EQ(probe(Counters(20, 4), options).limit, LimitHit::kInterrupted);
}

// A system whose expansion ends only when its budget is exhausted.
class Endless : public QuietSystem {
 public:
  std::vector<std::byte> initial_state() const override { return std::vector<std::byte>(1); }
  void expand(StateBytes, Expansion& out) const override {
    while (out.asked.budget != nullptr && !out.asked.budget->is_exhausted(1000)) {
    }
    out.was_cut = true;
  }
};

TEST(Probe, GivesUpAnExpansionWithoutEnd) {
  SearchOptions options = with_filter(12);
  options.limits.seconds = 0.1;
  EXPECT_EQ(probe(Endless(), options).limit, LimitHit::kTime);
  EXPECT_EQ(search_and_sample(Endless(), options).limit, LimitHit::kTime);
}

TEST(Probe, CountsItsFilterDuringTheFirstExpansion) {
  SearchOptions options = with_filter(24);
  options.limits.memory_bytes = std::uint64_t{1} << 21;  // the filter alone takes that
  options.limits.seconds = 1;
  EXPECT_EQ(probe(Endless(), options).limit, LimitHit::kMemory);
}

}  // namespace
}  // namespace spoor
