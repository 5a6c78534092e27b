#include "exec/state_view.h"

#include <algorithm>
#include <cstring>

namespace spoor::exec {

void StateView::add_channels(const std::vector<promela::ChannelInfo>& channels, std::uint32_t base,
                             std::int32_t owner) {
  for (std::uint32_t i = 0; i < channels.size(); ++i) {
    channels_.push_back({base + channels[i].offset, channels[i].type, owner, i});
  }
}

// Blocks of the same types in the same order lie at the same places.
bool StateView::has_processes_of(std::span<const std::byte> bytes) const {
  if (bytes.size() != bytes_.size() || bytes[0] != bytes_[0]) return false;
  for (const std::uint32_t offset : processes_) {
    if (bytes[offset] != bytes_[offset]) return false;
  }
  return true;
}

bool StateView::load(std::span<const std::byte> bytes) {
  if (has_processes_of(bytes)) {
    std::memcpy(bytes_.data(), bytes.data(), bytes.size());
    return false;
  }
  bytes_.assign(bytes.begin(), bytes.end());
  processes_.clear();
  channels_.clear();
  add_channels(program_->channels, 0, -1);
  const int count = static_cast<int>(bytes_[0]);
  std::uint32_t offset = program_->globals_size;
  for (int pid = 0; pid < count; ++pid) {
    processes_.push_back(offset);
    const promela::ProcessType& type = process(pid);
    add_channels(type.channels, offset, pid);
    offset += type.size;
  }
  return true;
}

void StateView::reset() {
  bytes_.assign(program_->globals_size, std::byte{0});
  processes_.clear();
  channels_.clear();
  add_channels(program_->channels, 0, -1);
}

void StateView::zero(std::uint32_t offset, std::uint32_t count) {
  std::memset(bytes_.data() + offset, 0, count);
}

int StateView::add_process(std::uint32_t type) {
  const promela::ProcessType& t = program_->processes[type];
  const auto offset = static_cast<std::uint32_t>(bytes_.size());
  bytes_.resize(offset + t.size, std::byte{0});
  const int pid = process_count();
  processes_.push_back(offset);
  bytes_[offset] = static_cast<std::byte>(type);
  set_location(pid, t.start);
  add_channels(t.channels, offset, pid);
  bytes_[0] = static_cast<std::byte>(process_count());
  return pid;
}

void StateView::remove_last_process() {
  const int pid = process_count() - 1;
  while (!channels_.empty() && channels_.back().owner == pid) channels_.pop_back();
  bytes_.resize(processes_.back());
  processes_.pop_back();
  bytes_[0] = static_cast<std::byte>(process_count());
}

void StateView::set_length(const Channel& channel, std::uint32_t length) {
  if (type_of(channel).length_bytes == 1) {
    bytes_[channel.offset] = static_cast<std::byte>(length);
  } else {
    set_u16(channel.offset, length);
  }
}

std::int32_t StateView::field(const Channel& channel, std::uint32_t slot, std::uint32_t field) const {
  const promela::ChannelType& type = type_of(channel);
  std::uint32_t offset = channel.offset + type.length_bytes + slot * type.slot_bytes;
  for (std::uint32_t i = 0; i < field; ++i) offset += type.fields[i].bytes;
  return get(offset, type.fields[field]);
}

void StateView::insert(const Channel& channel, std::uint32_t slot, std::span<const std::int32_t> message) {
  const promela::ChannelType& type = type_of(channel);
  const std::uint32_t count = length(channel);
  const std::uint32_t at = channel.offset + type.length_bytes + slot * type.slot_bytes;
  std::memmove(bytes_.data() + at + type.slot_bytes, bytes_.data() + at,
               std::size_t{count - slot} * type.slot_bytes);
  std::uint32_t offset = at;
  for (std::size_t i = 0; i < type.fields.size(); ++i) {
    set(offset, type.fields[i], i < message.size() ? message[i] : 0);
    offset += type.fields[i].bytes;
  }
  set_length(channel, count + 1);
}

void StateView::erase(const Channel& channel, std::uint32_t slot) {
  const promela::ChannelType& type = type_of(channel);
  const std::uint32_t count = length(channel);
  const std::uint32_t at = channel.offset + type.length_bytes + slot * type.slot_bytes;
  const std::size_t behind = std::size_t{count - slot - 1} * type.slot_bytes;
  std::memmove(bytes_.data() + at, bytes_.data() + at + type.slot_bytes, behind);
  std::memset(bytes_.data() + at + behind, 0, type.slot_bytes);
  set_length(channel, count - 1);
}

}  // namespace spoor::exec
