// Long states, and states of many lengths: differences, pieces, and the stores that keep them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "store/difference.h"
#include "store/exact.h"
#include "store/pieces.h"
#include "store/shapes.h"
#include "store/state_arena.h"
#include "store/tree.h"
#include "unit/long_states.h"
#include "unit/state_text.h"
#include "unit/store_keys.h"

namespace spoor {
namespace {

using Bytes = std::vector<std::byte>;
using Random = std::mt19937_64;

// Few different bytes: strings like these are alike at many places.
Bytes random_bytes(Random& random, std::size_t length, unsigned values) {
  Bytes bytes(length);
  for (std::byte& byte : bytes) byte = std::byte(random() % values);
  return bytes;
}

// In parts of random lengths.
Bytes patched(Random& random, std::span<const std::byte> base, const Bytes& difference) {
  Bytes result;
  const auto append = [&](std::span<const std::byte> part) {
    result.insert(result.end(), part.begin(), part.end());
    return true;
  };
  Patch<decltype(append)> patch(difference, append);
  while (!base.empty()) {
    const std::size_t length = std::min<std::size_t>(1 + random() % 40, base.size());
    EXPECT_TRUE(patch.add(base.first(length)));
    base = base.subspan(length);
  }
  EXPECT_TRUE(patch.finish());
  return result;
}

TEST(Difference, MakesTheTargetOfTheBase) {
  Random random(1);
  int found = 0;
  for (int round = 0; round < 3000; ++round) {
    const unsigned values = round % 2 == 0 ? 2 : 256;
    const Bytes base = random_bytes(random, random() % 300, values);
    Bytes target = base;
    for (std::uint64_t edits = random() % 4; edits > 0; --edits) {
      const auto at = static_cast<std::ptrdiff_t>(random() % (target.size() + 1));
      const Bytes piece = random_bytes(random, random() % 40, values);
      if (random() % 2 == 0) {
        target.erase(target.begin() + at,
                     target.begin() + std::min<std::ptrdiff_t>(at + 20, std::ssize(target)));
      }
      if (random() % 2 == 0) target.insert(target.begin() + at, piece.begin(), piece.end());
    }
    Bytes difference;
    const std::size_t most = random() % 400;
    if (!append_difference(base, target, most, difference)) continue;
    ++found;
    ASSERT_LE(difference.size(), most);
    ASSERT_EQ(patched(random, base, difference), target) << round;
  }
  EXPECT_GT(found, 1000);
}

TEST(Difference, IsShortWhereLittleDiffers) {
  Random random(2);
  const Bytes base = random_bytes(random, 10'000, 256);
  Bytes target = base;
  Bytes difference;
  EXPECT_TRUE(append_difference(base, target, 0, difference));
  for (const std::size_t at : {3u, 5000u, 9999u}) target[at] ^= std::byte{1};
  EXPECT_TRUE(append_difference(base, target, 20, difference));
  target.insert(target.begin() + 7000, 12, std::byte{7});  // and one insertion
  difference.clear();
  EXPECT_TRUE(append_difference(base, target, 40, difference));
  target.erase(target.begin() + 700, target.begin() + 900);  // or one removal instead
  target.erase(target.begin() + 6800, target.begin() + 6812);
  difference.clear();
  EXPECT_TRUE(append_difference(base, target, 40, difference));
  EXPECT_EQ(patched(random, base, difference), target);
}

TEST(Difference, StopsWhereTheTargetWantsNoMore) {
  const Bytes base(100, std::byte{1}), target(90, std::byte{2});
  Bytes difference;
  ASSERT_TRUE(append_difference(base, target, 200, difference));
  const auto refuse = [](std::span<const std::byte>) { return false; };
  Patch<decltype(refuse)> patch(difference, refuse);
  EXPECT_FALSE(patch.add(base) && patch.finish());
  Bytes none;
  EXPECT_FALSE(append_difference(base, target, 20, none));
}

Bytes joined(const Pieces& pieces, const std::vector<Pieces::Reference>& references) {
  Bytes result;
  pieces.for_each(std::as_bytes(std::span(references)), [&](std::span<const std::byte> piece) {
    result.insert(result.end(), piece.begin(), piece.end());
    return true;
  });
  return result;
}

TEST(Pieces, GiveBackWhatWasKept) {
  Random random(3);
  Pieces pieces;
  std::vector<Bytes> strings = {{}, Bytes(1), Bytes(100'000)};
  for (int i = 0; i < 300; ++i) {
    strings.push_back(random_bytes(random, random() % (i % 10 == 0 ? 20'000 : 500), i % 2 == 0 ? 3 : 256));
  }
  std::vector<std::vector<Pieces::Reference>> kept(strings.size());
  for (std::size_t i = 0; i < strings.size(); ++i) {
    ASSERT_TRUE(pieces.keep(strings[i], kept[i]));
    ASSERT_LE(kept[i].size(), Pieces::kMostReferences);
  }
  const std::uint64_t bytes = pieces.memory_bytes();
  for (std::size_t i = 0; i < strings.size(); ++i) {
    ASSERT_EQ(joined(pieces, kept[i]), strings[i]) << i;
    std::vector<Pieces::Reference> again;
    ASSERT_TRUE(pieces.keep(strings[i], again));
    ASSERT_EQ(again, kept[i]);
  }
  EXPECT_EQ(pieces.memory_bytes(), bytes);
}

TEST(Pieces, AreSharedBehindAnInsertion) {
  Random random(4);
  Pieces pieces;
  std::vector<Pieces::Reference> references;
  Bytes bytes = random_bytes(random, 20'000, 256);
  ASSERT_TRUE(pieces.keep(bytes, references));
  const std::uint64_t before = pieces.memory_bytes();
  bytes.insert(bytes.begin() + 777, 5, std::byte{1});
  ASSERT_TRUE(pieces.keep(bytes, references));
  EXPECT_LT(pieces.memory_bytes() - before, 1000u);
}

TEST(StoreThreads, GiveEqualStringsTheSamePieces) {
  LongStates states(Lengths::kAnywhere, 3000);
  std::vector<Bytes> strings = {states.first()};
  for (int i = 0; i < 300; ++i) {
    strings.push_back(strings.back());
    states.change(strings.back());
  }
  Pieces pieces;
  constexpr std::size_t kThreads = 4;
  std::vector<std::vector<std::vector<Pieces::Reference>>> kept(
      kThreads, std::vector<std::vector<Pieces::Reference>>(strings.size()));
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::size_t i = 0; i < strings.size(); ++i) {
        const std::size_t at = (i + thread * 3) % strings.size();
        EXPECT_TRUE(pieces.keep(strings[at], kept[thread][at]));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < strings.size(); ++i) {
    for (const auto& of_thread : kept) ASSERT_EQ(of_thread[i], kept[0][i]);
    ASSERT_EQ(joined(pieces, kept[0][i]), strings[i]);
  }
}

// States as a search meets them: those that were found are expanded in turn.
template <class Store, class Hash>
void expect_acts_like_a_map(Lengths lengths, std::size_t length, std::size_t count, const Hash& changed) {
  LongStates states(lengths, length);
  Store store;
  typename Store::Writer writer;
  typename Store::DecodeBuffer room;
  store.enter();
  std::map<Bytes, StateIndex> model;
  std::vector<const Bytes*> numbered;
  const auto insert = [&](const Bytes& state) {
    const std::span<const std::byte> bytes = state;
    std::uint64_t key;
    keys_of(store, writer, {&bytes, 1}, room, &key);
    const Insertion insertion = store.insert(writer, changed(key), bytes);
    const auto [entry, is_new] = model.emplace(state, static_cast<StateIndex>(numbered.size()));
    ASSERT_EQ(insertion.is_new, is_new);
    ASSERT_EQ(insertion.index, entry->second);
    if (is_new) numbered.push_back(&entry->first);
  };
  insert(states.first());
  Random random(5);
  for (StateIndex source = 0; numbered.size() < count; ++source) {
    for (int i = 0; i < 4; ++i) {
      const std::span<const std::byte> bytes = store.get(source, room);
      ASSERT_TRUE(std::ranges::equal(bytes, *numbered[source]));
      Bytes successor(bytes.begin(), bytes.end());
      states.change(successor);
      insert(successor);
      insert(*numbered[random() % numbered.size()]);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  for (int i = 0; i < 1000; ++i) {
    const auto index = static_cast<StateIndex>(random() % numbered.size());
    ASSERT_TRUE(std::ranges::equal(store.get(index, room), *numbered[index]));
    ASSERT_TRUE(store.is_state(index, *numbered[index]));
    Bytes other = *numbered[index];
    other[random() % other.size()] ^= std::byte{1};
    ASSERT_FALSE(store.is_state(index, other));
  }
  store.leave();
}

const auto unchanged = [](std::uint64_t key) { return key; };

TEST(LongStates, AreKeptExactly) {
  for (const Lengths lengths : {Lengths::kOne, Lengths::kAtTheEnd, Lengths::kAnywhere}) {
    for (const std::size_t length : {100u, 300u, 2500u, 10'000u}) {
      expect_acts_like_a_map<ExactStore>(lengths, length, length < 1000 ? 5000 : 1000, unchanged);
      expect_acts_like_a_map<TreeStore>(lengths, length, 500, unchanged);
    }
  }
}

TEST(LongStates, AreToldApartWhenAllHashesAreEqual) {
  for (const Lengths lengths : {Lengths::kOne, Lengths::kAnywhere}) {
    expect_acts_like_a_map<ExactStore>(lengths, 1000, 300, [](std::uint64_t) { return std::uint64_t{0}; });
  }
}

template <class Store>
double bytes_per_state(Lengths lengths, std::size_t length, std::size_t count) {
  LongStates states(lengths, length);
  Store store;
  typename Store::Writer writer;
  typename Store::DecodeBuffer room;
  store.enter();
  Bytes state = states.first();
  const auto insert = [&] {
    const std::span<const std::byte> bytes = state;
    std::uint64_t key;
    keys_of(store, writer, {&bytes, 1}, room, &key);
    store.insert(writer, key, bytes);
  };
  insert();
  const std::uint64_t before = store.memory_bytes();
  for (StateIndex source = 0; store.size() < count; ++source) {
    const std::span<const std::byte> bytes = store.get(source, room);
    const Bytes copy(bytes.begin(), bytes.end());
    for (int i = 0; i < 4; ++i) {
      state = copy;
      states.change(state);
      insert();
    }
  }
  store.leave();
  return static_cast<double>(store.memory_bytes() - before) / static_cast<double>(store.size());
}

TEST(LongStates, TakeAFewBytesWhereAFewBytesDiffer) {
  for (const Lengths lengths : {Lengths::kOne, Lengths::kAtTheEnd, Lengths::kAnywhere}) {
    EXPECT_LT(bytes_per_state<ExactStore>(lengths, 10'000, 10'000), 300);
    EXPECT_LT(bytes_per_state<ExactStore>(lengths, 1000, 10'000), 250);
    EXPECT_LT(bytes_per_state<TreeStore>(lengths, 10'000, 10'000), 800);
  }
}

TEST(StoreThreads, GiveLongStatesOneNumberEach) {
  LongStates states(Lengths::kAnywhere, 1500);
  std::vector<Bytes> all = {states.first()};
  for (int i = 0; i < 1500; ++i) {
    Bytes next = all[static_cast<std::size_t>(i) / 4];
    states.change(next);
    all.push_back(std::move(next));
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  constexpr std::size_t kThreads = 4;
  ExactStore store(kThreads);
  std::vector<std::vector<StateIndex>> numbers(kThreads, std::vector<StateIndex>(all.size()));
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      ExactStore::Writer writer;
      ExactStore::DecodeBuffer room;
      store.enter();
      Random random(thread);
      for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t at = (i + thread * 2) % all.size();
        numbers[thread][at] = store.insert(writer, ExactStore::key(all[at]), all[at]).index;
        EXPECT_TRUE(std::ranges::equal(store.get(numbers[thread][at], room), all[at]));
        store.safe_point();
      }
      store.leave();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& of_thread : numbers) EXPECT_EQ(of_thread, numbers[0]);
  EXPECT_EQ(std::set<StateIndex>(numbers[0].begin(), numbers[0].end()).size(), all.size());
  EXPECT_EQ(store.size(), all.size());
}

// A record that was written and not kept is written over by the next one: here a short one, one that is long,
// and one that begins another piece of memory.
TEST(StateArena, TakesNoBaseThatWasNotKept) {
  const Bytes lost(1000, std::byte{1});
  Bytes similar = lost;
  similar[500] = std::byte{2};
  for (const std::size_t length : {10u, 1000u, 2'000'000u}) {
    StateArena arena;
    StateArena::Writer writer;
    StateArena::Cursor cursor;
    arena.write(writer, Bytes(20, std::byte{9}), {});
    ASSERT_EQ(arena.keep(writer), 0u);
    arena.write(writer, lost, {});
    const Bytes next(length, std::byte{3});
    arena.write(writer, next, {});
    ASSERT_EQ(arena.keep(writer), 1u);
    arena.write(writer, similar, {});
    ASSERT_EQ(arena.keep(writer), 2u);
    arena.write(writer, lost, {});
    ASSERT_EQ(arena.keep(writer), 3u);
    EXPECT_TRUE(std::ranges::equal(arena.get(1, cursor), next));
    EXPECT_TRUE(std::ranges::equal(arena.get(2, cursor), similar));
    EXPECT_TRUE(std::ranges::equal(arena.get(3, cursor), lost));
  }
}

TEST(Shapes, AreThereForHundredsOfLengths) {
  if (!Shape::can_be_used()) GTEST_SKIP();
  Shapes shapes;
  Random random(6);
  std::uint64_t states = 0;
  for (std::size_t i = 0; i < 1024; ++i) {
    for (std::size_t length = 40; length < 440; ++length) {
      Bytes state(length);
      state[random() % 32] = std::byte(random() % 4);
      shapes.learn(state, ++states);
    }
  }
  for (std::size_t length = 40; length < 440; ++length) ASSERT_NE(shapes.newest(length), nullptr) << length;
  EXPECT_GT(shapes.memory_bytes(), 0u);
}

TEST(Shapes, OfLongStatesHaveShortCodes) {
  if (!Shape::can_be_used()) GTEST_SKIP();
  Shapes shapes;
  Random random(7);
  for (std::uint64_t i = 0; i < 3000; ++i) shapes.learn(random_bytes(random, 2000, 256), i);
  EXPECT_EQ(shapes.newest(2000), nullptr);
}

}  // namespace
}  // namespace spoor
