// The exact visited set: every state is kept whole, none is taken for another.
//
// The idea. An open-addressing hash table whose slots are 8 bytes: 30 bits of the hash (the
// fingerprint) and the position of the state in an arena beside it. A lookup touches one cache line
// of the table, nearly always; only where the fingerprint agrees is the state itself compared, byte
// by byte. So a state that is new costs one cache miss, one that is known costs two, and both can
// be asked for beforehand (`prefetch`, then `prefetch_state`).
//
// Why not one big table. A table that doubles stops the search while it is rehashed (seconds at a
// hundred million states) and needs old and new side by side, so that a memory limit would have to
// leave a third of the memory unused. Here the upper 5 bits of the hash choose one of 32 tables
// that grow each by itself: a growth moves 1/32 of all slots (at a hundred million states three million; not measured there),
// and memory rises in small steps. More tables would be smaller than a huge page for longer: with
// 256 of them a search through ten million states spent a sixth of its time in TLB misses.
//
// Growth needs no hash: the home of a slot is the upper bits of its own fingerprint. A table that
// doubles takes one bit more of it, entries keep their order, and the rehash streams through old
// and new from left to right.
//
// Rivals. Chaining (SPIN) costs a pointer per state and a miss per link. Cuckoo and robin-hood
// tables allow higher load, but move slots at insertion, which a lock-free version cannot have.
//
// Invariants:
//   1. A slot is 0 (empty) or fingerprint << 34 | position + 1; slots are never removed.
//   2. Between the home of an entry and the entry no slot is empty (wrapping around).
//   3. At most 3/4 of the slots of a table are used, so a probe always ends.
//   4. Each state in the arena has exactly one slot.
//
// Cost: 8 bytes per slot at a load of 3/8 to 3/4, and length + 8 (rounded up to 4) + 4 per state.
// Thread safety: none yet; one search, one thread.
// Tested by: tests/unit/test_store.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/hash.h"
#include "store/pages.h"
#include "store/state_arena.h"
#include "store/visited_set.h"

namespace spoor {

class ExactStore {
 public:
  static constexpr bool kIsExact = true;
  static constexpr bool kKeepsBytes = true;
  using Room = NoRoom;

  ExactStore();

  static void keys(std::span<const std::span<const std::byte>> states, const Room&,
                   std::uint64_t* keys) {
    for (const std::span<const std::byte> state : states) *keys++ = hash_bytes(state);
  }

  // Brings the slots that belong to `hash` nearer; worth it some 100 ns before they are probed.
  void prefetch(std::uint64_t hash) const {
    const Table& table = tables_[table_of(hash)];
    __builtin_prefetch(table.slots + table.home(fingerprint_of(hash)));
  }

  // Brings the state that is probably meant by `hash` nearer; worth it when the slots have arrived.
  void prefetch_state(std::uint64_t hash) const {
    const Table& table = tables_[table_of(hash)];
    const std::uint32_t fingerprint = fingerprint_of(hash);
    const std::uint64_t slot = table.slots[table.home(fingerprint)];
    if (slot >> kPositionBits == fingerprint && slot != 0) states_.prefetch(position_in(slot));
  }

  // The state with these bytes, which is added if it is not there. Equal bytes must come with equal
  // hashes. Throws std::bad_alloc where memory or indexes run out; the store is then as before.
  Insertion insert(std::uint64_t hash, std::span<const std::byte> bytes);

  // REQUIRES: index < size(). The bytes stay valid as long as the store lives.
  std::span<const std::byte> get(StateIndex index) const { return states_.get(index); }
  std::span<const std::byte> get(StateIndex index, Room&) const { return get(index); }
  bool is_state(StateIndex index, std::span<const std::byte> bytes) const {
    return is_same(get(index), bytes);
  }

  std::uint64_t size() const { return states_.size(); }
  std::uint64_t memory_bytes() const {
    return sizeof(*this) + slot_bytes_ + states_.memory_bytes();
  }

 private:
  static constexpr unsigned kTableBits = 5;
  static constexpr unsigned kFingerprintBits = 30;
  static constexpr unsigned kPositionBits = 64 - kFingerprintBits;  // 64 GiB of states
  static constexpr unsigned kInitialBits = 6;

  struct Table {
    std::uint64_t* slots = nullptr;
    std::uint64_t used = 0;
    unsigned bits = kInitialBits;  // the table has 2^bits slots
    ZeroedPages memory;            // behind `slots`; empty while these are in first_slots_

    std::uint64_t capacity() const { return std::uint64_t{1} << bits; }
    std::uint64_t home(std::uint32_t fingerprint) const {
      return fingerprint >> (kFingerprintBits - bits);
    }
  };

  static std::size_t table_of(std::uint64_t hash) { return hash >> (64 - kTableBits); }
  static std::uint32_t fingerprint_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash << kTableBits >> kPositionBits);
  }
  static std::uint64_t position_in(std::uint64_t slot) {
    return (slot & ((std::uint64_t{1} << kPositionBits) - 1)) - 1;
  }
  static bool is_same(std::span<const std::byte> a, std::span<const std::byte> b);

  void grow(Table& table);

  ZeroedPages first_slots_;  // of all tables that have not grown yet: one block, not 256
  std::array<Table, std::size_t{1} << kTableBits> tables_;
  std::uint64_t slot_bytes_ = 0;
  StateArena states_;
};

static_assert(VisitedSet<ExactStore>);

}  // namespace spoor
