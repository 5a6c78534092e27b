// Which states an edit touches, asked of their codes, and how states are found by their codes.
#include "evidence/touched_states.h"

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "evidence/packed_states.h"
#include "evidence/state_table.h"
#include "version_pair.h"

namespace spoor {
namespace {

using CodedState = std::vector<std::byte>;

std::vector<CodedState> coded_states_of(const TransitionSystem& system, std::size_t most) {
  std::set<CodedState> known = {system.initial_state()};
  std::vector<CodedState> states(known.begin(), known.end());
  for (std::size_t i = 0; i < states.size() && states.size() < most; ++i) {
    Expansion out;
    system.expand(states[i], out);
    for (const Successor& successor : out.successors) {
      const StateBytes bytes = out.state(successor);
      CodedState state(bytes.begin(), bytes.end());
      if (known.insert(state).second) states.push_back(std::move(state));
    }
  }
  return states;
}

// States of fewer bytes have no codes.
constexpr const char* kPadding = "byte pad[40]; byte x, y;\n";

std::string with_many_locations() {
  std::string text = std::string(kPadding) + "active proctype A() { do :: ";
  for (int i = 0; i < 300; ++i) text += "x = " + std::to_string(i % 5) + "; ";
  return text + "od }\nactive proctype B() { do :: pad[y] = 1; y = (y + 1) % 20 od }\n";
}

const std::vector<std::string>& models_with_codes() {
  static const std::vector<std::string> models = {
      std::string(kPadding) +
          "active [3] proctype A() { byte i; do :: i < 6 -> i++; pad[i] = i :: i > 0 -> i-- od }\n",
      with_many_locations(),
      // Processes come and go: where they are is not the same in all states.
      std::string(kPadding) +
          "proctype A() { pad[3] = x; x = 1; x = 0 }\nproctype B() { byte z = 1; y = z; pad[4] = y; y = 0 }\n"
          "init { byte i; do :: i < 250 -> i++; pad[i % 40] = i; if :: run A() :: run B() fi; _nr_pr == 1 od }\n"};
  return models;
}

TEST(TouchedStates, AreThoseThatHaveADangerousElement) {
  std::mt19937 random(1);
  for (const std::string& text : models_with_codes()) {
    const auto system = exec::version_of(text, {});
    ASSERT_NE(system, nullptr);
    PackedStates packed;
    const std::vector<CodedState> states = coded_states_of(*system, 3000);
    for (const CodedState& state : states) packed.add(state);
    std::size_t coded = 0, touched_in_all = 0;
    for (int round = 0; round < 8; ++round) {
      std::vector<bool> is_dangerous(system->element_set_count());
      for (std::size_t set = 0; set < is_dangerous.size(); ++set)
        is_dangerous[set] = round > 0 && random() % 8 == 0;
      TouchedStates touched(*system, is_dangerous);
      PackedStates::Cursor cursor;
      for (std::uint32_t i = 0; i < states.size(); ++i) {
        std::vector<std::uint32_t> sets;
        system->element_sets_of(states[i], sets);
        const bool expected = std::ranges::any_of(sets, [&](std::uint32_t set) { return is_dangerous[set]; });
        const KeptState kept = packed.get_kept(i, cursor);
        coded += kept.shape != nullptr ? 1 : 0;
        ASSERT_EQ(touched.has(kept), expected) << text << " state " << i;
        ASSERT_EQ(touched.has(StateBytes(states[i])), expected);
        touched_in_all += expected ? 1 : 0;
      }
    }
    EXPECT_GT(touched_in_all, 0U);
    EXPECT_TRUE(coded > 0 || !Shape::can_be_used()) << text;
  }
}

// A byte of a state is where the shape says that it is in the code.
TEST(TouchedStates, ReadBytesOfCodes) {
  if (!Shape::can_be_used()) GTEST_SKIP() << "this processor has no codes";
  std::mt19937 random(2);
  std::vector<std::byte> base(77), varying(77);
  for (std::size_t i = 0; i < base.size(); ++i) {
    varying[i] = random() % 2 == 0 ? static_cast<std::byte>(random()) : std::byte{0};
    base[i] = static_cast<std::byte>(random());
  }
  const Shape shape(0, base, varying);
  for (int round = 0; round < 100; ++round) {
    std::vector<std::byte> state = base;
    for (std::size_t i = 0; i < state.size(); ++i) state[i] ^= static_cast<std::byte>(random()) & varying[i];
    std::vector<std::uint64_t> code(shape.code_words());
    ASSERT_TRUE(shape.pack(state.data(), code.data()));
    for (std::size_t i = 0; i < state.size(); ++i) {
      const Shape::BytePlace place = shape.place_of_byte(i);
      std::uint32_t byte = place.base;
      std::uint64_t bits = code[place.word] >> place.shift;
      for (std::uint32_t bit = 1; bit < 256; bit <<= 1) {
        if ((place.varying & bit) == 0) continue;
        byte |= (bits & 1) != 0 ? bit : 0;
        bits >>= 1;
      }
      ASSERT_EQ(byte, static_cast<std::uint32_t>(state[i])) << "byte " << i;
    }
  }
}

// Some states are kept whole, some in an older shape than others: their keys are those of their bytes all the
// same.
TEST(PackedStates, FindStatesByTheirCodes) {
  for (const std::string& text : models_with_codes()) {
    const auto system = exec::version_of(text, {});
    const std::vector<CodedState> states = coded_states_of(*system, 3000);
    PackedStates packed;
    for (std::size_t i = 0; i < states.size(); i += 2) {
      packed.add(states[i]);
      if (i % 32 == 0) packed.add_gap();
    }
    StateTable table(packed.size());
    PackedStates::Cursor cursor;
    std::vector<std::uint32_t> number_of(states.size());
    for (std::uint32_t number = 0, i = 0; number < packed.bound(); ++number) {
      const KeptState kept = packed.get_kept(number, cursor);
      if (kept.bytes.empty()) continue;
      table.add(packed.key(kept, cursor), number);
      number_of[i] = number;
      i += 2;
    }
    table.finish();
    for (std::size_t i = 0; i < states.size(); ++i) {
      PackedStates::Sought sought;
      packed.prepare(states[i], sought);
      ASSERT_EQ(table.find(sought, packed, cursor), i % 2 == 0 ? number_of[i] : kNoState) << "state " << i;
    }
  }
}

}  // namespace
}  // namespace spoor
