#include "store/key_table.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace spoor {
namespace {

// A tenth of the slots of the smallest table is more than there may be threads.
constexpr std::uint64_t kFirstLines = 64;

}  // namespace

KeyTable::KeyTable(Quiescence& quiescence, IndexLimit limit) : quiescence_(quiescence), keys_(limit) {
  // The tables' sizes are spread over the quarter by which they grow.
  for (std::size_t i = 0; i < kTables; ++i) rebuild(i, kFirstLines + i * kFirstLines / 4 / kTables, 16);
}

std::uint64_t KeyTable::size() const {
  std::uint64_t size = 0;
  for (const Use& use : uses_) size += use.count.load(std::memory_order_relaxed);
  return size;
}

Insertion KeyTable::add(Writer& writer, std::uint64_t key, std::uint64_t hash, std::uint64_t at) {
  const std::size_t number = number_of_table(hash);
  while (!is_ready(writer, number)) at = tables_[number].home(hash);
  keys_.write(writer, key);
  const Table& table = tables_[number];
  for (;; at = table.after(at)) {
    const std::optional<Insertion> insertion = add_to_line(writer, key, hash, table.line(at));
    if (!insertion) continue;
    if (insertion->is_new) uses_[number].count.fetch_add(1, std::memory_order_relaxed);
    return *insertion;
  }
}

std::optional<Insertion> KeyTable::add_to_line(Writer& writer, std::uint64_t key, std::uint64_t hash,
                                               Slot* line) {
  const Table& table = table_of(hash);
  const std::uint32_t tag = table.tag(hash);
  const std::uint32_t tag_mask = table.tag_mask();
  const auto is_key = [&](std::uint32_t slot) {
    return (slot & tag_mask) == tag && keys_[number_in(slot, tag_mask)] == key;
  };
  const std::uint32_t empties = Look(line).empties();
  const auto used = static_cast<unsigned>(std::countr_zero(empties | 1u << kLineSlots));
  // Only then what is in them: the thread that filled the last of these has seen the others filled.
  if (used != 0) static_cast<void>(line[used - 1].load(std::memory_order_acquire));
  std::uint32_t matches = Look(line).matches(tag, tag_mask) & ((1u << used) - 1);
  for (; matches != 0; matches &= matches - 1) {
    const std::uint32_t slot = line[std::countr_zero(matches)].load(std::memory_order_acquire);
    if (is_key(slot)) return Insertion{number_in(slot, tag_mask), false};
  }
  const std::uint32_t mine = tag | (writer.next() + 1);
  for (Slot* at = line + used; at != line + kLineSlots; ++at) {
    std::uint32_t slot = 0;
    if (at->compare_exchange_strong(slot, mine, std::memory_order_acq_rel)) {
      return Insertion{PackedKeys::keep(writer), true};
    }
    if (is_key(slot)) return Insertion{number_in(slot, tag_mask), false};
  }
  return std::nullopt;
}

bool KeyTable::is_ready(Writer& writer, std::size_t number) {
  if (writer.next() == writer.end()) {
    while (!keys_.begin_block(writer)) quiescence_.alone([&] { keys_.make_room(); });
    return false;  // the table may be another one now
  }
  if (!is_full(number) && tables_[number].has_bits_for(writer.next())) return true;
  quiescence_.alone([&] { make_room(number, writer.next()); });
  return false;
}

void KeyTable::make_room(std::size_t number, std::uint32_t next) {
  const Table& table = tables_[number];
  std::uint64_t lines = table.lines;
  unsigned bits = table.number_bits;
  if (is_full(number)) {
    lines += lines / 4;
    // So many keys there are when this table is full, if the others are like it.
    bits = std::max(bits, static_cast<unsigned>(std::bit_width(lines * kLineSlots * kTables)));
  }
  bits = std::max(bits, static_cast<unsigned>(std::bit_width(std::uint64_t{next} + 1)));
  rebuild(number, lines, std::min(32u, bits));
}

void KeyTable::place(Table& table, std::uint64_t hash, std::uint32_t number) {
  std::uint64_t at = table.home(hash);
  while (table.line(at)[kLineSlots - 1].load(std::memory_order_relaxed) != 0) at = table.after(at);
  Slot* slot = table.line(at);
  while (slot->load(std::memory_order_relaxed) != 0) ++slot;
  slot->store(table.tag(hash) | (number + 1), std::memory_order_relaxed);
}

void KeyTable::rebuild(std::size_t number, std::uint64_t lines, unsigned number_bits) {
  Table& table = tables_[number];
  ZeroedPages memory(lines * kLineBytes + kLineBytes);
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  Table next;
  next.lines = lines;
  next.number_bits = number_bits;
  // Zeroed pages are empty slots.
  next.slots = reinterpret_cast<Slot*>((address + kLineBytes - 1) / kLineBytes * kLineBytes);

  // Slots do not hold the hash, so each key is fetched; those of the next lines are under way.
  constexpr std::uint64_t kAhead = 3;
  const auto each_number = [&](std::uint64_t at, const auto& use) {
    const Slot* const line = table.line(at);
    for (std::uint64_t i = 0; i < kLineSlots; ++i) {
      const std::uint32_t slot = line[i].load(std::memory_order_relaxed);
      if (slot == 0) break;
      use(number_in(slot, table.tag_mask()));
    }
  };
  for (std::uint64_t at = 0; at < table.lines + kAhead; ++at) {
    if (at < table.lines) each_number(at, [&](std::uint32_t key) { keys_.prefetch(key); });
    if (at < kAhead) continue;
    each_number(at - kAhead, [&](std::uint32_t key) { place(next, mix(keys_[key]), key); });
  }
  slot_bytes_.fetch_add(memory.size() - memory_[number].size(), std::memory_order_relaxed);
  table = next;
  memory_[number] = std::move(memory);
}

}  // namespace spoor
