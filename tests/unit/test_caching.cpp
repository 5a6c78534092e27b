// Searches with a store that forgets states: nothing is missed, what is on the path is pinned.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "exec/interpreter.h"
#include "graph/fixed.h"
#include "search/search.h"
#include "search/stops_after_states.h"
#include "unit/counters.h"
#include "unit/golden_programs.h"
#include "unit/instrumented.h"
#include "unit/random_fixed_graph.h"
#include "unit/reference_checker.h"

namespace spoor {
namespace {

SearchResult search_depth_first(const TransitionSystem& system, StoreKind store, SearchOptions options) {
  options.order = Order::kDepthFirst;
  options.store = store;
  return search(system, options);
}

SearchResult search_caching(const TransitionSystem& system, PolicyKind policy, std::uint64_t states,
                            SearchOptions options) {
  options.cache = {policy, states};
  SearchResult result = search_depth_first(system, StoreKind::kCache, options);
  EXPECT_TRUE(result.cache.has_value());
  EXPECT_LE(result.cache->kept, states);
  EXPECT_EQ(result.has_revisits(), result.cache->evicted != 0);
  return result;
}

std::set<reference::Defect> defects_of(const SearchResult& result) {
  std::set<reference::Defect> defects;
  for (const Violation& violation : result.violations) {
    defects.emplace(violation.finding.kind, violation.finding.identity);
  }
  return defects;
}

// Keeps the bytes by the number, and follows what it is told.
class Follower : public Observer {
 public:
  explicit Follower(const TransitionSystem& system) : system_(system) {}

  std::unique_ptr<WorkerObserver> make_worker_observer() override { return std::make_unique<Worker>(*this); }

  std::map<StateNumber, std::vector<std::byte>> states;
  std::set<StateNumber> found = {0};
  std::uint64_t steps = 0;

 private:
  struct Worker : WorkerObserver {
    explicit Worker(Follower& all) : all(all) {}
    Visit on_state(const StateEvent& event) override {
      const std::vector bytes(event.bytes.begin(), event.bytes.end());
      EXPECT_TRUE(all.states.emplace(event.number, bytes).second) << "a number names one state only";
      return Visit::kExpand;
    }
    void on_expanded(const ExpandedEvent& event) override {
      for (std::size_t i = 0; i < event.arrivals.size(); ++i) {
        ++all.steps;
        const StateNumber target = event.arrivals[i].index;
        if (event.arrivals[i].is_new) {
          EXPECT_TRUE(all.found.insert(target).second);
        }
        if (!all.states.contains(target)) continue;  // the search ended before it was expanded
        Expansion one;
        EXPECT_TRUE(all.system_.step(all.states.at(event.source), event.steps[i], one));
        const StateBytes bytes = one.state(one.successors[0]);
        EXPECT_EQ(std::vector(bytes.begin(), bytes.end()), all.states.at(target));
      }
    }
    Follower& all;
  };

  const TransitionSystem& system_;
};

TEST(Caching, HasTheVerdictOfASearchThatForgetsNothing) {
  std::uint64_t again = 0, held = 0, violated = 0, full = 0;
  for (std::uint64_t seed = 1; seed <= (kIsInstrumented ? 50 : 300); ++seed) {
    const FixedGraph system(random_fixed_graph(seed, 12));
    const reference::Exploration truth = reference::explore(system);
    std::set<reference::Defect> expected;
    for (const auto& [defect, length] : truth.shortest) expected.insert(defect);
    SearchOptions options;
    options.all_errors = true;
    const SearchResult exact = search_depth_first(system, StoreKind::kExact, options);
    for (const PolicyRow& policy : policies()) {
      for (std::size_t states = 1; states <= truth.distance.size(); ++states) {
        SCOPED_TRACE(testing::Message() << "graph " << seed << ", " << policy.name << ", " << states);
        Follower follower(system);
        options.observer = &follower;
        const SearchResult result = search_caching(system, policy.kind, states, options);
        ASSERT_FALSE(testing::Test::HasFailure());
        if (result.limit) {
          EXPECT_EQ(result.limit, LimitHit::kPath);
          EXPECT_FALSE(std::holds_alternative<Holds>(result.outcome));
          EXPECT_EQ(result.cache->kept, states);
          ++full;
          continue;
        }
        ASSERT_EQ(defects_of(result), expected);
        ASSERT_EQ(std::holds_alternative<Holds>(result.outcome), expected.empty());
        for (const Violation& violation : result.violations) EXPECT_TRUE(shows(system, violation));
        std::set<std::vector<std::byte>> distinct;
        for (const auto& [number, bytes] : follower.states) distinct.insert(bytes);
        ASSERT_EQ(distinct.size(), truth.distance.size());
        ASSERT_EQ(follower.found.size(), result.statistics.states);
        ASSERT_EQ(follower.steps, result.statistics.transitions - 1);
        ASSERT_EQ(result.statistics.states, result.cache->kept + result.cache->evicted);
        if (result.cache->evicted == 0) {
          ASSERT_EQ(result.statistics.states, exact.statistics.states);
          ASSERT_EQ(result.statistics.transitions, exact.statistics.transitions);
          ASSERT_EQ(result.statistics.depth, exact.statistics.depth);
        }
        again += result.statistics.states - distinct.size();
        (expected.empty() ? held : violated) += 1;
      }
      options.observer = nullptr;
      const SearchResult roomy = search_caching(system, policy.kind, truth.distance.size(), options);
      ASSERT_EQ(roomy.cache->evicted, 0u);
      ASSERT_EQ(roomy.statistics.states, exact.statistics.states);
    }
  }
  EXPECT_GT(again, kIsInstrumented ? 20u : 800u) << "states were forgotten and found again";
  EXPECT_GT(held, 50u);
  EXPECT_GT(violated, 50u);
  EXPECT_GT(full, 50u);
}

// A search with a cache that is too small may take forever: so many visits, then it is left out.
constexpr std::uint64_t kMostVisits = 20'000;

// The proviso of a reduced expansion looks at what is on the path, which is pinned.
TEST(Caching, HasTheVerdictAndTheUnreachedStatementsOfModels) {
  std::size_t compared = 0, revisited = 0, given_up = 0;
  for_each_golden_program([&](const std::string& name, const std::shared_ptr<promela::Program>& program) {
    const exec::Interpreter system(program);
    SearchOptions options;
    options.all_errors = true;
    options.reduce = program->uses_stubborn_sets;
    const SearchResult exact = search_depth_first(system, StoreKind::kExact, options);
    if (exact.limit || exact.statistics.states > 1000) return;
    const std::uint64_t path = exact.statistics.depth + 1;
    for (const PolicyRow& policy : policies()) {
      for (const std::uint64_t states : {path + 1, std::max(path + 1, exact.statistics.states * 3 / 4)}) {
        StopsAfterStates stop(kMostVisits);
        options.observer = &stop;
        const SearchResult caching = search_caching(system, policy.kind, states, options);
        if (caching.limit == LimitHit::kObserver || caching.limit == LimitHit::kPath) {
          ++given_up;
          continue;
        }
        ASSERT_FALSE(caching.limit.has_value()) << name;
        EXPECT_EQ(defects_of(caching), defects_of(exact)) << name << ", " << policy.name;
        EXPECT_EQ(caching.executed, exact.executed) << name << ", " << policy.name;
        ++compared;
        revisited += caching.has_revisits() ? 1 : 0;
      }
    }
  });
  EXPECT_GT(compared, 500u);
  EXPECT_GT(revisited, 200u);
  EXPECT_LT(given_up, compared / 4);
}

TEST(Caching, SaysThatThePathDoesNotFit) {
  FixedGraphOptions line;
  for (std::uint32_t i = 0; i < 20; ++i) line.edges.emplace_back(i, i + 1);
  line.has_deadlocks = false;
  const FixedGraph system(std::move(line));
  for (const PolicyRow& policy : policies()) {
    const SearchResult short_of_room = search_caching(system, policy.kind, 20, {});
    EXPECT_TRUE(std::holds_alternative<Unknown>(short_of_room.outcome));
    EXPECT_EQ(short_of_room.limit, LimitHit::kPath);
    const SearchResult fits = search_caching(system, policy.kind, 21, {});
    EXPECT_TRUE(std::holds_alternative<Holds>(fits.outcome));
    EXPECT_EQ(fits.statistics.states, 21u);
  }
}

// A comb: a long spine, and from each of its states a tooth that leads back to the spine's end. Few states
// are visited again, whatever is evicted.
FixedGraphOptions comb(std::uint32_t spine) {
  FixedGraphOptions options;
  for (std::uint32_t i = 0; i < spine; ++i) {
    const std::uint32_t tooth = spine + 1 + i;
    options.edges.emplace_back(i, tooth);
    options.edges.emplace_back(tooth, 0);
    options.edges.emplace_back(i, i + 1);
  }
  options.has_deadlocks = false;
  return options;
}

TEST(Caching, FitsIntoTheMemoryThatItMayUse) {
  const FixedGraph system(comb(20'000));
  for (const PolicyRow& policy : policies()) {
    SearchOptions options;
    options.cache.policy = policy.kind;
    const SearchResult roomy = search_depth_first(system, StoreKind::kCache, options);
    ASSERT_FALSE(roomy.has_revisits());
    options.limits.memory_bytes = roomy.statistics.memory_bytes * 95 / 100;
    const SearchResult tight = search_depth_first(system, StoreKind::kCache, options);
    EXPECT_TRUE(std::holds_alternative<Holds>(tight.outcome)) << policy.name;
    EXPECT_TRUE(tight.has_revisits()) << policy.name;
    EXPECT_LE(tight.statistics.memory_bytes, options.limits.memory_bytes) << policy.name;
    EXPECT_LT(tight.cache->kept, roomy.statistics.states) << policy.name;
    options.limits.memory_bytes = roomy.statistics.memory_bytes / 2;
    const SearchResult none = search_depth_first(system, StoreKind::kCache, options);
    EXPECT_TRUE(none.limit == LimitHit::kPath || none.limit == LimitHit::kMemory) << policy.name;
  }
}

// With a limit on the depth, states are found that are not entered.
TEST(Caching, EvictsStatesThatWereTooDeepToBeEntered) {
  const Counters system(4, 4);
  for (const PolicyRow& policy : policies()) {
    SearchOptions options;
    options.limits.depth = 5;
    const SearchResult result = search_caching(system, policy.kind, 8, options);
    EXPECT_EQ(result.limit, LimitHit::kDepth) << policy.name;
    EXPECT_TRUE(result.has_revisits()) << policy.name;
  }
}

TEST(Caching, CannotBeUsedByOtherSearches) {
  EXPECT_FALSE(can_search(Order::kBreadthFirst, StoreKind::kCache));
  EXPECT_TRUE(can_search(Order::kDepthFirst, StoreKind::kCache));
  EXPECT_TRUE(can_reduce(Order::kDepthFirst, StoreKind::kCache));
  SearchOptions options;
  options.store = StoreKind::kCache;
  EXPECT_THROW(search(Counters(2, 2), options), std::invalid_argument);
}

}  // namespace
}  // namespace spoor
