// Searches with several threads give the answers that one thread gives.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "search/search.h"
#include "unit/counters.h"

namespace spoor {
namespace {

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
        into.emplace(violation.finding.identity, violation.steps.size());
        EXPECT_TRUE(shows(system, violation));
      };
      note(lengths[0], alone.violations[i]);
      note(lengths[1], shared.violations[i]);
    }
    EXPECT_EQ(lengths[0], lengths[1]);
  }
}

class SearchThreads : public testing::TestWithParam<StoreKind> {
 protected:
  static SearchOptions options(bool all_errors, Order order = Order::kBreadthFirst) {
    SearchOptions result = options_for(order, all_errors, GetParam());
    // Which states a filter confuses depends on who is first. This one confuses none in a million runs;
    // with three hashes it was one in ten.
    result.filter.bits = 1 << 26;
    result.filter.hashes = 8;
    return result;
  }
};
INSTANTIATE_TEST_SUITE_P(Stores, SearchThreads, testing::ValuesIn(remembering_stores()),
                         [](const auto& info) { return std::string(to_string(info.param)); });

TEST_P(SearchThreads, AnswersDoNotDependOnThem) {
  const unsigned base = GetParam() == StoreKind::kExact ? 7 : 6;  // the others are slower
  for (const bool all_errors : {false, true}) {
    expect_same_with_threads(Counters(6, base), options(all_errors));
    for (const std::uint64_t rarity : {1'000, 20'000, 50'000}) {
      expect_same_with_threads(FaultyCounters(6, base, rarity), options(all_errors));
    }
  }
}

TEST_P(SearchThreads, StopAtTheDepthLimitTogether) {
  SearchOptions limited = options(true);
  limited.limits.depth = 15;
  expect_same_with_threads(Counters(6, 7), limited);
}

TEST_P(SearchThreads, ADepthFirstSearchIsDoneByOne) {
  expect_same_with_threads(Counters(5, 6), options(true, Order::kDepthFirst));
}

// All threads take part: in a level with many states none is left out. One alone where the store is not
// shared.
TEST_P(SearchThreads, AllOfThemWork) {
  class Watched : public Counters {
   public:
    Watched() : Counters(6, 8) {}
    void expand(StateBytes state, Expansion& out) const override {
      {
        const std::lock_guard lock(mutex_);
        threads_.insert(std::this_thread::get_id());
      }
      Counters::expand(state, out);
    }
    std::size_t threads() const { return threads_.size(); }

   private:
    mutable std::mutex mutex_;
    mutable std::set<std::thread::id> threads_;
  };
  SearchOptions shared = options(true);
  shared.threads = 4;
  const Watched system;
  EXPECT_EQ(search(system, shared).statistics.states, 262'144u);
  EXPECT_EQ(system.threads(), traits_of(GetParam()).is_shared ? 4u : 1u);
}

// States of many lengths, some of them long: the tree makes its shapes, and the queue of states that
// are forgotten its chunks, while all threads are at work.
TEST_P(SearchThreads, StatesMayDifferInLength) {
  class Lengths : public QuietSystem {
   public:
    std::vector<std::byte> initial_state() const override { return state(1); }
    void expand(StateBytes bytes, Expansion& out) const override {
      std::uint32_t number = 0;
      std::memcpy(&number, bytes.data(), sizeof number);
      ASSERT_EQ(bytes.size(), length(number)) << "the bytes of another state";
      for (std::uint32_t i = 0; i < 3; ++i) {
        const std::uint32_t next = (number * 2 + i) % 30'000;
        const std::vector<std::byte> target = state(next);
        const auto offset = static_cast<std::uint32_t>(out.arena.size());
        out.arena.append(target);
        out.successors.push_back({StepId(i), offset, static_cast<std::uint32_t>(target.size())});
      }
    }

   private:
    static std::size_t length(std::uint32_t number) {
      return 4 + number % 251 + (number % 20'011 == 7 ? 1'200'000 : 0);
    }
    static std::vector<std::byte> state(std::uint32_t number) {
      std::vector<std::byte> bytes(length(number));
      std::memcpy(bytes.data(), &number, sizeof number);
      return bytes;
    }
  };
  expect_same_with_threads(Lengths(), options(true));
}

TEST_P(SearchThreads, KeepTheMemoryLimit) {
  SearchOptions limited = options(true);
  limited.threads = 4;
  limited.limits.memory_bytes = 20'000'000;
  const SearchResult result = search(Counters(8, 10), limited);
  EXPECT_EQ(std::get<Unknown>(result.outcome).limit, LimitHit::kMemory);
  EXPECT_LT(result.statistics.memory_bytes, 21'500'000u);
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
TEST_P(SearchThreads, ALevelCostsNothing) {
  class Path : public QuietSystem {
   public:
    std::vector<std::byte> initial_state() const override { return std::vector<std::byte>(4); }
    void expand(StateBytes state, Expansion& out) const override {
      std::uint32_t number = 0;
      std::memcpy(&number, state.data(), sizeof number);
      if (++number == 300'000) return;
      const auto offset = static_cast<std::uint32_t>(out.arena.size());
      out.arena.append(std::as_bytes(std::span(&number, 1)));
      out.successors.push_back({StepId(0), offset, sizeof number});
    }
  };
  SearchOptions many = options(true);
  const SearchResult alone = search(Path(), many);
  EXPECT_EQ(alone.statistics.depth, 299'999u);
  many.threads = 64;
  const SearchResult shared = search(Path(), many);
  EXPECT_LT(shared.statistics.memory_bytes, alone.statistics.memory_bytes * 3 / 2);
  EXPECT_LT(shared.statistics.elapsed_s, 20 * alone.statistics.elapsed_s + 1);
}

TEST_P(SearchThreads, AnExceptionInOneOfThemIsThrownToTheCaller) {
  class Broken : public Counters {
   public:
    Broken() : Counters(6, 7) {}
    void expand(StateBytes state, Expansion& out) const override {
      if (asked_++ == 50'000) throw std::logic_error("broken");
      Counters::expand(state, out);
    }
    mutable std::atomic<int> asked_ = 0;
  };
  SearchOptions shared = options(true);
  shared.threads = 3;
  EXPECT_THROW(search(Broken(), shared), std::logic_error);
}

}  // namespace
}  // namespace spoor
