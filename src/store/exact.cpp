#include "store/exact.h"

#include <bit>
#include <new>
#include <utility>

namespace spoor {

ExactStore::ExactStore(unsigned threads, IndexLimit limit) : is_shared_(threads > 1), states_(limit) {
  for (std::size_t number = 0; number < kTables; ++number) {
    set_size(tables_[number], take_slots(number, kInitialBits), kInitialBits);
  }
}

// Zeroed pages are empty slots.
ExactStore::Slot* ExactStore::take_slots(std::size_t number, unsigned bits) {
  const std::size_t bytes = sizeof(Slot) << bits;
  std::byte* slots = nullptr;
  if (bits > kSharedBits) {
    own_[number] = ZeroedPages(bytes);
    slots = own_[number].data();
  } else {
    SharedPages& shared = shared_[bits];
    if (shared.tables == 0) shared.memory = ZeroedPages(kTables * bytes);
    ++shared.tables;
    shared.bytes += bytes;
    slots = shared.memory.data() + number * bytes;
  }
  slot_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  return reinterpret_cast<Slot*>(slots);
}

void ExactStore::give_up_shared(unsigned bits) {
  SharedPages& shared = shared_[bits];
  if (--shared.tables > 0) return;
  slot_bytes_.fetch_sub(shared.bytes, std::memory_order_relaxed);
  shared = {};
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
  const auto old_bits = static_cast<unsigned>(std::bit_width(old.mask));
  if (old_bits + 1 >= kFingerprintBits) throw std::bad_alloc();
  ZeroedPages old_memory = std::exchange(own_[number], {});
  try {
    set_size(table, take_slots(number, old_bits + 1), old_bits + 1);
  } catch (const std::bad_alloc&) {
    own_[number] = std::move(old_memory);
    throw;
  }
  epoch_ += kPlaceMask + 1;
  for (std::uint64_t i = 0; i <= old.mask; ++i) {
    const std::uint64_t slot = old.slots[i].load(std::memory_order_relaxed);
    if (slot == kEmpty) continue;
    std::uint64_t at = slot >> table.shift & ~kLastSlot;  // the fingerprint comes first
    while (table.slots[at + kLastSlot].load(std::memory_order_relaxed) != kEmpty) at = table.after(at);
    while (table.slots[at].load(std::memory_order_relaxed) != kEmpty) ++at;
    table.slots[at].store(slot, std::memory_order_relaxed);
  }
  if (old_bits <= kSharedBits) {
    give_up_shared(old_bits);
  } else {
    slot_bytes_.fetch_sub(old_memory.size(), std::memory_order_relaxed);
  }
}

}  // namespace spoor
