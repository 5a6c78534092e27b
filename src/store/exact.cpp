#include "store/exact.h"

#include <new>
#include <utility>

namespace spoor {

ExactStore::ExactStore()
    : first_slots_(sizeof(Slot) << (kInitialBits + kTableBits)), slot_bytes_(first_slots_.size()) {
  // Zeroed pages are empty slots.
  auto* slots = reinterpret_cast<Slot*>(first_slots_.data());
  for (Table& table : tables_) {
    table.slots = slots;
    slots += table.capacity();
  }
}

std::uint64_t ExactStore::size() const {
  std::uint64_t size = 0;
  for (const Table& table : tables_) size += table.used.load(std::memory_order_relaxed);
  return size;
}

void ExactStore::grow(Table& table) {
  if (!table.is_full()) return;
  const unsigned bits = table.bits + 1;
  if (bits >= kFingerprintBits) throw std::bad_alloc();
  ZeroedPages memory(sizeof(Slot) << bits);
  Slot* const to = reinterpret_cast<Slot*>(memory.data());
  const Slot* const from = table.slots;
  const std::uint64_t count = table.capacity();

  table.bits = bits;
  const std::uint64_t mask = table.capacity() - 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t slot = from[i].load(std::memory_order_relaxed);
    if (slot == kEmpty) continue;
    std::uint64_t at = table.home(static_cast<std::uint32_t>(slot >> kPositionBits));
    while (to[at].load(std::memory_order_relaxed) != kEmpty) at = (at + 1) & mask;
    to[at].store(slot, std::memory_order_relaxed);
  }
  slot_bytes_.fetch_add(memory.size() - table.memory.size(), std::memory_order_relaxed);
  table.slots = to;
  table.memory = std::move(memory);
}

}  // namespace spoor
