// A state taken apart: its bytes, and where in them each process and each channel begins.
//
// promela/program.h describes the bytes. A view is a value: executing a statement copies the view of
// the source state and changes the copy.
//
// Invariants:
//  1. process_offset(i) is the start of the block of pid i; blocks lie in pid order, without gaps, and
//     the last one ends where the bytes end.
//  2. channels() lists the live channels in the order of their numbers (number = index + 1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "promela/program.h"

namespace spoor::exec {

inline std::int32_t read_scalar(const std::byte* from, const promela::ScalarType& type) {
  const auto byte = [from](int i) { return static_cast<std::uint32_t>(from[i]); };
  switch (type.bytes) {
    case 1: return static_cast<std::int32_t>(byte(0));
    case 2: {
      const std::uint32_t v = byte(0) | byte(1) << 8;
      return type.is_signed ? static_cast<std::int16_t>(v) : static_cast<std::int32_t>(v);
    }
    default: return static_cast<std::int32_t>(byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24);
  }
}

// Truncates as an assignment does.
inline void write_scalar(std::byte* to, const promela::ScalarType& type, std::int32_t value) {
  const auto v = static_cast<std::uint32_t>(type.truncate(value));
  for (int i = 0; i < type.bytes; ++i) to[i] = static_cast<std::byte>(v >> (8 * i));
}

class StateView {
 public:
  struct Channel {
    std::uint32_t offset = 0;  // of its buffer
    std::uint32_t type = 0;
    std::int32_t owner = -1;  // pid; -1: global
    std::uint32_t index = 0;  // among its owner's channels
  };

  static constexpr int kMaxProcesses = 255;
  static constexpr std::size_t kMaxChannels = 255;

  StateView() = default;
  explicit StateView(const promela::Program& program) : program_(&program) {}

  // REQUIRES: `bytes` is a state of the program. False: the processes and channels are the same, and at
  // the same places, as in the state before, which is the usual case and the faster one.
  bool load(std::span<const std::byte> bytes);
  // Nothing but zeroed globals and the global channels: no process yet.
  void reset();

  std::span<const std::byte> bytes() const { return bytes_; }
  // For embedded C, which writes to variables only.
  std::byte* data() { return bytes_.data(); }
  int process_count() const { return static_cast<int>(processes_.size()); }
  const std::vector<Channel>& channels() const { return channels_; }

  std::int32_t get(std::uint32_t offset, const promela::ScalarType& type) const {
    return read_scalar(bytes_.data() + offset, type);
  }
  // Truncates as an assignment does.
  void set(std::uint32_t offset, const promela::ScalarType& type, std::int32_t value) {
    write_scalar(bytes_.data() + offset, type, value);
  }

  std::uint32_t process_offset(int pid) const { return processes_[static_cast<std::size_t>(pid)]; }
  std::uint32_t process_type(int pid) const {
    return static_cast<std::uint32_t>(bytes_[process_offset(pid)]);
  }
  const promela::ProcessType& process(int pid) const { return program_->processes[process_type(pid)]; }
  std::uint32_t location(int pid) const {
    const std::uint32_t at = process_offset(pid) + 1;
    return program_->location_bytes == 1 ? static_cast<std::uint32_t>(bytes_[at]) : get_u16(at);
  }
  void set_location(int pid, std::uint32_t location) {
    const std::uint32_t at = process_offset(pid) + 1;
    if (program_->location_bytes == 1) {
      bytes_[at] = static_cast<std::byte>(location);
    } else {
      set_u16(at, location);
    }
  }
  // REQUIRES: the program uses priorities.
  int priority(int pid) const { return static_cast<int>(bytes_[priority_offset(pid)]); }
  void set_priority(int pid, int priority) {
    bytes_[priority_offset(pid)] = static_cast<std::byte>(priority);
  }

  std::uint32_t get_u16(std::uint32_t offset) const {
    return static_cast<std::uint32_t>(bytes_[offset]) | static_cast<std::uint32_t>(bytes_[offset + 1]) << 8;
  }
  void set_u16(std::uint32_t offset, std::uint32_t value) {
    bytes_[offset] = static_cast<std::byte>(value);
    bytes_[offset + 1] = static_cast<std::byte>(value >> 8);
  }
  void set_byte(std::uint32_t offset, int value) { bytes_[offset] = static_cast<std::byte>(value); }
  int byte(std::uint32_t offset) const { return static_cast<int>(bytes_[offset]); }
  void zero(std::uint32_t offset, std::uint32_t count);
  // What the process will not read again from where it is.
  void zero_dead(int pid) {
    const std::uint32_t base = process_offset(pid);
    for (const promela::Scratch& dead : process(pid).locations[location(pid)].dead)
      zero(base + dead.offset, dead.bytes);
  }

  // REQUIRES: process_count() < kMaxProcesses. The block is zero but for its type and location.
  int add_process(std::uint32_t type);
  // REQUIRES: there is a process. Its channels go with it.
  void remove_last_process();

  // Channel contents.
  std::uint32_t length(const Channel& channel) const {
    const promela::ChannelType& type = type_of(channel);
    if (type.is_rendezvous()) return 0;
    return type.length_bytes == 1 ? static_cast<std::uint32_t>(bytes_[channel.offset])
                                  : get_u16(channel.offset);
  }
  std::int32_t field(const Channel& channel, std::uint32_t slot, std::uint32_t field) const;
  // REQUIRES: the channel is not full; slot <= length. Later messages move up.
  void insert(const Channel& channel, std::uint32_t slot, std::span<const std::int32_t> message);
  // REQUIRES: slot < length.
  void erase(const Channel& channel, std::uint32_t slot);

 private:
  std::uint32_t priority_offset(int pid) const { return process_offset(pid) + program_->process_header - 1; }
  const promela::ChannelType& type_of(const Channel& channel) const {
    return program_->channel_types[channel.type];
  }
  bool has_processes_of(std::span<const std::byte> bytes) const;
  void set_length(const Channel& channel, std::uint32_t length);
  void add_channels(const std::vector<promela::ChannelInfo>& channels, std::uint32_t base,
                    std::int32_t owner);

  const promela::Program* program_ = nullptr;
  std::vector<std::byte> bytes_;
  std::vector<std::uint32_t> processes_;
  std::vector<Channel> channels_;
};

}  // namespace spoor::exec
