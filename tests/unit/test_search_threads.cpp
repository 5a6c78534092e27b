// Searches with several threads give the answers that one thread gives.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "search/search.h"
#include "unit/counters.h"

namespace spoor {
namespace {

constexpr StoreKind kStores[] = {StoreKind::kExact, StoreKind::kTree, StoreKind::kCompact};

void expect_same_with_threads(const TransitionSystem& system, SearchOptions options) {
  const SearchResult alone = search(system, options);
  for (const unsigned threads : {2u, 3u, 8u}) {
    options.threads = threads;
    const SearchResult shared = search(system, options);
    EXPECT_EQ(shared.outcome.index(), alone.outcome.index());
    EXPECT_EQ(shared.statistics.states, alone.statistics.states);
    EXPECT_EQ(shared.statistics.transitions, alone.statistics.transitions);
    EXPECT_EQ(shared.statistics.matched, alone.statistics.matched);
    EXPECT_EQ(shared.statistics.inner_steps, alone.statistics.inner_steps);
    EXPECT_EQ(shared.statistics.depth, alone.statistics.depth);
    EXPECT_EQ(shared.statistics.findings, alone.statistics.findings);
    EXPECT_EQ(shared.limit, alone.limit);
    ASSERT_EQ(shared.violations.size(), alone.violations.size());
    std::multiset<std::pair<std::uint32_t, std::size_t>> lengths[2];
    for (std::size_t i = 0; i < alone.violations.size(); ++i) {
      const auto note = [&](auto& into, const Violation& violation) {
        into.emplace(violation.finding.identity, violation.attempts.size());
        EXPECT_TRUE(shows(system, violation));
      };
      note(lengths[0], alone.violations[i]);
      note(lengths[1], shared.violations[i]);
    }
    EXPECT_EQ(lengths[0], lengths[1]);
  }
}

TEST(SearchThreads, AnswersDoNotDependOnThem) {
  for (const bool all_errors : {false, true}) {
    expect_same_with_threads(Counters(6, 7), options_for(Order::kBreadthFirst, all_errors));
    for (const std::uint64_t rarity : {1'000, 20'000, 50'000}) {
      expect_same_with_threads(FaultyCounters(6, 7, rarity),
                               options_for(Order::kBreadthFirst, all_errors));
    }
  }
}

TEST(SearchThreads, StopAtTheDepthLimitTogether) {
  SearchOptions options = options_for(Order::kBreadthFirst, true);
  options.limits.depth = 15;
  expect_same_with_threads(Counters(6, 7), options);
}

TEST(SearchThreads, StoresThatAreNotSharedAreUsedByOne) {
  for (const StoreKind store : kStores) {
    expect_same_with_threads(Counters(5, 6), options_for(Order::kBreadthFirst, true, store));
    expect_same_with_threads(Counters(5, 6), options_for(Order::kDepthFirst, true, store));
  }
}

TEST(SearchThreads, KeepTheMemoryLimit) {
  SearchOptions options = options_for(Order::kBreadthFirst, true);
  options.threads = 4;
  options.limits.memory_bytes = 20'000'000;
  const SearchResult result = search(Counters(8, 10), options);
  EXPECT_EQ(std::get<Unknown>(result.outcome).limit, LimitHit::kMemory);
  EXPECT_LT(result.statistics.memory_bytes, 21'000'000u);
}

// Memory for about a third of the states when they are kept whole.
TEST(SearchStore, GoesOnWithTheTreeWhenMemoryGetsTight) {
  SearchOptions options = options_for(Order::kBreadthFirst, true, StoreKind::kExact);
  const FaultyCounters system(30, 2, 200'000);
  options.limits.depth = 5;
  const SearchResult exact = search(system, options);
  ASSERT_EQ(exact.store, StoreKind::kExact);
  options.store = StoreKind::kAuto;
  for (const unsigned threads : {1u, 3u}) {
    options.threads = threads;
    options.limits.memory_bytes = 2 * exact.statistics.memory_bytes;
    EXPECT_EQ(search(system, options).store, StoreKind::kExact);

    options.limits.memory_bytes = exact.statistics.memory_bytes / 2;
    const SearchResult tight = search(system, options);
    EXPECT_EQ(tight.store, StoreKind::kTree);
    EXPECT_LT(tight.statistics.memory_bytes, options.limits.memory_bytes * 105 / 100);
    EXPECT_EQ(tight.statistics.states, exact.statistics.states);
    EXPECT_EQ(tight.statistics.transitions, exact.statistics.transitions);
    EXPECT_EQ(tight.statistics.findings, exact.statistics.findings);
    EXPECT_EQ(tight.statistics.depth, exact.statistics.depth);
    EXPECT_EQ(tight.limit, LimitHit::kDepth);
    ASSERT_EQ(tight.violations.size(), exact.violations.size());
    for (const Violation& violation : tight.violations) EXPECT_TRUE(shows(system, violation));
  }
}

// A long path: what is kept for each level and thread must not add up.
TEST(SearchThreads, ALevelCostsNothing) {
  class Path : public QuietSystem {
   public:
    std::vector<std::byte> initial_state() const override { return std::vector<std::byte>(4); }
    void expand(StateBytes state, Expansion& out) const override {
      std::uint32_t number = 0;
      std::memcpy(&number, state.data(), sizeof number);
      if (++number == 300'000) return;
      const auto offset = static_cast<std::uint32_t>(out.arena.size());
      out.arena.append(std::as_bytes(std::span(&number, 1)));
      out.successors.push_back({0, offset, sizeof number});
    }
  };
  SearchOptions options = options_for(Order::kBreadthFirst, true);
  const SearchResult alone = search(Path(), options);
  EXPECT_EQ(alone.statistics.depth, 299'999u);
  options.threads = 64;
  const SearchResult shared = search(Path(), options);
  EXPECT_LT(shared.statistics.memory_bytes, alone.statistics.memory_bytes * 3 / 2);
  EXPECT_LT(shared.statistics.elapsed_s, 20 * alone.statistics.elapsed_s + 1);
}

TEST(SearchThreads, AnExceptionInOneOfThemIsThrownToTheCaller) {
  class Broken : public Counters {
   public:
    Broken() : Counters(6, 7) {}
    void expand(StateBytes state, Expansion& out) const override {
      if (asked_++ == 50'000) throw std::logic_error("broken");
      Counters::expand(state, out);
    }
    mutable std::atomic<int> asked_ = 0;
  };
  SearchOptions options = options_for(Order::kBreadthFirst, true);
  options.threads = 3;
  EXPECT_THROW(search(Broken(), options), std::logic_error);
}

}  // namespace
}  // namespace spoor
