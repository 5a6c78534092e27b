#include "store/exact.h"

#include <bit>
#include <new>
#include <utility>

namespace spoor {

ExactStore::ExactStore()
    : first_slots_(sizeof(Slot) << (kInitialBits + kTableBits)), slot_bytes_(first_slots_.size()) {
  // Zeroed pages are empty slots.
  auto* slots = reinterpret_cast<Slot*>(first_slots_.data());
  for (Table& table : tables_) {
    set_size(table, slots, kInitialBits);
    slots += table.mask + 1;
  }
}

void ExactStore::set_size(Table& table, Slot* slots, unsigned bits) {
  table.slots = slots;
  table.mask = (std::uint64_t{1} << bits) - 1;
  table.shift = 64 - bits;
}

std::uint64_t ExactStore::size() const {
  std::uint64_t size = 0;
  for (const Use& use : uses_) size += use.count.load(std::memory_order_relaxed);
  return size;
}

void ExactStore::grow(std::size_t number) {
  Table& table = tables_[number];
  const Table old = table;
  const auto bits = static_cast<unsigned>(std::bit_width(old.mask)) + 1;
  if (bits >= kFingerprintBits) throw std::bad_alloc();
  ZeroedPages memory(sizeof(Slot) << bits);
  set_size(table, reinterpret_cast<Slot*>(memory.data()), bits);
  for (std::uint64_t i = 0; i <= old.mask; ++i) {
    const std::uint64_t slot = old.slots[i].load(std::memory_order_relaxed);
    if (slot == kEmpty) continue;
    std::uint64_t at = slot >> table.shift;  // the fingerprint comes first
    while (table.slots[at].load(std::memory_order_relaxed) != kEmpty) at = (at + 1) & table.mask;
    table.slots[at].store(slot, std::memory_order_relaxed);
  }
  slot_bytes_.fetch_add(memory.size() - memory_[number].size(), std::memory_order_relaxed);
  memory_[number] = std::move(memory);
}

}  // namespace spoor
