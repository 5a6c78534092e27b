// Bytes that may be expanded, and bytes that may not.
#include "exec/well_formed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "exec/interpreter.h"
#include "exec/state_view.h"
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

// ---- The same question, asked of a view of the whole state --------------------------------------

using promela::BodyKind;
using promela::ChannelType;
using promela::ProcessType;
using promela::Program;

bool is_zero(StateBytes bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

std::uint32_t number_at(StateBytes bytes, std::uint32_t offset, std::uint32_t count) {
  std::uint32_t number = 0;
  for (std::uint32_t i = 0; i < count; ++i)
    number |= std::to_integer<std::uint32_t>(bytes[offset + i]) << (8 * i);
  return number;
}

// Do the blocks of the processes fill the bytes behind the globals? Then a StateView can be made of them.
bool has_layout(const Program& program, StateBytes state) {
  if (state.empty() || state.size() < program.globals_size) return false;
  const auto processes = std::to_integer<int>(state[0]);
  if (processes > StateView::kMaxProcesses) return false;
  std::size_t at = program.globals_size;
  std::size_t channels = program.channels.size();
  for (int pid = 0; pid < processes; ++pid) {
    if (at + program.process_header > state.size()) return false;
    const auto number = std::to_integer<std::size_t>(state[at]);
    if (number >= program.processes.size()) return false;
    const ProcessType& type = program.processes[number];
    if (type.kind != BodyKind::kProctype && type.kind != BodyKind::kInit) return false;
    const std::uint32_t location =
        number_at(state, static_cast<std::uint32_t>(at) + 1, program.location_bytes);
    if (location >= type.locations.size()) return false;
    if (type.locations[location].transitions.empty() && location != type.end) return false;
    at += type.size;
    channels += type.channels.size();
  }
  return at == state.size() && channels <= StateView::kMaxChannels;
}

bool has_values(const StateView& view, const std::vector<promela::VariableInfo>& variables,
                std::uint32_t base) {
  return std::all_of(variables.begin(), variables.end(), [&](const promela::VariableInfo& variable) {
    const std::int32_t value = view.get(base + variable.offset, variable.type);
    return variable.type.truncate(value) == value;
  });
}

bool has_messages(const Program& program, const StateView& view, const StateView::Channel& channel) {
  const ChannelType& type = program.channel_types[channel.type];
  if (type.is_rendezvous()) return true;
  const std::uint32_t length = view.length(channel);
  if (length > type.capacity) return false;
  for (std::uint32_t slot = 0; slot < length; ++slot) {
    for (std::uint32_t field = 0; field < type.fields.size(); ++field) {
      const std::int32_t value = view.field(channel, slot, field);
      if (type.fields[field].truncate(value) != value) return false;
    }
  }
  const std::size_t used = type.length_bytes + std::size_t{length} * type.slot_bytes;
  return is_zero(view.bytes().subspan(channel.offset + used, type.bytes() - used));
}

bool is_cleared(StateBytes bytes, const std::vector<promela::Scratch>& stretches, std::uint32_t base) {
  return std::all_of(stretches.begin(), stretches.end(), [&](const promela::Scratch& stretch) {
    return is_zero(bytes.subspan(base + stretch.offset, stretch.bytes));
  });
}

bool is_well_formed_by_view(const Program& program, StateBytes state) {
  if (program.has_embedded_code || !has_layout(program, state)) return false;
  StateView view(program);
  view.load(state);
  if (!has_values(view, program.variables, 0) || !is_cleared(state, program.scratch, 0)) return false;
  for (int pid = 0; pid < view.process_count(); ++pid) {
    const ProcessType& type = view.process(pid);
    const std::uint32_t base = view.process_offset(pid);
    if (!has_values(view, type.variables, base)) return false;
    if (!is_cleared(state, type.locations[view.location(pid)].dead, base)) return false;
  }
  const auto& channels = view.channels();
  const bool have_messages = std::all_of(channels.begin(), channels.end(), [&](const auto& channel) {
    return has_messages(program, view, channel);
  });
  if (!have_messages) return false;
  if (program.trace_process == promela::kNone) return true;
  return view.get_u16(program.event_offset) < program.processes[program.trace_process].locations.size();
}

// ---- Tests ----------------------------------------------------------------------------------------

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

// A state with some bytes changed, added or removed.
Bytes damaged(Bytes state, std::mt19937& random) {
  for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
    switch (random() % 4) {
      case 0: state[random() % state.size()] = static_cast<std::byte>(random()); break;
      case 1: state[random() % state.size()] ^= static_cast<std::byte>(1U << random() % 8); break;
      case 2: state.resize(state.size() + random() % 9 - 4 + (state.size() < 8 ? 4 : 0)); break;
      default: state[random() % state.size()] = std::byte{0}; break;
    }
    if (state.empty()) state.resize(1);
  }
  return state;
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
      const Bytes state = damaged(states[random() % states.size()], random);
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

// The tables leave nothing out: of any bytes they say what the whole state says.
TEST(WellFormed, AreTheBytesOfWhichEveryPartIsRight) {
  std::mt19937 random(2);
  std::size_t refused = 0, accepted = 0;
  for_each_golden_program([&](const std::string& name, const auto& program) {
    SCOPED_TRACE(name);
    const Interpreter system(program);
    const std::vector<Bytes> states = states_of(system, 50);
    for (int round = 0; round < 300; ++round) {
      const Bytes state = damaged(states[random() % states.size()], random);
      const bool is_right = is_well_formed_by_view(system.program(), state);
      ASSERT_EQ(system.is_well_formed(state), is_right);
      ++(is_right ? accepted : refused);
    }
    for (int round = 0; round < 100; ++round) {
      Bytes state(random() % 40);
      for (std::byte& byte : state)
        byte = static_cast<std::byte>(random() % 4 == 0 ? random() : random() % 4);
      ASSERT_EQ(system.is_well_formed(state), is_well_formed_by_view(system.program(), state));
    }
  });
  EXPECT_GT(refused, 10000u);
  EXPECT_GT(accepted, 10000u);
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
