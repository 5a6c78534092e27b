#include "exec/well_formed.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/state_view.h"

namespace spoor::exec {
namespace {

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

}  // namespace

bool is_well_formed(const Program& program, StateBytes state) {
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

}  // namespace spoor::exec
