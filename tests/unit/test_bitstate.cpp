// The bitstate store: what the filter confuses and how often, what it says about that, and that a
// search with it reports nothing that is not there.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "estimate/dillinger.h"
#include "estimate/stern.h"
#include "graph/fixed.h"
#include "search/incoming_steps.h"
#include "search/observer.h"
#include "search/search.h"
#include "store/bitstate.h"
#include "unit/counters.h"
#include "unit/step_names.h"

namespace spoor {
namespace {

constexpr FilterKind kKinds[] = {FilterKind::kClassic, FilterKind::kBlocked};
constexpr Order kOrders[] = {Order::kBreadthFirst, Order::kDepthFirst};

FilterOptions filter_of(unsigned log_bits, unsigned hashes, FilterKind kind, std::uint64_t seed = 1) {
  return {std::uint64_t{1} << log_bits, hashes, kind, seed, false};
}

// A store and one writer; states are numbers.
class Filter {
 public:
  explicit Filter(const FilterOptions& options) : store_(options) {}
  Insertion insert(std::uint64_t state) {
    const auto bytes = std::as_bytes(std::span(&state, 1));
    return store_.insert(writer_, BitstateStore::key(bytes), bytes);
  }
  // How many of the states from `begin` to `end` are taken for known.
  std::uint64_t count_known(std::uint64_t begin, std::uint64_t end) {
    std::uint64_t known = 0;
    for (std::uint64_t state = begin; state < end; ++state) known += insert(state).is_new ? 0 : 1;
    return known;
  }
  const BitstateStore& store() const { return store_; }

 private:
  BitstateStore store_;
  BitstateStore::Writer writer_;
};

// --- the filter

// Offers `fill` states and then counts how many of the next ones are taken for known, over many
// seeds. (States that are taken for known set no bit, as they would not in the theory.)
struct Rates {
  double seen = 0;        // states taken for known
  double expected = 0;    // by the model of this kind of filter
  double as_classic = 0;  // by that of a classic filter
};
Rates measure_rates(FilterOptions options, std::uint64_t fill) {
  constexpr std::uint64_t kSeeds = 150;
  constexpr std::uint64_t kTrials = 1000;
  Rates rates;
  for (options.seed = 1; options.seed <= kSeeds; ++options.seed) {
    Filter filter(options);
    filter.count_known(0, fill);
    rates.seen += static_cast<double>(filter.count_known(fill, fill + kTrials));
  }
  FilterOptions classic = options;
  classic.kind = FilterKind::kClassic;
  const double middle = static_cast<double>(fill) + kTrials / 2.0;
  rates.expected = false_positive_rate(options, middle) * kTrials * kSeeds;
  rates.as_classic = false_positive_rate(classic, middle) * kTrials * kSeeds;
  return rates;
}

TEST(Bitstate, TakesAsManyNewStatesForKnownAsTheTheoryOfClassicFiltersSays) {
  for (const unsigned hashes : {1u, 2u, 3u, 5u, 8u}) {
    const FilterOptions options = filter_of(16, hashes, FilterKind::kClassic);
    const std::uint64_t fill = 8192;
    const Rates rates = measure_rates(options, fill);
    EXPECT_NEAR(rates.seen, rates.expected, 4.5 * std::sqrt(rates.expected)) << hashes;
    const double textbook = std::pow(1 - std::exp(-(fill + 500.0) * hashes / 65536), hashes);
    EXPECT_NEAR(rates.expected / 150'000, textbook, 1e-4);
  }
}

TEST(Bitstate, BlockedFiltersHaveAModelOfTheirOwn) {
  for (const unsigned hashes : {1u, 2u, 3u, 5u, 8u}) {
    const FilterOptions options = filter_of(17, hashes, FilterKind::kBlocked);
    const Rates rates = measure_rates(options, 8192);
    EXPECT_NEAR(rates.seen, rates.expected, 4.5 * std::sqrt(rates.expected)) << hashes;
    if (hashes >= 5) {  // where the two kinds differ enough to be told apart
      EXPECT_GT(rates.seen, rates.as_classic + 4.5 * std::sqrt(rates.as_classic)) << hashes;
    }
  }
}

TEST(Bitstate, EveryHashFunctionReachesEveryBit) {
  constexpr double kSeeds = 300;
  constexpr double kStates = 60;
  for (const FilterKind kind : kKinds) {
    for (unsigned hashes = 1; hashes <= 8; ++hashes) {
      double set = 0;
      for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        Filter filter(filter_of(10, hashes, kind, seed));
        filter.count_known(0, kStates);
        set += static_cast<double>(filter.store().figures(false).bits_set);
      }
      // Of a blocked filter, each state goes to one of two lines.
      const double stays_clear = kind == FilterKind::kClassic ? std::pow(1 - 1.0 / 1024, hashes)
                                                              : 0.5 + 0.5 * std::pow(1 - 1.0 / 512, hashes);
      EXPECT_NEAR(set / kSeeds, 1024 * (1 - std::pow(stays_clear, kStates)), 2.5)
          << to_string(kind) << ' ' << hashes;
    }
  }
}

TEST(Bitstate, AKnownStateHasNoNumberAndNewOnesAreNumberedInOrder) {
  for (const FilterKind kind : kKinds) {
    Filter filter(filter_of(20, 3, kind));
    for (StateIndex i = 0; i < 1000; ++i) {
      const Insertion first = filter.insert(i);
      ASSERT_TRUE(first.is_new);
      ASSERT_EQ(first.index, i);
      const Insertion again = filter.insert(i / 2);
      ASSERT_FALSE(again.is_new);
      ASSERT_EQ(again.index, kNoState);
    }
    EXPECT_EQ(filter.store().size(), 1000u);
    EXPECT_EQ(filter.store().index_bound(), 1024u);
  }
}

std::vector<bool> answers(const FilterOptions& options) {
  Filter filter(options);
  std::vector<bool> result;
  for (std::uint64_t state = 0; state < 3000; ++state) result.push_back(filter.insert(state).is_new);
  return result;
}

TEST(Bitstate, AnswersAreThoseOfTheSeedAndOfNothingElse) {
  for (const FilterKind kind : kKinds) {
    for (const unsigned hashes : {1u, 3u, 8u}) {
      std::set<std::vector<bool>> different;
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const FilterOptions options = filter_of(14, hashes, kind, seed);
        ASSERT_EQ(answers(options), answers(options));
        different.insert(answers(options));
      }
      EXPECT_EQ(different.size(), 10u) << to_string(kind) << ' ' << hashes;
    }
  }
}

TEST(Bitstate, SizesAndHashesHaveLimits) {
  for (const FilterKind kind : kKinds) {
    for (const unsigned hashes : {0u, 9u}) {
      EXPECT_THROW(BitstateStore(filter_of(20, hashes, kind)), std::invalid_argument);
    }
    const unsigned least = kind == FilterKind::kClassic ? 6 : 9;
    for (const unsigned log_bits : {0u, least - 1, 41u}) {
      EXPECT_THROW(BitstateStore(filter_of(log_bits, 3, kind)), std::invalid_argument);
    }
    FilterOptions odd = filter_of(20, 3, kind);
    odd.bits += 1024;
    EXPECT_THROW(BitstateStore{odd}, std::invalid_argument);
    for (unsigned hashes = 1; hashes <= 8; ++hashes) {
      for (const unsigned log_bits : {least, 11u, 33u}) {
        Filter filter(filter_of(log_bits, hashes, kind));
        ASSERT_TRUE(filter.insert(0).is_new);
        ASSERT_FALSE(filter.insert(0).is_new);
        EXPECT_GE(filter.store().memory_bytes(), std::uint64_t{1} << (log_bits - 3));
      }
    }
  }
  EXPECT_EQ(filter_bits_within(std::uint64_t{1} << 27), std::uint64_t{1} << 30);
  EXPECT_EQ(filter_bits_within((std::uint64_t{1} << 28) - 1), std::uint64_t{1} << 30);
  EXPECT_EQ(filter_bits_within(0), 512u);
  EXPECT_EQ(filter_bits_within(UINT64_MAX), std::uint64_t{1} << 40);
}

TEST(Bitstate, AFullFilterTakesEverythingForKnown) {
  for (const FilterKind kind : kKinds) {
    Filter filter(filter_of(10, 1, kind));
    filter.count_known(0, 100'000);
    EXPECT_EQ(filter.store().size(), 1024u);  // with one hash function each new state sets one bit
    const FilterFigures figures = filter.store().figures(true);
    EXPECT_EQ(figures.bits_set, 1024u);
    EXPECT_EQ(figures.fraction_set, 1.0);
    EXPECT_EQ(figures.hash_factor, 1.0);
    EXPECT_EQ(figures.uninterrupted, 0.0);
    EXPECT_EQ(coverage_by(Stern(), figures), std::nullopt);  // the formula has no value here
    EXPECT_EQ(filter.store().omission_probability(), 1.0);
  }
}

// --- what it says about itself

TEST(Bitstate, ItsFiguresAreThoseOfTheFormulas) {
  Filter filter(filter_of(14, 2, FilterKind::kClassic));
  filter.count_known(0, 1500);
  const FilterFigures figures = filter.store().figures(true);
  const auto states = static_cast<double>(filter.store().size());
  EXPECT_GT(states, 1450);
  EXPECT_LT(states, 1500);
  EXPECT_EQ(figures.states, filter.store().size());
  const double fraction = static_cast<double>(figures.bits_set) / 16384;
  EXPECT_NEAR(fraction, 1 - std::exp(-3000.0 / 16384), 0.005);
  EXPECT_DOUBLE_EQ(figures.fraction_set, fraction);
  EXPECT_DOUBLE_EQ(figures.hash_factor.value(), 16384 / states);
  EXPECT_NEAR(figures.uninterrupted.value(), 1 / (fraction * fraction) - 1, 1e-9);
  EXPECT_NEAR(coverage_by(Stern(), figures).value(),
              states * std::log(1 - 1.0 / 16384) / std::log(1 - states / 16384), 1e-9);
  double omissions = 0;
  for (double i = 0; i < states; ++i) {
    omissions += 2 * std::pow(1 - std::pow(1 - 1.0 / 16384, 2 * i), 2);
  }
  EXPECT_NEAR(coverage_by(Dillinger(), figures).value(), (states - omissions) / states, 1e-9);

  const FilterFigures early = filter.store().figures(false);
  EXPECT_EQ(early.hash_factor, figures.hash_factor);
  EXPECT_EQ(coverage_by(Stern(), early), std::nullopt);
  EXPECT_EQ(coverage_by(Dillinger(), early), std::nullopt);
}

TEST(Bitstate, EstimatesOfClassicFiltersAreNotGivenForBlockedOnes) {
  Filter filter(filter_of(14, 3, FilterKind::kBlocked));
  filter.count_known(0, 1500);
  const FilterFigures figures = filter.store().figures(true);
  EXPECT_EQ(coverage_by(Stern(), figures), std::nullopt);
  EXPECT_EQ(coverage_by(Dillinger(), figures), std::nullopt);
  const double as_classic = 1 / std::pow(figures.fraction_set, 3) - 1;
  EXPECT_LT(figures.uninterrupted.value(), 0.97 * as_classic);
  const double rate = 1 / (figures.uninterrupted.value() + 1);
  EXPECT_NEAR(rate, false_positive_rate(figures.options, 1500), 0.25 * rate);
}

TEST(Bitstate, AnEmptyFilterHasNothingToSay) {
  const FilterFigures figures = Filter(filter_of(14, 3, FilterKind::kClassic)).store().figures(true);
  EXPECT_EQ(figures.hash_factor, std::nullopt);
  EXPECT_EQ(figures.uninterrupted, std::nullopt);
  EXPECT_EQ(coverage_by(Stern(), figures), std::nullopt);
  EXPECT_EQ(coverage_by(Dillinger(), figures), std::nullopt);
}

std::optional<double> coverage_of(const Estimator& estimator, const FilterOptions& options,
                                  std::uint64_t states) {
  FilterFigures figures;
  figures.options = options;
  figures.states = states;
  figures.is_complete = true;
  return coverage_by(estimator, figures);
}

TEST(Bitstate, FormulasHaveTheirValues) {
  const FilterOptions one = filter_of(10, 1, FilterKind::kClassic);
  EXPECT_NEAR(coverage_of(Stern(), one, 512).value(), 0.721700, 1e-5);
  EXPECT_DOUBLE_EQ(coverage_of(Stern(), one, 1).value(), 1.0);
  EXPECT_NEAR(coverage_of(Dillinger(), one, 3).value(), 1 - 2.0 * 3 / 1024 / 3, 1e-5);
  EXPECT_EQ(coverage_of(Dillinger(), one, 1'000'000), 0.0);
  // Sums of many terms are integrals; they must be the same sums.
  const FilterOptions three = filter_of(20, 3, FilterKind::kClassic);
  double sum = 0;
  for (double i = 0; i < 200'000; ++i) sum += false_positive_rate(three, i);
  EXPECT_NEAR(coverage_of(Dillinger(), three, 200'000).value(), 1 - 2 * sum / 200'000, 1e-8);
  // Nothing is NaN, however large or full.
  for (const FilterKind kind : kKinds) {
    for (const unsigned log_bits : {10u, 40u}) {
      for (const unsigned hashes : {1u, 8u}) {
        for (const std::uint64_t states : {1ull, 2ull, 1023ull, 1024ull, 1ull << 32}) {
          const FilterOptions options = filter_of(log_bits, hashes, kind);
          const double bound = omission_bound(options, states);
          EXPECT_TRUE(bound >= 0 && bound <= 1);
          for (const auto& share :
               {coverage_of(Stern(), options, states), coverage_of(Dillinger(), options, states)}) {
            EXPECT_TRUE(!share || (*share >= 0 && *share <= 1));
          }
        }
      }
    }
  }
}

// The bound must hold, and must not be idle: where it is small it is nearly the frequency itself.
TEST(Bitstate, TheBoundOnTheChanceOfAnOmissionHolds) {
  constexpr std::uint64_t kSeeds = 4000;
  for (const FilterKind kind : kKinds) {
    for (const unsigned hashes : {1u, 2u, 3u}) {
      const std::uint64_t states = hashes == 1 ? 40 : hashes == 2 ? 150 : 400;
      FilterOptions options = filter_of(13, hashes, kind);
      std::uint64_t incomplete = 0;
      for (options.seed = 1; options.seed <= kSeeds; ++options.seed) {
        Filter filter(options);
        if (filter.count_known(0, states) != 0) ++incomplete;
      }
      const double bound = omission_bound(options, states);
      const double frequency = static_cast<double>(incomplete) / kSeeds;
      EXPECT_GT(bound, 0.05);
      EXPECT_LE(frequency, bound + 0.02) << to_string(kind) << ' ' << hashes;
      EXPECT_NEAR(frequency, 1 - std::exp(-bound), 0.04) << to_string(kind) << ' ' << hashes;
    }
  }
}

// --- several threads

TEST(Bitstate, NoStateIsLostWhenThreadsRaceForIt) {
  constexpr std::uint64_t kStates = 200'000;
  constexpr unsigned kThreads = 4;
  for (const FilterKind kind : kKinds) {
    const FilterOptions options = filter_of(27, 4, kind);
    Filter alone(options);
    ASSERT_EQ(alone.count_known(0, kStates), 0u);

    BitstateStore store(options, kThreads);
    std::vector<std::atomic<int>> found(kStates);
    std::vector<std::atomic<int>> used(store.index_bound() + kStates + 256 * kThreads + 1000);
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        BitstateStore::Writer writer;
        // Two each go the same way, so that they meet at nearly every state.
        for (std::uint64_t i = 0; i < kStates; ++i) {
          const std::uint64_t state = thread % 2 == 0 ? i : kStates - 1 - i;
          const auto bytes = std::as_bytes(std::span(&state, 1));
          const Insertion insertion = store.insert(writer, BitstateStore::key(bytes), bytes);
          if (!insertion.is_new) continue;
          ++found[state];
          ++used[insertion.index];
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    std::uint64_t twice = 0;
    for (const std::atomic<int>& times : found) {
      ASSERT_GE(times.load(), 1);
      twice += static_cast<std::uint64_t>(times.load() - 1);
    }
    for (const std::atomic<int>& times : used) ASSERT_LE(times.load(), 1) << "two states, one number";
    EXPECT_LE(twice, 5u);
    EXPECT_EQ(store.size(), kStates + twice);
    EXPECT_EQ(store.figures(true).bits_set, alone.store().figures(true).bits_set);
  }
}

// However long a thread is held up: each bit that is set is of a state that was found. The filters are
// small, so that states share bits.
TEST(Bitstate, ThreadsSetNoBitsOfStatesThatNobodyFound) {
  constexpr std::uint64_t kStates = 300;
  constexpr unsigned kThreads = 4;
  std::atomic<std::uint64_t> arrived = 0;
  for (std::uint64_t round = 1; round <= 1000; ++round) {
    const FilterOptions options = filter_of(10, 4, FilterKind::kClassic, round);
    BitstateStore store(options, kThreads);
    std::vector<std::atomic<int>> found(kStates);
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        BitstateStore::Writer writer;
        ++arrived;
        while (arrived.load() < kThreads * round) std::this_thread::yield();
        for (std::uint64_t i = 0; i < kStates; ++i) {
          const std::uint64_t state = (i + thread * kStates / kThreads) % kStates;
          const auto bytes = std::as_bytes(std::span(&state, 1));
          if (store.insert(writer, BitstateStore::key(bytes), bytes).is_new) ++found[state];
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    Filter alone(options);
    for (std::uint64_t state = 0; state < kStates; ++state) {
      ASSERT_LE(found[state].load(), 1);
      if (found[state] == 1) alone.insert(state);
    }
    ASSERT_EQ(store.figures(true).bits_set, alone.store().figures(true).bits_set) << "round " << round;
  }
}

// Two threads at the same moment, again and again: both insert one state, and each another one.
TEST(Bitstate, ARaceLosesNoBitAndHasOneWinner) {
  constexpr std::uint64_t kRounds = 5000;
  std::vector<std::unique_ptr<BitstateStore>> stores;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    stores.push_back(std::make_unique<BitstateStore>(filter_of(10, 8, FilterKind::kBlocked, round), 2));
  }
  const auto insert = [](BitstateStore& store, BitstateStore::Writer& writer, std::uint64_t state) {
    const auto bytes = std::as_bytes(std::span(&state, 1));
    return store.insert(writer, BitstateStore::key(bytes), bytes).is_new ? 1 : 0;
  };
  std::atomic<std::uint64_t> arrived = 0;
  std::atomic<std::uint64_t> found = 0;
  const auto work = [&](std::uint64_t thread) {
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      BitstateStore::Writer writer;
      ++arrived;
      while (arrived.load() < 2 * (round + 1)) {
        if (round % 2 == 0) std::this_thread::yield();
      }
      if (round % 4 < 2) insert(*stores[round], writer, 1 + thread);
      found += static_cast<std::uint64_t>(insert(*stores[round], writer, 0));
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  for (const std::unique_ptr<BitstateStore>& store : stores) {
    BitstateStore::Writer writer;
    ASSERT_EQ(insert(*store, writer, 0), 0) << "a state is not known any more";
  }
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    BitstateStore::Writer writer;
    if (round % 4 >= 2) continue;
    ASSERT_EQ(insert(*stores[round], writer, 1), 0) << "a state is not known any more";
    ASSERT_EQ(insert(*stores[round], writer, 2), 0) << "a state is not known any more";
  }
  EXPECT_NEAR(static_cast<double>(found), kRounds, 5);
}

// --- searches

SearchOptions bitstate_options(Order order, const FilterOptions& filter, bool reduce = false) {
  SearchOptions options = options_for(order, true, StoreKind::kBitstate);
  options.filter = filter;
  options.reduce = reduce;
  return options;
}

TEST(Bitstate, ALargeFilterFindsWhatAnExactStoreFinds) {
  for (const FilterKind kind : kKinds) {
    for (const Order order : kOrders) {
      const Counters system(6, 7);  // 117649 states
      const SearchResult exact = search(system, options_for(order, true));
      const SearchResult result = search(system, bitstate_options(order, filter_of(26, 6, kind)));
      ASSERT_TRUE(std::holds_alternative<HoldsProbably>(result.outcome));
      EXPECT_LT(std::get<HoldsProbably>(result.outcome).omission_probability, 1e-3);
      EXPECT_EQ(result.statistics.states, exact.statistics.states);
      EXPECT_EQ(result.statistics.transitions, exact.statistics.transitions);
      EXPECT_EQ(result.statistics.depth, exact.statistics.depth);
      EXPECT_EQ(result.filter->states, exact.statistics.states);
      EXPECT_EQ(exact.filter, std::nullopt);
      EXPECT_GT(result.statistics.memory_bytes, (std::uint64_t{1} << 23));
    }
  }
}

TEST(Bitstate, ASmallFilterMissesStatesAndInventsNoErrors) {
  const FaultyCounters system(5, 6, 500);  // 7776 states
  for (const FilterKind kind : kKinds) {
    for (const Order order : kOrders) {
      const SearchResult exact = search(system, options_for(order, true));
      ASSERT_GT(exact.violations.size(), 2u);
      std::uint64_t violations = 0;
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const FilterOptions filter = filter_of(seed % 2 == 0 ? 10 : 13, 1 + seed % 3, kind, seed);
        const SearchResult result = search(system, bitstate_options(order, filter));
        EXPECT_LT(result.statistics.states, exact.statistics.states);
        EXPECT_EQ(result.statistics.transitions, result.statistics.states + result.statistics.matched);
        for (const Violation& violation : result.violations) {
          ASSERT_TRUE(shows(system, violation)) << seed << ' ' << to_string(order);
        }
        violations += result.violations.size();
        const SearchResult again = search(system, bitstate_options(order, filter));
        EXPECT_EQ(again.statistics.transitions, result.statistics.transitions);
        if (result.violations.empty()) {
          EXPECT_EQ(std::get<HoldsProbably>(result.outcome).omission_probability, 1.0);
        }
      }
      EXPECT_GT(violations, 20u);
    }
  }
}

// Digits that count up on their own, so that it suffices to move one of them; a state in which all
// are at their end is a deadlock, and one where only the first is, fails an assertion. In a reduced
// expansion only the first digit that can still move does.
class Ladders : public QuietSystem {
 public:
  Ladders(std::size_t digits, unsigned top, bool for_deadlocks)
      : digits_(digits), top_(top), for_deadlocks_(for_deadlocks) {}
  std::vector<std::byte> initial_state() const override { return std::vector<std::byte>(digits_); }
  void expand(StateBytes state, Expansion& out) const override {
    const std::size_t before = out.successors.size();
    for (std::size_t i = digits_; i-- > 0;) {
      if (std::to_integer<unsigned>(state[i]) == top_) continue;
      // The one that may move alone is the last one that can.
      const bool is_alone = std::ranges::all_of(
          state.first(i), [&](std::byte b) { return std::to_integer<unsigned>(b) == top_; });
      if (out.asked.may_reduce && !is_alone) continue;
      const auto offset = static_cast<std::uint32_t>(out.arena.size());
      out.arena.append(state);
      out.arena[offset + i] = static_cast<std::byte>(std::to_integer<unsigned>(state[i]) + 1);
      out.successors.push_back({StepId(digits_ - 1 - i), offset, static_cast<std::uint32_t>(digits_)});
    }
    const bool is_stuck = out.successors.size() == before;
    if (is_stuck) out.findings.push_back({FindingKind::kDeadlock, 0, Finding::kStateItself});
    const bool fails = std::to_integer<unsigned>(state[0]) == top_ &&
                       std::ranges::all_of(state.subspan(1), [](std::byte b) { return b == std::byte{0}; });
    if (fails) out.findings.push_back({FindingKind::kAssertion, 0, Finding::kStateItself});
    (for_deadlocks_ ? out.is_reduced_for_deadlocks : out.is_reduced) = out.asked.may_reduce && !is_stuck;
  }

 private:
  std::size_t digits_;
  unsigned top_;
  bool for_deadlocks_;
};

TEST(Bitstate, TracesThroughReducedExpansionsAreReal) {
  for (const bool for_deadlocks : {false, true}) {
    const Ladders system(4, 5, for_deadlocks);
    for (const Order order : kOrders) {
      for (const bool reduce : {false, true}) {
        for (const FilterKind kind : kKinds) {
          const SearchResult result = search(system, bitstate_options(order, filter_of(20, 3, kind), reduce));
          ASSERT_EQ(result.violations.size(), 2u);
          for (const Violation& violation : result.violations) {
            EXPECT_TRUE(shows(system, violation)) << to_string(order) << ' ' << reduce;
            const bool is_deadlock = violation.finding.kind == FindingKind::kDeadlock;
            EXPECT_EQ(violation.steps.size(), is_deadlock ? 20u : 5u);
          }
          const bool is_reduced = reduce && order == Order::kBreadthFirst;
          EXPECT_EQ(result.statistics.states, is_reduced ? 21u : 6u * 6 * 6 * 6);
        }
      }
    }
  }
}

// A ring: every step of a reduced expansion that closes a cycle must not put off the others for
// ever.
class Ring : public Counters {
 public:
  Ring() : Counters(2, 5) {}
  void expand(StateBytes state, Expansion& out) const override {
    Counters::expand(state, out);
    if (std::to_integer<unsigned>(state[1]) == 4) {
      out.findings.push_back({FindingKind::kAssertion, 0, Finding::kStateItself});
    }
    if (!out.asked.may_reduce) return;
    out.successors.set_size(1);
    out.is_reduced = true;
  }
};

TEST(Bitstate, AKnownStateIsNoReasonToPutOffOtherSteps) {
  for (const Order order : kOrders) {
    const SearchResult result =
        search(Ring(), bitstate_options(order, filter_of(16, 3, FilterKind::kClassic), true));
    ASSERT_EQ(result.violations.size(), 1u) << to_string(order);
    EXPECT_TRUE(shows(Ring(), result.violations[0]));
  }
}

TEST(Bitstate, TracesNameStepsBeyondThoseThatFitIntoAByte) {
  FixedGraphOptions graph;
  constexpr std::uint32_t kWide = 700;
  for (std::uint32_t i = 1; i <= kWide; ++i) graph.edges.emplace_back(0, i);
  for (std::uint32_t i = 1; i <= kWide; ++i) {
    if (i % 50 == 0) graph.edges.emplace_back(i, kWide + i);
  }
  graph.has_deadlocks = false;
  for (std::uint32_t i = 50; i <= kWide; i += 50) {
    graph.planted.push_back({kWide + i, {FindingKind::kAssertion, i, Finding::kStateItself}, false});
  }
  const FixedGraph system(graph);
  const SearchResult result =
      search(system, bitstate_options(Order::kBreadthFirst, filter_of(20, 4, FilterKind::kClassic)));
  ASSERT_EQ(result.violations.size(), kWide / 50);
  for (const Violation& violation : result.violations) {
    EXPECT_EQ(violation.steps, step_names({violation.finding.identity - 1, 0}));
  }
}

TEST(IncomingSteps, GiveEveryStepBack) {
  IncomingSteps steps;
  const auto name = [](std::uint64_t i) { return StepId::first_of(i * i % 977).with_choice(i % 3); };
  for (std::uint32_t i = 0; i < 5000; ++i) steps.add(name(i));
  for (std::uint32_t i = 0; i < 5000; ++i) ASSERT_EQ(steps[i], name(i));
  EXPECT_GE(steps.memory_bytes(), 5000u);
}

TEST(Bitstate, RefusesCheckpointsAndFiltersThatMakeNoSense) {
  SearchOptions options = bitstate_options(Order::kBreadthFirst, filter_of(16, 3, FilterKind::kClassic));
  options.checkpoint.save = "somewhere";
  EXPECT_THROW(search(Counters(2, 3), options), std::invalid_argument);
  options.checkpoint = {};
  options.filter.hashes = 0;
  EXPECT_THROW(search(Counters(2, 3), options), std::invalid_argument);
}

TEST(Bitstate, LimitsEndASearchWithFigures) {
  SearchOptions options = bitstate_options(Order::kBreadthFirst, filter_of(20, 3, FilterKind::kClassic));
  options.limits.memory_bytes = 1'000'000;  // the filter is 131072 of them
  SearchResult result = search(Counters(30, 2), options);
  EXPECT_EQ(result.limit, LimitHit::kMemory);
  EXPECT_LT(result.statistics.memory_bytes, 1'100'000u);
  ASSERT_TRUE(result.filter);
  EXPECT_GT(result.filter->states, 1000u);
  EXPECT_EQ(coverage_by(Dillinger(), *result.filter), std::nullopt);  // it is not about searches like this
  options.limits.memory_bytes = 0;
  options.limits.depth = 3;
  result = search(Counters(30, 2), options);
  EXPECT_EQ(result.limit, LimitHit::kDepth);
  EXPECT_EQ(coverage_by(Stern(), *result.filter), std::nullopt);
}

}  // namespace
}  // namespace spoor
