// Searches with a store that forgets states: nothing is missed, what is on the path is pinned.
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "exec/interpreter.h"
#include "graph/fixed.h"
#include "search/core.h"
#include "search/dfs.h"
#include "search/search.h"
#include "store/exact.h"
#include "unit/caching_store.h"
#include "unit/counters.h"
#include "unit/golden_programs.h"
#include "unit/random_fixed_graph.h"
#include "unit/reference_checker.h"

namespace spoor {
namespace {

template <class Store>
SearchResult search_depth_first(const TransitionSystem& system, const SearchOptions& options) {
  SearchCore<Store> core(system, options);
  try {
    DepthFirst<Store>(core).run();
  } catch (const std::bad_alloc& error) {
    core.end(limit_of(error));
  }
  return core.finish();
}

SearchResult search_caching(const TransitionSystem& system, std::size_t capacity, SearchOptions options) {
  CachingStore::capacity = capacity;
  options.order = Order::kDepthFirst;
  return search_depth_first<CachingStore>(system, options);
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
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const FixedGraph system(random_fixed_graph(seed, 12));
    const reference::Exploration truth = reference::explore(system);
    for (std::size_t capacity = 2; capacity <= truth.distance.size(); ++capacity) {
      Follower follower(system);
      SearchOptions options;
      options.all_errors = true;
      options.observer = &follower;
      const SearchResult result = search_caching(system, capacity, options);
      ASSERT_FALSE(testing::Test::HasFailure()) << "graph " << seed << ", capacity " << capacity;
      if (result.limit) {
        EXPECT_EQ(result.limit, LimitHit::kOutOfMemory) << "the path does not fit";
        EXPECT_FALSE(std::holds_alternative<Holds>(result.outcome));
        ++full;
        continue;
      }
      std::set<reference::Defect> expected;
      for (const auto& [defect, length] : truth.shortest) expected.insert(defect);
      ASSERT_EQ(defects_of(result), expected) << "graph " << seed << ", capacity " << capacity;
      ASSERT_EQ(std::holds_alternative<Holds>(result.outcome), expected.empty());
      for (const Violation& violation : result.violations) EXPECT_TRUE(shows(system, violation));
      std::set<std::string> distinct;
      for (const auto& [number, bytes] : follower.states) distinct.insert(CachingStore::text_of(bytes));
      ASSERT_EQ(distinct.size(), truth.distance.size()) << "graph " << seed << ", capacity " << capacity;
      ASSERT_EQ(follower.found.size(), result.statistics.states);
      ASSERT_EQ(follower.steps, result.statistics.transitions - 1);
      again += result.statistics.states - distinct.size();
      (expected.empty() ? held : violated) += 1;
    }
  }
  EXPECT_GT(again, 500u) << "states were forgotten and found again";
  EXPECT_GT(held, 500u);
  EXPECT_GT(violated, 100u);
  EXPECT_GT(full, 100u);
}

// The proviso of a reduced expansion looks at what is on the path, which is pinned.
TEST(Caching, HasTheVerdictWithReductions) {
  std::size_t compared = 0;
  for_each_golden_program([&](const std::string& name, const std::shared_ptr<promela::Program>& program) {
    const exec::Interpreter system(program);
    SearchOptions options = options_for(Order::kDepthFirst, true);
    options.reduce = true;
    const SearchResult exact = search_depth_first<ExactStore>(system, options);
    if (exact.limit || exact.statistics.states > 3000) return;
    const SearchResult caching = search_caching(system, exact.statistics.depth + 5, options);
    ASSERT_FALSE(caching.limit.has_value()) << name;
    EXPECT_EQ(defects_of(caching), defects_of(exact)) << name;
    ++compared;
  });
  EXPECT_GT(compared, 50u);
}

TEST(Caching, SaysThatThePathDoesNotFit) {
  FixedGraphOptions line;
  for (std::uint32_t i = 0; i < 20; ++i) line.edges.emplace_back(i, i + 1);
  line.has_deadlocks = false;
  const FixedGraph system(std::move(line));
  const SearchResult short_of_room = search_caching(system, 20, {});
  EXPECT_TRUE(std::holds_alternative<Unknown>(short_of_room.outcome));
  EXPECT_EQ(short_of_room.limit, LimitHit::kOutOfMemory);
  const SearchResult fits = search_caching(system, 21, {});
  EXPECT_TRUE(std::holds_alternative<Holds>(fits.outcome));
  EXPECT_EQ(fits.statistics.states, 21u);
}

}  // namespace
}  // namespace spoor
