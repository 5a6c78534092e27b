// The exact visited set: every state is kept, none is taken for another.
//
// The idea. An open-addressing hash table whose slots are 8 bytes: 30 bits of the hash (the fingerprint)
// and the position of the state in an arena beside it. 8 slots are a cache line; a state belongs into the
// line that its hash names or, where that is full, into the next with room. A lookup touches one line of
// the table, nearly always; only where the fingerprint agrees is the state itself compared. It is kept as
// the bits in which it differs from others (shape.h), which fit into a cache line as a rule; its code is
// computed once, before it is looked up (`prepare`). So a state that is new costs one cache miss, one that
// is known costs two, and both can be asked for beforehand (`prefetch`, then `prefetch_state`). The latter
// finds the slot, and a record never moves, so for a known state `insert` is left with the comparison.
//
// Why not one big table. A table that doubles stops the search while it is rehashed (seconds at a
// hundred million states) and needs old and new side by side, so that a memory limit would have to
// leave a third of the memory unused. Here the upper 5 bits of the hash choose one of 32 tables
// that grow each by itself: a growth moves 1/32 of all slots, and memory rises in small steps. (While
// a hundred million states were inserted, the longest pause was 0.12 s.) Tables that are smaller than
// a huge page lie in one block with those of the same size, so that it can have huge pages: a slot is
// then rarely waited for because of the TLB.
//
// Several threads. States are written into the arena first, each thread into its own part, and then
// made known by exchanging an empty slot for a full one, in one atomic step. Whoever loses the race
// for a slot looks at what is there now, and writes over the record that nobody has seen. Slots never
// change again, so lookups need no lock. A table that must grow waits for a moment in which nobody
// else is at work (quiescence.h), and so does nobody for longer than 1/32 of a rehash.
//
// Growth needs no hash: the home of a slot is the upper bits of its own fingerprint. A table that
// doubles takes one bit more of it, lines keep their order, and the rehash streams through old
// and new from left to right.
//
// Rivals. Chaining (SPIN) costs a pointer per state and a miss per link. Cuckoo and robin-hood
// tables allow higher load, but move slots at insertion, which a lock-free version cannot have.
//
// Invariants:
//   1. A slot is 0 (empty) or fingerprint << 34 | position + 1; slots are never removed.
//   2. The used slots of a line come first. An entry is in its home line, or in one that is reached
//      from there through full lines only.
//   3. At most 3/4 of the slots of a table are used, and one more per thread, so a probe always ends.
//   4. Each state in the arena has exactly one slot.
//
// Cost: 8 bytes per slot at a load of 3/8 to 3/4, and 8 per state, and its code: on the models of the
// benchmark 8 to 26 bytes for states of 33 to 229. Where shapes cannot be used or a state fits none, all
// its bytes. Up to three million states, while some tables have grown and others have not, half as much
// again for slots.
// Thread safety: all members but those of one Writer or Room may be called from several threads that
// have entered; memory_bytes() and size() are then approximate.
// examples/self/store.pml is a model of insertion and growth, examples/self/keys.pml of how a line is
// filled; what it does with -DHASTY was once done here, and a state was found twice.
// Tested by: tests/unit/test_store.cpp, tests/unit/test_store_threads.cpp
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bytes.h"
#include "store/pages.h"
#include "store/quiescence.h"
#include "store/slots_at_once.h"
#include "store/state_arena.h"
#include "store/state_hash.h"
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
  using Code = StateArena::Code;

  ExactStore();

  void enter() { quiescence_.enter(); }
  void leave() { quiescence_.leave(); }
  void safe_point() { quiescence_.safe_point(); }

  static std::uint64_t key(std::span<const std::byte> state) { return hash_state(state); }

  // Of states that lie in `arena`, the keys, and what else `insert` would have to compute; their slots are
  // asked for. An extent has an offset and a length.
  template <class Extent>
  void prepare(const std::byte* arena, std::span<const Extent> extents, std::uint64_t* keys,
               Code* codes) const {
    if (Shape::can_be_used()) [[likely]]
      return prepare_fast(arena, extents, keys, codes);
    for (const Extent& extent : extents) {
      *keys = key({arena + extent.offset, extent.length});
      prefetch(*keys++);
      (codes++)->shape = nullptr;
    }
  }

  // Brings the slots that belong to `hash` nearer; worth it some 100 ns before they are probed.
  void prefetch(std::uint64_t hash) const {
    const Table& table = tables_[table_of(hash)];
    __builtin_prefetch(table.slots + table.home(hash));
  }

  // Brings the state that is probably meant by `hash` nearer; worth it when the slots have arrived.
  // Returns where that is, for `insert`, or 0. Only its home line is looked at, and nothing is jumped over:
  // a jump whose direction depends on what has yet to arrive from memory would make all that follows
  // wait for it.
  std::uint64_t prefetch_state(std::uint64_t hash) const {
    const Table& table = tables_[table_of(hash)];
    const Slot* const line = table.slots + table.home(hash);
    const unsigned place = static_cast<unsigned>(__builtin_ctz(matches_in(line, hash) | 1u << kLastSlot));
    const std::uint64_t found = line[place].load(std::memory_order_acquire);
    const std::uint64_t slot = found & all_ones_if(is_fingerprint_of(hash, found));
    const std::byte* const record = states_.prefetch((slot & kPositionMask) - std::uint64_t{slot != kEmpty});
    return reinterpret_cast<std::uintptr_t>(record) & all_ones_if(slot != kEmpty);
  }

  // The state with these bytes, which is added if it is not there. Equal bytes must come with equal
  // hashes. `hint`: what prefetch_state has said, however long ago. Throws std::bad_alloc where memory
  // or indexes run out; the store is then as before.
  [[gnu::always_inline]] inline Insertion insert(Writer& writer, std::uint64_t hash,
                                                 std::span<const std::byte> bytes, std::uint64_t hint,
                                                 const Code& code) {
    if (hint != 0) [[likely]] {
      const auto* const record = reinterpret_cast<const std::byte*>(hint);
      if (const StateIndex known = states_.index_if_equal(record, bytes, code); known != kNoState)
          [[likely]] {
        return {known, false};
      }
    }
    return look_up(writer, hash, bytes, code);
  }
  Insertion insert(Writer& writer, std::uint64_t hash, std::span<const std::byte> bytes,
                   std::uint64_t hint = 0) {
    Code code;
    states_.encode(bytes, code);
    return insert(writer, hash, bytes, hint, code);
  }

  // The state with these bytes, or kNoState.
  StateIndex find(std::uint64_t hash, std::span<const std::byte> bytes) const {
    Code code;
    states_.encode(bytes, code);
    const Table& table = tables_[table_of(hash)];
    for (std::uint64_t at = table.home(hash);; at = table.after(at)) {
      const Slot* const line = table.slots + at;
      for (unsigned matches = matches_in(line, hash); matches != 0; matches &= matches - 1) {
        const std::uint64_t slot = line[__builtin_ctz(matches)].load(std::memory_order_acquire);
        if (slot == kEmpty) break;
        if (const StateIndex known = index_if_equal(slot, bytes, code); known != kNoState) return known;
      }
      if (line[kLastSlot].load(std::memory_order_acquire) == kEmpty) return kNoState;
    }
  }

  // REQUIRES: there is a state with this index, and this thread knows of it.
  std::span<const std::byte> get(StateIndex index, Room& room) const { return states_.get(index, room); }
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
  template <class Extent>
  SPOOR_GATHERS [[gnu::noinline]] void prepare_fast(const std::byte* arena, std::span<const Extent> extents,
                                                    std::uint64_t* keys, Code* codes) const {
#if defined(__x86_64__)
    Shape::Rows rows;
    std::size_t length = 0;  // of the states that fit this shape:
    const Shape* shape = nullptr;
    for (const Extent& extent : extents) {
      const std::byte* const state = arena + extent.offset;
      if (extent.length != length) [[unlikely]] {
        length = extent.length;
        shape = states_.shape_for(length);
      }
      *keys = length >= kShortestForAes ? aes_hash(state, length) : hash_bytes({state, length});
      prefetch(*keys++);
      Code& code = *codes++;
      code.shape = shape != nullptr && shape->pack(state, code.words.data(), rows) ? shape : nullptr;
    }
#endif
  }

  [[gnu::noinline]] Insertion look_up(Writer& writer, std::uint64_t hash, std::span<const std::byte> bytes,
                                      const Code& code) {
    const Table& table = tables_[table_of(hash)];
    for (std::uint64_t at = table.home(hash);; at = table.after(at)) {
      const Slot* const line = table.slots + at;
      // First of all: what comes into the line after this was looked at must be found by `add`.
      const bool is_full = line[kLastSlot].load(std::memory_order_acquire) != kEmpty;
      for (unsigned matches = matches_in(line, hash); matches != 0; matches &= matches - 1) {
        const std::uint64_t slot = line[__builtin_ctz(matches)].load(std::memory_order_acquire);
        if (slot == kEmpty) break;  // and so were all that follow
        if (const StateIndex known = index_if_equal(slot, bytes, code); known != kNoState)
          return {known, false};
      }
      if (!is_full) return add(writer, hash, bytes, code, at);
    }
  }

  using Slot = std::atomic<std::uint64_t>;
  static_assert(Slot::is_always_lock_free);

  static constexpr unsigned kTableBits = 5;
  static constexpr std::size_t kTables = std::size_t{1} << kTableBits;
  static constexpr unsigned kFingerprintBits = 30;
  static constexpr unsigned kPositionBits = 64 - kFingerprintBits;  // 64 GiB of states
  static constexpr unsigned kInitialBits = 9;
  static constexpr unsigned kSharedBits = 17;  // tables of a megabyte
  static constexpr std::uint64_t kPositionMask = (std::uint64_t{1} << kPositionBits) - 1;
  static constexpr std::uint64_t kEmpty = 0;
  static constexpr std::uint64_t kLastSlot = 7;  // of a cache line, which has 8

  // Read at every lookup, and written only by whoever is alone.
  struct Table {
    Slot* slots = nullptr;
    std::uint64_t mask = 0;  // the number of slots, less one
    unsigned shift = 0;      // leaves of a fingerprint what is needed of it

    // The first slot of the line that a hash belongs into, and that of the next line.
    std::uint64_t home(std::uint64_t hash) const { return hash << kTableBits >> shift & ~kLastSlot; }
    std::uint64_t after(std::uint64_t at) const { return (at + kLastSlot + 1) & mask; }
  };
  // All tables of the same size, as long as one of them would not fill a huge page. Given up when the
  // last has grown out of it.
  struct SharedPages {
    ZeroedPages memory;
    std::size_t tables = 0;  // that are in there
    std::size_t bytes = 0;   // of those that have been
  };
  // Written at every insertion, so not beside what is read all the time.
  struct alignas(64) Use {
    std::atomic<std::uint64_t> count = 0;
  };

  static std::size_t table_of(std::uint64_t hash) { return hash >> (64 - kTableBits); }
  static bool is_fingerprint_of(std::uint64_t hash, std::uint64_t slot) {
    return (slot ^ hash << kTableBits) >> kPositionBits == 0;
  }
  static std::uint64_t all_ones_if(bool condition) { return -std::uint64_t{condition}; }
  // The slots of a line that have the fingerprint of this hash, a bit each. They may have been looked
  // at at different moments.
  [[gnu::always_inline]] static unsigned matches_in(const Slot* line, std::uint64_t hash) {
    const std::uint64_t mark = hash << kTableBits;
#if defined(SPOOR_SLOTS_AT_ONCE)
    const __m128i marks = _mm_set1_epi64x(static_cast<long long>(mark));
    // Two slots: without the position they are less than 2^32, and 0 where they match.
    const auto differences = [&](unsigned i) {
      const __m128i slots = _mm_load_si128(reinterpret_cast<const __m128i*>(line) + i);
      return _mm_castsi128_ps(_mm_srli_epi64(_mm_xor_si128(slots, marks), kPositionBits));
    };
    const auto four_matches = [&](unsigned i) {
      const __m128 four = _mm_shuffle_ps(differences(i), differences(i + 1), _MM_SHUFFLE(2, 0, 2, 0));
      return _mm_cmpeq_epi32(_mm_castps_si128(four), _mm_setzero_si128());
    };
    const __m128i all = _mm_packs_epi32(four_matches(0), four_matches(2));
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(all, _mm_setzero_si128())));
#else
    unsigned matches = 0;
    for (unsigned i = 0; i <= kLastSlot; ++i) {
      const std::uint64_t slot = line[i].load(std::memory_order_relaxed);
      matches |= unsigned{(slot ^ mark) >> kPositionBits == 0} << i;
    }
    return matches;
#endif
  }
  // The index of the state in this slot if it has these bytes; else kNoState.
  [[gnu::always_inline]] StateIndex index_if_equal(std::uint64_t slot, std::span<const std::byte> bytes,
                                                   const Code& code) const {
    return states_.index_if_equal(states_.address(position_in(slot)), bytes, code);
  }
  static std::uint64_t position_in(std::uint64_t slot) { return (slot & kPositionMask) - 1; }
  static void set_size(Table& table, Slot* slots, unsigned bits);

  // A state that was not there, up to this line, which had room a moment ago. Apart from `insert`,
  // which is called more often and has fewer instructions that way.
  [[gnu::noinline]] Insertion add(Writer& writer, std::uint64_t hash, std::span<const std::byte> bytes,
                                  const Code& code, std::uint64_t at) {
    const std::size_t number = table_of(hash);
    if (is_full(number)) {
      quiescence_.alone([&] { grow(number); });
      return look_up(writer, hash, bytes, code);
    }
    const std::uint64_t mine =
        (hash << kTableBits & ~kPositionMask) | (states_.write(writer, bytes, code) + 1);
    Slot* const line = tables_[number].slots + at;
    for (unsigned i = 0; i <= kLastSlot; ++i) {
      std::uint64_t slot = line[i].load(std::memory_order_acquire);
      if (slot == kEmpty && line[i].compare_exchange_strong(slot, mine, std::memory_order_acq_rel)) {
        uses_[number].count.fetch_add(1, std::memory_order_relaxed);
        return {states_.keep(writer), true};
      }
      // It was there all the time, or somebody was faster.
      if (!is_fingerprint_of(hash, slot)) continue;
      if (const StateIndex known = index_if_equal(slot, bytes, code); known != kNoState)
        return {known, false};
    }
    return look_up(writer, hash, bytes, code);  // the line is full now
  }

  // Threads that ask at the same time may all be told no: there is room for a hundred of them.
  bool is_full(std::size_t number) const {
    return (uses_[number].count.load(std::memory_order_relaxed) + 1) * 4 > (tables_[number].mask + 1) * 3;
  }
  // REQUIRES: no other thread is at work, and the table is full.
  void grow(std::size_t number);
  // 2^bits empty slots for this table.
  Slot* take_slots(std::size_t number, unsigned bits);
  void give_up_shared(unsigned bits);

  std::array<Table, kTables> tables_;
  std::array<Use, kTables> uses_;
  std::array<SharedPages, kSharedBits + 1> shared_;  // of the tables with so many bits
  std::array<ZeroedPages, kTables> own_;             // of those with more
  std::atomic<std::uint64_t> slot_bytes_ = 0;
  StateArena states_;
  Quiescence quiescence_;
};

static_assert(VisitedSet<ExactStore>);

}  // namespace spoor
