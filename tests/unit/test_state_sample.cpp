// Samples of states: which places are asked for, and what is estimated from them.
#include "evidence/state_sample.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/packed_numbers.h"
#include "quiet_system.h"
#include "version_pair.h"

namespace spoor {
namespace {

using SampledBytes = std::vector<std::byte>;

// The state at this place of an order of states. All differ.
SampledBytes sampled_state(std::uint64_t place) {
  SampledBytes bytes(20, std::byte{7});
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<std::byte>(place >> (8 * i));
  return bytes;
}

// Set 0 is one of every state, set 1 of about half of them, and set 2 of about a tenth, in no regular order.
bool has_sampled_set(std::uint64_t place, std::uint32_t set) {
  const std::uint64_t mixed = (place + 1) * 0x9e3779b97f4a7c15 >> 32;
  return set == 0 || (set == 1 && mixed % 2 == 0) || (set == 2 && mixed % 10 == 3);
}

double share_of_sampled(std::uint64_t states, const std::vector<bool>& sets) {
  std::uint64_t with = 0;
  for (std::uint64_t place = 0; place < states; ++place) {
    bool has_one = false;
    for (std::uint32_t set = 0; set < sets.size(); ++set)
      has_one = has_one || (sets[set] && has_sampled_set(place, set));
    with += has_one ? 1 : 0;
  }
  return static_cast<double>(with) / static_cast<double>(states);
}

// Sets are told in no order, and more than once.
class SampledSystem : public QuietSystem {
 public:
  void element_sets_of(StateBytes state, std::vector<std::uint32_t>& out) const override {
    std::uint64_t place = 0;
    for (std::size_t i = 0; i < 8; ++i) place |= std::to_integer<std::uint64_t>(state[i]) << (8 * i);
    for (const std::uint32_t set : {2, 1, 0, 1}) {
      if (has_sampled_set(place, set)) out.push_back(set);
    }
  }
  std::uint32_t element_set_count() const override { return 3; }
  std::vector<std::byte> initial_state() const override { return sampled_state(0); }
  void expand(StateBytes, Expansion&) const override {}
};

std::vector<std::vector<bool>> choices_of_sets() {
  std::vector<std::vector<bool>> choices;
  for (unsigned bits = 0; bits < 8; ++bits)
    choices.push_back({(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0});
  return choices;
}

StateSample sample_of(std::uint64_t states) {
  const SampledSystem system;
  StateSample sample(states);
  while (sample.next() < states) sample.add(system, sampled_state(sample.next()));
  return sample;
}

std::string text_of_sample(const StateSample& sample) {
  std::string text;
  sample.put(text);
  return text;
}

StateSample sample_from(std::string_view text) {
  RecordReader reader(text);
  StateSample sample;
  sample.read(reader);
  EXPECT_TRUE(reader.is_at_end());
  return sample;
}

// As a later check reads it.
StateSample read_sample_of(std::uint64_t states) { return sample_from(text_of_sample(sample_of(states))); }

std::uint64_t found_among(const StateSample& sample, std::uint64_t first, std::uint64_t end) {
  std::uint64_t found = 0;
  for (std::uint64_t place = first; place < end; ++place) found += sample.has(sampled_state(place)) ? 1 : 0;
  return found;
}

TEST(StateSample, AsksForPlacesThatAscendAndEnd) {
  const SampledSystem system;
  for (const std::uint64_t states : {1, 2, 3, 10, 4095, 4096, 4097, 65'535, 65'536, 100'000, 3'000'000}) {
    SCOPED_TRACE(states);
    StateSample sample(states);
    EXPECT_EQ(sample.next(), 0U);
    std::uint64_t asked = 0;
    while (sample.next() < states) {
      const std::uint64_t place = sample.next();
      sample.add(system, sampled_state(place));
      ASSERT_GT(sample.next(), place);
      ++asked;
    }
    EXPECT_GE(asked, std::min(states, StateSample::kElements / 2));
    EXPECT_LE(asked, StateSample::kElements + StateSample::kHashes);
  }
}

TEST(StateSample, HasTheStatesThatWereSampledAndNearlyNoOthers) {
  const std::uint64_t states = 200'000;
  const StateSample sample = read_sample_of(states);
  const std::uint64_t found = found_among(sample, 0, states);
  EXPECT_NEAR(static_cast<double>(found), sample.expected(states), 0.01 * sample.expected(states));
  EXPECT_TRUE(sample.has(sampled_state(0)));
  // Of another system.
  EXPECT_LE(found_among(sample, states, 3 * states), 20U);
}

TEST(StateSample, HasAllStatesWhereThereAreFew) {
  for (const std::uint64_t states : {1, 2, 3, 4, 17, 1000, 60'000}) {
    SCOPED_TRACE(states);
    const StateSample sample = read_sample_of(states);
    EXPECT_EQ(found_among(sample, 0, states), states);
    EXPECT_EQ(sample.expected(states), static_cast<double>(states));
  }
}

TEST(StateSample, ExpectsAsManyOfSomeStatesAsItFinds) {
  for (const std::uint64_t states : {70'000, 100'000, 1'000'000}) {
    SCOPED_TRACE(states);
    const StateSample sample = read_sample_of(states);
    for (const std::uint64_t first : {0UL, states / 2, states - 10'000}) {
      const double expected = sample.expected(10'000);
      EXPECT_GT(expected, 100);
      EXPECT_NEAR(static_cast<double>(found_among(sample, first, first + 10'000)), expected, 0.2 * expected);
    }
  }
}

TEST(StateSample, KnowsTheShareOfTheStatesWithASet) {
  for (const std::uint64_t states : {1000, 100'000}) {
    SCOPED_TRACE(states);
    const double error = states == 1000 ? 1e-9 : 0.03;  // of few states all are sampled
    for (const StateSample& sample : {sample_of(states), read_sample_of(states)}) {
      for (const std::vector<bool>& sets : choices_of_sets())
        EXPECT_NEAR(sample.share_with(sets).value(), share_of_sampled(states, sets), error);
    }
  }
}

TEST(StateSample, KnowsTheShareOfTheStatesOfAModelThatHaveALocation) {
  const auto system =
      exec::version_of("byte x; active proctype P() { do :: x < 9 -> x++ :: x == 9 -> x = 0 od }", {});
  std::vector<SampledBytes> states = {system->initial_state()};
  std::set<SampledBytes> known(states.begin(), states.end());
  for (std::size_t i = 0; i < states.size(); ++i) {
    Expansion out;
    system->expand(states[i], out);
    for (const Successor& successor : out.successors) {
      const StateBytes bytes = out.state(successor);
      SampledBytes state(bytes.begin(), bytes.end());
      if (known.insert(state).second) states.push_back(std::move(state));
    }
  }
  StateSample sample(states.size());
  while (sample.next() < states.size()) sample.add(*system, states[sample.next()]);
  for (std::uint32_t set = 0; set < system->element_set_count(); ++set) {
    std::vector<bool> is_asked_for(system->element_set_count());
    is_asked_for[set] = true;
    std::uint64_t with = 0;
    std::vector<std::uint32_t> sets;
    for (const SampledBytes& state : states) {
      sets.clear();
      system->element_sets_of(state, sets);
      with += std::ranges::find(sets, set) != sets.end() ? 1 : 0;
    }
    EXPECT_DOUBLE_EQ(sample.share_with(is_asked_for).value(),
                     static_cast<double>(with) / static_cast<double>(states.size()));
  }
}

TEST(StateSample, LeavesOutPlacesThatHaveNoState) {
  const SampledSystem system;
  const std::uint64_t states = 1000;
  StateSample sample(states);
  std::uint64_t with = 0, kept = 0;
  while (sample.next() < states) {
    const std::uint64_t place = sample.next();
    const bool is_gap = has_sampled_set(place, 1);
    sample.add(system, is_gap ? StateBytes() : StateBytes(sampled_state(place)));
    with += !is_gap && has_sampled_set(place, 2) ? 1 : 0;
    kept += is_gap ? 0 : 1;
  }
  EXPECT_EQ(sample.share_with({false, true, false}), 0);
  EXPECT_EQ(sample.share_with({true, false, false}), 1);
  const double share_of_gaps = share_of_sampled(states, {false, true, false});
  EXPECT_DOUBLE_EQ(sample.share_with({false, false, true}).value(),
                   static_cast<double>(with) / (static_cast<double>(states) * (1 - share_of_gaps)));
  const StateSample read = sample_from(text_of_sample(sample));
  EXPECT_EQ(found_among(read, 0, states), kept);
  EXPECT_FALSE(read.has({}));
}

TEST(StateSample, HasNothingWhereThereIsNone) {
  for (const StateSample& sample : {StateSample(), sample_from(text_of_sample(StateSample()))}) {
    EXPECT_FALSE(sample.has(sampled_state(0)));
    EXPECT_FALSE(sample.has({}));
    EXPECT_EQ(sample.expected(1000), 0);
    EXPECT_EQ(sample.share_with({true, true}), std::nullopt);
    EXPECT_EQ(sample.share_with({}), std::nullopt);
    EXPECT_GT(sample.next(), std::uint64_t{1} << 32);
  }
}

TEST(StateSample, IsReadAsItWasPut) {
  for (const std::uint64_t states : {1, 100, 100'000}) {
    SCOPED_TRACE(states);
    const std::string text = text_of_sample(sample_of(states));
    EXPECT_LE(text.size(), 200'000U);
    const StateSample read = sample_from(text);
    EXPECT_EQ(text_of_sample(read), text);
    EXPECT_EQ(read.expected(states), sample_of(states).expected(states));
    for (const std::vector<bool>& sets : choices_of_sets())
      EXPECT_EQ(read.share_with(sets), sample_of(states).share_with(sets));
  }
}

TEST(StateSample, IsNotReadFromDamagedText) {
  const std::string text = text_of_sample(sample_of(200));
  for (std::size_t size = 0; size < text.size(); ++size) {
    StateSample sample;
    RecordReader reader(std::string_view(text).substr(0, size));
    EXPECT_THROW(sample.read(reader), FramedFileError) << size;
  }
  const auto expect_damage = [](const std::string& damaged) {
    StateSample sample;
    RecordReader reader(damaged);
    EXPECT_THROW(sample.read(reader), FramedFileError);
  };
  // No kinds of states; every state is sampled; one hash.
  std::string good;
  for (const std::uint64_t number : {0, 1, 1, 77}) put(good, number);
  EXPECT_GT(sample_from(good).expected(1), 0);
  std::string no_stride;
  for (const std::uint64_t number : {0, 0, 1, 77}) put(no_stride, number);
  expect_damage(no_stride);
  // The same sets twice.
  std::string twice;
  for (const std::uint64_t number : {2, 5, 1, 0, 5, 1, 0, 1, 0}) put(twice, number);
  expect_damage(twice);
  // More states than there can be.
  std::string too_many;
  put(too_many, 1);
  put(too_many, std::uint64_t{1} << 32);
  for (const std::uint64_t number : {1, 0, 1, 0}) put(too_many, number);
  expect_damage(too_many);
}

}  // namespace
}  // namespace spoor
