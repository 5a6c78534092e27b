// What every store must do. A new store is added to `Stores`, with the memory that it needs per state.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "store/cache.h"
#include "store/compact.h"
#include "store/exact.h"
#include "store/shape.h"
#include "store/tree.h"
#include "unit/state_text.h"
#include "unit/store_keys.h"

namespace spoor {
namespace {

// Few distinct bytes, so that parts of states are shared.
std::string random_state(std::mt19937_64& random, std::size_t length, unsigned values) {
  std::string text(length, '\0');
  for (char& c : text) c = static_cast<char>(random() % values * 51);
  return text;
}

template <class Store>
class AnyStore : public testing::Test {
 protected:
  Insertion insert(const std::string& text, const typename Store::DecodeBuffer& room = {}) {
    const std::span<const std::byte> bytes = bytes_of(text);
    std::uint64_t key = 0;
    keys_of(store_, writer_, {&bytes, 1}, room, &key);
    store_.prefetch(key);
    store_.prefetch_state(key);
    return store_.insert(writer_, key, bytes);
  }

  // Inserts and compares the answer with that of a map.
  void expect_right(const std::string& text, Insertion insertion) {
    const auto [entry, is_new] = model_.emplace(text, static_cast<StateIndex>(texts_.size()));
    ASSERT_EQ(insertion.is_new, is_new);
    ASSERT_EQ(insertion.index, entry->second);
    if (is_new) texts_.push_back(text);
  }

  // The states come back, in any order, with a room that another state was in before.
  void expect_all_there() {
    ASSERT_EQ(store_.size(), texts_.size());
    std::mt19937_64 random(3);
    [[maybe_unused]] typename Store::DecodeBuffer room;
    for (std::size_t round = 0; round < 2 * texts_.size(); ++round) {
      const std::size_t i = round < texts_.size() ? round : random() % texts_.size();
      const auto index = static_cast<StateIndex>(i);
      if constexpr (Store::kKeepsBytes) {
        ASSERT_EQ(text_of(store_.get(index, room)), texts_[i]);
      }
      ASSERT_TRUE(store_.is_state(index, bytes_of(texts_[i])));
      ASSERT_FALSE(store_.is_state(index, bytes_of(texts_[i] + "x")));
    }
  }

  Store store_;
  typename Store::Writer writer_;
  std::map<std::string, StateIndex> model_;
  std::vector<std::string> texts_;
};

using Stores = testing::Types<ExactStore, TreeStore, CacheStore, CompactStore>;
TYPED_TEST_SUITE(AnyStore, Stores);

// From and to how many bytes a state of CountsItsMemoryInProportionToWhatItHolds takes, table included.
template <class Store>
std::pair<double, double> bytes_per_state() = delete;
template <>
std::pair<double, double> bytes_per_state<ExactStore>() {
  const int record = Shape::can_be_used() ? 12 : 72;  // 19 bits vary
  return {record + 8 / 0.75 - 1, record + 12 / 0.375 + 1};
}
template <>
std::pair<double, double> bytes_per_state<TreeStore>() {
  // A root of two numbers below 4096, which are 3 bytes, and some thousand nodes.
  return {3 + 4 / 0.9, 3 + 4 / 0.7 + 0.5};
}
template <>
std::pair<double, double> bytes_per_state<CacheStore>() {
  // The root and a link, chains of one or two states, the policy; and some thousand nodes.
  return {12 + 2, 12 + 4 + 4 + 0.5};
}
template <>
std::pair<double, double> bytes_per_state<CompactStore>() {
  return {8 + 4 / 0.9, 8 + 4 / 0.7 + 0.5};
}

template <class Store>
Store with_limit(IndexLimit limit) {
  if constexpr (std::is_constructible_v<Store, unsigned, IndexLimit>) {
    return Store(1, limit);
  } else {
    return Store(limit);
  }
}

TYPED_TEST(AnyStore, KeepsWhatItHasWhereItsIndexesRunOut) {
  if constexpr (TypeParam::kForgetsStates) {
    GTEST_SKIP() << "it uses indexes again";
  } else {
    constexpr std::uint32_t kLimit = 2048;
    TypeParam store = with_limit<TypeParam>({kLimit});
    typename TypeParam::Writer writer;
    const typename TypeParam::DecodeBuffer room;
    const auto insert = [&](std::uint32_t number) {
      const std::string text = "state " + std::to_string(number);
      const std::span<const std::byte> bytes = bytes_of(text);
      std::uint64_t key = 0;
      keys_of(store, writer, {&bytes, 1}, room, &key);
      return store.insert(writer, key, bytes);
    };
    for (std::uint32_t i = 0; i < kLimit; ++i) ASSERT_EQ(insert(i).index, i);
    for (int round = 0; round < 2; ++round) {
      EXPECT_THROW(insert(kLimit), IndexesExhausted);
      EXPECT_EQ(store.size(), kLimit);
      const Insertion known = insert(kLimit - 1);
      EXPECT_EQ(known.index, kLimit - 1);
      EXPECT_FALSE(known.is_new);
    }
  }
}

TYPED_TEST(AnyStore, TellsStatesApartThatDifferInLengthOnly) {
  for (int round = 0; round < 2; ++round) {
    for (std::size_t length = 0; length <= 300; ++length) {
      const std::string text(length, '\0');
      this->expect_right(text, this->insert(text));
      const std::string full(length, '\xff');
      this->expect_right(full, this->insert(full));
    }
  }
  this->expect_all_there();
}

TYPED_TEST(AnyStore, ActsLikeAMapOnStatesOfAllLengths) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 30'000; ++i) {
    const std::string text = random_state(random, random() % 301, 2 + i % 3);
    this->expect_right(text, this->insert(text));
    const std::string& again = this->texts_[random() % this->texts_.size()];
    this->expect_right(again, this->insert(std::string(again)));
  }
  this->expect_all_there();
}

TYPED_TEST(AnyStore, ActsLikeAMapOnShortStatesWithManyDuplicates) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200'000; ++i) {
    const std::string text = random_state(random, random() % 12, 3);
    this->expect_right(text, this->insert(text));
  }
  this->expect_all_there();
}

// As a search does it: the successors of a state, all at once, with the state in the room.
TYPED_TEST(AnyStore, ActsLikeAMapOnSuccessorsThatResembleTheirSource) {
  std::mt19937_64 random(4);
  for (const std::size_t length : {0u, 3u, 12u, 13u, 36u, 61u, 62u, 100u, 260u}) {
    const std::string first = random_state(random, length, 2);
    this->expect_right(first, this->insert(first));
    typename TypeParam::DecodeBuffer room;
    for (int i = 0; i < 1'000; ++i) {
      const std::size_t source =
          this->texts_.size() - 1 - random() % std::min<std::size_t>(this->texts_.size(), 50);
      if constexpr (TypeParam::kKeepsBytes) {
        ASSERT_EQ(text_of(this->store_.get(static_cast<StateIndex>(source), room)), this->texts_[source]);
      }
      std::vector<std::string> successors(random() % 6, this->texts_[source]);
      for (std::string& text : successors) {
        for (auto changes = random() % 4; changes > 0 && !text.empty(); --changes) {
          text[random() % text.size()] = static_cast<char>(random() % 5 - 1);
        }
        if (random() % 4 == 0) text.append(random() % 9, static_cast<char>(random() % 2));
        if (random() % 4 == 0) text.resize(text.size() - std::min(text.size(), random() % 9));
      }
      std::vector<std::span<const std::byte>> spans;
      spans.reserve(successors.size());
      for (const std::string& text : successors) spans.push_back(bytes_of(text));
      std::vector<std::uint64_t> keys(spans.size());
      keys_of(this->store_, this->writer_, spans, room, keys.data());
      for (const std::uint64_t key : keys) this->store_.prefetch(key);
      for (const std::uint64_t key : keys) this->store_.prefetch_state(key);
      for (std::size_t k = 0; k < keys.size(); ++k) {
        this->expect_right(successors[k], this->store_.insert(this->writer_, keys[k], spans[k]));
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
  this->expect_all_there();
}

TYPED_TEST(AnyStore, CountsItsMemoryInProportionToWhatItHolds) {
  const std::uint64_t empty = this->store_.memory_bytes();
  EXPECT_LT(empty, 200'000u);
  constexpr std::uint32_t kStates = 500'000;
  for (std::uint32_t i = 0; i < kStates; ++i) {
    std::string text(64, 'x');
    const std::uint32_t low = i % 1000, high = i / 1000;
    std::memcpy(text.data(), &low, sizeof low);
    std::memcpy(text.data() + 20, &high, sizeof high);
    this->insert(text);
  }
  ASSERT_EQ(this->store_.size(), kStates);
  const double per_state = static_cast<double>(this->store_.memory_bytes() - empty) / kStates;
  const auto [least, most] = bytes_per_state<TypeParam>();
  EXPECT_GE(per_state, least);
  EXPECT_LE(per_state, most);
}

}  // namespace
}  // namespace spoor
