// The table of recorded states finds each of them by its bytes, and nothing else.
#include "evidence/state_table.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "evidence/packed_states.h"

namespace spoor {
namespace {

// Long states have codes (store/shape.h), short ones are kept whole.
constexpr std::size_t kLongTabled = 48, kShortTabled = 12;

std::vector<std::byte> tabled_state(std::uint32_t number, std::size_t length) {
  std::vector<std::byte> bytes(length, std::byte{3});
  for (std::size_t i = 0; i < sizeof number; ++i) bytes[5 + i] = static_cast<std::byte>(number >> (8 * i));
  return bytes;
}

PackedStates tabled_states(std::uint32_t count, std::size_t length) {
  PackedStates states;
  for (std::uint32_t number = 0; number < count; ++number) states.add(tabled_state(number, length));
  return states;
}

void expect_only_tabled(const StateTable& table, const PackedStates& states, std::size_t length) {
  PackedStates::Cursor cursor;
  PackedStates::Sought sought;
  const auto found = [&](const std::vector<std::byte>& bytes) {
    states.prepare(bytes, sought);
    const StateIndex number = table.find(sought, states, cursor);
    table.prefetch(sought.key);
    EXPECT_EQ(table.find(sought, table.candidate(sought.key), states, cursor), number);
    return number;
  };
  for (std::uint32_t number = 0; number < states.bound(); ++number)
    ASSERT_EQ(found(tabled_state(number, length)), number);
  for (std::uint32_t i = 0; i < 2000; ++i) {
    ASSERT_EQ(found(tabled_state(states.bound() + i, length)), kNoState) << i;
    std::vector<std::byte> other = tabled_state(i % states.bound(), length);
    other.back() = std::byte{4};
    ASSERT_EQ(found(other), kNoState) << i;
    ASSERT_EQ(found(tabled_state(i, length + 1)), kNoState) << i;
  }
}

TEST(StateTable, FindsAllStatesThatWereAddedAndNoOthers) {
  for (const std::size_t length : {kLongTabled, kShortTabled}) {
    for (const std::uint32_t count : {1, 2, 3, 1000, 200'000}) {
      SCOPED_TRACE(std::to_string(count) + " of length " + std::to_string(length));
      const PackedStates states = tabled_states(count, length);
      StateTable table(count);
      PackedStates::Cursor cursor;
      for (std::uint32_t number = 0; number < count; ++number)
        table.add(states.key(states.get_kept(number, cursor), cursor), number);
      table.finish();
      expect_only_tabled(table, states, length);
      EXPECT_GE(table.memory_bytes(), std::uint64_t{10} * count);
      EXPECT_LE(table.memory_bytes(), std::uint64_t{20} * count + 64);
    }
  }
}

TEST(StateTable, FindsStatesThatHaveGapsBetweenThem) {
  PackedStates states;
  const std::uint32_t count = 5000;
  for (std::uint32_t number = 0; number < count; ++number) {
    if (number % 3 == 1) {
      states.add_gap();
    } else {
      states.add(tabled_state(number, kLongTabled));
    }
  }
  StateTable table(states.size());
  PackedStates::Cursor cursor;
  for (std::uint32_t number = 0; number < count; ++number) {
    const KeptState kept = states.get_kept(number, cursor);
    if (!kept.bytes.empty()) table.add(states.key(kept, cursor), number);
  }
  table.finish();
  PackedStates::Sought sought;
  for (std::uint32_t number = 0; number < count; ++number) {
    const std::vector<std::byte> bytes = tabled_state(number, kLongTabled);
    states.prepare(bytes, sought);
    ASSERT_EQ(table.find(sought, states, cursor), number % 3 == 1 ? kNoState : number);
  }
}

// A table of states with keys that a hash would not give them; `key_of`: by number.
template <class KeyOf>
void expect_found_by_keys(std::uint32_t count, const KeyOf& key_of) {
  const PackedStates states = tabled_states(count, kLongTabled);
  StateTable table(count);
  for (std::uint32_t number = 0; number < count; ++number) table.add(key_of(number), number);
  table.finish();
  PackedStates::Cursor cursor;
  PackedStates::Sought sought;
  const auto found = [&](std::uint32_t number, std::uint64_t key) {
    const std::vector<std::byte> bytes = tabled_state(number, kLongTabled);
    states.prepare(bytes, sought);
    sought.key = key;
    table.prefetch(key);
    return table.find(sought, table.candidate(key), states, cursor);
  };
  for (std::uint32_t number = 0; number < count; ++number) ASSERT_EQ(found(number, key_of(number)), number);
  for (std::uint32_t number = 0; number < count; number += 50)
    ASSERT_EQ(found(count + number, key_of(number)), kNoState);
}

// Of a table with two parts: 40,000 states need 65,536 slots.
constexpr std::uint32_t kMoreThanAPart = 40'000;
constexpr std::uint64_t kHalfKey = std::uint64_t{1} << 63;

std::vector<std::uint64_t> random_keys(std::uint32_t count) {
  std::mt19937_64 random(5);
  std::vector<std::uint64_t> keys(count);
  for (std::uint64_t& key : keys) key = random();
  return keys;
}

TEST(StateTable, FindsStatesThatAllFallIntoTheFirstPart) {
  const std::vector<std::uint64_t> keys = random_keys(kMoreThanAPart);
  expect_found_by_keys(kMoreThanAPart, [&](std::uint32_t number) { return keys[number] & ~kHalfKey; });
}

TEST(StateTable, FindsStatesThatAllFallIntoTheLastPartAndWrapAroundToTheFirst) {
  const std::vector<std::uint64_t> keys = random_keys(kMoreThanAPart);
  expect_found_by_keys(kMoreThanAPart, [&](std::uint32_t number) { return keys[number] | kHalfKey; });
}

TEST(StateTable, FindsStatesThatSpillIntoAPartWithStatesOfItsOwn) {
  const std::vector<std::uint64_t> keys = random_keys(kMoreThanAPart);
  for (const std::uint64_t full_part : {std::uint64_t{0}, kHalfKey}) {
    expect_found_by_keys(kMoreThanAPart, [&](std::uint32_t number) {
      const std::uint64_t part = number % 8 == 0 ? full_part ^ kHalfKey : full_part;
      return (keys[number] & ~kHalfKey) | part;
    });
  }
}

TEST(StateTable, FindsStatesWithEqualUpperBitsOfTheirKeys) {
  for (const std::uint64_t upper : {0x0, 0x1234, 0xffff}) {
    // The lower half of a key is not kept: then bytes alone tell the states apart.
    for (const unsigned lowest : {0u, 32u}) {
      SCOPED_TRACE(std::to_string(upper) + " and a number from bit " + std::to_string(lowest));
      expect_found_by_keys(
          1500, [&](std::uint32_t number) { return upper << 48 | std::uint64_t{number} << lowest; });
    }
  }
}

TEST(StateTable, FindsStatesThatAllBeginAtTheLastSlot) {
  for (const std::uint32_t count : {1, 2, 3, 700}) {
    SCOPED_TRACE(count);
    expect_found_by_keys(count, [](std::uint32_t number) { return UINT64_MAX - number; });
  }
}

}  // namespace
}  // namespace spoor
