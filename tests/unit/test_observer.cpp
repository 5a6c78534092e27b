// Observers: every counted step is told once, by whatever search, store, threads and reduction.
#include "search/observer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graph/fixed.h"
#include "graph/random.h"
#include "model/omega.h"
#include "search/executed_sets.h"
#include "search/search.h"
#include "search/stops_after_states.h"
#include "unit/counters.h"
#include "unit/quiet_system.h"

namespace spoor {
namespace {

// A graph given by a function, so that it can be large. Where it may reduce it gives the first step of a
// state only; `for_deadlocks`: without a proviso.
class HashedGraph : public Quiet<OmegaSystem> {
 public:
  struct Shape {
    std::uint32_t states = 10;
    std::uint32_t seed = 1;
    CycleRule rule = CycleRule::kTogether;
    bool for_deadlocks = false;
  };
  explicit HashedGraph(Shape shape) : shape_(shape) {}

  CycleRule rule() const override { return shape_.rule; }
  Marks all_marks() const override { return 1; }
  Finding cycle() const override { return {FindingKind::kAcceptanceCycle, 0, Finding::kStateItself}; }
  ClaimView look(StateBytes) const override { return {}; }
  std::optional<StepId> step_below(StateBytes, StepId step) const override { return step; }

  std::uint32_t label_of(std::uint32_t source, StepId step) const {
    return mixed(source, static_cast<std::uint32_t>(step.number()) + 100);
  }
  static std::uint32_t number_of(StateBytes bytes) {
    std::uint32_t number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    return number;
  }

  std::vector<std::byte> initial_state() const override { return bytes_of(0); }
  void expand(StateBytes state, Expansion& out) const override {
    const std::uint32_t source = number_of(state);
    const std::uint32_t degree = 1 + mixed(source, 7) % 3;
    const bool is_reduced = out.asked.may_reduce && degree > 1 && mixed(source, 9) % 4 != 0;
    if (is_reduced) (shape_.for_deadlocks ? out.is_reduced_for_deadlocks : out.is_reduced) = true;
    for (std::uint32_t i = 0; i < (is_reduced ? 1 : degree); ++i) {
      const std::uint32_t target = mixed(source, i) % shape_.states;
      out.successors.push_back({StepId(i), static_cast<std::uint32_t>(out.arena.size()), sizeof target});
      out.arena.append(bytes_of(target));
      if (out.asked.columns.labels) out.labels.push_back(label_of(source, StepId(i)));
      // Rising steps alone close no cycle.
      out.marks.push_back(shape_.rule == CycleRule::kEveryStep && target > source ? 1 : 0);
    }
  }

 private:
  static std::vector<std::byte> bytes_of(std::uint32_t number) {
    std::vector<std::byte> bytes(sizeof number);
    std::memcpy(bytes.data(), &number, sizeof number);
    return bytes;
  }
  std::uint32_t mixed(std::uint32_t state, std::uint32_t salt) const {
    std::uint64_t z = (std::uint64_t{state} << 32 | shape_.seed) + (salt + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return static_cast<std::uint32_t>(z >> 32);
  }

  const Shape shape_;
};

struct Told {
  StateIndex source = kNoState;
  StepId step;
  StateIndex target = kNoState;
  bool is_new = false;
  friend bool operator==(const Told&, const Told&) = default;
};

// Keeps all that it is told.
class Recorder : public Observer {
 public:
  std::unique_ptr<WorkerObserver> make_worker_observer() override {
    ++workers;
    return std::make_unique<Worker>(*this);
  }
  void merge(WorkerObserver& worker) override {
    const auto& own = static_cast<Worker&>(worker);
    states.insert(states.end(), own.states.begin(), own.states.end());
    depths.insert(depths.end(), own.depths.begin(), own.depths.end());
    steps.insert(steps.end(), own.steps.begin(), own.steps.end());
    expanded.insert(expanded.end(), own.expanded.begin(), own.expanded.end());
    findings.insert(findings.end(), own.findings.begin(), own.findings.end());
    reduced += own.reduced;
    incomplete += own.incomplete;
  }
  void on_violation(const Violation& violation) override { violations.push_back(violation); }

  // Called from all threads.
  virtual Visit visit(const StateEvent&) { return Visit::kExpand; }

  bool wants_steps = true;
  std::vector<StateIndex> states;  // that were asked about
  std::vector<std::uint64_t> depths;
  std::vector<StateIndex> expanded;  // in the order of being told
  std::vector<Told> steps;
  std::vector<Finding> findings;
  std::vector<Violation> violations;
  std::size_t workers = 0, reduced = 0, incomplete = 0;

 private:
  class Worker : public WorkerObserver {
   public:
    explicit Worker(Recorder& all) : all_(all) {}
    bool wants_steps() const override { return all_.wants_steps; }
    Visit on_state(const StateEvent& event) override {
      states.push_back(event.number);
      depths.push_back(event.depth);
      return all_.visit(event);
    }
    void on_expanded(const ExpandedEvent& event) override {
      ASSERT_EQ(event.steps.size(), event.arrivals.size());
      expanded.push_back(event.source);
      findings.insert(findings.end(), event.findings.begin(), event.findings.end());
      reduced += event.was_reduced ? 1 : 0;
      incomplete += event.is_complete ? 0 : 1;
      for (std::size_t i = 0; i < event.steps.size(); ++i) {
        steps.push_back(
            {event.source, event.steps[i], event.arrivals[i].index, event.arrivals[i].is_new != 0});
      }
    }

    std::vector<StateIndex> states, expanded;
    std::vector<std::uint64_t> depths;
    std::vector<Told> steps;
    std::vector<Finding> findings;
    std::size_t reduced = 0, incomplete = 0;

   private:
    Recorder& all_;
  };
};

template <class T>
bool is_without_repetition(std::vector<T> list) {
  std::sort(list.begin(), list.end());
  return std::adjacent_find(list.begin(), list.end()) == list.end();
}

// Was each counted step told once, and nothing else?
void expect_exact(const Recorder& recorder, const Statistics& statistics, const std::string& about) {
  SCOPED_TRACE(about);
  std::vector<std::pair<StateIndex, StepId>> names;
  std::size_t is_new = 0;
  for (const Told& told : recorder.steps) {
    names.emplace_back(told.source, told.step);
    is_new += told.is_new ? 1 : 0;
  }
  EXPECT_TRUE(is_without_repetition(names));
  EXPECT_TRUE(is_without_repetition(recorder.states));
  EXPECT_TRUE(is_without_repetition(recorder.expanded));
  EXPECT_EQ(recorder.steps.size() + 1, statistics.transitions);
  EXPECT_EQ(is_new + 1, statistics.states);
}

std::string text_of(StoreKind store, const char* search, unsigned threads, bool reduce) {
  return std::string(to_string(store)) + " " + search + " threads " + std::to_string(threads) +
         (reduce ? " reduced" : "");
}

// 0 -> 1, 1 -> 0, 1 -> 2. Where the expansion of 1 is reduced to the step back, its proviso fails.
class ThreeEdges : public FixedGraph {
 public:
  ThreeEdges() : FixedGraph(options()) {}
  void expand(StateBytes state, Expansion& out) const override {
    FixedGraph::expand(state, out);
    if (!out.asked.may_reduce || out.last_successors().size() != 2) return;
    out.successors.set_size(out.first_successor + 1);
    out.is_reduced = true;
  }

 private:
  static FixedGraphOptions options() {
    FixedGraphOptions graph;
    graph.edges = {{0, 1}, {1, 0}, {1, 2}};
    graph.has_deadlocks = false;
    return graph;
  }
};

TEST(Observer, IsNotToldOfStepsThatDoNotCount) {
  for (const Order order : all_orders()) {
    Recorder recorder;
    SearchOptions options;
    options.order = order;
    options.reduce = true;
    options.observer = &recorder;
    const SearchResult result = search(ThreeEdges(), options);
    EXPECT_EQ(result.statistics.transitions, 4u);
    expect_exact(recorder, result.statistics, to_string(order));
    EXPECT_EQ(recorder.steps.size(), 3u);
    EXPECT_EQ(recorder.reduced, 0u);
  }
}

TEST(Observer, IsToldEveryCountedStepOnceByEverySearch) {
  for (const std::uint32_t states : {1u, 7u, 300u, 60'000u}) {
    for (const StoreKind store : all_stores()) {
      for (const bool reduce : {false, true}) {
        for (const unsigned threads : {1u, 3u}) {
          for (const Order order : all_orders(store)) {
            Recorder recorder;
            SearchOptions options;
            options.order = order;
            options.store = store;
            options.filter.bits = 1 << 24;
            options.reduce = reduce;
            options.threads = threads;
            options.observer = &recorder;
            const SearchResult result = search(HashedGraph({states, states}), options);
            expect_exact(recorder, result.statistics, text_of(store, to_string(order), threads, reduce));
            EXPECT_EQ(recorder.states.size(), result.statistics.states);
            EXPECT_EQ(recorder.incomplete, 0u);
            if (states == 60'000 && reduce && order == Order::kBreadthFirst) {
              EXPECT_GT(recorder.reduced, 0u);
            }
          }
        }
      }
    }
  }
}

TEST(Observer, IsToldEveryCountedStepOnceBySearchesForCycles) {
  for (const std::uint32_t states : {1u, 300u, 60'000u}) {
    for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
      for (const StoreKind store : remembering_stores()) {
        const bool keeps_states = traits_of(store).keeps_states;
        for (const bool reduce : {false, true}) {
          if (reduce && !keeps_states) continue;
          for (const unsigned threads : {1u, 3u}) {
            Recorder recorder;
            SearchOptions options;
            options.store = store;
            options.filter.bits = 1 << 24;
            options.reduce = reduce;
            options.threads = threads;
            options.observer = &recorder;
            const SearchResult result = search_cycles(HashedGraph({states, states, rule, true}), options);
            expect_exact(recorder, result.statistics, text_of(store, "cycles", threads, reduce));
            EXPECT_FALSE(std::holds_alternative<Violated>(result.outcome));
          }
        }
      }
    }
  }
}

TEST(Observer, IsToldOfStatesAloneIfItDoesNotWantSteps) {
  const auto expect_states_only = [](const Recorder& recorder, const SearchResult& result) {
    EXPECT_EQ(recorder.states.size(), result.statistics.states);
    EXPECT_TRUE(is_without_repetition(recorder.states));
    EXPECT_TRUE(recorder.expanded.empty());
    EXPECT_TRUE(recorder.steps.empty());
  };
  for (const StoreKind store : all_stores()) {
    for (const unsigned threads : {1u, 3u}) {
      SearchOptions options;
      options.store = store;
      options.filter.bits = 1 << 24;
      options.threads = threads;
      for (const Order order : all_orders(store)) {
        SCOPED_TRACE(text_of(store, to_string(order), threads, false));
        Recorder recorder;
        recorder.wants_steps = false;
        options.order = order;
        options.observer = &recorder;
        expect_states_only(recorder, search(HashedGraph({3000, 3000}), options));
      }
      for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
        if (traits_of(store).forgets_states) continue;
        SCOPED_TRACE(text_of(store, "cycles", threads, false));
        Recorder recorder;
        recorder.wants_steps = false;
        options.observer = &recorder;
        expect_states_only(recorder, search_cycles(HashedGraph({3000, 3000, rule, true}), options));
      }
    }
  }
}

// Compares the labels that it is told with those of the graph.
class LabelReader : public Observer {
 public:
  explicit LabelReader(const HashedGraph& graph, bool wants_labels = true, std::size_t most_states = SIZE_MAX)
      : graph_(graph), wants_labels_(wants_labels), most_states_(most_states) {}
  std::unique_ptr<WorkerObserver> make_worker_observer() override { return std::make_unique<Worker>(*this); }
  void merge(WorkerObserver& worker) override {
    auto& own = static_cast<Worker&>(worker);
    sources_.merge(own.sources);
    steps_.insert(steps_.end(), own.steps.begin(), own.steps.end());
  }

  // After the search: a state's bytes and its steps may have been seen by different threads.
  std::size_t count_right() const {
    return static_cast<std::size_t>(std::ranges::count_if(steps_, [&](const Labelled& told) {
      return told.label == graph_.label_of(sources_.at(told.source), told.step);
    }));
  }
  std::size_t count() const { return steps_.size(); }

 private:
  struct Labelled {
    StateNumber source;
    StepId step;
    std::uint32_t label;
  };
  class Worker : public WorkerObserver {
   public:
    explicit Worker(const LabelReader& all) : all_(all) {}
    bool wants_labels() const override { return all_.wants_labels_; }
    Visit on_state(const StateEvent& event) override {
      sources.emplace(event.number, HashedGraph::number_of(event.bytes));
      return sources.size() == all_.most_states_ ? Visit::kStop : Visit::kExpand;
    }
    void on_expanded(const ExpandedEvent& event) override {
      ASSERT_EQ(event.labels.size(), all_.wants_labels_ ? event.steps.size() : 0);
      for (std::size_t i = 0; i < event.labels.size(); ++i)
        steps.push_back({event.source, event.steps[i], event.labels[i]});
    }
    std::map<StateNumber, std::uint32_t> sources;
    std::vector<Labelled> steps;

   private:
    const LabelReader& all_;
  };

  const HashedGraph& graph_;
  const bool wants_labels_;
  const std::size_t most_states_;  // where the search is stopped
  std::map<StateNumber, std::uint32_t> sources_;
  std::vector<Labelled> steps_;
};

TEST(Observer, IsToldTheLabelsOfStepsIfItWantsThem) {
  for (const StoreKind store : all_stores()) {
    for (const bool reduce : {false, true}) {
      for (const unsigned threads : {1u, 3u}) {
        for (const std::uint64_t shuffle : {0u, 1u}) {
          SearchOptions options;
          options.store = store;
          options.filter.bits = 1 << 24;
          options.reduce = reduce;
          options.threads = threads;
          options.shuffle = shuffle;
          for (const Order order : all_orders(store)) {
            SCOPED_TRACE(text_of(store, to_string(order), threads, reduce));
            const HashedGraph graph({3'000, 5});
            LabelReader reader(graph);
            options.order = order;
            options.observer = &reader;
            const SearchResult result = search(graph, options);
            EXPECT_EQ(reader.count_right(), result.statistics.transitions - 1);
          }
          if (traits_of(store).forgets_states || (reduce && !traits_of(store).keeps_states)) continue;
          const HashedGraph graph({3'000, 5, CycleRule::kEveryStep, true});
          LabelReader reader(graph);
          options.observer = &reader;
          const SearchResult result = search_cycles(graph, options);
          SCOPED_TRACE(text_of(store, "cycles", threads, reduce));
          EXPECT_EQ(reader.count_right(), result.statistics.transitions - 1);
        }
      }
    }
  }
}

TEST(Observer, IsToldNoLabelsThatItDoesNotWant) {
  const HashedGraph graph({300, 5});
  LabelReader reader(graph, false);
  SearchOptions options;
  options.observer = &reader;
  search(graph, options);
  EXPECT_EQ(reader.count(), 0u);
}

TEST(Observer, IsToldTheLabelsOfFollowedStepsWhenADepthFirstSearchEndsEarly) {
  const HashedGraph graph({60'000, 5});
  LabelReader reader(graph, true, 100);
  SearchOptions options;
  options.order = Order::kDepthFirst;
  options.observer = &reader;
  const SearchResult result = search(graph, options);
  EXPECT_EQ(reader.count_right(), result.statistics.transitions - 1);
}

TEST(Observer, HasAWorkerObserverPerThread) {
  Recorder recorder;
  SearchOptions options;
  options.threads = 3;
  options.observer = &recorder;
  const SearchResult result = search(Counters(6, 8), options);
  EXPECT_EQ(recorder.workers, 3u);
  expect_exact(recorder, result.statistics, "counters");
}

TEST(Observer, SeesLevelsInOrder) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Recorder recorder;
    SearchOptions options;
    options.all_errors = true;
    options.observer = &recorder;
    const SearchResult result = search(HashedGraph({40, static_cast<std::uint32_t>(seed)}), options);
    ASSERT_TRUE(std::is_sorted(recorder.depths.begin(), recorder.depths.end()));
    ASSERT_TRUE(std::is_sorted(recorder.states.begin(), recorder.states.end()));
    ASSERT_EQ(recorder.expanded, recorder.states);
    ASSERT_EQ(recorder.depths.back(), result.statistics.depth);
  }
}

TEST(Observer, IsToldOfAStateWhenADepthFirstSearchLeavesIt) {
  // 0 -> 1 -> 2, 0 -> 2, 0 -> 3: state 2 is visited below 1, and known when 0 comes to it.
  FixedGraphOptions graph;
  graph.edges = {{0, 1}, {0, 2}, {0, 3}, {1, 2}};
  Recorder recorder;
  SearchOptions options;
  options.order = Order::kDepthFirst;
  options.all_errors = true;
  options.observer = &recorder;
  search(FixedGraph(graph), options);
  EXPECT_EQ(recorder.expanded, (std::vector<StateIndex>{2, 1, 3, 0}));
  EXPECT_EQ(recorder.depths, (std::vector<std::uint64_t>{0, 1, 2, 1}));
  const std::vector<Told> of_zero(recorder.steps.end() - 3, recorder.steps.end());
  EXPECT_EQ(of_zero,
            (std::vector<Told>{{0, StepId(0), 1, true}, {0, StepId(1), 2, false}, {0, StepId(2), 3, true}}));
}

TEST(Observer, IsToldOfFindings) {
  FixedGraphOptions graph;
  graph.edges = {{0, 1}, {1, 2}};
  graph.planted = {{1, {FindingKind::kAssertion, 7, StepId(0)}, false}};
  for (const Order order : all_orders()) {
    Recorder recorder;
    SearchOptions options;
    options.order = order;
    options.all_errors = true;
    options.observer = &recorder;
    const SearchResult result = search(FixedGraph(graph), options);
    ASSERT_EQ(recorder.findings.size(), 2u) << "the assertion, and the deadlock of state 2";
    EXPECT_EQ(recorder.violations.size(), result.violations.size());
  }
}

TEST(Observer, IsToldOfThePathWhenADepthFirstSearchEndsEarly) {
  struct StopAtHundred : Recorder {
    Visit visit(const StateEvent&) override { return ++asked == 100 ? Visit::kStop : Visit::kExpand; }
    std::size_t asked = 0;
  };
  StopAtHundred recorder;
  SearchOptions options;
  options.order = Order::kDepthFirst;
  options.observer = &recorder;
  const SearchResult result = search(Counters(6, 8), options);
  ASSERT_TRUE(std::holds_alternative<Unknown>(result.outcome));
  EXPECT_EQ(std::get<Unknown>(result.outcome).limit, LimitHit::kObserver);
  EXPECT_EQ(recorder.states.size(), 100u);
  EXPECT_GT(recorder.incomplete, 0u);
  expect_exact(recorder, result.statistics, "stopped");
}

TEST(Observer, EndsASearchAfterSoManyStates) {
  for (const Order order : {Order::kBreadthFirst, Order::kDepthFirst}) {
    for (const std::uint64_t most : {1u, 10u, 100u}) {
      StopsAfterStates stop(most);
      SearchOptions options;
      options.order = order;
      options.observer = &stop;
      const SearchResult result = search(Counters(6, 8), options);
      EXPECT_EQ(result.limit, LimitHit::kObserver);
      EXPECT_GE(result.statistics.states, most);
      EXPECT_LE(result.statistics.states, 1 + 6 * most) << "six successors of each that was expanded";
    }
  }
}

TEST(Observer, CanKeepStatesFromBeingExpanded) {
  struct SkipDeep : Recorder {
    Visit visit(const StateEvent& event) override { return event.depth == 2 ? Visit::kSkip : Visit::kExpand; }
  };
  for (const Order order : all_orders()) {
    SkipDeep observer;
    SearchOptions options;
    options.order = order;
    options.all_errors = true;
    options.observer = &observer;
    const SearchResult result = search(Counters(3, 2), options);
    // Of the cube's corners all but the last are within two steps (on any path of two steps).
    EXPECT_GT(result.statistics.skipped, 0u);
    EXPECT_EQ(result.statistics.transitions - 1, 3 * (result.statistics.states - result.statistics.skipped));
    EXPECT_LT(result.statistics.states, 8u);
    EXPECT_EQ(observer.expanded.size(), result.statistics.states - result.statistics.skipped);
  }
}

// A state that several threads come to is asked about once, and none of them goes on behind it.
TEST(Observer, CanKeepStatesFromSeveralThreads) {
  struct SkipSome : Recorder {
    Visit visit(const StateEvent& event) override {
      return std::to_integer<unsigned>(event.bytes[0]) % 16 == 5 ? Visit::kSkip : Visit::kExpand;
    }
  };
  const HashedGraph graph({60'000, 3, CycleRule::kTogether, true});
  SearchOptions options;
  SkipSome alone;
  options.observer = &alone;
  const SearchResult expected = search_cycles(graph, options);
  options.threads = 3;
  SkipSome together;
  options.observer = &together;
  const SearchResult result = search_cycles(graph, options);
  EXPECT_EQ(result.statistics.states, expected.statistics.states);
  EXPECT_EQ(result.statistics.transitions, expected.statistics.transitions);
  EXPECT_EQ(result.statistics.skipped, expected.statistics.skipped);
  EXPECT_GT(result.statistics.skipped, 0u);
  expect_exact(together, result.statistics, "skipped");
}

// For every number of statements around a whole number of words, and of what is gathered at once.
TEST(ExecutedSets, AreNumberedByWhatTheyHave) {
  std::mt19937 random(3);
  for (std::size_t statements = 0; statements < 200; ++statements) {
    ExecutedSets sets(statements);
    std::map<std::vector<std::uint8_t>, std::uint32_t> numbers;
    for (std::size_t i = 0; i < 300; ++i) {
      std::vector<std::uint8_t> flags(statements);
      for (std::size_t marks = random() % 4; marks > 0 && statements > 0; --marks)
        flags[random() % statements] = 1;
      const std::vector<std::uint8_t> before = flags;
      bool is_added = false;
      const std::uint32_t number = sets.take(flags, [&](std::span<const std::uint32_t> set) {
        is_added = true;
        std::vector<std::uint8_t> marked(statements);
        for (const std::uint32_t statement : set) marked[statement] = 1;
        EXPECT_EQ(marked, before);
      });
      EXPECT_EQ(flags, std::vector<std::uint8_t>(statements));
      const auto [known, is_new] = numbers.try_emplace(before, number);
      EXPECT_EQ(is_new, is_added);
      EXPECT_EQ(known->second, number);
    }
    EXPECT_EQ(sets.size(), numbers.size());
  }
}

}  // namespace
}  // namespace spoor
