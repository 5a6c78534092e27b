#include "store/key_table.h"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace spoor {
namespace {

constexpr std::uint64_t kFirstLines = 32;

// The tables' sizes are spread over the quarter by which they grow.
std::uint64_t next_lines(std::uint64_t lines, std::uint64_t table) {
  return lines == 1 ? kFirstLines + table : lines + lines / 4;
}

}  // namespace

KeyTable::KeyTable() {
  for (Table& table : tables_) rebuild(table, 1, 16);
}

std::uint32_t KeyTable::add(std::uint64_t key, std::uint64_t hash) {
  const std::uint64_t number = keys_.size();
  if (number >= kNoState) throw std::bad_alloc();
  Table& table = table_of(hash);
  if (table.is_full()) {
    const std::uint64_t lines = next_lines(table.lines, hash >> (64 - kTableBits));
    // So many keys there are when this table is full, if the others are like it.
    const unsigned bits = static_cast<unsigned>(std::bit_width(lines * kLineSlots * kTables));
    rebuild(table, lines, std::min(32u, std::max(bits, table.number_bits)));
  }
  if ((number + 1) >> table.number_bits != 0) {
    rebuild(table, table.lines, static_cast<unsigned>(std::bit_width(number + 1)));
  }
  keys_.push_back(key);
  place(table, hash, static_cast<std::uint32_t>(number));
  ++table.used;
  return static_cast<std::uint32_t>(number);
}

void KeyTable::place(Table& table, std::uint64_t hash, std::uint32_t number) {
  std::uint64_t at = table.home(hash);
  while (table.line(at)[kLineSlots - 1] != 0) at = at + 1 == table.lines ? 0 : at + 1;
  std::uint32_t* slot = table.line(at);
  while (*slot != 0) ++slot;
  *slot = table.tag(hash) | (number + 1);
}

void KeyTable::rebuild(Table& table, std::uint64_t lines, unsigned number_bits) {
  Table next;
  next.lines = lines;
  next.used = table.used;
  next.number_bits = number_bits;
  next.memory = ZeroedPages(lines * kLineBytes + kLineBytes);
  const auto address = reinterpret_cast<std::uintptr_t>(next.memory.data());
  next.slots = reinterpret_cast<std::uint32_t*>((address + kLineBytes - 1) / kLineBytes * kLineBytes);

  // Slots do not hold the hash, so each key is fetched; those of the next lines are under way.
  constexpr std::uint64_t kAhead = 3;
  for (std::uint64_t at = 0; at < table.lines + kAhead; ++at) {
    if (at < table.lines) {
      const std::uint32_t* const line = table.line(at);
      for (std::uint64_t i = 0; i < kLineSlots && line[i] != 0; ++i) {
        keys_.prefetch(table.number_in(line[i]));
      }
    }
    if (at < kAhead) continue;
    const std::uint32_t* const line = table.line(at - kAhead);
    for (std::uint64_t i = 0; i < kLineSlots && line[i] != 0; ++i) {
      const std::uint32_t number = table.number_in(line[i]);
      place(next, mix(keys_[number]), number);
    }
  }
  slot_bytes_ += next.memory.size() - table.memory.size();
  table = std::move(next);
}

}  // namespace spoor
