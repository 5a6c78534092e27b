// Fingerprints that are forgotten after their last use, in the order of a script and in any other.
#include "evidence/full_script_fingerprints.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>
#include <vector>

namespace spoor {
namespace {

using MapAnswer = ScriptFingerprints::Answer;

Fingerprint fingerprint_of(std::uint64_t state) {
  return Fingerprint{state * 0x9e3779b97f4a7c15} << 64 | state;
}

TEST(ScriptFingerprints, AreForgottenAfterTheirLastUse) {
  ScriptFingerprints map(false);
  EXPECT_EQ(map.define(7, fingerprint_of(1), 2), MapAnswer::kRight);
  EXPECT_EQ(map.define(8, fingerprint_of(2), 1), MapAnswer::kRight);
  EXPECT_EQ(map.use(7, fingerprint_of(2)), MapAnswer::kOther);
  EXPECT_EQ(map.use(7, fingerprint_of(1)), MapAnswer::kRight);
  EXPECT_EQ(map.entries(), 2u);
  EXPECT_EQ(map.use(7, fingerprint_of(1)), MapAnswer::kRight);
  EXPECT_EQ(map.entries(), 1u);
  EXPECT_EQ(map.use(7, fingerprint_of(1)), MapAnswer::kUnknown);
  EXPECT_EQ(map.first_rest()->number, 8u);
  EXPECT_EQ(map.first_rest()->left, 1);
  EXPECT_EQ(map.use(8, fingerprint_of(2)), MapAnswer::kRight);
  EXPECT_TRUE(map.is_empty());
  EXPECT_EQ(map.most_entries(), 2u);
}

TEST(ScriptFingerprints, BothHalvesAreCompared) {
  for (const Fingerprint other : {Fingerprint{1}, Fingerprint{1} << 64}) {
    ScriptFingerprints map(false);
    EXPECT_EQ(map.define(0, 0, 1), MapAnswer::kRight);
    EXPECT_EQ(map.use(0, other), MapAnswer::kOther);
  }
}

TEST(ScriptFingerprints, WhereTheyAreSharedUsesMayComeFirst) {
  ScriptFingerprints map(true);
  EXPECT_EQ(map.use(7, fingerprint_of(1)), MapAnswer::kRight);
  EXPECT_EQ(map.use(7, fingerprint_of(2)), MapAnswer::kOther);
  EXPECT_EQ(map.define(7, fingerprint_of(2), 2), MapAnswer::kOther);
  EXPECT_EQ(map.define(7, fingerprint_of(1), 2), MapAnswer::kRight);
  EXPECT_EQ(map.entries(), 1u);
  EXPECT_EQ(map.use(7, fingerprint_of(1)), MapAnswer::kRight);
  EXPECT_TRUE(map.is_empty());
}

TEST(ScriptFingerprints, WrongNumbersOfUsesLeaveSomething) {
  ScriptFingerprints few(true);
  EXPECT_EQ(few.define(3, fingerprint_of(1), 1), MapAnswer::kRight);
  EXPECT_EQ(few.use(3, fingerprint_of(1)), MapAnswer::kRight);
  EXPECT_EQ(few.use(3, fingerprint_of(5)), MapAnswer::kRight);  // nothing to compare it with
  EXPECT_EQ(few.first_rest()->left, -1);
  ScriptFingerprints late(true);
  EXPECT_EQ(late.use(3, fingerprint_of(1)), MapAnswer::kRight);
  EXPECT_EQ(late.use(3, fingerprint_of(1)), MapAnswer::kRight);
  EXPECT_EQ(late.define(3, fingerprint_of(1), 1), MapAnswer::kTooMany);
  ScriptFingerprints none(true);
  EXPECT_EQ(none.use(3, fingerprint_of(1)), MapAnswer::kRight);
  EXPECT_EQ(none.define(3, fingerprint_of(1), 0), MapAnswer::kTooMany);
  EXPECT_FALSE(none.is_empty());
  ScriptFingerprints many(true);
  EXPECT_EQ(many.define(3, fingerprint_of(1), ScriptFingerprints::kMostUses), MapAnswer::kRight);
  EXPECT_EQ(many.first_rest()->left, std::int64_t{ScriptFingerprints::kMostUses});
}

struct Event {
  std::uint32_t number = 0;
  std::uint64_t uses = 0;
  bool is_use = false;
};

// Many numbers, each with some uses, in a random order.
std::vector<Event> random_events(std::uint64_t seed, std::uint32_t numbers) {
  std::mt19937_64 random(seed);
  std::vector<Event> events;
  for (std::uint32_t number = 0; number < numbers; ++number) {
    const std::uint64_t uses = random() % 4;
    events.push_back({number * 17 % 5000, uses, false});
    for (std::uint64_t i = 0; i < uses; ++i) events.push_back({number * 17 % 5000, 0, true});
  }
  std::shuffle(events.begin(), events.end(), random);
  return events;
}

TEST(ScriptFingerprints, AnyOrderLeavesNothing) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    ScriptFingerprints map(true);
    for (const Event& event : random_events(seed, 3000)) {
      const Fingerprint fingerprint = fingerprint_of(event.number);
      ASSERT_EQ(event.is_use ? map.use(event.number, fingerprint)
                             : map.define(event.number, fingerprint, event.uses),
                MapAnswer::kRight);
      if (event.number % 64 == 0) map.entries();
    }
    EXPECT_TRUE(map.is_empty());
    EXPECT_FALSE(map.first_rest().has_value());
    EXPECT_GT(map.most_entries(), 100u);
    EXPECT_GT(map.memory_bytes(), 0u);
  }
}

TEST(ScriptFingerprints, WorkersMayShareThem) {
  const std::vector<Event> events = random_events(5, 5000);
  ScriptFingerprints map(true);
  const auto take_part = [&](std::size_t from) {
    for (std::size_t i = from; i < events.size(); i += 3) {
      const Event& event = events[i];
      const Fingerprint fingerprint = fingerprint_of(event.number);
      EXPECT_EQ(event.is_use ? map.use(event.number, fingerprint)
                             : map.define(event.number, fingerprint, event.uses),
                MapAnswer::kRight);
    }
  };
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < 3; ++i) workers.emplace_back(take_part, i);
  }
  EXPECT_TRUE(map.is_empty());
}

}  // namespace
}  // namespace spoor
