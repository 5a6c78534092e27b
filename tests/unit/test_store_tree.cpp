// What every store must do, and the parts that the tree and the compact store are made of.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "store/ascending_list.h"
#include "store/change_memo.h"
#include "store/compact.h"
#include "store/exact.h"
#include "store/key_table.h"
#include "store/packed_keys.h"
#include "store/quiescence.h"
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

using Stores = testing::Types<ExactStore, TreeStore, CompactStore>;
TYPED_TEST_SUITE(AnyStore, Stores);

template <class Store>
Store with_limit(IndexLimit limit) {
  if constexpr (std::is_constructible_v<Store, unsigned, IndexLimit>) {
    return Store(1, limit);
  } else {
    return Store(limit);
  }
}

TYPED_TEST(AnyStore, KeepsWhatItHasWhereItsIndexesRunOut) {
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
  if (std::is_same_v<TypeParam, ExactStore>) {
    const int record = Shape::can_be_used() ? 12 : 72;  // 19 bits vary
    EXPECT_GE(per_state, record + 8 / 0.75 - 1);
    EXPECT_LE(per_state, record + 12 / 0.375 + 1);
  } else if (std::is_same_v<TypeParam, CompactStore>) {
    EXPECT_GE(per_state, 8 + 4 / 0.9);
    EXPECT_LE(per_state, 8 + 4 / 0.7 + 0.5);
  } else {  // a root of two numbers below 4096, which are 3 bytes, and some thousand nodes
    EXPECT_GE(per_state, 3 + 4 / 0.9);
    EXPECT_LE(per_state, 3 + 4 / 0.7 + 0.5);
  }
}

TEST(TreeStore, HoldsStatesOfAMegabyte) {
  TreeStore store;
  TreeStore::Writer writer;
  TreeStore::DecodeBuffer room;
  std::string text(1 << 20, 'a');
  for (int i = 0; i < 4; ++i) {
    text[static_cast<std::size_t>(i) * 200'000] = 'b';
    const std::span<const std::byte> bytes = bytes_of(text);
    std::uint64_t key = 0;
    store.keys(writer, {&bytes, 1}, room, &key);
    EXPECT_TRUE(store.insert(writer, key, bytes).is_new);
    EXPECT_EQ(text_of(store.get(static_cast<StateIndex>(i), room)), text);
  }
  EXPECT_LT(store.nodes(), 200u) << "equal parts are kept once";
}

TEST(CompactStore, TakesStatesWithTheSameKeyForOne) {
  CompactStore store;
  CompactStore::Writer writer;
  EXPECT_TRUE(store.insert(writer, 42, bytes_of("a")).is_new);
  EXPECT_FALSE(store.insert(writer, 42, bytes_of("b")).is_new);
  EXPECT_TRUE(store.insert(writer, 0, bytes_of("c")).is_new);
  EXPECT_EQ(store.size(), 2u);
  EXPECT_DOUBLE_EQ(store.omission_probability(), 2 / 0x1p65);
}

TEST(KeyTable, ActsLikeAMapOnKeysOfAllSizes) {
  std::mt19937_64 random(5);
  Quiescence quiescence;
  KeyTable table(quiescence);
  KeyTable::Writer writer;
  std::map<std::uint64_t, std::uint32_t> model;
  for (int i = 0; i < 600'000; ++i) {
    const std::uint64_t key = random() >> (i % 3 == 0 ? 46 : random() % 64);
    const Insertion insertion = table.insert(writer, key);
    const auto [entry, is_new] = model.emplace(key, static_cast<std::uint32_t>(model.size()));
    ASSERT_EQ(insertion.is_new, is_new);
    ASSERT_EQ(insertion.index, entry->second);
  }
  ASSERT_EQ(table.size(), model.size());
  for (const auto& [key, number] : model) ASSERT_EQ(table[number], key);
}

// Returns the number of the key.
std::uint32_t append(PackedKeys& keys, PackedKeys::Writer& writer, std::uint64_t key) {
  if (writer.next() == writer.end()) {
    while (!keys.begin_block(writer)) keys.make_room();
  }
  keys.write(writer, key);
  return PackedKeys::keep(writer);
}

TEST(PackedKeys, GivesEveryKeyBackHoweverWideTheLaterOnesAre) {
  std::mt19937_64 random(6);
  PackedKeys keys;
  PackedKeys::Writer writer;
  std::vector<std::uint64_t> model;
  for (unsigned bits = 0; bits <= 64; ++bits) {
    for (int i = 0; i < 1'700; ++i) {
      model.push_back(bits == 0 ? 0 : random() >> (64 - bits));
      ASSERT_EQ(append(keys, writer, model.back()), model.size() - 1);
      ASSERT_EQ(keys[model.size() - 1], model.back());
    }
  }
  for (std::size_t i = 0; i < model.size(); ++i) ASSERT_EQ(keys[i], model[i]);
}

TEST(PackedKeys, KeepsTheBlocksOfSeveralWritersApart) {
  std::mt19937_64 random(8);
  PackedKeys keys;
  PackedKeys::Writer writers[5];
  std::map<std::uint32_t, std::uint64_t> model;
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t key = random() >> (40 - std::min(i / 10'000, 20));
    PackedKeys::Writer& writer = writers[random() % 5];
    // What is not kept does not count, however wide it is.
    if (writer.next() != writer.end() && random() % 100 == 0) keys.write(writer, random());
    const std::uint32_t number = append(keys, writer, key);
    ASSERT_TRUE(model.emplace(number, key).second) << "a number was given twice";
    ASSERT_LT(number, keys.bound());
  }
  for (const auto& [number, key] : model) ASSERT_EQ(keys[number], key);
  EXPECT_LT(keys.bound(), 200'000 + 5 * PackedKeys::kBlock);
}

TEST(PackedKeys, TakesFewBytesForKeysWithSmallFields) {
  PackedKeys keys;
  PackedKeys::Writer writer;
  for (std::uint64_t i = 0; i < 1'000'000; ++i) append(keys, writer, (i % 4096) << 28 | i / 4096);
  EXPECT_LT(keys.memory_bytes(), 3'100'000u);
}

// Changes that differ in one thing only, among them those that forget which value belongs where.
TEST(ChangeMemo, TellsChangesApart) {
  using Words = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  const auto change_of = [](std::uint32_t node, const Words& words) {
    ChangeMemo::Change change(node);
    for (const auto& [place, value] : words) change.add(place, value);
    return change;
  };
  std::vector<ChangeMemo::Change> changes;
  for (const std::uint32_t node : {0u, 1u, 5u, (1u << 28) - 1}) {
    for (const std::uint32_t a : {0u, 1u, UINT32_MAX}) {
      for (const std::uint32_t p : {4u, 5u, ChangeMemo::kMaxPlace}) {
        changes.push_back(change_of(node, {{p, a}}));
        for (const std::uint32_t b : {0u, 1u, UINT32_MAX}) {
          changes.push_back(change_of(node, {{p, a}, {6, b}}));
          changes.push_back(change_of(node, {{p, a}, {7, b}}));
          changes.push_back(change_of(node, {{p, a}, {6, b}, {7, 1}}));
          changes.push_back(change_of(node, {{p, a}, {6, 1}, {7, b}}));
        }
      }
    }
  }
  // Those with b == 1 are there twice; every other pair differs.
  std::size_t right = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    ChangeMemo memo;
    EXPECT_EQ(memo.find(changes[i]), ChangeMemo::kNothing);
    memo.put(changes[i], static_cast<std::uint32_t>(i));
    ASSERT_EQ(memo.find(changes[i]), i);
    for (const ChangeMemo::Change& other : changes) {
      right += memo.find(other) == ChangeMemo::kNothing ? 0 : 1;
    }
  }
  const std::size_t pairs = 4 * 3 * 3;
  EXPECT_EQ(changes.size(), pairs * 13);
  EXPECT_EQ(right, changes.size() + 2 * pairs);
}

TEST(ChangeMemo, KeepsTheLastOfAPlaceHoweverLargeItGets) {
  std::mt19937_64 random(9);
  ChangeMemo memo;
  std::map<std::uint32_t, std::uint32_t> model;
  std::size_t known = 0;
  for (int i = 0; i < 300'000; ++i) {
    const auto node = static_cast<std::uint32_t>(random() % 20'000);
    ChangeMemo::Change change(node);
    change.add(4, 1);
    const std::uint32_t found = memo.find(change);
    if (found != ChangeMemo::kNothing) {
      ASSERT_EQ(found, model.at(node));
      ++known;
    }
    model[node] = static_cast<std::uint32_t>(i);
    memo.put(change, static_cast<std::uint32_t>(i));
    if (memo.is_used_up()) memo.renew(UINT64_MAX);
    ASSERT_FALSE(memo.is_used_up());
  }
  EXPECT_GT(known, 100'000u);
  EXPECT_EQ(memo.memory_bytes(), 1u << 20);
  ChangeMemo small;
  small.renew(2 * small.memory_bytes() - 1);
  EXPECT_EQ(small.memory_bytes(), ChangeMemo().memory_bytes());
}

TEST(AscendingList, GivesEveryNumberBack) {
  std::mt19937_64 random(7);
  for (const unsigned stride : {1u, 2u, 5u, 1000u}) {
    AscendingList list;
    std::vector<std::uint64_t> model;
    std::uint64_t value = random() % 3;
    for (int i = 0; i < 20'000; ++i) {
      list.push_back(value);
      model.push_back(value);
      value += random() % stride;
    }
    ASSERT_EQ(list.size(), model.size());
    for (std::size_t i = 0; i < model.size(); ++i) ASSERT_EQ(list[i], model[i]) << i;
  }
}

TEST(AscendingList, TakesTwoBitsPerNumber) {
  AscendingList list;
  for (std::uint64_t i = 0; i < 1'000'000; ++i) list.push_back(i / 3 * 3);
  EXPECT_LT(list.memory_bytes(), 260'000u);
}

}  // namespace
}  // namespace spoor
