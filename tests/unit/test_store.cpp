#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "search/pending_stack.h"
#include "store/byte_space.h"
#include "store/chunked_vector.h"
#include "store/exact.h"
#include "store/state_arena.h"
#include "unit/state_text.h"

namespace spoor {
namespace {

std::string random_text(std::mt19937_64& random, std::size_t max_length) {
  std::string text(random() % (max_length + 1), '\0');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

// Inserts texts, many of them several times, and compares every answer with that of a std::map. They come in
// batches: hints are asked for all of them before the first is inserted, and tables grow meanwhile.
template <class Hash>
void expect_acts_like_a_map(std::size_t count, const Hash& hash_of, unsigned threads) {
  std::mt19937_64 random(count);
  ExactStore store(threads);
  ExactStore::Writer writer;
  std::map<std::string, StateIndex> model;
  std::vector<std::string> inserted;
  for (std::size_t done = 0; done < count;) {
    std::vector<std::string> batch(1 + random() % (random() % 8 == 0 ? 3000 : 100));
    std::vector<std::uint64_t> hashes, hints(batch.size());
    for (std::string& text : batch) {
      const bool repeats = !inserted.empty() && random() % 2 == 0;
      text = repeats ? inserted[random() % inserted.size()] : random_text(random, 20);
      if (&text != batch.data() && random() % 4 == 0) text = batch[random() % (&text - batch.data())];
      hashes.push_back(hash_of(hash_bytes(bytes_of(text))));
      store.prefetch(hashes.back());
    }
    store.prefetch_states(hashes.data(), hashes.size(), hints.data());
    for (std::size_t i = 0; i < batch.size(); ++i) ASSERT_EQ(hints[i], store.prefetch_state(hashes[i]));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::span<const std::byte> bytes = bytes_of(batch[i]);
      const auto known = model.find(batch[i]);
      ASSERT_EQ(store.find(hashes[i], bytes), known == model.end() ? kNoState : known->second);
      const Insertion insertion = store.insert(writer, hashes[i], bytes, random() % 8 == 0 ? 0 : hints[i]);
      const auto [entry, is_new] = model.emplace(batch[i], static_cast<StateIndex>(inserted.size()));
      ASSERT_EQ(insertion.is_new, is_new);
      ASSERT_EQ(insertion.index, entry->second);
      if (is_new) inserted.push_back(batch[i]);
    }
    done += batch.size();
  }
  ASSERT_EQ(store.size(), inserted.size());
  ExactStore::DecodeBuffer room;
  for (StateIndex i = 0; i < inserted.size(); ++i) {
    ASSERT_EQ(text_of(store.get(i, room)), inserted[i]);  // in order, from one to the next
  }
  for (StateIndex i = 0; i < inserted.size(); ++i) {
    const auto at = static_cast<StateIndex>(random() % inserted.size());
    ASSERT_EQ(text_of(store.get(at, room)), inserted[at]);
  }
}
template <class Hash>
void expect_acts_like_a_map(std::size_t count, const Hash& hash_of) {
  for (const unsigned threads : {1u, 2u}) expect_acts_like_a_map(count, hash_of, threads);
}

TEST(ExactStore, ActsLikeAMapWithGoodHashes) {
  expect_acts_like_a_map(200'000, [](std::uint64_t hash) { return hash; });
}

TEST(ExactStore, ActsLikeAMapWhenAllHashesAreEqual) {
  expect_acts_like_a_map(3'000, [](std::uint64_t) { return std::uint64_t{0}; });
}

TEST(ExactStore, ActsLikeAMapWhenAllFingerprintsAreEqual) {
  // Below the fingerprint: one table, one fingerprint. Above it: the same fingerprint in 8 tables.
  expect_acts_like_a_map(5'000, [](std::uint64_t hash) { return hash & 7; });
  expect_acts_like_a_map(5'000, [](std::uint64_t hash) { return hash << 61; });
}

TEST(ExactStore, ActsLikeAMapWhenEveryProbeWrapsAround) {
  // Fingerprints 0xfffffff8 to 0xffffffff: their home is the last slot of a table of any size here.
  expect_acts_like_a_map(5'000,
                         [](std::uint64_t hash) { return (std::uint64_t{0xfffffff8} | (hash & 7)) << 24; });
}

TEST(ExactStore, ActsLikeAMapWhenNeighbouringHomesOverflowIntoEachOther) {
  expect_acts_like_a_map(5'000, [](std::uint64_t hash) { return (hash & 7) << 44; });
}

TEST(ExactStore, TellsStatesApartThatDifferInLengthOnly) {
  ExactStore store;
  ExactStore::Writer writer;
  EXPECT_EQ(store.insert(writer, 1, bytes_of(std::string(0, '\0'))).index, 0u);
  EXPECT_EQ(store.insert(writer, 1, bytes_of(std::string(1, '\0'))).index, 1u);
  EXPECT_EQ(store.insert(writer, 1, bytes_of(std::string(8, '\0'))).index, 2u);
  EXPECT_EQ(store.insert(writer, 1, bytes_of(std::string(9, '\0'))).index, 3u);
  EXPECT_FALSE(store.insert(writer, 1, bytes_of(std::string(0, '\0'))).is_new);
  EXPECT_FALSE(store.insert(writer, 1, bytes_of(std::string(8, '\0'))).is_new);
  EXPECT_EQ(store.size(), 4u);
}

TEST(ExactStore, KeepsStatesWhereTheyAreWhileItGrows) {
  ExactStore store;
  ExactStore::Writer writer;
  const std::string first = "the first state";
  store.insert(writer, hash_bytes(bytes_of(first)), bytes_of(first));
  ExactStore::DecodeBuffer room;
  const std::byte* const address = store.get(0, room).data();
  for (int i = 0; i < 300'000; ++i) {
    const std::string text = std::to_string(i);
    store.insert(writer, hash_bytes(bytes_of(text)), bytes_of(text));
  }
  EXPECT_EQ(store.get(0, room).data(), address);
  EXPECT_EQ(text_of(store.get(0, room)), first);
  EXPECT_EQ(text_of(store.get(300'000, room)), "299999");
}

TEST(ExactStore, CountsItsMemoryInProportionToWhatItHolds) {
  ExactStore store;
  ExactStore::Writer writer;
  const std::uint64_t empty = store.memory_bytes();
  EXPECT_LT(empty, 200'000u);
  constexpr std::uint64_t kStates = 200'000;
  for (std::uint64_t i = 0; i < kStates; ++i) {
    std::string text(20, 'x');
    std::memcpy(text.data(), &i, sizeof i);
    store.insert(writer, hash_bytes(bytes_of(text)), bytes_of(text));
  }
  const double per_state = static_cast<double>(store.memory_bytes() - empty) / kStates;
  EXPECT_GE(per_state, 28 + 8 / 0.75 - 1);    // record, slot in a full table
  EXPECT_LE(per_state, 28 + 12 / 0.375 + 1);  // slot in a table that has just doubled, and the old one
}

StateIndex append(StateArena& arena, StateArena::Writer& writer, const std::string& text) {
  arena.write(writer, bytes_of("written over"), {});
  arena.write(writer, bytes_of(text), {});
  return arena.keep(writer);
}

TEST(StateArena, HoldsStatesLargerThanAGranule) {
  StateArena arena;
  StateArena::Writer writer;
  std::vector<std::string> texts;
  std::mt19937_64 random(1);
  for (const std::size_t length :
       {std::size_t{3}, std::size_t{1} << 20, std::size_t{5}, (std::size_t{1} << 20) - 4,
        (std::size_t{3} << 20) + 17, std::size_t{0}, std::size_t{700'000}, std::size_t{700'000}}) {
    std::string text(length, '\0');
    for (std::size_t i = 0; i < length; i += 97) text[i] = static_cast<char>(random());
    EXPECT_EQ(append(arena, writer, text), texts.size());
    texts.push_back(text);
  }
  StateArena::Cursor cursor;
  for (StateIndex i = 0; i < texts.size(); ++i) EXPECT_EQ(text_of(arena.get(i, cursor)), texts[i]);
}

// The piece that is begun for the second stays empty, because the third, which is longer, takes its
// place.
TEST(StateArena, FollowsTwoLinksInARow) {
  StateArena arena;
  StateArena::Writer writer;
  const std::string first(900'000, 'a'), third(1'500'000, 'c');
  EXPECT_EQ(append(arena, writer, first), 0u);
  arena.write(writer, bytes_of(std::string(900'000, 'b')), {});
  arena.write(writer, bytes_of(third), {});
  EXPECT_EQ(arena.keep(writer), 1u);
  StateArena::Cursor cursor;
  EXPECT_EQ(text_of(arena.get(0, cursor)), first);
  EXPECT_EQ(text_of(arena.get(1, cursor)), third);
}

TEST(StateArena, FindsTheStatesOfEveryWriter) {
  StateArena arena;
  constexpr StateIndex kWriters = 3;
  constexpr StateIndex kCount = 100'000;
  StateArena::Writer writers[kWriters];
  std::map<StateIndex, std::string> texts;
  std::mt19937_64 random(5);
  for (StateIndex i = 0; i < kCount; ++i) {
    const std::string text = random_text(random, 40);
    EXPECT_TRUE(texts.emplace(append(arena, writers[random() % kWriters], text), text).second);
  }
  EXPECT_LE(texts.rbegin()->first, kCount + kWriters * 256) << "the gaps are small";
  StateArena::Cursor cursor;
  for (const auto& [index, text] : texts) ASSERT_EQ(text_of(arena.get(index, cursor)), text);
}

TEST(ChunkedVector, GrowsAndShrinksAcrossChunks) {
  ChunkedVector<std::uint64_t> vector;
  constexpr std::size_t kCount = 2 * ChunkedVector<std::uint64_t>::kChunk + 3;
  for (std::size_t i = 0; i < kCount; ++i) vector.push_back(i * i);
  EXPECT_EQ(vector.size(), kCount);
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(vector[i], i * i);
  const std::uint64_t memory = vector.memory_bytes();
  for (std::size_t i = kCount; i-- > 0;) {
    ASSERT_EQ(vector.back(), i * i);
    vector.pop_back();
  }
  EXPECT_TRUE(vector.empty());
  EXPECT_EQ(vector.memory_bytes(), memory) << "memory is kept for the next use";
}

TEST(PendingStack, ActsLikeAStackOfStrings) {
  std::mt19937_64 random(7);
  PendingStack stack;
  std::vector<std::string> model;
  for (int round = 0; round < 20'000; ++round) {
    // Long runs in one direction, so that granules are left and entered again.
    const bool grows = (round / 2'000) % 2 == 0 ? random() % 8 != 0 : random() % 8 == 0;
    if (grows || model.empty()) {
      model.push_back(random_text(random, 3'000));
      stack.push(model.size(), StepId(static_cast<std::uint64_t>(round)), Marks{3} * model.size(),
                 bytes_of(model.back()));
    } else {
      const PendingStack::Entry entry = stack.pop();
      ASSERT_EQ(entry.key, model.size());
      ASSERT_EQ(entry.marks, 3 * model.size());
      ASSERT_EQ(text_of(entry.bytes), model.back());
      model.pop_back();
    }
    ASSERT_EQ(stack.empty(), model.empty());
  }
}

TEST(PendingStack, NeedsNoMoreMemoryWhenItIsFilledAgain) {
  PendingStack stack;
  const std::string text(1'000, 'x');
  const auto fill_and_empty = [&] {
    for (int i = 0; i < 5'000; ++i) stack.push(0, {}, 0, bytes_of(text));
    while (!stack.empty()) stack.pop();
  };
  fill_and_empty();
  const std::uint64_t memory = stack.memory_bytes();
  fill_and_empty();
  EXPECT_EQ(stack.memory_bytes(), memory);
}

TEST(HashBytes, IsTheSameOnEveryMachine) {
  EXPECT_EQ(hash_bytes(bytes_of("")), 0x2d06800538d394c2u);
  EXPECT_EQ(hash_bytes(bytes_of("spoor")), hash_bytes(bytes_of("spoor")));
  EXPECT_NE(hash_bytes(bytes_of("spoor")), hash_bytes(bytes_of("spoos")));
}

}  // namespace
}  // namespace spoor
