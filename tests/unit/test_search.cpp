#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/fixed.h"
#include "graph/graph_system.h"
#include "graph/random.h"
#include "model/trace.h"
#include "search/bfs.h"
#include "search/core.h"
#include "search/dfs.h"
#include "search/search.h"
#include "store/exact.h"
#include "unit/counters.h"
#include "unit/instrumented.h"
#include "unit/random_fixed_graph.h"
#include "unit/reference_checker.h"
#include "unit/step_names.h"

namespace spoor {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Every violation must replay and must be among those that the reference knows.
void expect_violations_are_real(const TransitionSystem& system, const SearchResult& result,
                                const reference::Exploration& truth) {
  std::set<reference::Defect> reported;
  for (const Violation& violation : result.violations) {
    const reference::Defect defect(violation.finding.kind, violation.finding.identity);
    ASSERT_TRUE(truth.shortest.contains(defect));
    ASSERT_TRUE(reported.insert(defect).second) << "reported twice";
    const ReplayResult replayed = replay(system, {violation.steps, violation.finding});
    if (const auto* error = std::get_if<ReplayError>(&replayed)) FAIL() << error->message();
  }
}

// The verdict of a search that has seen everything and found nothing.
bool is_clean(const SearchResult& result, StoreKind store) {
  return traits_of(store).confuses_states ? std::holds_alternative<HoldsProbably>(result.outcome)
                                          : std::holds_alternative<Holds>(result.outcome);
}

// Compares a complete search with the reference.
void expect_sees_everything(const TransitionSystem& system, Order order, StoreKind store,
                            const reference::Exploration& truth) {
  const SearchResult result = search(system, options_for(order, true, store));
  ASSERT_EQ(result.statistics.states, truth.distance.size());
  ASSERT_EQ(result.statistics.transitions, truth.arrivals());
  ASSERT_EQ(result.statistics.matched, truth.arrivals() - truth.distance.size());
  ASSERT_EQ(result.statistics.findings, truth.findings);
  ASSERT_EQ(result.executed, truth.executed);
  ASSERT_EQ(result.limit, std::nullopt);
  ASSERT_EQ(std::holds_alternative<Violated>(result.outcome), !truth.shortest.empty());
  ASSERT_EQ(is_clean(result, store), truth.shortest.empty());
  ASSERT_EQ(result.violations.size(), truth.shortest.size());
  expect_violations_are_real(system, result, truth);
  if (order != Order::kBreadthFirst) {
    ASSERT_GE(result.statistics.depth, truth.depth);
    ASSERT_LT(result.statistics.depth, truth.distance.size());
    return;
  }
  ASSERT_EQ(result.statistics.depth, truth.depth);
  for (const Violation& violation : result.violations) {
    const reference::Defect defect(violation.finding.kind, violation.finding.identity);
    ASSERT_EQ(violation.steps.size(), truth.shortest.at(defect));
  }
}

// Compares a search that stops at the first violation with the reference.
void expect_finds_the_first(const TransitionSystem& system, Order order, StoreKind store,
                            const reference::Exploration& truth) {
  const SearchResult result = search(system, options_for(order, false, store));
  ASSERT_EQ(std::holds_alternative<Violated>(result.outcome), !truth.shortest.empty());
  ASSERT_EQ(is_clean(result, store), truth.shortest.empty());
  ASSERT_EQ(result.violations.size(), truth.shortest.empty() ? 0u : 1u);
  expect_violations_are_real(system, result, truth);
  if (order == Order::kBreadthFirst && !truth.shortest.empty()) {
    ASSERT_EQ(result.violations.front().steps.size(), truth.shortest_of_all());
  }
}

void expect_agrees_with_reference(const TransitionSystem& system, StoreKind store = StoreKind::kExact) {
  const reference::Exploration truth = reference::explore(system);
  for (const Order order : all_orders(store)) {
    SCOPED_TRACE(to_string(order));
    expect_sees_everything(system, order, store, truth);
    expect_finds_the_first(system, order, store, truth);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// The graph on `nodes` nodes whose adjacency matrix is the bits of `code`.
Edges edges_of_code(std::uint32_t nodes, std::uint32_t code) {
  Edges edges;
  for (std::uint32_t i = 0; i < nodes * nodes; ++i) {
    if ((code >> i & 1) != 0) edges.emplace_back(i / nodes, i % nodes);
  }
  return edges;
}

TEST(Search, AgreesWithTheReferenceOnAllGraphsOfUpToFourNodes) {
  for (std::uint32_t nodes = 1; nodes <= 4; ++nodes) {
    const std::uint32_t stride = kIsInstrumented && nodes == 4 ? 19 : 1;
    for (std::uint32_t code = 0; code < std::uint32_t{1} << (nodes * nodes); code += stride) {
      FixedGraphOptions options;
      options.edges = edges_of_code(nodes, code);
      options.is_ragged = code % 2 == 1;
      expect_agrees_with_reference(FixedGraph(std::move(options)));
      ASSERT_FALSE(testing::Test::HasFailure()) << nodes << " nodes, graph " << code;
    }
  }
}

// Every place where one defect can be planted in a graph: each state, each edge that fails and goes
// on, each edge that fails and does not.
std::vector<PlantedFinding> places_for_defects(const Edges& edges, std::uint32_t nodes,
                                               std::uint32_t identity) {
  std::vector<PlantedFinding> places;
  for (std::uint32_t state = 0; state < nodes; ++state) {
    places.push_back({state, {FindingKind::kAssertion, identity, Finding::kStateItself}, false});
    const auto degree =
        std::count_if(edges.begin(), edges.end(), [&](const auto& edge) { return edge.first == state; });
    for (StepId step; step < StepId(degree); step = step.next()) {
      places.push_back({state, {FindingKind::kAssertion, identity, step}, false});
      places.push_back({state, {FindingKind::kAssertion, identity, step}, true});
    }
  }
  return places;
}

TEST(Search, AgreesWithTheReferenceOnAllPairsOfDefectsInAllGraphsOfThreeNodes) {
  constexpr std::uint32_t kNodes = 3;
  constexpr std::uint32_t kStride = kIsInstrumented ? 11 : 1;  // prime to 2 and 3, which decide below
  for (std::uint32_t code = 0; code < std::uint32_t{1} << (kNodes * kNodes); code += kStride) {
    const Edges edges = edges_of_code(kNodes, code);
    const auto first = places_for_defects(edges, kNodes, 1);
    // Odd graphs have the same defect in two places, even ones two defects.
    const auto second = places_for_defects(edges, kNodes, code % 2 == 1 ? 1 : 2);
    for (std::size_t i = 0; i < first.size(); ++i) {
      for (std::size_t k = i; k < second.size(); k += 1 + code % 3) {
        FixedGraphOptions options;
        options.edges = edges;
        options.planted = {first[i], second[k]};
        options.has_deadlocks = false;
        expect_agrees_with_reference(FixedGraph(std::move(options)));
        ASSERT_FALSE(testing::Test::HasFailure()) << "graph " << code << ", " << i << ", " << k;
      }
    }
  }
}

TEST(Search, AgreesWithTheReferenceOnThousandsOfRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= (kIsInstrumented ? 200 : 3'000); ++seed) {
    for (const StoreKind store : all_stores()) {
      expect_agrees_with_reference(FixedGraph(random_fixed_graph(seed)), store);
      ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << ", " << to_string(store);
    }
  }
}

TEST(Search, FindsTheSameTracesWithEveryStore) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const FixedGraph system(random_fixed_graph(seed));
    for (const Order order : all_orders()) {
      const SearchResult exact = search(system, options_for(order, true));
      for (const StoreKind store : all_stores()) {
        if (!can_search(order, store)) continue;
        const SearchResult other = search(system, options_for(order, true, store));
        ASSERT_EQ(other.statistics.depth, exact.statistics.depth);
        ASSERT_EQ(other.violations.size(), exact.violations.size());
        for (std::size_t i = 0; i < exact.violations.size(); ++i) {
          ASSERT_EQ(other.violations[i].steps, exact.violations[i].steps)
              << "seed " << seed << ", " << to_string(store);
        }
      }
    }
  }
}

TEST(Search, CountsTheStatesAndTransitionsOfALargeSystemWithEveryStore) {
  for (const StoreKind store : all_stores()) {
    if (traits_of(store).is_filter) continue;  // it would miss some
    for (const Order order : all_orders(store)) {
      const SearchResult result = search(Counters(6, 8), options_for(order, false, store));
      EXPECT_TRUE(is_clean(result, store));
      EXPECT_EQ(result.statistics.states, 262'144u);
      EXPECT_EQ(result.statistics.transitions, 1 + 6 * 262'144u);
    }
    if (!can_search(Order::kBreadthFirst, store)) continue;
    for (const std::size_t digits : {11u, 13u, 17u}) {
      const SearchResult result =
          search(Counters(digits, 2), options_for(Order::kBreadthFirst, false, store));
      EXPECT_EQ(result.statistics.states, std::uint64_t{1} << digits);
      EXPECT_EQ(result.statistics.depth, digits);
    }
  }
}

TEST(Search, ACompactStoreStatesTheChanceOfAnOmission) {
  const SearchResult result =
      search(Counters(6, 8), options_for(Order::kBreadthFirst, false, StoreKind::kCompact));
  const double states = 262'144;
  EXPECT_DOUBLE_EQ(std::get<HoldsProbably>(result.outcome).omission_probability,
                   states * (states - 1) / 0x1p65);
}

TEST(Search, ATreeNeedsAFractionOfTheMemory) {
  const Counters system(40, 2);
  std::uint64_t states[2];
  for (int i = 0; i < 2; ++i) {
    SearchOptions options =
        options_for(Order::kBreadthFirst, false, i == 0 ? StoreKind::kExact : StoreKind::kTree);
    options.limits.memory_bytes = 20'000'000;
    states[i] = search(system, options).statistics.states;
  }
  EXPECT_GT(states[1], 2 * states[0]);
}

TEST(Search, CountsTheStatesAndTransitionsOfALargeSystem) {
  const Counters system(6, 8);
  for (const Order order : all_orders()) {
    const SearchResult result = search(system, options_for(order, false));
    EXPECT_TRUE(std::holds_alternative<Holds>(result.outcome));
    EXPECT_EQ(result.statistics.states, 262'144u);
    EXPECT_EQ(result.statistics.transitions, 1 + 6 * 262'144u);
    EXPECT_EQ(result.statistics.inner_steps, 2 * 262'144u);
    EXPECT_GT(result.statistics.elapsed_s, 0);
    EXPECT_GT(result.statistics.cpu_s, 0);
    EXPECT_GT(result.statistics.memory_bytes, 262'144u * 16);
  }
  EXPECT_EQ(search(system, options_for(Order::kBreadthFirst, false)).statistics.depth, 6u * 7);
}

TEST(Search, ReportsADeadlockRatherThanALongerAssertionOfTheSameLevel) {
  FixedGraphOptions graph;
  graph.edges = {{0, 1}, {0, 2}, {1, 0}};
  graph.planted = {{1, {FindingKind::kAssertion, 7, StepId(0)}, false}};
  const FixedGraph system(graph);
  const SearchResult result = search(system, options_for(Order::kBreadthFirst, false));
  ASSERT_EQ(result.violations.size(), 1u);
  EXPECT_EQ(result.violations[0].finding.kind, FindingKind::kDeadlock);
  EXPECT_EQ(result.violations[0].steps, step_names({1}));
}

TEST(Search, IgnoresFindingsOfKindsThatDoNotCount) {
  FixedGraphOptions graph;
  graph.edges = {{0, 1}, {1, 2}};
  graph.planted = {{0, {FindingKind::kAssertion, 7, StepId(0)}, false}};
  const FixedGraph system(graph);
  for (const Order order : all_orders()) {
    SearchOptions options = options_for(order, true);
    options.counted = FindingKinds::all().without(FindingKind::kDeadlock);
    SearchResult result = search(system, options);
    ASSERT_EQ(result.violations.size(), 1u);
    EXPECT_EQ(result.violations[0].finding.kind, FindingKind::kAssertion);
    EXPECT_EQ(result.statistics.findings, 1u);
    EXPECT_EQ(result.statistics.states, 3u) << "the search goes on past a failed assertion";

    options.counted = FindingKinds::none();
    EXPECT_TRUE(std::holds_alternative<Holds>(search(system, options).outcome));
    options.counted = FindingKinds::none().with(FindingKind::kDeadlock);
    result = search(system, options);
    ASSERT_EQ(result.violations.size(), 1u);
    EXPECT_EQ(result.violations[0].steps, step_names({0, 0}));
  }
}

TEST(Search, ReportsADefectOnceHoweverOftenItOccurs) {
  // A binary tree of depth 3 whose leaves are all deadlocks.
  FixedGraphOptions graph;
  for (std::uint32_t i = 0; i < 7; ++i) {
    graph.edges.emplace_back(i, 2 * i + 1);
    graph.edges.emplace_back(i, 2 * i + 2);
  }
  for (const Order order : all_orders()) {
    const SearchResult result = search(FixedGraph(graph), options_for(order, true));
    EXPECT_EQ(result.violations.size(), 1u);
    EXPECT_EQ(result.statistics.findings, 8u);
  }
}

TEST(Search, DepthFirstKeepsTheFirstTraceOfADefect) {
  // 0 -> 1 -> 2 -> 3 (deadlock) comes before 0 -> 4 (deadlock).
  FixedGraphOptions graph;
  graph.edges = {{0, 1}, {1, 2}, {2, 3}, {0, 4}};
  const FixedGraph system(graph);
  const SearchResult deep = search(system, options_for(Order::kDepthFirst, true));
  ASSERT_EQ(deep.violations.size(), 1u);
  EXPECT_EQ(deep.violations[0].steps, step_names({0, 0, 0}));
  EXPECT_EQ(deep.statistics.depth, 3u);
  const SearchResult broad = search(system, options_for(Order::kBreadthFirst, true));
  EXPECT_EQ(broad.violations[0].steps, step_names({1}));
}

// --- limits

TEST(Search, ADepthLimitMakesTheOutcomeUnknownExactlyWhenItCutsSomethingOff) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    FixedGraphOptions graph = random_fixed_graph(seed);
    graph.planted.clear();
    graph.has_deadlocks = false;
    const FixedGraph system(std::move(graph));
    const std::size_t depth = reference::explore(system).depth;
    for (std::size_t limit = 1; limit <= depth + 2; ++limit) {
      const auto truth = reference::explore(system, {{}, limit});
      SearchOptions options = options_for(Order::kBreadthFirst, false);
      options.limits.depth = limit;
      const SearchResult result = search(system, options);
      ASSERT_EQ(result.statistics.states, truth.distance.size());
      ASSERT_EQ(result.statistics.transitions, truth.arrivals());
      ASSERT_EQ(result.limit.has_value(), truth.is_cut);
      ASSERT_EQ(std::holds_alternative<Holds>(result.outcome), !truth.is_cut);
      if (truth.is_cut) {
        ASSERT_EQ(std::get<Unknown>(result.outcome).limit, LimitHit::kDepth);
      }

      options.order = Order::kDepthFirst;
      const SearchResult deep = search(system, options);
      ASSERT_LE(deep.statistics.depth, limit);
      if (truth.is_cut) {
        ASSERT_EQ(std::get<Unknown>(deep.outcome).limit, LimitHit::kDepth);
      }
      if (std::holds_alternative<Holds>(deep.outcome)) {
        ASSERT_EQ(deep.statistics.states, reference::explore(system).distance.size());
      }
    }
  }
}

TEST(Search, AViolationWithinTheDepthLimitIsReportedBesideTheLimit) {
  FixedGraphOptions graph;
  graph.edges = {{0, 1}, {1, 2}, {2, 3}};
  graph.planted = {{0, {FindingKind::kAssertion, 1, StepId(0)}, false}};
  for (const Order order : all_orders()) {
    SearchOptions options = options_for(order, true);
    options.limits.depth = 2;
    const SearchResult result = search(FixedGraph(graph), options);
    EXPECT_TRUE(std::holds_alternative<Violated>(result.outcome));
    EXPECT_EQ(result.violations.size(), 1u) << "the deadlock lies beyond the limit";
    EXPECT_EQ(result.limit, LimitHit::kDepth);
    EXPECT_EQ(result.statistics.states, 3u);
    EXPECT_EQ(result.statistics.depth, 2u);
  }
}

TEST(Search, AMemoryLimitIsKeptWithinFivePercent) {
  const Counters system(12, 4);
  for (const auto& [order, store] :
       {std::pair(Order::kBreadthFirst, StoreKind::kExact), std::pair(Order::kDepthFirst, StoreKind::kExact),
        std::pair(Order::kBreadthFirst, StoreKind::kTree), std::pair(Order::kDepthFirst, StoreKind::kTree),
        std::pair(Order::kBreadthFirst, StoreKind::kCompact),
        std::pair(Order::kDepthFirst, StoreKind::kCompact)}) {
    for (const std::uint64_t limit : {500'000u, 3'000'000u, 10'000'000u, 27'000'000u}) {
      SearchOptions options = options_for(order, false, store);
      options.limits.memory_bytes = limit;
      const SearchResult result = search(system, options);
      ASSERT_TRUE(std::holds_alternative<Unknown>(result.outcome));
      EXPECT_EQ(std::get<Unknown>(result.outcome).limit, LimitHit::kMemory);
      EXPECT_GT(result.statistics.memory_bytes, limit);
      EXPECT_LE(result.statistics.memory_bytes, limit + limit / 20)
          << to_string(order) << ", " << to_string(store) << ", " << limit;
      // A depth-first path of nearly all states, each with eleven successors to come, is the worst
      // case.
      EXPECT_GT(result.statistics.states, limit / (order == Order::kBreadthFirst ? 100 : 1'100));
    }
  }
}

TEST(Search, ATimeLimitEndsASearchThatWouldTakeYears) {
  const Counters system(30, 16);
  for (const Order order : all_orders()) {
    SearchOptions options = options_for(order, false);
    options.limits.seconds = 0.05;
    options.limits.memory_bytes = std::uint64_t{1} << 30;
    const SearchResult result = search(system, options);
    ASSERT_TRUE(std::holds_alternative<Unknown>(result.outcome));
    EXPECT_EQ(std::get<Unknown>(result.outcome).limit, LimitHit::kTime);
    EXPECT_GE(result.statistics.elapsed_s, 0.05);
    EXPECT_LT(result.statistics.elapsed_s, 5);
    EXPECT_GT(result.statistics.states, 0u);
  }
}

TEST(Search, RunningOutOfMemoryIsAnOutcome) {
  class Exhausting : public Counters {
   public:
    Exhausting() : Counters(6, 8), statements_(3) {}
    void expand(StateBytes state, Expansion& out) const override {
      Counters::expand(state, out);
      out.executed_flags(statements_.size())[1] = 1;
      if (++expanded_ == 1'000) throw std::bad_alloc();
    }
    const std::vector<Element>& statements() const override { return statements_; }

   private:
    std::vector<Element> statements_;
    mutable int expanded_ = 0;
  };
  for (const Order order : all_orders()) {
    const SearchResult result = search(Exhausting(), options_for(order, false));
    ASSERT_TRUE(std::holds_alternative<Unknown>(result.outcome));
    EXPECT_EQ(std::get<Unknown>(result.outcome).limit, LimitHit::kOutOfMemory);
    EXPECT_GE(result.statistics.states, 1'000u);
    EXPECT_EQ(result.executed, (std::vector<std::uint8_t>{0, 1, 0}));
  }
}

// A state number has 32 bits; here the stores have fewer numbers.
TEST(Search, RunningOutOfStateNumbersIsAnOutcomeOfItsOwn) {
  constexpr std::uint64_t kNumbers = 4096;
  std::vector<StoreKind> all = remembering_stores();
  all.push_back(StoreKind::kAuto);
  for (const StoreKind store : all) {
    for (const Order order : all_orders(store)) {
      for (const unsigned threads : {1, 3}) {
        SearchOptions options = options_for(order, false, store);
        options.filter.bits = 1 << 20;
        options.numbers = {kNumbers};
        options.threads = threads;
        options.limits.memory_bytes = std::uint64_t{1} << 32;
        const SearchResult result = search(Counters(6, 6), options);
        ASSERT_TRUE(std::holds_alternative<Unknown>(result.outcome)) << to_string(store);
        EXPECT_EQ(std::get<Unknown>(result.outcome).limit, LimitHit::kStateNumbers) << to_string(store);
        EXPECT_EQ(result.limit, LimitHit::kStateNumbers);
        // Another store that numbers states is no help.
        if (store == StoreKind::kAuto) {
          EXPECT_EQ(result.store, StoreKind::kExact);
        }
        EXPECT_LE(result.statistics.states, kNumbers);
        if (threads == 1) {  // those of the last expansion are not counted
          EXPECT_GT(result.statistics.states, kNumbers - 100);
        }
        options.numbers = {2 * 46'656};
        EXPECT_EQ(search(Counters(6, 6), options).limit, std::nullopt);
      }
    }
  }
}

// --- progress

struct Progress : ProgressListener {
  void on_progress(const Statistics& statistics, std::span<const Level>) override {
    told.push_back(statistics);
  }
  std::vector<Statistics> told;
};

TEST(Search, AnInterruptEndsItWithFigures) {
  struct InterruptAtThousand : Counters {
    InterruptAtThousand() : Counters(6, 8) {}
    void expand(StateBytes state, Expansion& out) const override {
      if (++expanded == 1'000) interrupt = true;
      Counters::expand(state, out);
    }
    mutable std::size_t expanded = 0;
    mutable std::atomic<bool> interrupt{false};
  };
  for (const Order order : all_orders()) {
    const InterruptAtThousand system;
    SearchOptions options = options_for(order, true);
    options.limits.interrupt = &system.interrupt;
    const SearchResult result = search(system, options);
    ASSERT_TRUE(std::holds_alternative<Unknown>(result.outcome));
    EXPECT_EQ(std::get<Unknown>(result.outcome).limit, LimitHit::kInterrupted);
    EXPECT_GE(result.statistics.states, 1'000u);
    EXPECT_LT(system.expanded, 1'300u) << "the search went on for long";
  }
}

TEST(Search, TellsOfItsProgress) {
  for (const Order order : all_orders()) {
    Progress progress;
    SearchOptions options = options_for(order, true);
    options.progress = &progress;
    options.progress_interval_s = 1e-9;
    const SearchResult result = search(Counters(5, 6), options);
    ASSERT_GT(progress.told.size(), 10u);
    for (std::size_t i = 1; i < progress.told.size(); ++i) {
      ASSERT_GE(progress.told[i].states, progress.told[i - 1].states);
      ASSERT_GE(progress.told[i].elapsed_s, progress.told[i - 1].elapsed_s);
    }
    EXPECT_LE(progress.told.back().states, result.statistics.states);
  }
}

// What an expansion says of its memory is what the search would count of it anyway, not more.
TEST(Search, CountsTheMemoryOfAnExpansionOnce) {
  class Asking : public Counters {
   public:
    Asking() : Counters(5, 6) {}
    void expand(StateBytes state, Expansion& out) const override {
      out.arena.reserve(std::size_t{40} << 20);
      out.was_cut = out.asked.budget != nullptr && out.asked.budget->is_exhausted(out.arena.capacity());
      if (!out.was_cut) Counters::expand(state, out);
    }
  };
  for (const Order order : all_orders()) {
    SearchOptions options = options_for(order, true);
    options.limits.memory_bytes = std::uint64_t{70} << 20;
    EXPECT_TRUE(std::holds_alternative<Holds>(search(Asking(), options).outcome));
    options.limits.memory_bytes = std::uint64_t{30} << 20;
    EXPECT_TRUE(std::holds_alternative<Unknown>(search(Asking(), options).outcome));
  }
}

// --- other stores than the default

// Puts all states into eight chains: whatever the hash, the answer must be the same.
class NarrowStore : public ExactStore {
 public:
  void prefetch(std::uint64_t hash) const { ExactStore::prefetch(hash & 7); }
  std::uint64_t prefetch_state(std::uint64_t hash) const { return ExactStore::prefetch_state(hash & 7); }
  void prefetch_states(const std::uint64_t* hashes, std::size_t count, std::uint64_t* hints) const {
    for (std::size_t i = 0; i < count; ++i) hints[i] = prefetch_state(hashes[i]);
  }
  Insertion insert(Writer& writer, std::uint64_t hash, std::span<const std::byte> bytes,
                   std::uint64_t hint = 0) {
    return ExactStore::insert(writer, hash & 7, bytes, hint);
  }
  Insertion insert(Writer& writer, std::uint64_t hash, std::span<const std::byte> bytes, std::uint64_t hint,
                   const Code& code) {
    return ExactStore::insert(writer, hash & 7, bytes, hint, code);
  }
};

class LossyStore : public ExactStore {
 public:
  static constexpr bool kConfusesStates = true;
  double omission_probability() const { return 0.25; }
};

template <template <class> class Strategy, class Store>
SearchResult search_with(const TransitionSystem& system, const SearchOptions& options) {
  SearchCore<Store> core(system, options);
  Strategy<Store>(core).run();
  return core.finish();
}

TEST(Search, DoesNotDependOnTheHash) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const FixedGraph system(random_fixed_graph(seed));
    const SearchOptions options = options_for(Order::kBreadthFirst, true);
    const SearchResult narrow = search_with<BreadthFirst, NarrowStore>(system, options);
    const SearchResult wide = search(system, options);
    ASSERT_EQ(narrow.statistics.states, wide.statistics.states);
    ASSERT_EQ(narrow.statistics.transitions, wide.statistics.transitions);
    ASSERT_EQ(narrow.violations.size(), wide.violations.size());
    for (std::size_t i = 0; i < narrow.violations.size(); ++i) {
      ASSERT_EQ(narrow.violations[i].steps, wide.violations[i].steps);
    }
    const SearchResult deep = search_with<DepthFirst, NarrowStore>(system, options);
    ASSERT_EQ(deep.statistics.transitions, wide.statistics.transitions);
  }
}

TEST(Search, AStoreThatConfusesStatesNeverYieldsHolds) {
  const SearchOptions options = options_for(Order::kBreadthFirst, false);
  const SearchResult clean = search_with<BreadthFirst, LossyStore>(Counters(3, 3), options);
  ASSERT_TRUE(std::holds_alternative<HoldsProbably>(clean.outcome));
  EXPECT_EQ(std::get<HoldsProbably>(clean.outcome).omission_probability, 0.25);
  const SearchResult deep = search_with<DepthFirst, LossyStore>(Counters(3, 3), options);
  EXPECT_TRUE(std::holds_alternative<HoldsProbably>(deep.outcome));

  FixedGraphOptions graph;
  graph.edges = {{0, 1}};
  const SearchResult wrong = search_with<BreadthFirst, LossyStore>(FixedGraph(graph), options);
  EXPECT_TRUE(std::holds_alternative<Violated>(wrong.outcome));
}

// A system that answers differently when it is asked again cannot be checked, and must not be
// reported on.
TEST(Search, ASystemThatChangesItsMindIsABugAndNotAVerdict) {
  class Fickle : public Counters {
   public:
    Fickle() : Counters(2, 4) {}
    void expand(StateBytes state, Expansion& out) const override {
      if (asked_++ < 6) {
        Counters::expand(state, out);
      } else {
        out.findings.push_back({FindingKind::kDeadlock, 0, Finding::kStateItself});
      }
    }

   private:
    mutable int asked_ = 0;
  };
  EXPECT_THROW(search(Fickle(), options_for(Order::kBreadthFirst, false)), std::logic_error);
}

TEST(Search, NamesOrdersAndLimits) {
  EXPECT_STREQ(to_string(Order::kBreadthFirst), "breadth-first");
  EXPECT_STREQ(to_string(Order::kDepthFirst), "depth-first");
  EXPECT_STREQ(to_string(StoreKind::kExact), "exact");
  EXPECT_STREQ(to_string(StoreKind::kTree), "tree");
  EXPECT_STREQ(to_string(StoreKind::kCompact), "compact");
  EXPECT_STREQ(to_string(StoreKind::kBitstate), "bitstate");
  EXPECT_STREQ(to_string(LimitHit::kTime), "time");
  EXPECT_STREQ(to_string(LimitHit::kMemory), "memory");
  EXPECT_STREQ(to_string(LimitHit::kOutOfMemory), "out-of-memory");
  EXPECT_STREQ(to_string(LimitHit::kStateNumbers), "state-numbers");
  EXPECT_STREQ(to_string(LimitHit::kPath), "path");
  EXPECT_STREQ(to_string(LimitHit::kDepth), "depth");
  EXPECT_STREQ(to_string(LimitHit::kInterrupted), "interrupted");
  EXPECT_STREQ(to_string(LimitHit::kObserver), "observer");
}

// Knows states by their numbers until the end, unless it is left behind.
class NumberObserver : public Observer {
 public:
  explicit NumberObserver(bool may_be_left_behind) : may_be_left_behind_(may_be_left_behind) {}
  std::unique_ptr<WorkerObserver> make_worker_observer() override {
    return std::make_unique<WorkerObserver>();
  }
  void merge(WorkerObserver&) override { ++ended_workers; }
  bool may_be_left_behind() const override { return may_be_left_behind_; }
  void on_end(KeptStates&) override { is_told_the_end = true; }

  int ended_workers = 0;
  bool is_told_the_end = false;

 private:
  const bool may_be_left_behind_;
};

TEST(Search, GoesOnWithoutAnObserverThatMayBeLeftBehind) {
  for (const bool may_be_left_behind : {false, true}) {
    NumberObserver observer(may_be_left_behind);
    SearchOptions tight;
    tight.store = StoreKind::kAuto;
    tight.limits.memory_bytes = 20'000'000;
    tight.observer = &observer;
    const SearchResult result = search(Counters(6, 9), tight);
    EXPECT_EQ(result.store, may_be_left_behind ? StoreKind::kTree : StoreKind::kExact);
    EXPECT_EQ(observer.is_told_the_end, !may_be_left_behind);
    EXPECT_EQ(observer.ended_workers, 1);
    // Where there is memory enough, it is not.
    NumberObserver another(may_be_left_behind);
    SearchOptions ample = tight;
    ample.limits.memory_bytes = 500'000'000;
    ample.observer = &another;
    EXPECT_EQ(search(Counters(6, 9), ample).statistics.states, 531'441u);
    EXPECT_TRUE(another.is_told_the_end);
  }
}

// Whatever the store and the number of threads.
TEST(Search, TellsTheSizesOfItsLevels) {
  for (const StoreKind store : {StoreKind::kExact, StoreKind::kTree, StoreKind::kCompact, StoreKind::kAuto}) {
    for (const unsigned threads : {1u, 3u}) {
      SearchOptions options;
      options.store = store;
      options.threads = threads;
      const SearchResult result = search(Counters(4, 12), options);
      std::uint64_t states = 0, transitions = 1;
      for (const Level& level : result.levels) {
        EXPECT_EQ(level.transitions, transitions) << to_string(store) << threads;
        states += level.states;
        transitions += 4 * level.states;
      }
      EXPECT_EQ(states, 20'736u);
      EXPECT_EQ(transitions, result.statistics.transitions);
      EXPECT_EQ(result.levels.size(), 45u);
    }
  }
  SearchOptions deep;
  deep.order = Order::kDepthFirst;
  EXPECT_TRUE(search(Counters(4, 12), deep).levels.empty());
  // Where the store is changed on the way.
  SearchOptions tight;
  tight.store = StoreKind::kAuto;
  tight.limits.memory_bytes = 20'000'000;
  const SearchResult moved = search(Counters(6, 9), tight);
  EXPECT_EQ(moved.store, StoreKind::kTree);
  std::uint64_t states = 0;
  for (const Level& level : moved.levels) states += level.states;
  EXPECT_EQ(states, moved.limit ? states : 531'441u);
  EXPECT_GT(moved.levels.size(), 30u);
}

}  // namespace
}  // namespace spoor
