// Shapes: what is packed comes back, what differs stays different, and what does not fit is not packed.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "store/exact.h"
#include "store/shape.h"
#include "store/shapes.h"
#include "store/state_arena.h"
#include "store/state_hash.h"

namespace spoor {
namespace {

using Bytes = std::vector<std::byte>;
using Random = std::mt19937_64;

Bytes random_bytes(Random& random, std::size_t length) {
  Bytes bytes(length);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

// About one bit of `out_of` varies.
Bytes random_mask(Random& random, std::size_t length, unsigned out_of) {
  Bytes mask(length);
  for (std::byte& byte : mask) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      if (random() % out_of == 0) byte |= std::byte{1} << bit;
    }
  }
  return mask;
}

Bytes with_bits(const Bytes& base, const Bytes& mask, const Bytes& from) {
  Bytes state = base;
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = (base[i] & ~mask[i]) | (from[i] & mask[i]);
  return state;
}

struct Packed {
  bool fits = false;
  std::vector<std::byte> code;
};

Packed pack(const Shape& shape, const Bytes& state) {
  std::vector<std::uint64_t> words(Shape::kMostWords);
  Packed packed;
  packed.fits = shape.pack(state.data(), words.data());
  packed.code.resize(shape.code_bytes());  // and nothing behind it may be read
  if (!packed.code.empty()) std::memcpy(packed.code.data(), words.data(), shape.code_bytes());
  return packed;
}

TEST(Shape, GivesBackEveryStateThatFits) {
  if (!Shape::can_be_used()) GTEST_SKIP() << "this processor gathers bits slowly";
  Random random(1);
  for (const std::size_t length : {32u, 33u, 40u, 47u, 63u, 64u, 65u, 93u, 96u, 97u, 229u, 1000u, 4096u}) {
    for (const unsigned out_of : {1u, 2u, 5u, 16u, 100u, 5000u}) {
      const Bytes base = random_bytes(random, length), mask = random_mask(random, length, out_of);
      const Shape shape(7, base, mask);
      EXPECT_EQ(shape.number(), 7u);
      EXPECT_EQ(shape.length(), length);
      EXPECT_EQ(shape.code_bytes() % 4, 0u);
      EXPECT_LE(shape.code_bytes(), length + 8 * (length / 56 + 1));
      for (int round = 0; round < 20; ++round) {
        const Bytes state = with_bits(base, mask, random_bytes(random, length));
        const Packed packed = pack(shape, state);
        ASSERT_TRUE(packed.fits);
        EXPECT_TRUE(shape.is_code_of(packed.code.data(), state.data()));
        Bytes back(length, std::byte{0xaa});
        shape.unpack(packed.code.data(), back.data());
        EXPECT_EQ(back, state) << length << " bytes, one of " << out_of << " bits";
      }
    }
  }
}

TEST(Shape, TellsStatesApartThatDifferInAnyBit) {
  if (!Shape::can_be_used()) GTEST_SKIP() << "this processor gathers bits slowly";
  Random random(2);
  for (const std::size_t length : {32u, 45u, 93u, 130u}) {
    const Bytes base = random_bytes(random, length), mask = random_mask(random, length, 4);
    const Shape shape(0, base, mask);
    const Bytes state = with_bits(base, mask, random_bytes(random, length));
    const Packed packed = pack(shape, state);
    for (std::size_t bit = 0; bit < 8 * length; ++bit) {
      Bytes other = state;
      other[bit / 8] ^= std::byte{1} << bit % 8;
      const bool varies = (mask[bit / 8] & std::byte{1} << bit % 8) != std::byte{0};
      EXPECT_EQ(pack(shape, other).fits, varies) << "bit " << bit;
      EXPECT_FALSE(shape.is_code_of(packed.code.data(), other.data())) << "bit " << bit;
    }
  }
}

TEST(Shape, TakesNoMoreRoomThanItsBitsNeed) {
  if (!Shape::can_be_used()) GTEST_SKIP() << "this processor gathers bits slowly";
  const Bytes base(93);
  Bytes mask(93);
  EXPECT_EQ(Shape(0, base, mask).code_bytes(), 8u);  // all states of this shape are the same
  EXPECT_TRUE(pack(Shape(0, base, mask), base).fits);
  for (std::size_t i = 0; i < 47; ++i) mask[2 * i % 93] |= std::byte{1};
  EXPECT_EQ(Shape(0, base, mask).code_bytes(), 8u);
  for (std::size_t i = 0; i < 40; ++i) mask[2 * i + 1] |= std::byte{1};
  EXPECT_EQ(Shape(0, base, mask).code_bytes(), 12u);
}

TEST(Shapes, LearnWhatVariesAndStayValid) {
  if (!Shape::can_be_used()) GTEST_SKIP() << "this processor gathers bits slowly";
  Shapes shapes;
  Random random(3);
  const auto state_with = [&](std::size_t bytes) {
    Bytes state(80, std::byte{5});
    for (std::size_t i = 0; i < bytes; ++i) state[3 * i] = static_cast<std::byte>(random());
    return state;
  };
  EXPECT_EQ(shapes.newest(80), nullptr);
  for (int i = 0; i < 1023; ++i) shapes.learn(state_with(4), 0);
  EXPECT_EQ(shapes.newest(80), nullptr);
  shapes.learn(state_with(4), 0);
  const Shape* const first = shapes.newest(80);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(&shapes[0], first);
  EXPECT_EQ(first->code_bytes(), 8u);
  EXPECT_EQ(shapes.newest(81), nullptr);
  // The more states there are, the more of them must be misfits before another shape is worth it.
  for (int i = 0; i < 2047; ++i) shapes.learn(state_with(10), 65536);
  EXPECT_EQ(shapes.newest(80), first);
  shapes.learn(state_with(10), 65536);
  EXPECT_NE(shapes.newest(80), first);
  EXPECT_EQ(shapes.newest(80)->code_bytes(), 12u);
  EXPECT_EQ(&shapes[0], first);
}

TEST(Shapes, AreNotLearnedForLengthsThatHaveNone) {
  Shapes shapes;
  for (const std::size_t length : {std::size_t{0}, Shape::kShortest - 1, Shape::kLongest + 1}) {
    for (int i = 0; i < 3000; ++i) shapes.learn(Bytes(length, static_cast<std::byte>(i)), 0);
    EXPECT_EQ(shapes.newest(length), nullptr);
  }
}

// States that come in waves, each of which brings bits that did not vary before: some are kept whole, some
// in an old shape, some in a new one, and all are found again.
TEST(ExactStore, FindsStatesInWhateverShapeTheyAreKept) {
  Random random(4);
  ExactStore store;
  ExactStore::Writer writer;
  ExactStore::DecodeBuffer room;
  store.enter();
  std::vector<Bytes> states;
  for (const std::size_t length : {20u, 33u, 90u, 700u}) {
    for (std::size_t wave = 1; wave <= 12; ++wave) {
      for (int i = 0; i < 2500; ++i) {
        Bytes state(length, std::byte{1});
        for (std::size_t k = 0; k < 5 * wave && k < length; ++k) {
          state[k * 7 % length] = static_cast<std::byte>(random() % (1 + wave));
        }
        const std::uint64_t number = states.size();
        std::memcpy(state.data() + length / 2, &number, 4);
        states.push_back(state);
      }
    }
  }
  const auto insert = [&](const Bytes& state) { return store.insert(writer, ExactStore::key(state), state); };
  for (StateIndex i = 0; i < states.size(); ++i) {
    const Insertion added = insert(states[i]);
    ASSERT_TRUE(added.is_new);
    ASSERT_EQ(added.index, i);
    if (i % 3 == 0) {
      const std::size_t other = random() % (i + 1);
      const Insertion known = insert(states[other]);
      ASSERT_FALSE(known.is_new);
      ASSERT_EQ(known.index, other);
    }
  }
  std::vector<std::uint64_t> keys(1);
  std::vector<ExactStore::Code> codes(1);
  struct Extent {
    std::uint32_t offset, length;
  };
  for (StateIndex i = 0; i < states.size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(store.get(i, room), states[i]));
    EXPECT_TRUE(store.is_state(i, states[i]));
    const Extent extent{0, static_cast<std::uint32_t>(states[i].size())};
    store.prepare(states[i].data(), std::span<const Extent>(&extent, 1), keys.data(), codes.data());
    EXPECT_EQ(keys[0], ExactStore::key(states[i]));
    const std::uint64_t hint = store.prefetch_state(keys[0]);
    const Insertion known = store.insert(writer, keys[0], states[i], hint, codes[0]);
    EXPECT_FALSE(known.is_new);
    EXPECT_EQ(known.index, i);
  }
  store.leave();
}

TEST(ExactStore, KeepsOnlyTheBitsThatVary) {
  if (!Shape::can_be_used()) GTEST_SKIP() << "this processor gathers bits slowly";
  ExactStore store;
  ExactStore::Writer writer;
  store.enter();
  const std::uint64_t empty = store.memory_bytes();
  constexpr std::uint64_t kStates = 1 << 19;
  for (std::uint64_t i = 0; i < kStates; ++i) {
    Bytes state(200, std::byte{9});
    for (unsigned bit = 0; bit < 19; ++bit) state[10 * bit] ^= static_cast<std::byte>(i >> bit & 1);
    store.insert(writer, ExactStore::key(state), state);
  }
  store.leave();
  // A record of 16 bytes instead of 208, and slots; the first few thousand are kept whole.
  EXPECT_LE(static_cast<double>(store.memory_bytes() - empty) / kStates, 16 + 8 / 0.375 + 4);
}

// All bits vary, and the bytes do not fill the rows: the code would be longer than the state.
TEST(StateArena, TakesNoMoreRoomThanTheStateItself) {
  StateArena arena;
  StateArena::Writer writer;
  Random random(6);
  constexpr StateIndex kStates = 20'000;
  std::vector<Bytes> states;
  for (StateIndex i = 0; i < kStates; ++i) {
    states.push_back(random_bytes(random, 50));
    arena.write(writer, states.back(), {});
    arena.keep(writer);
  }
  EXPECT_LE(static_cast<double>(arena.memory_bytes()) / kStates, 60 + 3);  // and 32 KiB to begin with
  StateArena::Cursor cursor;
  for (StateIndex i = 0; i < kStates; ++i) ASSERT_TRUE(std::ranges::equal(arena.get(i, cursor), states[i]));
}

TEST(StateHash, DependsOnEveryBitAndOnTheLength) {
  Random random(5);
  for (const std::size_t length : {1u, 15u, 16u, 17u, 31u, 32u, 33u, 93u, 229u}) {
    const Bytes state = random_bytes(random, length);
    std::set<std::uint64_t> hashes{hash_state(state)};
    for (std::size_t bit = 0; bit < 8 * length; ++bit) {
      Bytes other = state;
      other[bit / 8] ^= std::byte{1} << bit % 8;
      hashes.insert(hash_state(other));
    }
    EXPECT_EQ(hashes.size(), 8 * length + 1);
    Bytes longer = state;
    longer.push_back(state.back());
    EXPECT_NE(hash_state(longer), hash_state(state));
  }
}

// Tokens that travel, counters that count: the changes that models make. The upper bits choose a table and
// a line, so they must be spread like those of a hash that is known to be good.
TEST(StateHash, SpreadsStatesThatDifferLittle) {
  std::vector<std::size_t> ours(1 << 14), reference(1 << 14);
  std::set<std::uint64_t> fingerprints;
  std::size_t states = 0;
  for (unsigned a = 0; a < 24; ++a) {
    for (unsigned b = 0; b < 24; ++b) {
      for (unsigned count = 0; count < 256; ++count) {
        Bytes state(60);
        state[2 * a] = std::byte{1};
        state[2 * b + 1] = std::byte{3};
        state[55] = static_cast<std::byte>(count);
        ++ours[hash_state(state) >> 50];
        ++reference[hash_bytes(state) >> 50];
        fingerprints.insert(hash_state(state));
        ++states;
      }
    }
  }
  EXPECT_EQ(fingerprints.size(), states);
  const auto unevenness = [](const std::vector<std::size_t>& counts) {
    double sum = 0;
    for (const std::size_t count : counts) sum += static_cast<double>(count * count);
    return sum;
  };
  EXPECT_LT(unevenness(ours), 1.05 * unevenness(reference));
}

}  // namespace
}  // namespace spoor
