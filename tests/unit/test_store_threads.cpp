// Stores that several threads use at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "base/hash.h"
#include "store/compact.h"
#include "store/exact.h"
#include "store/key_table.h"
#include "store/quiescence.h"
#include "store/stable_array.h"
#include "store/tree.h"
#include "unit/state_text.h"
#include "unit/store_keys.h"

namespace spoor {
namespace {

constexpr unsigned kThreads = 4;

template <class Work>
void in_threads(const Work& work) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i) threads.emplace_back([&, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

// What happened to `count` things that several threads insert.
class Findings {
 public:
  explicit Findings(std::uint64_t count) : found_(count), number_of_(count) {
    for (auto& number : number_of_) number = kNoState;
  }
  void note(std::uint64_t thing, const Insertion& insertion) {
    if (insertion.is_new) ++found_[thing];
    StateIndex known = kNoState;
    if (!number_of_[thing].compare_exchange_strong(known, insertion.index) && known != insertion.index) {
      ++differing_;
    }
  }
  // Calls expect(thing, its number), each once.
  template <class Expect>
  void expect_each_new_once(const Expect& expect) const {
    EXPECT_EQ(differing_.load(), 0) << "one thing had two numbers";
    std::set<StateIndex> numbers;
    for (std::uint64_t thing = 0; thing < found_.size(); ++thing) {
      ASSERT_EQ(found_[thing].load(), 1) << thing;
      ASSERT_TRUE(numbers.insert(number_of_[thing]).second) << "two things had one number";
      expect(thing, number_of_[thing].load());
      if (testing::Test::HasFatalFailure()) return;
    }
  }

 private:
  std::vector<std::atomic<int>> found_;
  std::vector<std::atomic<StateIndex>> number_of_;
  std::atomic<int> differing_ = 0;
};

// All numbers below `count` in an order of the thread's own, so that threads race for every one.
template <class Use>
void each_in_some_order(unsigned thread, std::uint64_t count, const Use& use) {
  std::mt19937_64 random(thread);
  // A step that has no divisor in common with the count visits all of them.
  const std::uint64_t step = thread % 2 == 0 ? 1 : count - 1;
  std::uint64_t at = random() % count;
  for (std::uint64_t i = 0; i < count; ++i, at = (at + step) % count) use(at);
}

// Of most lengths there are enough for shapes to be learned meanwhile.
std::string state_text(std::uint64_t number) {
  std::string text(8 + number % 30 * 3, 'x');
  std::memcpy(text.data(), &number, sizeof number);
  return text;
}

// Each thread inserts all of `count` states while tables grow. A mask makes keys collide, for stores
// that can tell states with the same key apart.
template <class Store>
void expect_each_state_is_new_once(std::uint64_t count, std::uint64_t key_mask = UINT64_MAX) {
  Store store;
  Findings findings(count);
  std::atomic<int> wrong = 0;
  in_threads([&](unsigned thread) {
    typename Store::Writer writer;
    typename Store::DecodeBuffer room;
    store.enter();
    std::uint64_t inserted = 0;
    each_in_some_order(thread, count, [&](std::uint64_t at) {
      const std::string text = state_text(at);
      const std::span<const std::byte> bytes = bytes_of(text);
      std::uint64_t key = 0;
      keys_of(store, writer, {&bytes, 1}, room, &key);
      key &= key_mask;
      store.prefetch(key);
      const std::uint64_t hint = store.prefetch_state(key);
      const Insertion insertion = store.insert(writer, key, bytes, hint);
      const Insertion again = store.insert(writer, key, bytes, hint);  // which is not of today any more
      if (again.is_new || again.index != insertion.index) ++wrong;
      findings.note(at, insertion);
      // Back at once, and then the source of the next; from the tree whoever has put it there, while an
      // arena can find the state of another thread by its number only after a barrier.
      constexpr bool kIsTree = std::is_same_v<Store, TreeStore>;
      if constexpr (Store::kKeepsBytes) {
        if ((insertion.is_new || kIsTree) && text_of(store.get(insertion.index, room)) != text) ++wrong;
      }
      if (++inserted % 100 == 0) store.safe_point();
    });
    store.leave();
  });
  EXPECT_EQ(store.size(), count);
  EXPECT_EQ(wrong.load(), 0) << "a state was not as it had been inserted";
  findings.expect_each_new_once([&](std::uint64_t at, StateIndex index) {
    ASSERT_TRUE(store.is_state(index, bytes_of(state_text(at))));
    ASSERT_LT(index, store.index_bound());
  });
}

template <class Store>
class SharedStore : public testing::Test {};
using SharedStores = testing::Types<ExactStore, TreeStore, CompactStore>;
TYPED_TEST_SUITE(SharedStore, SharedStores);

TYPED_TEST(SharedStore, EachStateIsNewOnce) {
  static_assert(TypeParam::kIsShared);
  expect_each_state_is_new_once<TypeParam>(100'003);
}

TEST(StoreThreads, EachStateIsNewOnceWhenAllFightForTheSameSlots) {
  expect_each_state_is_new_once<ExactStore>(2'003, std::uint64_t{0xf} << 30);
}

// Keys that become wider as there are more, so that blocks are written anew while others read them;
// the tables grow, and their tags get shorter.
TEST(KeyTableThreads, EachKeyGetsOneNumberAndKeepsIt) {
  for (const unsigned width : {0u, 20u, 44u}) {
    constexpr std::uint64_t kKeys = 150'001;
    const auto key_of = [&](std::uint64_t i) { return i << width | (width == 0 ? 0 : i % 512); };
    Quiescence quiescence;
    KeyTable table(quiescence);
    Findings findings(kKeys);
    std::atomic<int> wrong = 0;
    in_threads([&](unsigned thread) {
      KeyTable::Writer writer;
      quiescence.enter();
      std::vector<std::uint32_t> seen;
      std::mt19937_64 random(thread);
      each_in_some_order(thread, kKeys, [&](std::uint64_t i) {
        const std::uint64_t key = key_of(i);
        const std::uint32_t candidate = table.candidate(key);
        const Insertion insertion = table.insert(writer, key);
        findings.note(i, insertion);
        if (insertion.is_new && candidate == insertion.index) ++wrong;
        seen.push_back(insertion.index);
        if (table[insertion.index] != key) ++wrong;
        const std::uint32_t other = seen[random() % seen.size()];
        if (table.insert(writer, table[other]).index != other) ++wrong;
        if (i % 64 == 0) quiescence.safe_point();
      });
      quiescence.leave();
    });
    EXPECT_EQ(wrong.load(), 0);
    EXPECT_EQ(table.size(), kKeys);
    EXPECT_LT(table.bound(), kKeys + (kThreads + 1) * PackedKeys::kBlock)
        << "who loses a race uses its number for the next key";
    findings.expect_each_new_once(
        [&](std::uint64_t i, StateIndex number) { ASSERT_EQ(table[number], key_of(i)); });
  }
}

// All go through the same keys in the same order: whoever is ahead has more to do, so they stay
// together and want the same slot at the same time, again and again.
TEST(KeyTableThreads, ThreadsThatInsertTheSameKeyAtTheSameTimeAgree) {
  for (std::uint64_t round = 0; round < 25; ++round) {
    constexpr std::uint64_t kKeys = 40'000;
    const auto key_of = [&](std::uint64_t i) { return (round << 20 | i) * 0x9e3779b97f4a7c15u; };
    Quiescence quiescence;
    KeyTable table(quiescence);
    Findings findings(kKeys);
    std::atomic<unsigned> ready = 0;
    in_threads([&](unsigned) {
      KeyTable::Writer writer;
      quiescence.enter();
      ++ready;
      while (ready.load() < kThreads) {
      }
      for (std::uint64_t i = 0; i < kKeys; ++i) {
        findings.note(i, table.insert(writer, key_of(i)));
        if (i % 16 == 0) quiescence.safe_point();
      }
      quiescence.leave();
    });
    EXPECT_EQ(table.size(), kKeys);
    findings.expect_each_new_once(
        [&](std::uint64_t i, StateIndex number) { ASSERT_EQ(table[number], key_of(i)); });
  }
}

// As a search relies on to tell what was found since a level began.
TEST(KeyTableThreads, AllNumbersAreInAVacantRangeOrBelowTheBoundBeforeTheyAreUsed) {
  Quiescence quiescence;
  KeyTable table(quiescence);
  KeyTable::Writer writers[3];
  for (std::uint64_t key = 0; key < 20'000; ++key) {
    IndexRange vacant[3];
    for (int i = 0; i < 3; ++i) vacant[i] = table.vacant(writers[i]);
    const std::uint64_t bound = table.bound();
    const StateIndex number = table.insert(writers[key * key % 3], key).index;
    const bool is_vacant = std::ranges::any_of(
        vacant, [&](const IndexRange& range) { return range.begin <= number && number < range.end; });
    ASSERT_TRUE(is_vacant || number >= bound);
  }
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
