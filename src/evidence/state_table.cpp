#include "evidence/state_table.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace spoor {

StateTable::StateTable(std::uint64_t most) {
  const std::uint64_t slots = std::bit_ceil(std::max<std::uint64_t>(most + most / 4 + 1, 2));
  const auto bits = static_cast<unsigned>(std::countr_zero(slots));
  if (bits > kMostBits) throw std::bad_alloc();
  mask_ = slots - 1;
  shift_ = 64 - bits;
  part_bits_ = std::min(bits, kMostPartBits);
  slots_ = ZeroedPages(slots * sizeof(Slot));
  listed_.resize(slots >> part_bits_);
}

// A state that finds no free slot behind its first one in its part comes last: the part behind is still a
// list at that time.
void StateTable::finish() {
  std::vector<Slot> list(part_slots());
  for (std::uint64_t part = 0; part < listed_.size(); ++part) {
    Slot* const begin = slots() + (part << part_bits_);
    std::memcpy(list.data(), begin, listed_[part] * sizeof(Slot));
    std::memset(begin, 0, listed_[part] * sizeof(Slot));
    for (std::uint32_t i = 0; i < listed_[part]; ++i) {
      std::uint64_t at = place_of(list[i]) & (part_slots() - 1);
      while (at < part_slots() && begin[at] != kEmpty) ++at;
      if (at < part_slots()) {
        begin[at] = list[i];
      } else {
        spilled_.push_back(list[i]);
      }
    }
  }
  for (const Slot slot : spilled_) {
    std::uint64_t at = place_of(slot);
    while (slots()[at] != kEmpty) at = (at + 1) & mask_;
    slots()[at] = slot;
  }
  listed_ = {};
  spilled_ = {};
}

}  // namespace spoor
