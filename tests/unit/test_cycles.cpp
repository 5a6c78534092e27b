// Searches for cycles against a reference that has the whole graph before its eyes.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "model/omega.h"
#include "model/trace.h"
#include "search/core.h"
#include "search/search.h"
#include "search/search_with.h"
#include "search/shared_components.h"
#include "store/exact.h"
#include "store/tree.h"
#include "unit/instrumented.h"
#include "unit/marked_graph.h"
#include "unit/step_names.h"

namespace spoor {
namespace {

constexpr int kFewer = kIsInstrumented ? 5 : 1;             // rounds
constexpr std::uint32_t kStride = kIsInstrumented ? 5 : 1;  // of all small graphs

bool keeps_states(StoreKind store) { return traits_of(store).keeps_states; }

SearchOptions options_for(StoreKind store) {
  SearchOptions options;
  options.store = store;
  options.filter.bits = std::uint64_t{1} << 20;
  options.first_states = 0;  // small graphs, too, are for the search of this store
  return options;
}

void expect_right(const MarkedGraph& graph, const SearchResult& result, const std::string& what) {
  const std::size_t states = reachable(graph.edges()).size();
  const bool is_exact = keeps_states(result.store);
  // Where marks are counted beside the state there are more.
  const bool has_counts =
      !is_exact && graph.rule() == CycleRule::kTogether && std::popcount(graph.all_marks()) > 1;
  if (!has_bad_cycle(graph)) {
    EXPECT_TRUE(is_exact ? std::holds_alternative<Holds>(result.outcome)
                         : std::holds_alternative<HoldsProbably>(result.outcome))
        << what;
    if (!has_counts) {
      EXPECT_EQ(result.statistics.states, states) << what;
    }
    EXPECT_EQ(result.statistics.transitions, result.statistics.states + result.statistics.matched) << what;
    return;
  }
  ASSERT_TRUE(std::holds_alternative<Violated>(result.outcome)) << what;
  ASSERT_EQ(result.violations.size(), 1u);
  if (!has_counts) {
    EXPECT_LE(result.statistics.states, states);
  }
  const Violation& violation = result.violations.front();
  EXPECT_EQ(violation.finding.kind, FindingKind::kAcceptanceCycle);
  ASSERT_TRUE(violation.loop.has_value());
  const ReplayResult replayed = replay(graph, {violation.steps, violation.finding, violation.loop});
  const auto* error = std::get_if<ReplayError>(&replayed);
  EXPECT_EQ(error, nullptr) << what << ": " << (error != nullptr ? error->message() : "");
  if (!is_exact) return;
  // The way to the cycle does not meet itself or the cycle.
  if (const auto* done = std::get_if<ReplayedTrace>(&replayed)) {
    std::set<std::vector<std::byte>> stem(
        done->states.begin(), done->states.begin() + static_cast<std::ptrdiff_t>(*violation.loop));
    EXPECT_EQ(stem.size(), *violation.loop) << what;
    for (std::size_t i = *violation.loop; i < done->states.size(); ++i) {
      EXPECT_FALSE(stem.contains(done->states[i])) << what;
    }
  }
}

void expect_right(const MarkedGraph& graph, StoreKind store, const std::string& what) {
  expect_right(graph, search_cycles(graph, options_for(store)), what);
}

// Several threads from the first state on.
template <class Store, class Pause = NoPause>
SearchResult search_together(const MarkedGraph& graph, SearchOptions options, unsigned threads) {
  options.threads = threads;
  SearchCore<Store> core(graph, options);
  {
    SharedComponentsWith<Store, Pause> strategy(core, graph, 0);
    strategy.run();
  }
  return core.finish();
}

// Lets others come first now and then, also on a machine with one core.
struct RandomPause {
  static void here() {
    static std::atomic<unsigned> threads = 0;
    thread_local std::minstd_rand random(++threads);
    if (random() % 8 == 0) std::this_thread::yield();
  }
};

TEST(Cycles, AreFoundWhereTheyAreOnRandomGraphs) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 3000 / kFewer; ++round) {
    const auto states = static_cast<std::uint32_t>(1 + random() % 14);
    const auto degree = static_cast<std::uint32_t>(1 + random() % 3);
    const Marks all = (Marks{1} << random() % 4) - 1;
    const MarkedEdges edges = random_edges(random, states, degree, all);
    for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
      const MarkedGraph graph(edges, all, rule);
      const std::string what =
          "round " + std::to_string(round) + (rule == CycleRule::kTogether ? " together" : " every");
      expect_right(graph, round % 2 == 0 ? StoreKind::kExact : StoreKind::kTree, what);
      expect_right(graph, round % 2 == 0 ? StoreKind::kCompact : StoreKind::kBitstate, what + " nested");
      for (const unsigned threads : {1u, 2u, 4u}) {
        expect_right(graph, search_together<ExactStore>(graph, options_for(StoreKind::kExact), threads),
                     what + ", threads " + std::to_string(threads));
      }
      if (testing::Test::HasFailure()) return;
    }
  }
}

// Every graph with three states, at most one edge for each pair, each without, with one or with both marks.
TEST(Cycles, AreFoundWhereTheyAreOnAllSmallGraphs) {
  for (std::uint32_t code = 0; code < 4 * 4 * 4 * 4 * 4 * 4; code += kStride) {
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
        expect_right(graph, StoreKind::kExact, "graph " + std::to_string(code));
        expect_right(graph, StoreKind::kCompact, "nested, graph " + std::to_string(code));
        expect_right(graph, search_together<ExactStore>(graph, {}, 2),
                     "threads, graph " + std::to_string(code));
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

// Where the marks of a weak automaton are on the steps of whole components, both rules mean the same.
TEST(Cycles, OfWeakGraphsAreTheSameByBothRules) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t layers = 4, width = 6;
    MarkedEdges edges(layers * width);
    for (std::uint32_t state = 0; state < edges.size(); ++state) {
      const std::uint32_t layer = state / width;
      for (std::uint64_t i = random() % 3; i > 0; --i) {
        const std::uint64_t to = std::min<std::uint64_t>(layers - 1, layer + random() % 2);
        edges[state].push_back({static_cast<std::uint32_t>(to * width + random() % width), layer % 2});
      }
    }
    const MarkedGraph together(edges, 1, CycleRule::kTogether), every(edges, 1, CycleRule::kEveryStep);
    const SearchResult a = search_cycles(together, {}), b = search_cycles(every, {});
    EXPECT_EQ(a.outcome.index(), b.outcome.index()) << "round " << round;
  }
}

TEST(Cycles, HaveShortLassos) {
  // A long way round, which depth-first search takes first, and a short one; a cycle of 1000 and one of 2.
  constexpr std::uint32_t kLong = 1000;
  MarkedEdges edges(kLong + 2);
  for (std::uint32_t i = 0; i < kLong; ++i) edges[i].push_back({i + 1, 1});
  edges[0].push_back({kLong, 1});
  edges[kLong].push_back({kLong + 1, 1});
  edges[kLong + 1].push_back({0, 1});
  edges[kLong + 1].push_back({kLong, 1});
  for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
    const MarkedGraph graph(edges, 1, rule);
    const SearchResult result = search_cycles(graph, {});
    ASSERT_EQ(result.violations.size(), 1u);
    EXPECT_LE(result.violations[0].steps.size(), 3u);
  }
}

TEST(Cycles, OtherErrorsOnTheWayAreReportedWithTheShortestTrace) {
  MarkedEdges edges(6);
  for (std::uint32_t i = 0; i + 1 < edges.size(); ++i) edges[i].push_back({i + 1, 0});
  edges[0].push_back({4, 0});
  for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
    MarkedGraph graph(edges, 1, rule);
    graph.plant(4, {FindingKind::kAssertion, 9, StepId(0)});
    for (const StoreKind store : {StoreKind::kExact, StoreKind::kCompact, StoreKind::kBitstate}) {
      const SearchResult result = search_cycles(graph, options_for(store));
      ASSERT_EQ(result.violations.size(), 1u);
      EXPECT_EQ(result.violations[0].finding.kind, FindingKind::kAssertion);
      // What forgets its states has the trace of the path.
      if (keeps_states(store)) {
        EXPECT_EQ(result.violations[0].steps, step_names({1, 0}));
      }
      EXPECT_FALSE(result.violations[0].loop.has_value());
      EXPECT_EQ(result.statistics.findings, 1u);
    }
  }
}

TEST(Cycles, AnUnexpandedStateLeavesTheAnswerOpen) {
  MarkedEdges edges(5);
  for (std::uint32_t i = 0; i < 5; ++i) edges[i].push_back({(i + 1) % 5, 1});
  for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
    for (const StoreKind store : {StoreKind::kExact, StoreKind::kCompact}) {
      SearchOptions options = options_for(store);
      options.limits.depth = 3;
      const SearchResult result = search_cycles(MarkedGraph(edges, 1, rule), options);
      EXPECT_TRUE(std::holds_alternative<Unknown>(result.outcome)) << to_string(store);
    }
  }
}

// The example of nested_dfs.h: what one inner search has visited without closing a cycle is part of one.
TEST(Cycles, OfBadStepsAreFoundWhereTheWayDownIsNotOne) {
  const MarkedGraph graph({{{1, 0}, {2, 1}}, {{0, 1}}, {{0, 1}}}, 1, CycleRule::kEveryStep);
  for (const StoreKind store : {StoreKind::kExact, StoreKind::kCompact, StoreKind::kBitstate}) {
    expect_right(graph, store, to_string(store));
  }
}

// A cycle at the beginning, whose last state leads to very many others.
TEST(Cycles, AtTheBeginningAreFoundBeforeTheRestIsVisited) {
  constexpr std::uint32_t kStates = 100'000;
  MarkedEdges edges(kStates);
  for (std::uint32_t i = 2; i + 1 < kStates; ++i) edges[i].push_back({i + 1, 0});
  edges[0] = {{1, 1}};
  edges[1] = {{0, 1}, {2, 0}};
  for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
    const MarkedGraph graph(edges, 1, rule);
    for (const StoreKind store : {StoreKind::kExact, StoreKind::kCompact, StoreKind::kBitstate}) {
      const SearchResult result = search_cycles(graph, options_for(store));
      ASSERT_TRUE(std::holds_alternative<Violated>(result.outcome)) << to_string(store);
      EXPECT_EQ(result.statistics.states, 2u) << to_string(store);
      EXPECT_EQ(result.violations[0].steps, step_names({0, 0})) << to_string(store);
    }
  }
}

// The bad step leads to a state that was left, 2, and closes a cycle by way of it: the search of a store that
// does not keep states knows only when it has left the state that the step is from, 3.
TEST(Cycles, ThroughStatesThatWereLeftAreFoundAmongTheFirst) {
  constexpr std::uint32_t kStates = 100'000;
  MarkedEdges edges(kStates);
  for (std::uint32_t i = 4; i + 1 < kStates; ++i) edges[i].push_back({i + 1, 0});
  edges[0] = {{1, 0}};
  edges[1] = {{2, 0}, {3, 0}};
  edges[2] = {{0, 0}};
  edges[3] = {{2, 1}, {4, 0}};
  const MarkedGraph graph(edges, 1, CycleRule::kTogether);
  for (const StoreKind store : {StoreKind::kExact, StoreKind::kCompact, StoreKind::kBitstate}) {
    SearchOptions options = options_for(store);
    options.first_states = 100;
    const SearchResult result = search_cycles(graph, options);
    ASSERT_TRUE(std::holds_alternative<Violated>(result.outcome)) << to_string(store);
    EXPECT_EQ(result.statistics.states, 4u) << to_string(store);
    options.first_states = 3;
    EXPECT_TRUE(std::holds_alternative<Violated>(search_cycles(graph, options).outcome));
  }
}

// Every step of a long path is on a cycle that needs all marks, but one of them is missing.
TEST(Cycles, OfManyStatesAreFoundInStoresThatForget) {
  constexpr std::uint32_t kStates = 200'000;
  for (const bool is_bad : {false, true}) {
    MarkedEdges edges(kStates);
    for (std::uint32_t i = 0; i < kStates; ++i) edges[i].push_back({(i + 1) % kStates, Marks{1} << i % 2});
    if (is_bad) edges[kStates - 1][0].marks |= 4;
    const MarkedGraph graph(edges, 7, CycleRule::kTogether);
    SearchOptions options = options_for(StoreKind::kCompact);
    const SearchResult compact = search_cycles(graph, options);
    EXPECT_EQ(std::holds_alternative<Violated>(compact.outcome), is_bad);
    options = options_for(StoreKind::kBitstate);
    options.filter.bits = std::uint64_t{1} << 28;
    const SearchResult filter = search_cycles(graph, options);
    EXPECT_EQ(std::holds_alternative<Violated>(filter.outcome), is_bad);
    if (!is_bad) {
      // No state is left unvisited; with one count or another.
      EXPECT_GE(compact.statistics.states, kStates);
      EXPECT_EQ(compact.statistics.states, filter.statistics.states);
      EXPECT_GT(std::get<HoldsProbably>(compact.outcome).omission_probability, 0);
    }
  }
}

// A filter that is much too small misses cycles, but reports none that is not there.
TEST(Cycles, AreRealEvenWhereAFilterConfusesStates) {
  std::mt19937_64 random(3);
  int found = 0;
  for (int round = 0; round < 200; ++round) {
    const MarkedEdges edges = random_edges(random, 600, 3, 3);
    for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
      const MarkedGraph graph(edges, 3, rule);
      SearchOptions options = options_for(StoreKind::kBitstate);
      options.filter.bits = std::uint64_t{1} << FilterOptions::kLeastLogBits;
      const SearchResult result = search_cycles(graph, options);
      if (!std::holds_alternative<Violated>(result.outcome)) continue;
      ++found;
      expect_right(graph, result, "round " + std::to_string(round));
      ASSERT_FALSE(testing::Test::HasFailure());
    }
  }
  EXPECT_GT(found, 20);
}

// Layers of states, each with steps within the layer and a few to the next: large components and small ones,
// in which threads meet. Here and there all marks; with `spares_last` never the last within a component.
MarkedEdges random_layers(std::mt19937_64& random, Marks all, bool spares_last) {
  const auto width = static_cast<std::uint32_t>(1 + random() % 400);
  const std::uint32_t layers = 3000 / width;
  MarkedEdges edges(layers * width);
  for (std::uint32_t state = 0; state < edges.size(); ++state) {
    for (int i = 0; i < 3; ++i) {
      const std::uint64_t layer =
          std::min<std::uint64_t>(layers - 1, state / width + (random() % 8 == 0 ? 1 : 0));
      const bool stays = layer == state / width;
      const Marks marks = random() & all & (stays && spares_last ? all >> 1 : all);
      edges[state].push_back({static_cast<std::uint32_t>(layer * width + random() % width), marks});
    }
  }
  return edges;
}

// Returns whether there was nothing to find. What is counted does not depend on threads either.
bool expect_same(const MarkedGraph& graph, const SearchResult& alone, const SearchResult& together) {
  EXPECT_EQ(together.outcome.index(), alone.outcome.index());
  if (std::holds_alternative<Holds>(alone.outcome)) {
    EXPECT_EQ(together.statistics.states, alone.statistics.states);
    EXPECT_EQ(together.statistics.transitions, alone.statistics.transitions);
    EXPECT_EQ(together.statistics.matched, alone.statistics.matched);
    return true;
  }
  EXPECT_EQ(together.violations.size(), 1u);
  for (const Violation& violation : together.violations) {
    const ReplayResult replayed = replay(graph, {violation.steps, violation.finding, violation.loop});
    EXPECT_FALSE(std::holds_alternative<ReplayError>(replayed));
  }
  return false;
}

TEST(Cycles, AreTheSameForAnyNumberOfThreads) {
  std::mt19937_64 random(11);
  int held = 0;
  for (int round = 0; round < 60 / kFewer; ++round) {
    const Marks all = (Marks{1} << random() % 3) - 1;
    const MarkedEdges edges = random_layers(random, all, round % 2 == 0);
    for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
      const MarkedGraph graph(edges, all, rule);
      const SearchResult alone = search_cycles(graph, {});
      for (const unsigned threads : {1u, 2u, 3u, 4u}) {
        SCOPED_TRACE("round " + std::to_string(round) + " threads " + std::to_string(threads));
        const SearchOptions exact = options_for(StoreKind::kExact), tree = options_for(StoreKind::kTree);
        held += expect_same(graph, alone, search_together<ExactStore>(graph, exact, threads));
        held += expect_same(graph, alone, search_together<TreeStore>(graph, tree, threads));
      }
    }
  }
  EXPECT_GT(held, 100 / kFewer);
}

// Sets were once united that do not hang together, or half of them: between two steps of one thread that
// hardly ever have another's between them.
TEST(Cycles, AreTheSameHoweverThreadsMeet) {
  std::mt19937_64 random(12);
  for (int round = 0; round < 40 / kFewer; ++round) {
    const Marks all = (Marks{1} << random() % 3) - 1;
    const MarkedEdges edges = random_layers(random, all, round % 2 == 0);
    for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
      const MarkedGraph graph(edges, all, rule);
      const SearchResult alone = search_cycles(graph, {});
      for (const unsigned threads : {2u, 3u}) {
        SCOPED_TRACE("round " + std::to_string(round) + " threads " + std::to_string(threads));
        expect_same(graph, alone, search_together<ExactStore, RandomPause>(graph, {}, threads));
      }
    }
  }
}

// One thread comes to 1 2 3 4 and unites them, from the end on; meanwhile another, which has come to 4 1,
// finds the bad cycle of these. 3 cannot be reached from there but through 2.
TEST(Cycles, AreWalkedWhereAnotherThreadWasUniting) {
  const MarkedEdges edges = {{{1, 0}, {4, 0}}, {{2, 0}, {4, 1}}, {{3, 0}}, {{4, 0}}, {{1, 0}}};
  const MarkedGraph graph(edges, 1, CycleRule::kTogether);
  const SearchResult alone = search_cycles(graph, {});
  for (int round = 0; round < 1000; ++round) {
    expect_same(graph, alone, search_together<ExactStore, RandomPause>(graph, {}, 3));
  }
}

// A store that threads cannot share is used by one of them.
class UnsharedStore : public ExactStore {
 public:
  static constexpr bool kIsShared = false;
};

TEST(Cycles, AreFoundInAStoreThatIsNotShared) {
  SearchOptions options;
  options.threads = 3;
  for (const CycleRule rule : {CycleRule::kEveryStep, CycleRule::kTogether}) {
    const MarkedGraph good({{{1}}, {{0}}}, 1, rule), bad({{{1, 1}}, {{0, 1}}}, 1, rule);
    EXPECT_TRUE(std::holds_alternative<Holds>(search_cycles_with<UnsharedStore>(good, options).outcome));
    EXPECT_TRUE(std::holds_alternative<Violated>(search_cycles_with<UnsharedStore>(bad, options).outcome));
  }
}

TEST(Cycles, AllErrorsAreFoundBySeveralThreads) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 100 / kFewer; ++round) {
    const MarkedEdges edges = random_edges(random, 300, 4, 1);
    for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
      MarkedGraph graph(edges, 1, rule);
      for (std::uint32_t i = 0; i < 300; i += 20) {
        graph.plant(i, {FindingKind::kAssertion, i, Finding::kStateItself});
      }
      SearchOptions options;
      options.all_errors = true;
      const SearchResult alone = search_cycles(graph, options);
      const SearchResult together = search_together<ExactStore>(graph, options, 3);
      EXPECT_EQ(together.violations.size(), alone.violations.size());
      EXPECT_EQ(alone.statistics.states, reachable(edges).size());
      EXPECT_EQ(together.statistics.states, alone.statistics.states);
      for (const Violation& violation : together.violations) {
        const ReplayResult replayed = replay(graph, {violation.steps, violation.finding, violation.loop});
        EXPECT_FALSE(std::holds_alternative<ReplayError>(replayed));
      }
    }
  }
}

// Through the front door: the first thread begins alone, then shares.
TEST(Cycles, OfManyStatesAreFoundBySeveralThreads) {
  constexpr std::uint32_t kStates = 60'000;
  std::mt19937_64 random(13);
  for (const bool is_bad : {false, true}) {
    MarkedEdges edges(kStates);
    for (std::uint32_t i = 0; i < kStates; ++i) {
      edges[i].push_back({(i + 1) % kStates, i % 2});
      edges[i].push_back({static_cast<std::uint32_t>(random() % kStates), 1});
    }
    if (is_bad) edges[kStates - 1].push_back({kStates - 1, 3});
    for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
      const MarkedGraph graph(edges, 3, rule);
      for (const StoreKind store : {StoreKind::kExact, StoreKind::kTree}) {
        SearchOptions options = options_for(store);
        options.threads = 4;
        const SearchResult result = search_cycles(graph, options);
        EXPECT_EQ(std::holds_alternative<Violated>(result.outcome), is_bad);
        if (!is_bad) {
          EXPECT_EQ(result.statistics.states, kStates);
        }
        options.limits.memory_bytes = 1;
        const SearchResult limited = search_cycles(graph, options);
        EXPECT_EQ(limited.limit, LimitHit::kMemory);
        options.limits.memory_bytes = 0;
        options.numbers = {4096};
        const SearchResult numbered = search_cycles(graph, options);
        EXPECT_TRUE(numbered.limit == LimitHit::kStateNumbers ||
                    std::holds_alternative<Violated>(numbered.outcome));
      }
    }
  }
}

TEST(Cycles, AreNotLookedForWithReductionsWhereStatesAreForgotten) {
  const MarkedGraph graph(MarkedEdges(1), 1, CycleRule::kTogether);
  SearchOptions options;
  options.store = StoreKind::kCompact;
  options.reduce = true;
  EXPECT_THROW(search_cycles(graph, options), std::invalid_argument);
}

// A trace that was tampered with must not pass.
TEST(Cycles, ReplayRefusesAnOpenOrGoodLoop) {
  const MarkedGraph graph({{{1, 0}}, {{0, 0}, {1, 1}}}, 1, CycleRule::kTogether);
  const auto reason = [&](std::vector<StepId> steps, std::size_t loop) {
    const ReplayResult result = replay(graph, {std::move(steps), graph.cycle(), loop});
    const auto* error = std::get_if<ReplayError>(&result);
    return error == nullptr ? std::string() : error->message();
  };
  EXPECT_EQ(reason(step_names({0, 1}), 1), "");
  EXPECT_NE(reason(step_names({0, 1}), 0), "");
  EXPECT_NE(reason(step_names({0, 1}), 2), "");
  EXPECT_EQ(reason(step_names({0, 0}), 0), "the cycle is there, but it is not a violation");
}

}  // namespace
}  // namespace spoor
