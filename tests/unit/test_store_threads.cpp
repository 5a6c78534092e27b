// Stores that several threads use at once.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/hash.h"
#include "store/exact.h"
#include "store/quiescence.h"
#include "store/stable_array.h"
#include "unit/state_text.h"

namespace spoor {
namespace {

constexpr unsigned kThreads = 4;

template <class Work>
void in_threads(const Work& work) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i) threads.emplace_back([&, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

// Each thread inserts most of `count` states, in an order of its own, so that they race for every
// one of them while tables grow.
void expect_each_state_is_new_once(std::uint64_t count, std::uint64_t hash_mask) {
  ExactStore store;
  std::vector<std::atomic<int>> found(count);
  std::vector<std::atomic<StateIndex>> index_of(count);
  for (auto& index : index_of) index = kNoState;
  std::atomic<int> differing = 0;
  in_threads([&](unsigned thread) {
    ExactStore::Writer writer;
    std::mt19937_64 random(thread);
    store.enter();
    // A step that has no divisor in common with the count visits all of them.
    const std::uint64_t step = thread % 2 == 0 ? 1 : count - 1;
    std::uint64_t at = random() % count;
    for (std::uint64_t i = 0; i < count; ++i, at = (at + step) % count) {
      std::string text(8 + at % 30, 'x');
      std::memcpy(text.data(), &at, sizeof at);
      const std::uint64_t hash = hash_bytes(bytes_of(text)) & hash_mask;
      store.prefetch_state(hash);
      const Insertion insertion = store.insert(writer, hash, bytes_of(text));
      if (insertion.is_new) ++found[at];
      StateIndex known = kNoState;
      if (!index_of[at].compare_exchange_strong(known, insertion.index) &&
          known != insertion.index) {
        ++differing;
      }
      if (i % 100 == 0) store.safe_point();
    }
    store.leave();
  });
  EXPECT_EQ(store.size(), count);
  EXPECT_EQ(differing.load(), 0) << "a state had two numbers";
  ExactStore::Room room;
  for (std::uint64_t at = 0; at < count; ++at) {
    ASSERT_EQ(found[at].load(), 1);
    const std::span<const std::byte> bytes = store.get(index_of[at], room);
    ASSERT_EQ(bytes.size(), 8 + at % 30);
    ASSERT_EQ(std::memcmp(bytes.data(), &at, sizeof at), 0);
  }
}

TEST(StoreThreads, EachStateIsNewOnce) { expect_each_state_is_new_once(100'003, UINT64_MAX); }

TEST(StoreThreads, EachStateIsNewOnceWhenAllFightForTheSameSlots) {
  expect_each_state_is_new_once(2'003, std::uint64_t{0xf} << 30);
}

TEST(Quiescence, WhoeverIsAloneIsAlone) {
  Quiescence quiescence;
  std::atomic<int> inside = 0;
  std::atomic<int> wrong = 0;
  std::uint64_t unguarded = 0;  // only touched by whoever is alone
  std::uint64_t expected[kThreads] = {};
  in_threads([&](unsigned thread) {
    for (int round = 0; round < 20; ++round) {
      quiescence.enter();
      for (int i = 0; i < 100; ++i) {
        ++inside;
        --inside;
        quiescence.safe_point();
        if (i % 10 != static_cast<int>(thread)) continue;
        const bool was_alone = quiescence.alone([&] {
          wrong += inside.load() == 0 ? 0 : 1;
          ++unguarded;
        });
        expected[thread] += was_alone ? 1 : 0;
      }
      quiescence.leave();
    }
  });
  EXPECT_EQ(wrong.load(), 0);
  std::uint64_t sum = 0;
  for (const std::uint64_t count : expected) sum += count;
  EXPECT_EQ(unguarded, sum);
  EXPECT_GT(sum, 0u);
}

TEST(StableArray, KeepsWhatManyThreadsPutThere) {
  StableArray<std::uint64_t, 6, 10> array;
  std::atomic<std::uint64_t> next = 0;
  in_threads([&](unsigned) {
    for (std::uint64_t i; (i = next++) < array.kCapacity;) array.make(i) = i * i;
  });
  for (std::uint64_t i = 0; i < array.kCapacity; ++i) ASSERT_EQ(array[i], i * i);
}

}  // namespace
}  // namespace spoor
