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
// that grow each by itself: a growth moves 1/32 of all slots, and memory rises in small steps. (While
// a hundred million states were inserted, the longest pause was 0.12 s.) More tables would be smaller
// than a huge page for longer: with 256 of them a search through ten million states spent a sixth of
// its time in TLB misses.
//
// Several threads. States are written into the arena first, each thread into its own part, and then
// made known by exchanging an empty slot for a full one, in one atomic step. Whoever loses the race
// for a slot looks at what is there now, and writes over the record that nobody has seen. Slots never
// change again, so lookups need no lock. A table that must grow waits for a moment in which nobody
// else is at work (quiescence.h), and so does nobody for longer than 1/32 of a rehash.
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
//   3. At most 3/4 of the slots of a table are used, and one more per thread, so a probe always ends.
//   4. Each state in the arena has exactly one slot.
//
// Cost: 8 bytes per slot at a load of 3/8 to 3/4, and length + 8 (rounded up to 4) per state.
// Thread safety: all members but those of one Writer or Room may be called from several threads that
// have entered; memory_bytes() and size() are then approximate.
// examples/self/store.pml is a model of insertion and growth.
// Tested by: tests/unit/test_store.cpp, tests/unit/test_store_threads.cpp
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bytes.h"
#include "base/hash.h"
#include "store/pages.h"
#include "store/quiescence.h"
#include "store/state_arena.h"
#include "store/visited_set.h"

namespace spoor {

class ExactStore {
 public:
  static constexpr bool kIsExact = true;
  static constexpr bool kKeepsBytes = true;
  static constexpr bool kNamesStates = true;
  static constexpr bool kIsShared = true;
  using Room = StateArena::Cursor;
  using Writer = StateArena::Writer;

  ExactStore();

  void enter() { quiescence_.enter(); }
  void leave() { quiescence_.leave(); }
  void safe_point() { quiescence_.safe_point(); }

  static std::uint64_t key(std::span<const std::byte> state) { return hash_bytes(state); }
  static void keys(std::span<const std::span<const std::byte>> states, const Room&,
                   std::uint64_t* keys) {
    for (const std::span<const std::byte> state : states) *keys++ = key(state);
  }

  // Brings the slots that belong to `hash` nearer; worth it some 100 ns before they are probed.
  void prefetch(std::uint64_t hash) const {
    const Table& table = tables_[table_of(hash)];
    __builtin_prefetch(table.slots + table.home(hash));
  }

  // Brings the state that is probably meant by `hash` nearer; worth it when the slots have arrived.
  void prefetch_state(std::uint64_t hash) const {
    const Table& table = tables_[table_of(hash)];
    const std::uint64_t slot = table.slots[table.home(hash)].load(std::memory_order_acquire);
    if (is_fingerprint_of(hash, slot) && slot != kEmpty) states_.prefetch(position_in(slot));
  }

  // The state with these bytes, which is added if it is not there. Equal bytes must come with equal
  // hashes. Throws std::bad_alloc where memory or indexes run out; the store is then as before.
  Insertion insert(Writer& writer, std::uint64_t hash, std::span<const std::byte> bytes) {
    for (;;) {
      const std::size_t number = table_of(hash);
      const Table& table = tables_[number];
      Slot* const slots = table.slots;
      for (std::uint64_t at = table.home(hash);; at = (at + 1) & table.mask) {
        std::uint64_t slot = slots[at].load(std::memory_order_acquire);
        if (slot == kEmpty) {
          if (is_full(number)) break;
          const std::uint64_t mine =
              (hash << kTableBits & ~kPositionMask) | (states_.write(writer, bytes) + 1);
          if (slots[at].compare_exchange_strong(slot, mine, std::memory_order_acq_rel)) {
            uses_[number].count.fetch_add(1, std::memory_order_relaxed);
            return {states_.keep(writer), true};
          }
        }
        if (!is_fingerprint_of(hash, slot)) continue;
        const StateArena::Record known = states_.record(position_in(slot));
        if (equal_bytes(known.bytes, bytes)) return {known.index, false};
      }
      quiescence_.alone([&] { grow(number); });
    }
  }

  // REQUIRES: there is a state with this index, and this thread knows of it.
  std::span<const std::byte> get(StateIndex index, Room& room) const {
    return states_.get(index, room);
  }
  bool is_state(StateIndex index, std::span<const std::byte> bytes) const {
    Room room;
    return equal_bytes(get(index, room), bytes);
  }

  static IndexRange vacant(const Writer& writer) { return StateArena::vacant(writer); }
  std::uint64_t index_bound() const { return states_.index_bound(); }

  std::uint64_t size() const;
  std::uint64_t memory_bytes() const {
    return sizeof(*this) + slot_bytes_.load(std::memory_order_relaxed) + states_.memory_bytes();
  }

 private:
  using Slot = std::atomic<std::uint64_t>;
  static_assert(Slot::is_always_lock_free);

  static constexpr unsigned kTableBits = 5;
  static constexpr std::size_t kTables = std::size_t{1} << kTableBits;
  static constexpr unsigned kFingerprintBits = 30;
  static constexpr unsigned kPositionBits = 64 - kFingerprintBits;  // 64 GiB of states
  static constexpr unsigned kInitialBits = 9;
  static constexpr std::uint64_t kPositionMask = (std::uint64_t{1} << kPositionBits) - 1;
  static constexpr std::uint64_t kEmpty = 0;

  // Read at every lookup, and written only by whoever is alone.
  struct Table {
    Slot* slots = nullptr;
    std::uint64_t mask = 0;  // the number of slots, less one
    unsigned shift = 0;      // leaves of a fingerprint what is needed of it

    std::uint64_t home(std::uint64_t hash) const { return hash << kTableBits >> shift; }
  };
  // Written at every insertion, so not beside what is read all the time.
  struct alignas(64) Use {
    std::atomic<std::uint64_t> count = 0;
  };

  static std::size_t table_of(std::uint64_t hash) { return hash >> (64 - kTableBits); }
  static bool is_fingerprint_of(std::uint64_t hash, std::uint64_t slot) {
    return (slot ^ hash << kTableBits) >> kPositionBits == 0;
  }
  static std::uint64_t position_in(std::uint64_t slot) { return (slot & kPositionMask) - 1; }
  static void set_size(Table& table, Slot* slots, unsigned bits);

  // Threads that ask at the same time may all be told no: there is room for a hundred of them.
  bool is_full(std::size_t number) const {
    return (uses_[number].count.load(std::memory_order_relaxed) + 1) * 4 >
           (tables_[number].mask + 1) * 3;
  }
  // REQUIRES: no other thread is at work, and the table is full.
  void grow(std::size_t number);

  ZeroedPages first_slots_;  // of all tables that have not grown yet: one block
  std::array<Table, kTables> tables_;
  std::array<Use, kTables> uses_;
  std::array<ZeroedPages, kTables> memory_;  // of the tables that have grown
  std::atomic<std::uint64_t> slot_bytes_ = 0;
  StateArena states_;
  Quiescence quiescence_;
};

static_assert(VisitedSet<ExactStore>);

}  // namespace spoor
