#include "store/state_arena.h"

#include <new>

namespace spoor {

StateIndex StateArena::append(std::span<const std::byte> bytes) {
  const std::uint64_t index = offsets_.size();
  if (index >= kNoState || bytes.size() > UINT32_MAX) throw std::bad_alloc();

  const Header header{static_cast<std::uint32_t>(bytes.size()), static_cast<StateIndex>(index)};
  const std::uint64_t size = (sizeof header + bytes.size() + kUnit - 1) / kUnit * kUnit;
  const std::uint64_t position = space_.place(end_, size);
  if (index / kGroup == group_bases_.size()) group_bases_.push_back(position / kUnit);
  const std::uint64_t offset = position / kUnit - group_bases_[index / kGroup];
  if (offset > UINT32_MAX) throw std::bad_alloc();
  offsets_.push_back(static_cast<std::uint32_t>(offset));

  std::byte* record = space_.at(position);
  std::memcpy(record, &header, sizeof header);
  if (!bytes.empty()) std::memcpy(record + sizeof header, bytes.data(), bytes.size());
  end_ = position + size;
  return static_cast<StateIndex>(index);
}

}  // namespace spoor
