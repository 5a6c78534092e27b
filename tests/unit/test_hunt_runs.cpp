// Hunts for infinite runs: every method against a reference that has the whole graph before its eyes.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "hunt/expanded_graph.h"
#include "hunt/hunt.h"
#include "model/trace.h"
#include "unit/instrumented.h"
#include "unit/marked_graph.h"

namespace spoor {
namespace {

constexpr int kFewerHunts = kIsInstrumented ? 10 : 1;  // rounds

HuntOptions hunting(const MethodRow* method, std::uint64_t expansions, std::uint64_t seed) {
  HuntOptions options;
  options.method = method;
  options.expansions = expansions;
  options.seed = seed;
  return options;
}

const MethodRow* method_named(const std::string& name) {
  for (const MethodRow& row : methods()) {
    if (name == row.name) return &row;
  }
  return nullptr;
}

bool is_lasso(const OmegaSystem& system, const Violation& violation) {
  return violation.loop && std::holds_alternative<ReplayedTrace>(
                               replay(system, {violation.steps, violation.finding, violation.loop}));
}

void expect_right_hunt(const MarkedGraph& graph, const MethodRow* method, std::uint64_t seed) {
  const HuntResult result = hunt_runs(graph, hunting(method, 3000, seed));
  const std::optional<std::size_t> shortest = shortest_bad_lasso(graph);
  if (!result.found) {
    EXPECT_TRUE(!shortest || result.limit);
    EXPECT_NE(result.has_seen_all, result.limit.has_value());
    return;
  }
  ASSERT_TRUE(shortest);
  ASSERT_TRUE(is_lasso(graph, *result.found));
  EXPECT_GE(result.found->steps.size(), *shortest);
  EXPECT_EQ(result.best.length, result.found->steps.size());
  EXPECT_LE(result.best.length, result.first.length);
  if (result.is_shortest) {
    EXPECT_EQ(result.found->steps.size(), *shortest);
  }
}

// What ends by itself on a small graph decides it; the default and breadth-first search find the shortest
// lasso.
void expect_decided(const MarkedGraph& graph, const char* name, bool finds_shortest) {
  const HuntResult result = hunt_runs(graph, hunting(method_named(name), 100'000, 1));
  const std::optional<std::size_t> shortest = shortest_bad_lasso(graph);
  EXPECT_EQ(result.found.has_value(), shortest.has_value());
  EXPECT_EQ(result.has_seen_all, !shortest.has_value());
  if (!result.found || !finds_shortest) return;
  EXPECT_TRUE(result.is_shortest);
  EXPECT_EQ(result.found->steps.size(), *shortest);
}

TEST(HuntRuns, EveryMethodAgreesWithTheReferenceOnRandomGraphs) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 400 / kFewerHunts; ++round) {
    const auto states = static_cast<std::uint32_t>(1 + random() % 14);
    const auto degree = static_cast<std::uint32_t>(1 + random() % 3);
    const Marks all = (Marks{1} << random() % 4) - 1;
    const MarkedEdges edges = random_edges(random, states, degree, all);
    for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
      const MarkedGraph graph(edges, all, rule);
      SCOPED_TRACE("round " + std::to_string(round) +
                   (rule == CycleRule::kTogether ? " together" : " every"));
      expect_right_hunt(graph, nullptr, 1 + random() % 100);
      for (const MethodRow& method : methods()) {
        SCOPED_TRACE(method.name);
        expect_right_hunt(graph, &method, 1 + random() % 100);
      }
      expect_decided(graph, "auto", true);
      expect_decided(graph, "bfs", true);
      expect_decided(graph, "indfs", false);
      expect_decided(graph, "greedy", false);
      if (testing::Test::HasFailure()) return;
    }
  }
}

// Every graph with three states, at most one edge for each pair, each without, with one or with both marks.
TEST(HuntRuns, AreRightOnAllSmallGraphs) {
  for (std::uint32_t code = 0; code < 4 * 4 * 4 * 4 * 4 * 4; code += kIsInstrumented ? 17 : 1) {
    for (const Marks all : {Marks{1}, Marks{3}}) {
      MarkedEdges edges(3);
      std::uint32_t rest = code;
      for (const auto& [source, target] :
           {std::pair{0u, 1u}, {1u, 0u}, {1u, 2u}, {2u, 0u}, {2u, 1u}, {2u, 2u}}) {
        if (rest % 4 != 0) edges[source].push_back({target, rest % 4 - 1});
        rest /= 4;
      }
      for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
        const MarkedGraph graph(edges, all, rule);
        SCOPED_TRACE("graph " + std::to_string(code));
        expect_decided(graph, "auto", true);
        expect_decided(graph, "indfs", false);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

// The shortest lasso in a graph is that of the reference, within a bound, too.
TEST(HuntRuns, TheShortestLassoInAGraphIsFound) {
  std::mt19937_64 random(5);
  int found = 0;
  for (int round = 0; round < 2000 / kFewerHunts; ++round) {
    const auto states = static_cast<std::uint32_t>(1 + random() % 30);
    const Marks all = (Marks{1} << random() % 3) - 1;
    const MarkedEdges edges = random_edges(random, states, 2, all);
    for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
      const MarkedGraph graph(edges, all, rule);
      ExpandedGraph seen(graph);
      Expansion expansion;
      for (const std::uint32_t state : reachable(edges)) {
        expansion.clear();
        graph.expand(graph.state(state), expansion);
        seen.add(graph.state(state), expansion);
        if (random() % 4 == 0) seen.add(graph.state(state), expansion);  // again
      }
      const std::optional<std::size_t> shortest = shortest_bad_lasso(graph);
      const ExpandedGraph::Answer answer = seen.shortest_lasso(MethodOptions::kAnyLength, 1'000'000);
      ASSERT_TRUE(answer.is_exact);
      ASSERT_EQ(answer.lasso.has_value(), shortest.has_value());
      if (!shortest) continue;
      ++found;
      EXPECT_EQ(answer.lasso->steps.size(), *shortest);
      EXPECT_TRUE(is_lasso(graph, *answer.lasso));
      const auto length = static_cast<std::uint32_t>(*shortest);
      EXPECT_TRUE(seen.shortest_lasso(length, 1'000'000).lasso);
      EXPECT_FALSE(seen.shortest_lasso(length - 1, 1'000'000).lasso);
    }
  }
  EXPECT_GT(found, 300 / kFewerHunts);
}

// With many marks, as with fairness, a lasso is found, and never called the shortest.
TEST(HuntRuns, ManyMarksAreMetOneAfterTheOther) {
  constexpr std::uint32_t kMarks = 20;
  MarkedEdges edges(kMarks + 1);
  edges[0].push_back({1, 0});
  for (std::uint32_t i = 1; i <= kMarks; ++i) {
    edges[i].push_back({i % kMarks + 1, Marks{1} << (i - 1)});
    edges[i].push_back({i, 0});
  }
  const MarkedGraph graph(edges, (Marks{1} << kMarks) - 1, CycleRule::kTogether);
  for (const char* const name : {"auto", "bfs", "tuple", "indfs"}) {
    SCOPED_TRACE(name);
    const HuntResult result = hunt_runs(graph, hunting(method_named(name), 5000, 1));
    ASSERT_TRUE(result.found);
    EXPECT_TRUE(is_lasso(graph, *result.found));
    EXPECT_FALSE(result.is_shortest);
    EXPECT_EQ(result.found->steps.size(), 1 + kMarks);
  }
}

TEST(HuntRuns, OtherErrorsOnTheWayAreFoundToo) {
  MarkedEdges edges(6);
  for (std::uint32_t i = 0; i + 1 < edges.size(); ++i) edges[i].push_back({i + 1, 0});
  edges[0].push_back({4, 0});
  for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
    MarkedGraph graph(edges, 1, rule);
    graph.plant(4, {FindingKind::kAssertion, 9, StepId(0)});
    for (const char* const name : {"auto", "walk", "bfs", "beam", "eda", "indfs"}) {
      SCOPED_TRACE(name);
      const HuntResult result = hunt_runs(graph, hunting(method_named(name), 5000, 1));
      ASSERT_TRUE(result.found);
      EXPECT_EQ(result.found->finding.kind, FindingKind::kAssertion);
      EXPECT_FALSE(result.found->loop);
    }
  }
}

// A long way round that comes first, and a short one; a cycle of 1000 and one of 2.
TEST(HuntRuns, StemAndCycleAreMadeShorter) {
  constexpr std::uint32_t kLong = 1000;
  MarkedEdges edges(kLong + 2);
  for (std::uint32_t i = 0; i < kLong; ++i) edges[i].push_back({i + 1, 1});
  edges[0].push_back({kLong, 1});
  edges[kLong].push_back({kLong + 1, 1});
  edges[kLong + 1].push_back({0, 1});
  edges[kLong + 1].push_back({kLong, 1});
  for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
    const MarkedGraph graph(edges, 1, rule);
    HuntOptions options = hunting(method_named("indfs"), 100'000, 1);
    EXPECT_GT(hunt_runs(graph, options).found->steps.size(), 900u);
    options.method = nullptr;
    const HuntResult result = hunt_runs(graph, options);
    EXPECT_TRUE(result.is_shortest);
    EXPECT_EQ(result.found->steps.size(), 3u);
  }
}

}  // namespace
}  // namespace spoor
