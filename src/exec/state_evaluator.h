// A look into a state without taking it apart: values of variables, lengths of channels, expressions.
//
// What the machine does (exec/machine.h) with a copy of the state, which may be changed, and with reports
// of what goes wrong, this does in place, for those who only want to know and can do without an answer.
// The two must agree: a wrong value here is a wrong set, which `--check-reduction` finds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "promela/program.h"

namespace spoor::exec {

// A state, read where it lies.
struct StateEvaluator {
  static constexpr int kMostProcesses = 64;

  const promela::Program& program;
  std::span<const std::byte> bytes;
  std::vector<std::uint32_t> offset;         // by pid: of its block
  std::vector<std::uint32_t> first_channel;  // by pid: number of the first of its own

  explicit StateEvaluator(const promela::Program& p) : program(p) {}

  // False: too many processes.
  bool load(std::span<const std::byte> state) {
    bytes = state;
    offset.clear();
    first_channel.clear();
    const int count = byte(0);
    if (count > kMostProcesses) return false;
    std::uint32_t at = program.globals_size;
    auto channel = static_cast<std::uint32_t>(program.channels.size() + 1);
    for (int pid = 0; pid < count; ++pid) {
      offset.push_back(at);
      first_channel.push_back(channel);
      const promela::ProcessType& type = program.processes[static_cast<std::size_t>(byte(at))];
      at += type.size;
      channel += static_cast<std::uint32_t>(type.channels.size());
    }
    return true;
  }

  int byte(std::uint32_t at) const { return static_cast<int>(bytes[at]); }
  std::uint32_t u16(std::uint32_t at) const {
    return static_cast<std::uint32_t>(byte(at)) | static_cast<std::uint32_t>(byte(at + 1)) << 8U;
  }
  int count() const { return static_cast<int>(offset.size()); }
  std::uint32_t block(int pid) const { return offset[static_cast<std::size_t>(pid)]; }
  std::uint32_t type(int pid) const { return static_cast<std::uint32_t>(byte(block(pid))); }
  std::uint32_t location(int pid) const {
    const std::uint32_t at = block(pid) + 1;
    return program.location_bytes == 1 ? static_cast<std::uint32_t>(byte(at)) : u16(at);
  }

  std::int32_t get(std::uint32_t at, const promela::ScalarType& t) const {
    if (t.bytes == 1) return byte(at);
    if (t.bytes == 2)
      return t.is_signed ? static_cast<std::int16_t>(u16(at)) : static_cast<std::int32_t>(u16(at));
    return static_cast<std::int32_t>(u16(at) | u16(at + 2) << 16U);
  }

  struct Channel {
    std::uint32_t number = 0;
    const promela::ChannelType* type = nullptr;
    std::uint32_t at = 0;  // of its buffer
  };
  std::optional<Channel> channel(std::int32_t value) const {
    const auto number = static_cast<std::uint32_t>(value);
    if (number == 0) return std::nullopt;
    if (number <= program.channels.size()) {
      const promela::ChannelInfo& info = program.channels[number - 1];
      return Channel{number, &program.channel_types[info.type], info.offset};
    }
    for (int pid = count() - 1; pid >= 0; --pid) {
      const std::uint32_t first = first_channel[static_cast<std::size_t>(pid)];
      if (number < first) continue;
      const auto& own = program.processes[type(pid)].channels;
      if (number - first >= own.size()) return std::nullopt;
      const promela::ChannelInfo& info = own[number - first];
      return Channel{number, &program.channel_types[info.type], block(pid) + info.offset};
    }
    return std::nullopt;
  }
  std::uint32_t length(const Channel& c) const {
    if (c.type->is_rendezvous()) return 0;
    return c.type->length_bytes == 1 ? static_cast<std::uint32_t>(byte(c.at)) : u16(c.at);
  }

  // Where a place is; nothing when an index is out of range or cannot be told.
  std::optional<std::uint32_t> address(const promela::Place& place, int pid) const {
    std::uint32_t at = place.offset + (place.region == promela::Place::Region::kLocal ? block(pid) : 0);
    for (const promela::Place::Index& index : place.indices) {
      const std::optional<std::int32_t> i = evaluate(index.expr, pid);
      if (!i || *i < 0 || static_cast<std::uint32_t>(*i) >= index.count) return std::nullopt;
      at += static_cast<std::uint32_t>(*i) * index.stride;
    }
    return at;
  }

  // The value as the machine would have it (exec/evaluate.cpp); nothing where that would fail or is
  // not worth knowing.
  std::optional<std::int32_t> evaluate(promela::ExprId id, int pid) const;
};

}  // namespace spoor::exec
