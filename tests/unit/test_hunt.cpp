// Every method of a hunt against the reference checker, and what each of them promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "graph/fixed.h"
#include "hunt/active_processes.h"
#include "hunt/hunt.h"
#include "hunt/novelty.h"
#include "model/trace.h"
#include "unit/counters.h"
#include "unit/random_fixed_graph.h"
#include "unit/reference_checker.h"

namespace spoor {
namespace {

HuntOptions hunting_with(const MethodRow* method, std::uint64_t expansions, std::uint64_t seed = 1) {
  HuntOptions options;
  options.method = method;
  options.expansions = expansions;
  options.seed = seed;
  return options;
}

// All methods, and the default.
std::vector<const MethodRow*> all_methods() {
  std::vector<const MethodRow*> all = {nullptr};
  for (const MethodRow& row : methods()) all.push_back(&row);
  return all;
}

const MethodRow* method_called(const std::string& name) {
  for (const MethodRow& row : methods()) {
    if (name == row.name) return &row;
  }
  return nullptr;
}

std::string name_of(const MethodRow* method) { return method == nullptr ? "auto" : method->name; }

void compare_with_reference(const TransitionSystem& system, std::uint64_t seed) {
  const reference::Exploration known = reference::explore(system);
  for (const MethodRow* const method : all_methods()) {
    SCOPED_TRACE(name_of(method) + ", seed " + std::to_string(seed));
    const HuntResult result = hunt(system, hunting_with(method, 20'000, seed));
    if (!result.found) {
      EXPECT_TRUE(known.shortest.empty() || result.limit);
      EXPECT_NE(result.has_seen_all, result.limit.has_value());
      if (!result.has_seen_all) continue;
      EXPECT_TRUE(known.shortest.empty());
      EXPECT_EQ(result.states, known.distance.size());
      continue;
    }
    EXPECT_TRUE(shows(system, *result.found));
    EXPECT_GE(result.found->steps.size(), known.shortest_of_all());
    EXPECT_EQ(result.best.length, result.found->steps.size());
    EXPECT_LE(result.best.length, result.first.length);
    if (result.is_shortest) {
      EXPECT_EQ(result.found->steps.size(), known.shortest_of_all());
    }
  }
}

TEST(Hunt, EveryMethodAgreesWithTheReferenceChecker) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    compare_with_reference(FaultyCounters(3, 3 + seed % 3, 5 + seed), seed);
    compare_with_reference(FixedGraph(random_fixed_graph(seed, 60)), seed);
  }
}

TEST(Hunt, BreadthFirstSearchProvesThatItsTraceIsTheShortest) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const FaultyCounters system(3, 4, 10 + seed);
    const reference::Exploration known = reference::explore(system);
    const HuntResult result = hunt(system, hunting_with(method_called("bfs"), 0));
    ASSERT_EQ(result.found.has_value(), !known.shortest.empty());
    EXPECT_EQ(result.has_seen_all, known.shortest.empty());
    if (!result.found) continue;
    EXPECT_TRUE(result.is_shortest);
    EXPECT_EQ(result.found->steps.size(), known.shortest_of_all());
  }
}

TEST(Hunt, WhereThereIsNoErrorTheMethodsThatRememberSaySo) {
  const Counters system(3, 4);
  for (const char* const name : {"dfs", "bfs", "beam", "tuple", "greedy", "astar", "wastar"}) {
    SCOPED_TRACE(name);
    const HuntResult result = hunt(system, hunting_with(method_called(name), 0));
    EXPECT_FALSE(result.found);
    EXPECT_TRUE(result.has_seen_all);
    EXPECT_FALSE(result.limit);
    EXPECT_EQ(result.states, 64u);
  }
  const HuntResult whole = hunt(system, hunting_with(nullptr, 0));
  EXPECT_TRUE(whole.has_seen_all);
  EXPECT_EQ(whole.states, 64u);
  const HuntResult walk = hunt(system, hunting_with(method_called("walk"), 5000));
  EXPECT_FALSE(walk.has_seen_all);
  EXPECT_EQ(walk.limit, LimitHit::kExpansions);
  EXPECT_EQ(walk.counts.expansions, 5000u);
}

TEST(Hunt, ABoundOnTheLengthIsKeptAndStatesBehindADetourAreFound) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const FaultyCounters system(3, 4, 10 + seed);
    const reference::Exploration known = reference::explore(system);
    if (known.shortest.empty()) continue;
    const auto least = static_cast<std::uint32_t>(known.shortest_of_all());
    for (const MethodRow& row : methods()) {
      for (const std::uint32_t most : {least, least - 1}) {
        if (most > least) continue;  // there is nothing below 0
        SCOPED_TRACE(std::string(row.name) + ", at most " + std::to_string(most));
        Hunter hunter(system, {}, 20'000, FindingKinds::all());
        ActiveProcesses heuristic;
        MethodOptions options;
        options.most_steps = most;
        options.heuristic = &heuristic;
        hunter.begin(0);
        const MethodResult result = row.run(hunter, options);
        if (most < least) {
          EXPECT_FALSE(result.found);
        }
        if (result.found) {
          EXPECT_LE(result.found->steps.size(), most);
          EXPECT_TRUE(shows(system, *result.found));
        }
        if (result.has_seen_all_within && !result.found) {
          EXPECT_LT(most, least);
        }
      }
    }
  }
}

TEST(Hunt, TheSameSeedGivesTheSameHunt) {
  const FaultyCounters system(6, 6, 5000);
  for (const MethodRow* const method : all_methods()) {
    SCOPED_TRACE(name_of(method));
    const HuntResult one = hunt(system, hunting_with(method, 3000, 7));
    const HuntResult again = hunt(system, hunting_with(method, 3000, 7));
    EXPECT_EQ(one.counts.expansions, again.counts.expansions);
    EXPECT_EQ(one.counts.taken, again.counts.taken);
    ASSERT_EQ(one.found.has_value(), again.found.has_value());
    if (one.found) {
      EXPECT_EQ(one.found->steps, again.found->steps);
    }
  }
}

TEST(Hunt, AnErrorOfAnotherKindIsNotNoticed) {
  const FaultyCounters system(3, 4, 10);
  for (const MethodRow* const method : all_methods()) {
    SCOPED_TRACE(name_of(method));
    HuntOptions options = hunting_with(method, 20'000);
    options.counted = FindingKinds::none().with(FindingKind::kAssertion);
    const HuntResult result = hunt(system, options);
    if (result.found) {
      EXPECT_EQ(result.found->finding.kind, FindingKind::kAssertion);
    }
  }
}

TEST(Hunt, MemoryEndsAMethodAndNotTheHunt) {
  const Counters system(8, 8);  // 16 million states
  HuntOptions options = hunting_with(nullptr, 60'000);
  options.limits.memory_bytes = 3'000'000;
  const HuntResult result = hunt(system, options);
  EXPECT_EQ(result.limit, LimitHit::kExpansions);
  options = hunting_with(method_called("bfs"), 0);
  options.limits.memory_bytes = 3'000'000;
  const HuntResult alone = hunt(system, options);
  EXPECT_EQ(alone.limit, LimitHit::kMemory);
  EXPECT_LT(alone.peak_bytes, 8'000'000u);
}

TEST(Hunt, AnErrorOfTheInitialStateHasNoSteps) {
  class Stuck : public Counters {
   public:
    Stuck() : Counters(1, 2) {}
    void expand(StateBytes, Expansion& out) const override {
      out.findings.push_back({FindingKind::kDeadlock, 0, Finding::kStateItself});
    }
  };
  const Stuck system;
  for (const MethodRow* const method : all_methods()) {
    SCOPED_TRACE(name_of(method));
    const HuntResult result = hunt(system, hunting_with(method, 100));
    ASSERT_TRUE(result.found);
    EXPECT_TRUE(result.found->steps.empty());
    EXPECT_EQ(result.first.counts.expansions, 1u);
  }
}

TEST(Hunt, ASystemOfOneStateIsSeenWhole) {
  class Still : public Counters {
   public:
    Still() : Counters(1, 2) {}
    void expand(StateBytes, Expansion&) const override {}
  };
  const Still system;
  for (const MethodRow* const method : all_methods()) {
    SCOPED_TRACE(name_of(method));
    const HuntResult result = hunt(system, hunting_with(method, 0));
    EXPECT_FALSE(result.found);
    EXPECT_TRUE(result.has_seen_all);
  }
}

TEST(Hunt, NoveltyCountsHowOftenACombinationWasMet) {
  class Places : public Guidance {
   public:
    void places(StateBytes state, std::vector<ProcessPlace>& out) const override {
      out.clear();
      for (const std::byte location : state) out.push_back({0, std::to_integer<std::uint32_t>(location)});
    }
    std::uint32_t process_of(StateBytes, StepId) const override { return 0; }
    std::uint64_t group_of(StateBytes, std::uint32_t) const override { return 0; }
    std::unique_ptr<Heuristic> distance_to_assertions() const override { return nullptr; }
    std::unique_ptr<Heuristic> distance_to_atoms(std::span<const WantedAtoms>) const override {
      return nullptr;
    }
  };
  const Places places;
  Novelty novelty(&places);
  const std::vector<std::byte> a = {std::byte{1}, std::byte{2}}, b = {std::byte{2}, std::byte{1}},
                               c = {std::byte{2}, std::byte{2}};
  EXPECT_EQ(novelty.meet(a), 0u);
  EXPECT_EQ(novelty.meet(b), 1u);  // the same combination
  EXPECT_EQ(novelty.meet(c), 0u);
  EXPECT_EQ(novelty.meet(a), 1u);
  EXPECT_EQ(novelty.meet(a), 2u);  // four times
}

}  // namespace
}  // namespace spoor
