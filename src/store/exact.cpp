#include "store/exact.h"

#include <cstring>
#include <new>
#include <utility>

namespace spoor {
namespace {

constexpr std::uint64_t kEmpty = 0;

}  // namespace

ExactStore::ExactStore()
    : first_slots_(sizeof(std::uint64_t) << (kInitialBits + kTableBits)),
      slot_bytes_(first_slots_.size()) {
  auto* slots = reinterpret_cast<std::uint64_t*>(first_slots_.data());
  for (Table& table : tables_) {
    table.slots = slots;
    slots += table.capacity();
  }
}

bool ExactStore::is_same(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

Insertion ExactStore::insert(std::uint64_t hash, std::span<const std::byte> bytes) {
  Table& table = tables_[table_of(hash)];
  const std::uint32_t fingerprint = fingerprint_of(hash);
  // Before the probe, so that the empty slot it ends at is the one to fill.
  if ((table.used + 1) * 4 > table.capacity() * 3) grow(table);

  const std::uint64_t mask = table.capacity() - 1;
  std::uint64_t* const slots = table.slots;
  std::uint64_t at = table.home(fingerprint);
  while (slots[at] != kEmpty) {
    if (slots[at] >> kPositionBits == fingerprint) {
      const StateArena::Record known = states_.record(position_in(slots[at]));
      if (is_same(known.bytes, bytes)) return {known.index, false};
    }
    at = (at + 1) & mask;
  }
  const StateIndex index = states_.append(bytes);
  const std::uint64_t position = states_.position(index) + 1;
  if (position >> kPositionBits != 0) throw std::bad_alloc();
  slots[at] = std::uint64_t{fingerprint} << kPositionBits | position;
  ++table.used;
  return {index, true};
}

void ExactStore::grow(Table& table) {
  if (table.bits + 1 >= kFingerprintBits) throw std::bad_alloc();
  Table larger;
  larger.bits = table.bits + 1;
  larger.memory = ZeroedPages(larger.capacity() * sizeof(std::uint64_t));
  larger.slots = reinterpret_cast<std::uint64_t*>(larger.memory.data());
  larger.used = table.used;

  const std::uint64_t mask = larger.capacity() - 1;
  std::uint64_t* const to = larger.slots;
  const std::uint64_t* const from = table.slots;
  for (std::uint64_t i = 0; i < table.capacity(); ++i) {
    if (from[i] == kEmpty) continue;
    std::uint64_t at = larger.home(static_cast<std::uint32_t>(from[i] >> kPositionBits));
    while (to[at] != kEmpty) at = (at + 1) & mask;
    to[at] = from[i];
  }
  slot_bytes_ += larger.memory.size() - table.memory.size();
  table = std::move(larger);
}

}  // namespace spoor
