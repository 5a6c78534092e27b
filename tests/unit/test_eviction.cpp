// The eviction policies by themselves: whom they evict, and that no pinned state is a victim.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "store/evict_age.h"
#include "store/evict_components.h"
#include "store/evict_cost.h"
#include "store/evict_depth.h"
#include "store/evict_hits.h"
#include "store/evict_nested.h"
#include "store/evict_stratified.h"
#include "store/eviction.h"
#include "store/random_sets.h"
#include "store/ranked_lists.h"

namespace spoor {
namespace {

TEST(RandomSets, TakeAMemberOfTheFirstSetThatHasAny) {
  std::mt19937 random(1);
  RandomSets sets;
  std::array<std::set<StateIndex>, RandomSets::kSets> expected;
  EXPECT_EQ(sets.take(), kNoState);
  StateIndex next = 0;
  for (int round = 0; round < 20'000; ++round) {
    if (random() % 100 < (round / 1000 % 2 == 0 ? 60u : 40u)) {
      const auto set = static_cast<unsigned>(random() % RandomSets::kSets);
      expected[set].insert(next);
      sets.add(next++, set);
      continue;
    }
    const auto first = std::ranges::find_if(expected, [](const auto& set) { return !set.empty(); });
    const StateIndex taken = sets.take();
    if (first == expected.end()) {
      ASSERT_EQ(taken, kNoState);
    } else {
      ASSERT_EQ(first->erase(taken), 1u) << taken;
    }
  }
}

TEST(RandomSets, TakeEachMemberAboutAsOften) {
  RandomSets sets;
  for (StateIndex i = 0; i < 10; ++i) {
    sets.add(i, 1);
  }
  std::vector<int> times(10);
  for (int round = 0; round < 10'000; ++round) {
    const StateIndex taken = sets.take();
    ++times[taken];
    sets.add(taken, 1);
  }
  for (const int count : times) EXPECT_NEAR(count, 1000, 200);
}

TEST(RankedLists, AreListsInTheOrderOfTheirRanks) {
  std::mt19937 random(1);
  RankedLists lists;
  std::map<std::uint32_t, std::deque<StateIndex>> expected;
  std::vector<StateIndex> outside;
  for (StateIndex i = 0; i < 40; ++i) {
    lists.add_index();
    outside.push_back(i);
  }
  EXPECT_EQ(lists.take().index, kNoState);
  for (int round = 0; round < 20'000; ++round) {
    if (outside.empty() || random() % 2 == 0) {
      const auto [index, rank] = lists.take();
      if (expected.empty()) {
        ASSERT_EQ(index, kNoState);
        continue;
      }
      const auto lowest = expected.begin();
      ASSERT_EQ(rank, lowest->first);
      ASSERT_EQ(index, lowest->second.front());
      outside.push_back(index);
      lowest->second.pop_front();
      if (lowest->second.empty()) expected.erase(lowest);
      continue;
    }
    const StateIndex index = outside.back();
    outside.pop_back();
    const std::uint32_t rank = std::vector<std::uint32_t>{0, 1, 63, 64, 200, 255}[random() % 6];
    if (random() % 2 == 0) {
      expected[rank].push_back(index);
      lists.add_last(index, rank);
    } else {
      expected[rank].push_front(index);
      lists.add_first(index, rank);
    }
  }
}

TEST(RankedLists, RanksGrowWithTheNumbersAndKeepFourBits) {
  std::uint32_t before = 0;
  for (std::uint64_t number = 0; number <= UINT32_MAX; number += 1 + number / 100) {
    const std::uint32_t rank = RankedLists::rank_of(static_cast<std::uint32_t>(number));
    ASSERT_GE(rank, before);
    ASSERT_LE(rank, before + 1);
    before = rank;
  }
  for (std::uint32_t number = 0; number < 16; ++number) EXPECT_EQ(RankedLists::rank_of(number), number);
  EXPECT_EQ(RankedLists::rank_of(16), RankedLists::rank_of(17));
  EXPECT_NE(RankedLists::rank_of(17), RankedLists::rank_of(18));
}

// A policy with as many states as have been found.
template <class Policy>
class Driven {
 public:
  StateIndex enter() {
    policy.add_index();
    policy.found(next_);
    policy.entered(next_);
    return next_++;
  }
  // A state without successors.
  StateIndex find(std::uint32_t level) {
    const StateIndex state = enter();
    policy.left(state, level);
    return state;
  }

  Policy policy;

 private:
  StateIndex next_ = 0;
};

// What a search does, at random: states are found and entered, met, and left.
TEST(Eviction, NeverTakesAPinnedStateAndTakesEveryOther) {
  for (const PolicyRow& row : policies()) {
    SCOPED_TRACE(row.name);
    std::mt19937 random(7);
    const auto policy = make_policy(row.kind);
    std::vector<StateIndex> path, free;
    std::set<StateIndex> candidates;
    StateIndex indexes = 0;
    const auto evict = [&] {
      const StateIndex victim = policy->victim();
      if (candidates.empty()) {
        ASSERT_EQ(victim, kNoState);
      } else {
        ASSERT_EQ(candidates.erase(victim), 1u) << victim;
        free.push_back(victim);
      }
    };
    for (int round = 0; round < 20'000 && !HasFailure(); ++round) {
      const auto level = static_cast<std::uint32_t>(path.size());
      const auto choice = random() % 10;
      if (choice < 4) {
        if (free.empty()) {
          policy->add_index();
          free.push_back(indexes++);
        }
        const StateIndex state = free.back();
        free.pop_back();
        policy->found(state);
        policy->entered(state);
        path.push_back(state);
      } else if (choice < 7 && !path.empty()) {
        candidates.insert(path.back());
        policy->left(path.back(), level - 1);
        path.pop_back();
      } else if (choice < 9) {
        evict();
      } else if (!candidates.empty()) {
        policy->met(random() % 2 == 0 || path.empty() ? *candidates.begin() : path[random() % path.size()]);
      }
    }
    while (!candidates.empty() && !HasFailure()) evict();
    EXPECT_EQ(policy->victim(), kNoState);
  }
}

TEST(Eviction, ByNestedStrataEvictsOddLevelsThenEvenOnesThenThoseDivisibleByEight) {
  Driven<EvictNested> driven;
  for (std::uint32_t level = 0; level < 32; ++level) driven.find(level);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(driven.policy.victim() % 2, 1u);
  for (int i = 0; i < 12; ++i) EXPECT_NE(driven.policy.victim() % 8, 0u);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(driven.policy.victim() % 8, 0u);
}

TEST(Eviction, ByStrataKeepsEveryFourthLevel) {
  Driven<EvictStratified> driven;
  for (std::uint32_t level = 0; level < 32; ++level) driven.find(level);
  for (int i = 0; i < 24; ++i) EXPECT_NE(driven.policy.victim() % 4, 0u);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(driven.policy.victim() % 4, 0u);
}

// The oldest states are on the path, in its order; once they are left they go first.
TEST(Eviction, ByAgeKeepsTheOrderOfStatesThatWerePinned) {
  Driven<EvictAge> driven;
  for (int level = 0; level < 3; ++level) driven.enter();
  driven.find(3);
  driven.find(3);
  EXPECT_EQ(driven.policy.victim(), 3u);
  driven.policy.left(2, 2);
  driven.policy.left(1, 1);
  driven.find(1);
  EXPECT_EQ(driven.policy.victim(), 1u);
  EXPECT_EQ(driven.policy.victim(), 2u);
  driven.policy.left(0, 0);
  EXPECT_EQ(driven.policy.victim(), 0u);
  EXPECT_EQ(driven.policy.victim(), 4u);
  EXPECT_EQ(driven.policy.victim(), 5u);
  EXPECT_EQ(driven.policy.victim(), kNoState);
}

TEST(Eviction, ByHitsEvictsTheStateMetLeast) {
  Driven<EvictHits> driven;
  for (int i = 0; i < 4; ++i) driven.find(0);
  driven.policy.met(0);
  driven.policy.met(0);
  driven.policy.met(2);
  driven.enter();
  driven.policy.met(4);
  driven.policy.left(4, 0);
  for (const StateIndex expected : {1u, 3u, 4u, 2u, 0u}) EXPECT_EQ(driven.policy.victim(), expected);
}

TEST(Eviction, ByDepthEvictsTheDeepest) {
  Driven<EvictDepth> driven;
  for (const std::uint32_t level : {5, 2, 9, 0, 1000, 12}) driven.find(level);
  for (const StateIndex expected : {4u, 5u, 2u, 0u, 1u, 3u}) EXPECT_EQ(driven.policy.victim(), expected);
}

// Figure 4.1 of the thesis: S1 -> S2, S3; S2 -> S4, S5; S4 -> S5; S3 -> S5; S5 -> S6, as far as the text
// says what the costs are: S5 2, S3 3, S4 3, S2 6 without a further step.
TEST(Eviction, ByCostSumsUpWhatIsBelow) {
  Driven<EvictCost> driven;
  EvictCost& policy = driven.policy;
  const auto enter = [&] { return driven.enter(); };
  const StateIndex s1 = enter(), s2 = enter(), s4 = enter(), s5 = enter(), s6 = enter();
  policy.left(s6, 4);
  policy.left(s5, 3);
  policy.left(s4, 2);
  policy.met(s5);
  policy.left(s2, 1);
  const StateIndex s3 = enter();
  policy.met(s5);
  policy.left(s3, 1);
  policy.left(s1, 0);
  EXPECT_EQ(policy.cost_of(s6), 1);
  EXPECT_EQ(policy.cost_of(s5), 2);
  EXPECT_EQ(policy.cost_of(s4), 3);
  EXPECT_EQ(policy.cost_of(s3), 3);
  EXPECT_EQ(policy.cost_of(s2), 6);
  EXPECT_EQ(policy.cost_of(s1), 10);
  for (const StateIndex expected : {s6, s5, s4, s3, s2, s1}) EXPECT_EQ(policy.victim(), expected);
}

TEST(Eviction, ByCostBoundsWhatDoublesFromStateToState) {
  Driven<EvictCost> driven;
  std::vector<StateIndex> path;
  for (int level = 0; level < 400; ++level) path.push_back(driven.enter());
  while (!path.empty()) {
    const StateIndex left = path.back();
    path.pop_back();
    driven.policy.left(left, static_cast<std::uint32_t>(path.size()));
    for (int ways = 0; ways < 3; ++ways) driven.policy.met(left);
  }
  EXPECT_LE(driven.policy.cost_of(0), std::numeric_limits<float>::max());
  EXPECT_EQ(driven.policy.victim(), 399u);
}

// The example of evict_components.h.
TEST(Eviction, ByComponentsGivesTheStatesOfACycleOneCost) {
  Driven<EvictComponents> driven;
  EvictComponents& policy = driven.policy;
  const auto enter = [&] { return driven.enter(); };
  const StateIndex s0 = enter(), s1 = enter(), s2 = enter(), s3 = enter();
  policy.met(s1);
  policy.left(s3, 3);
  policy.left(s2, 2);
  const StateIndex s4 = enter(), s5 = enter();
  policy.left(s5, 3);
  policy.left(s4, 2);
  policy.left(s1, 1);
  policy.left(s0, 0);
  const std::map<StateIndex, float> expected = {{s5, 1}, {s4, 2}, {s1, 5}, {s2, 5}, {s3, 5}, {s0, 6}};
  for (const auto& [state, cost] : expected) EXPECT_EQ(policy.cost_of(state), cost) << state;
  // 5 and 6 have the same power of two; those that were left last in the component come first there.
  for (const StateIndex state : {s5, s4, s2, s3, s1, s0}) EXPECT_EQ(policy.victim(), state);
}

// A component that is not complete is evicted last, and nothing of it is lost: the states that remain still
// have its cost.
TEST(Eviction, ByComponentsEvictsFromAnIncompleteComponentOnlyIfItMust) {
  Driven<EvictComponents> driven;
  EvictComponents& policy = driven.policy;
  const StateIndex root = driven.enter();
  std::set<StateIndex> cycle;
  for (int i = 0; i < 100; ++i) {
    const StateIndex state = driven.enter();
    policy.met(root);
    policy.left(state, 1);
    cycle.insert(state);
  }
  const StateIndex outside = driven.find(1);
  EXPECT_EQ(policy.victim(), outside);
  for (int i = 0; i < 90; ++i) EXPECT_EQ(cycle.erase(policy.victim()), 1u);
  policy.met(*cycle.begin());
  policy.left(root, 0);
  for (const StateIndex state : cycle) EXPECT_EQ(policy.cost_of(state), 102);
  EXPECT_EQ(policy.cost_of(root), 102);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(cycle.erase(policy.victim()), 1u);
  EXPECT_EQ(policy.victim(), root);
  EXPECT_EQ(policy.victim(), kNoState);
}

using Targets = std::vector<std::vector<StateIndex>>;  // by source

std::set<StateIndex> reached_in(const Targets& graph, StateIndex from) {
  std::set<StateIndex> reached = {from};
  std::vector<StateIndex> todo = {from};
  while (!todo.empty()) {
    const StateIndex state = todo.back();
    todo.pop_back();
    for (const StateIndex target : graph[state]) {
      if (reached.insert(target).second) todo.push_back(target);
    }
  }
  return reached;
}

// Definition 4.2.3 of the thesis, word for word.
double defined_cost(const Targets& graph, StateIndex state) {
  std::set<StateIndex> component;
  for (const StateIndex other : reached_in(graph, state)) {
    if (reached_in(graph, other).contains(state)) component.insert(other);
  }
  double cost = static_cast<double>(component.size());
  for (const StateIndex member : component) {
    for (const StateIndex target : graph[member]) {
      if (!component.contains(target)) cost += defined_cost(graph, target);
    }
  }
  return cost;
}

TEST(Eviction, ByComponentsHasTheCostsOfTheDefinition) {
  int cycles = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    const auto nodes = static_cast<StateIndex>(1 + random() % 14);
    Targets graph(nodes);
    for (StateIndex node = 0; node < nodes; ++node) {
      for (auto more = random() % 4; more > 0; --more) {
        const auto target = static_cast<StateIndex>(random() % nodes);
        // Mostly ahead, so that there are several components.
        graph[node].push_back(target < node && random() % 3 != 0 ? (node + 1) % nodes : target);
      }
    }
    // Indexes as the cache gives them, in the order in which states are found.
    Driven<EvictComponents> driven;
    std::map<StateIndex, StateIndex> index_of;
    struct Frame {
      StateIndex node = 0;
      std::size_t step = 0;
    };
    std::vector<Frame> path = {{0, 0}};
    index_of[0] = driven.enter();
    while (!path.empty()) {
      Frame& top = path.back();
      if (top.step == graph[top.node].size()) {
        const StateIndex left = top.node;
        path.pop_back();
        driven.policy.left(index_of.at(left), static_cast<std::uint32_t>(path.size()));
        continue;
      }
      const StateIndex target = graph[top.node][top.step++];
      if (const auto known = index_of.find(target); known != index_of.end()) {
        driven.policy.met(known->second);
      } else {
        index_of[target] = driven.enter();
        path.push_back({target, 0});
      }
    }
    double before = 0;
    for (const auto& [node, index] : index_of) {
      ASSERT_EQ(driven.policy.cost_of(index), defined_cost(graph, node)) << "seed " << seed << ", " << node;
      cycles += reached_in(graph, node).size() > 1 && defined_cost(graph, node) == before ? 1 : 0;
      before = defined_cost(graph, node);
    }
  }
  EXPECT_GT(cycles, 100);
}

}  // namespace
}  // namespace spoor
