#include "evidence/region_cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "evidence/task_schedule.h"

namespace spoor {
namespace {

// A tree: the parents of states, which are smaller, and the transitions of each state.
struct Tree {
  std::vector<std::size_t> parents;
  std::vector<std::uint64_t> steps;

  std::uint64_t all_steps() const { return std::accumulate(steps.begin(), steps.end(), std::uint64_t{0}); }
};

// `reach`: the parent is one of so many states before; 1: a chain.
Tree random_tree(std::size_t states, std::size_t reach, std::mt19937_64& random) {
  Tree tree;
  std::vector<std::uint64_t> children(states);
  for (std::size_t state = 0; state < states; ++state) {
    tree.parents.push_back(state == 0 ? 0 : state - 1 - random() % std::min(reach, state));
    if (state != 0) ++children[tree.parents.back()];
  }
  for (const std::uint64_t count : children) tree.steps.push_back(count + random() % 8);
  return tree;
}

struct Cut {
  std::vector<std::uint64_t> regions;  // their transitions, as they are written
  std::vector<std::uint64_t> pieces;   // of each state
};

// From the last state to the first.
Cut cut_tree(const Tree& tree, std::uint64_t most_least) {
  const std::size_t states = tree.steps.size();
  Cut cut = {{}, tree.steps};
  RegionCut choice(most_least, tree.all_steps());
  std::vector<std::vector<std::size_t>> children(states);
  for (std::size_t state = states; state-- > 0;) {
    std::vector<std::uint64_t> sizes;
    for (const std::size_t child : children[state]) sizes.push_back(cut.pieces[child]);
    std::uint64_t joined = std::accumulate(sizes.begin(), sizes.end(), tree.steps[state]);
    if (choice.is_large(joined)) {
      for (const std::size_t child : choice.choose(false, sizes, joined)) cut.regions.push_back(sizes[child]);
    }
    cut.pieces[state] = joined;
    if (state != 0) children[tree.parents[state]].push_back(state);
  }
  cut.regions.push_back(cut.pieces[0]);
  return cut;
}

// As the certifier does it: one group after the other, the largest region of a group first.
std::uint64_t largest_task(std::vector<std::uint64_t> regions, unsigned workers) {
  constexpr std::size_t kGroup = 100;
  TaskSchedule schedule(workers);
  for (std::size_t begin = 0; begin < regions.size(); begin += kGroup) {
    const std::size_t size = std::min(kGroup, regions.size() - begin);
    const std::span<std::uint64_t> group = std::span(regions).subspan(begin, size);
    std::ranges::sort(group, std::greater());
    for (const std::uint64_t steps : group) schedule.add(steps, 0);
  }
  CertifierResult result;
  schedule.report(result);
  return result.largest_task;
}

TEST(RegionCut, AHundredWorkersHaveEqualTasksUpToAThousandthOfAllTransitions) {
  std::mt19937_64 random(17);
  for (const std::size_t reach : {10, 100, 1000}) {
    const Tree tree = random_tree(120'000, reach, random);
    const std::uint64_t all = tree.all_steps();
    const Cut cut = cut_tree(tree, RegionCut::kLeastSteps);
    EXPECT_EQ(std::accumulate(cut.regions.begin(), cut.regions.end(), std::uint64_t{0}), all);
    for (const unsigned workers : {10u, 50u, 100u})
      EXPECT_LE(largest_task(cut.regions, workers), all / workers + all / RegionCut::kTolerated)
          << reach << ", " << workers;
    // With regions of one size it takes more than twice as many.
    EXPECT_LT(cut.regions.size(), all / RegionCut::kFewestSteps / 2) << reach;
  }
}

TEST(RegionCut, NoRegionIsMuchLargerThanTwiceTheLeastSize) {
  std::mt19937_64 random(18);
  for (int round = 0; round < 50; ++round) {
    const std::uint64_t least = 1 + random() % 100;
    const Tree tree = random_tree(1 + random() % 2000, 1 + random() % 30, random);
    const Cut cut = cut_tree(tree, least);
    std::vector<std::uint64_t> small(tree.steps.size());  // of each state: what may stay beyond the bound
    for (std::size_t state = 1; state < small.size(); ++state) small[tree.parents[state]] += least / 8 + 1;
    for (std::size_t state = 0; state < small.size(); ++state)
      EXPECT_LE(cut.pieces[state], std::max(2 * least + 1, tree.steps[state] + small[state]));
  }
}

TEST(RegionCut, AReducedStateKeepsItsSmallestChild) {
  RegionCut choice(10, 1000);
  const std::vector<std::uint64_t> pieces = {30, 12, 40};
  std::uint64_t joined = 85;
  ASSERT_TRUE(choice.is_large(joined));
  const auto some = choice.choose(true, pieces, joined);
  EXPECT_EQ(std::vector<std::size_t>(some.begin(), some.end()), (std::vector<std::size_t>{2, 0}));
  EXPECT_EQ(joined, 15u);
  joined = 85;
  EXPECT_EQ(choice.choose(false, pieces, joined).size(), 3u);
  EXPECT_EQ(joined, 3u);
}

TEST(RegionCut, SmallPiecesOfAWideStateStayTogether) {
  RegionCut choice(1000, 1'000'000);
  const std::vector<std::uint64_t> pieces(100'000, 2);
  std::uint64_t joined = 300'000;
  ASSERT_TRUE(choice.is_large(joined));
  EXPECT_TRUE(choice.choose(false, pieces, joined).empty());
  EXPECT_EQ(joined, 300'000u);
}

TEST(RegionCut, NothingIsCutWhereOneRegionIsWanted) {
  std::mt19937_64 random(19);
  const Tree tree = random_tree(20'000, 100, random);
  EXPECT_EQ(cut_tree(tree, RegionCut::kOneRegion).regions, std::vector<std::uint64_t>{tree.all_steps()});
}

TEST(RegionCut, LargeModelsHaveSomeTenThousandRegions) {
  RegionCut choice(RegionCut::kLeastSteps, 50'000'000);
  EXPECT_TRUE(choice.is_large(5000));
  EXPECT_FALSE(choice.is_large(4999));
}

}  // namespace
}  // namespace spoor
