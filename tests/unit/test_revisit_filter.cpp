// Searches that visit states again leave the certificates of searches that do not.
#include "evidence/revisit_filter.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "evidence/certifier.h"
#include "evidence/script_recorder.h"
#include "exec/interpreter.h"
#include "graph/fixed.h"
#include "search/search.h"
#include "unit/certificates.h"
#include "unit/counters.h"
#include "unit/golden_programs.h"
#include "unit/instrumented.h"
#include "unit/random_fixed_graph.h"
#include "unit/reducing_graph.h"
#include "unit/reference_checker.h"

namespace spoor::certified {
namespace {

using Answer = CertifierResult::Answer;

struct CacheUse {
  PolicyKind policy = PolicyKind();
  std::uint64_t states = 0;
  std::uint64_t least_steps = 1;  // of a region
  std::uint64_t sorted_visits = RevisitFilter::kSortedVisits;
  bool reduces = false;
  std::uint64_t memory_bytes = 0;  // 0: no limit
};

// What a search with a cache leaves.
Recorded record_caching(const TransitionSystem& system, const CacheUse& use, SearchOptions options = {}) {
  const std::string path = certificate_folder() + "/filtered";
  RevisitFilter recorder(path, std::make_unique<ScriptRecorder>(path, use.least_steps), use.sorted_visits,
                         use.memory_bytes);
  options.order = Order::kDepthFirst;
  options.store = StoreKind::kCache;
  options.cache = {use.policy, use.states};
  options.observer = &recorder;
  options.reduce = options.reduces_to_new = use.reduces;
  Recorded recorded{search(system, options), recorder.why_not(), {}};
  if (!recorded.why_not.empty()) return recorded;
  recorder.save({});
  recorded.certificate = read_certificate(path);
  return recorded;
}

std::multiset<Bytes> members_of(const TransitionSystem& system, const Certificate& certificate,
                                bool reduces) {
  std::multiset<Bytes> members;
  for_each_region(certificate.groups, [&](const RegionHead& head, std::string_view flags, auto references,
                                          const std::vector<bool>& in_full) {
    std::vector<Bytes> stack = {bytes_of(head.root)};
    for (std::size_t i = 0; i < references.size(); ++i) {
      const Bytes state = std::move(stack.back());
      stack.pop_back();
      members.insert(state);
      const Expanded expanded = expand(system, state, reduces && !in_full[i]);
      for (std::size_t step = 0; step < expanded.targets.size(); ++step) {
        if ((flags[step >> 3] >> (step & 7) & 1) != 0) stack.push_back(expanded.targets[step]);
      }
      flags.remove_prefix(flag_bytes(expanded.targets.size()));
    }
  });
  return members;
}

// Each once, so that small graphs are not searched again and again.
std::set<std::uint64_t> sizes_of_caches(std::uint64_t all) {
  return {1 + all / 3, 1 + all / 2, 1 + all * 2 / 3, all};
}

void expect_right(const TransitionSystem& system, const Recorded& recorded, bool reduces) {
  ASSERT_EQ(recorded.why_not, "");
  EXPECT_TRUE(judge(system, recorded.certificate, reduces).is_right());
  CertifierOptions options;
  options.reduces = reduces;
  const CertifierResult result = certify(system, recorded.certificate, options);
  EXPECT_EQ(result.answer, Answer::kConfirmed) << result.reason;
}

TEST(RevisitFilter, HasTheMembersOfASearchThatForgetsNothing) {
  std::uint64_t cut_out = 0, compared = 0;
  for (std::uint64_t seed = 1; seed <= (kIsInstrumented ? 8 : 25); ++seed) {
    const FixedGraph system(faultless_fixed_graph(seed, 25));
    const Recorded exact = record_script(system, 1);
    ASSERT_EQ(exact.why_not, "");
    const std::multiset<Bytes> expected = members_of(system, exact.certificate, false);
    for (const PolicyRow& policy : policies()) {
      for (const std::uint64_t states : sizes_of_caches(expected.size())) {
        const std::uint64_t least_steps = seed % 4 == 0 ? RegionCut::kOneRegion : seed % 4;
        SCOPED_TRACE(testing::Message() << "graph " << seed << ", " << policy.name << ", " << states);
        const Recorded recorded =
            record_caching(system, {policy.kind, states, least_steps, seed % 2 == 0 ? 3u : 1000u});
        if (recorded.result.limit) {
          EXPECT_EQ(recorded.why_not, "the search has not seen all states");
          continue;
        }
        expect_right(system, recorded, false);
        ASSERT_EQ(members_of(system, recorded.certificate, false), expected);
        EXPECT_EQ(recorded.certificate.claim.states, exact.certificate.claim.states);
        EXPECT_EQ(recorded.certificate.claim.steps, exact.certificate.claim.steps);
        cut_out += recorded.result.statistics.states - expected.size();
        ++compared;
      }
    }
  }
  EXPECT_GT(cut_out, kIsInstrumented ? 5u : 150u) << "visits that were cut out";
  EXPECT_GT(compared, kIsInstrumented ? 30u : 200u);
}

// A later visit can take steps that the first one has left out.
TEST(RevisitFilter, StepsMayBeLeftOut) {
  std::uint64_t twice = 0, cut_out = 0, reduced = 0;
  for (std::uint64_t seed = 1; seed <= (kIsInstrumented ? 15 : 35); ++seed) {
    const ReducingGraph system(faultless_fixed_graph(seed, 25), seed);
    const std::size_t all = reference::explore(system).distance.size();
    for (const PolicyRow& policy : policies()) {
      for (const std::uint64_t states : sizes_of_caches(all)) {
        SCOPED_TRACE(testing::Message() << "graph " << seed << ", " << policy.name << ", " << states);
        const std::uint64_t least_steps = seed % 4 == 0 ? RegionCut::kOneRegion : seed % 4;
        const Recorded recorded =
            record_caching(system, {policy.kind, states, least_steps, RevisitFilter::kSortedVisits, true});
        if (recorded.result.limit) continue;
        expect_right(system, recorded, true);
        ASSERT_FALSE(testing::Test::HasFailure());
        const std::multiset<Bytes> members = members_of(system, recorded.certificate, true);
        const std::uint64_t distinct = std::set<Bytes>(members.begin(), members.end()).size();
        twice += members.size() - distinct;
        cut_out += recorded.result.statistics.states - members.size();
      }
    }
    reduced += system.reduced();
  }
  EXPECT_GT(reduced, 300u);
  EXPECT_GT(cut_out, kIsInstrumented ? 3u : 100u) << "visits that were cut out";
  EXPECT_GT(twice, kIsInstrumented ? 1u : 10u) << "visits that are needed although their states have others";
}

TEST(RevisitFilter, ModelsUnderTheirReductions) {
  std::size_t programs = 0, confirmed = 0, revisited = 0;
  for_each_golden_program([&](const std::string& name, const std::shared_ptr<promela::Program>& program) {
    if (programs++ % 3 != 0) return;
    const bool reduces = program->uses_stubborn_sets;
    program->uses_stubborn_sets = false;
    const exec::Interpreter system(program);
    SearchOptions few;
    few.numbers = IndexLimit{kIsInstrumented ? 300 : 1'000};
    const Recorded exact = record_script(system, 5, reduces, few);
    if (!std::holds_alternative<Holds>(exact.result.outcome)) return;
    for (const std::uint64_t percent : {100u, 60u}) {
      SearchOptions options;
      options.limits.seconds = 0.1;  // a cache can be too small
      const std::uint64_t states = 1 + exact.result.statistics.states * percent / 100;
      const Recorded recorded =
          record_caching(system, {PolicyKind::kNested, states, 5, 100, reduces}, options);
      if (recorded.result.limit) continue;
      SCOPED_TRACE(name);
      expect_right(system, recorded, reduces);
      if (!reduces) {
        EXPECT_EQ(recorded.certificate.claim.states, exact.certificate.claim.states);
      }
      ++confirmed;
      if (recorded.result.has_revisits()) ++revisited;
    }
  });
  EXPECT_GT(confirmed, kIsInstrumented ? 5u : 15u);
  EXPECT_GT(revisited, kIsInstrumented ? 0u : 2u);
}

TEST(RevisitFilter, ASearchThatHasNotSeenAllStatesLeavesNone) {
  const FixedGraph wrong(
      {0, {{0, 1}, {1, 2}}, {{1, {FindingKind::kAssertion, 0, StepId(0)}, false}}, false, false});
  EXPECT_NE(record_caching(wrong, {PolicyKind::kNested, 10}).why_not, "");
  SearchOptions options;
  options.limits.depth = 3;
  EXPECT_NE(record_caching(Counters(2, 9), {PolicyKind::kNested, 10}, options).why_not, "");
}

TEST(RevisitFilter, NeedsNoMoreMemoryThanThereIs) {
  // A grid: 1,600 states, and no path is longer than 79 of them.
  constexpr std::uint32_t kSide = 40;
  FixedGraphOptions grid;
  grid.has_deadlocks = false;
  for (std::uint32_t node = 0; node < kSide * kSide; ++node) {
    if (node % kSide + 1 < kSide) grid.edges.emplace_back(node, node + 1);
    if (node + kSide < kSide * kSide) grid.edges.emplace_back(node, node + kSide);
  }
  const FixedGraph graph(grid);
  constexpr std::uint64_t kEnough = 10 << 20;
  CacheUse use = {PolicyKind::kNested, 1'500, 50};
  use.memory_bytes = kEnough;
  const Recorded bounded = record_caching(graph, use);
  EXPECT_TRUE(bounded.result.has_revisits());
  expect_right(graph, bounded, false);
  EXPECT_EQ(bounded.certificate.claim.states, kSide * kSide);
  use.memory_bytes = kEnough / 2;
  try {
    record_caching(graph, use);
    FAIL();
  } catch (const FramedFileError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("cannot be made: it needs "), 0u) << text;
    EXPECT_NE(text.find("and --memory leaves 5.0 MiB for it"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace spoor::certified
