// The parts that the tree and the compact store are made of. What every store must do is in
// test_store_any.cpp.
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
