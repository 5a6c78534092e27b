#include "exec/well_formed.h"

#include <algorithm>
#include <cstring>

#include "exec/state_view.h"

namespace spoor::exec {
namespace {

using promela::BodyKind;
using promela::ChannelType;
using promela::ProcessType;
using promela::Program;
using promela::ScalarType;

bool is_zero(const std::byte* bytes, std::size_t count) {
  std::uint64_t word = 0;
  for (; count >= sizeof word; bytes += sizeof word, count -= sizeof word) {
    std::memcpy(&word, bytes, sizeof word);
    if (word != 0) return false;
  }
  std::byte rest{0};
  for (; count > 0; ++bytes, --count) rest |= *bytes;
  return rest == std::byte{0};
}

std::uint32_t number_at(const std::byte* bytes, std::uint32_t count) {
  const auto low = std::to_integer<std::uint32_t>(bytes[0]);
  return count == 1 ? low : low | std::to_integer<std::uint32_t>(bytes[1]) << 8;
}

bool is_cleared(const std::vector<promela::Scratch>& stretches, const std::byte* block) {
  return std::all_of(stretches.begin(), stretches.end(), [&](const promela::Scratch& stretch) {
    return is_zero(block + stretch.offset, stretch.bytes);
  });
}

// Does read_scalar give nothing but values of the type?
bool has_all_values(const ScalarType& type) {
  if (type.bits >= 32) return true;
  return (type.bytes == 2 && type.bits == 16) || (type.bytes == 1 && type.bits == 8 && !type.is_signed);
}

bool has_value(const std::byte* bytes, const ScalarType& type) {
  const std::int32_t value = read_scalar(bytes, type);
  return type.truncate(value) == value;
}

}  // namespace

WellFormedness::WellFormedness(const Program& program) : program_(program) {
  if (program.has_embedded_code) return;
  globals_ = block_of(program.variables, program.channels);
  for (const ProcessType& type : program.processes) types_.push_back(block_of(type.variables, type.channels));
}

void WellFormedness::add_value(std::vector<Value>& values, std::uint32_t offset, const ScalarType& type) {
  if (!has_all_values(type)) values.push_back({offset, type});
}

WellFormedness::Block WellFormedness::block_of(const std::vector<promela::VariableInfo>& variables,
                                               const std::vector<promela::ChannelInfo>& channels) const {
  Block block;
  for (const promela::VariableInfo& variable : variables)
    add_value(block.values, variable.offset, variable.type);
  for (const promela::ChannelInfo& channel : channels) {
    const ChannelType& type = program_.channel_types[channel.type];
    if (type.is_rendezvous()) continue;
    Buffer& buffer = block.buffers.emplace_back();
    buffer.offset = channel.offset;
    buffer.capacity = type.capacity;
    buffer.length_bytes = type.length_bytes;
    buffer.slot_bytes = type.slot_bytes;
    std::uint32_t offset = 0;
    for (const promela::ChannelField& field : type.fields) {
      add_value(buffer.fields, offset, field);
      offset += field.bytes;
    }
  }
  return block;
}

bool WellFormedness::has_messages(const Buffer& buffer, const std::byte* bytes) {
  const std::uint32_t length = number_at(bytes, buffer.length_bytes);
  if (length > buffer.capacity) return false;
  const std::byte* slot = bytes + buffer.length_bytes;
  if (!buffer.fields.empty()) {
    for (std::uint32_t i = 0; i < length; ++i) {
      for (const Value& field : buffer.fields) {
        if (!has_value(slot + std::size_t{i} * buffer.slot_bytes + field.offset, field.type)) return false;
      }
    }
  }
  return is_zero(slot + std::size_t{length} * buffer.slot_bytes,
                 std::size_t{buffer.capacity - length} * buffer.slot_bytes);
}

bool WellFormedness::has_values(const Block& block, const std::byte* bytes) {
  return std::all_of(block.values.begin(), block.values.end(),
                     [&](const Value& value) { return has_value(bytes + value.offset, value.type); }) &&
         std::all_of(block.buffers.begin(), block.buffers.end(),
                     [&](const Buffer& buffer) { return has_messages(buffer, bytes + buffer.offset); });
}

bool WellFormedness::holds(StateBytes state) const {
  if (program_.has_embedded_code || state.empty() || state.size() < program_.globals_size) return false;
  const std::byte* const bytes = state.data();
  const auto processes = std::to_integer<int>(bytes[0]);
  if (processes > StateView::kMaxProcesses) return false;
  if (!has_values(globals_, bytes) || !is_cleared(program_.scratch, bytes)) return false;
  std::size_t at = program_.globals_size;
  std::size_t channels = program_.channels.size();
  for (int pid = 0; pid < processes; ++pid) {
    if (at + program_.process_header > state.size()) return false;
    const std::byte* const block = bytes + at;
    const auto number = std::to_integer<std::size_t>(block[0]);
    if (number >= program_.processes.size()) return false;
    const ProcessType& type = program_.processes[number];
    if (type.kind != BodyKind::kProctype && type.kind != BodyKind::kInit) return false;
    const std::uint32_t location = number_at(block + 1, program_.location_bytes);
    if (location >= type.locations.size()) return false;
    const promela::Location& place = type.locations[location];
    if (place.transitions.empty() && location != type.end) return false;
    at += type.size;
    if (at > state.size()) return false;
    if (!has_values(types_[number], block) || !is_cleared(place.dead, block)) return false;
    channels += type.channels.size();
  }
  if (at != state.size() || channels > StateView::kMaxChannels) return false;
  if (program_.trace_process == promela::kNone) return true;
  return number_at(bytes + program_.event_offset, 2) <
         program_.processes[program_.trace_process].locations.size();
}

}  // namespace spoor::exec
