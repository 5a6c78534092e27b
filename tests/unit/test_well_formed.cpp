// Bytes that may be expanded, and bytes that may not.
#include "exec/well_formed.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "exec/interpreter.h"
#include "graph/graph_system.h"
#include "unit/golden_programs.h"

namespace spoor::exec {
namespace {

using Bytes = std::vector<std::byte>;

// States in the order in which they are found, at most so many.
std::vector<Bytes> states_of(const TransitionSystem& system, std::size_t limit) {
  std::vector<Bytes> found = {system.initial_state()};
  std::set<Bytes> known = {found.front()};
  Expansion out;
  for (std::size_t i = 0; i < found.size() && found.size() < limit; ++i) {
    out.clear();
    system.expand(found[i], out);
    for (const Successor& successor : out.successors) {
      const StateBytes bytes = out.state(successor);
      if (known.emplace(bytes.begin(), bytes.end()).second) found.emplace_back(bytes.begin(), bytes.end());
    }
  }
  return found;
}

// Gives up soon: what a state that nobody can reach leads to may take for ever.
class Brief : public ExpansionBudget {
 public:
  bool is_exhausted(std::uint64_t) override { return true; }
};

TEST(WellFormed, AreAllStatesThatCanBeReached) {
  std::size_t states = 0;
  for_each_golden_program([&](const std::string& name, const auto& program) {
    const Interpreter system(program);
    for (const Bytes& state : states_of(system, 300)) {
      ++states;
      EXPECT_TRUE(system.is_well_formed(state)) << name;
    }
  });
  EXPECT_GT(states, 4000u);
}

// Whatever happens to the bytes of a state: they are refused, or can be expanded and shown.
TEST(WellFormed, BytesCanBeExpanded) {
  std::mt19937 random(1);
  std::size_t refused = 0, accepted = 0;
  for_each_golden_program([&](const std::string& name, const auto& program) {
    SCOPED_TRACE(name);
    const Interpreter system(program);
    const std::vector<Bytes> states = states_of(system, 20);
    for (int round = 0; round < 30; ++round) {
      Bytes state = states[random() % states.size()];
      for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
        switch (random() % 4) {
          case 0: state[random() % state.size()] = static_cast<std::byte>(random()); break;
          case 1: state[random() % state.size()] ^= static_cast<std::byte>(1U << random() % 8); break;
          case 2: state.resize(state.size() + random() % 9 - 4 + (state.size() < 8 ? 4 : 0)); break;
          default: state[random() % state.size()] = std::byte{0}; break;
        }
        if (state.empty()) state.resize(1);
      }
      if (!system.is_well_formed(state)) {
        ++refused;
        continue;
      }
      ++accepted;
      Brief brief;
      Expansion out;
      out.asked.budget = &brief;
      system.expand(state, out);
      for (const Successor& successor : out.successors) {
        EXPECT_TRUE(out.was_cut || system.is_well_formed(out.state(successor)));
      }
      system.describe(state);
    }
  });
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(accepted, 1000u);
}

std::unique_ptr<Interpreter> system_of(const char* text, bool reduce = false) {
  return std::make_unique<Interpreter>(program_of(promela::parse_text("test.pml", text, {}), reduce));
}

TEST(WellFormed, IsNoStateOfAnotherLength) {
  const auto system = system_of("int x; active proctype P() { byte y; x = 1; y = 2 }");
  Bytes state = system->initial_state();
  for (std::size_t length = 0; length < state.size(); ++length) {
    EXPECT_FALSE(system->is_well_formed(StateBytes(state).first(length)));
  }
  state.push_back(std::byte{0});
  EXPECT_FALSE(system->is_well_formed(state));
}

TEST(WellFormed, IsNoValueOutsideItsType) {
  const auto system = system_of("bit b; unsigned u : 3; active proctype P() { b = 1; u = 7 }");
  const Bytes initial = system->initial_state();
  std::size_t refused = 0;
  for (std::size_t at = 1; at < system->program().globals_size; ++at) {
    Bytes state = initial;
    state[at] = std::byte{0xff};
    refused += system->is_well_formed(state) ? 0 : 1;
  }
  EXPECT_EQ(refused, 2u) << "one byte each";
}

TEST(WellFormed, IsNoChannelWithMoreThanItsCapacity) {
  const auto system = system_of("chan q = [2] of { byte }; active proctype P() { q!1 }");
  const std::uint32_t at = system->program().channels[0].offset;
  Bytes state = system->initial_state();
  state[at] = std::byte{2};
  EXPECT_TRUE(system->is_well_formed(state));
  state[at] = std::byte{3};
  EXPECT_FALSE(system->is_well_formed(state));
  state[at] = std::byte{1};
  state[at + 2] = std::byte{9};
  EXPECT_FALSE(system->is_well_formed(state)) << "an unused slot";
}

TEST(WellFormed, IsNoProcessOfAnUnknownTypeOrPlace) {
  const auto system = system_of("active proctype P() { skip; skip }");
  const Bytes initial = system->initial_state();
  const std::uint32_t block = system->program().globals_size;
  for (const std::uint32_t at : {block, block + 1}) {
    Bytes state = initial;
    state[at] = std::byte{200};
    EXPECT_FALSE(system->is_well_formed(state));
  }
  Bytes state = initial;
  state[0] = std::byte{2};
  EXPECT_FALSE(system->is_well_formed(state)) << "the second process is missing";
}

TEST(WellFormed, HasNothingLeftOfWhatIsDead) {
  const auto system = system_of("byte g; active proctype P() { byte y; y = 3; g = y; g = 0; g = 1 }", true);
  std::size_t dead = 0;
  for (Bytes state : states_of(*system, 100)) {
    const auto& type = system->program().processes[0];
    const std::uint32_t block = system->program().globals_size;
    if (state.size() == block) continue;
    for (const auto& stretch : type.locations[std::to_integer<std::size_t>(state[block + 1])].dead) {
      ++dead;
      state[block + stretch.offset] = std::byte{1};
      EXPECT_FALSE(system->is_well_formed(state));
    }
  }
  EXPECT_GT(dead, 0u);
}

TEST(WellFormed, IsANumberOfAGraph) {
  const GraphSystem system(Graph(0, {{0, 1, 0, {}}}, {"a"}));
  EXPECT_TRUE(system.is_well_formed(system.initial_state()));
  Bytes state = system.initial_state();
  state[0] = std::byte{2};
  EXPECT_FALSE(system.is_well_formed(state));
  state.pop_back();
  EXPECT_FALSE(system.is_well_formed(state));
}

}  // namespace
}  // namespace spoor::exec
