// The exact visited set: every state is kept, none is taken for another.
//
// The idea. An open-addressing hash table whose slots are 8 bytes: 30 bits of the hash (the fingerprint)
// and the position of the state in an arena beside it. 8 slots are a cache line; a state belongs into the
// line that its hash names or, where that is full, into the next with room. A lookup touches one line of
// the table, nearly always; only where the fingerprint agrees is the state itself compared. It is kept as
// the bits in which it differs from others (shape.h), which fit into a cache line as a rule; its code is
// computed once, before it is looked up (`prepare`). So a state that is new costs one cache miss, one that
// is known costs two, and both can be asked for beforehand (`prefetch`, then `prefetch_state`). The latter
// finds the slot where the state is or would go. Slots are filled from left to right and never change, so
// unless a table has grown meanwhile `insert` is left with the comparison, or with filling that slot.
//
// Why not one big table. A table that doubles stops the search while it is rehashed (seconds at a
// hundred million states) and needs old and new side by side, so that a memory limit would have to
// leave a third of the memory unused. Here the upper 5 bits of the hash choose one of 32 tables
// that grow each by itself: a growth moves 1/32 of all slots, and memory rises in small steps. (While
// a hundred million states were inserted, the longest pause was 0.12 s.) Tables that are smaller than
// a huge page lie in one block with those of the same size, so that it can have huge pages: a slot is
// then rarely waited for because of the TLB.
//
// Several threads. States are written into the arena first, each thread into its own part, and then made
// known by exchanging an empty slot for a full one, in one atomic step. A thread that loses the race for a
// slot compares its state with the one that is there now, and reuses its own unpublished record. Slots never
// change again, so lookups need no lock. One thread alone just writes. A table that must grow waits for a
// moment in which no other thread is at work (quiescence.h); no thread waits for longer than 1/32 of a
// rehash.
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
// benchmark 8 to 26 bytes for states of 33 to 229. Where shapes cannot be used or a state fits none, all its
// bytes if it is short, and some 100 to 200 if it is longer than that (state_arena.h). Up to three million
// states, while some tables have grown and others have not, half as much again for slots.
// Thread safety: all members but those of one Writer or DecodeBuffer may be called from several threads that
// have entered; memory_bytes() and size() are then approximate.
// examples/self/store.pml is a model of insertion and growth, examples/self/keys.pml of how a line is
// filled, examples/self/hints.pml of looking first and inserting later; with -DHASTY and -DTWICE
// two of them show how a state could be found twice.
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
  static constexpr bool kConfusesStates = false;
  static constexpr bool kForgetsStates = false;
  static constexpr bool kKeepsBytes = true;
  static constexpr bool kNamesStates = true;
  static constexpr bool kIsShared = true;
  using DecodeBuffer = StateArena::Cursor;
  using Writer = StateArena::Writer;
  using Code = StateArena::Code;

  // `threads`: how many will use it at the same time.
  explicit ExactStore(unsigned threads = 2, IndexLimit limit = {});

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
      (codes++)->set(nullptr);
    }
  }

  // Brings the slots that belong to `hash` nearer; worth it some 100 ns before they are probed.
  void prefetch(std::uint64_t hash) const {
    const Table& table = tables_[table_of(hash)];
    __builtin_prefetch(table.slots + table.home(hash));
  }

  // Brings the state that is probably meant by `hash` nearer; worth it when the slots have arrived.
  // Returns for `insert` where that is, or else where it would go. Only its home line is looked at,
  // and nothing is jumped over: a jump whose direction depends on what has yet to arrive from memory would
  // make all that follows wait for it.
  std::uint64_t prefetch_state(std::uint64_t hash) const {
    const Table& table = tables_[table_of(hash)];
    const Slot* const line = table.slots + table.home(hash);
    return epoch_ + place_in(line, look(line, hash));
  }
  // The same for many.
  void prefetch_states(const std::uint64_t* hashes, std::size_t count, std::uint64_t* hints) const {
#if defined(SPOOR_SLOTS_AT_ONCE)
    if (Shape::can_be_used()) [[likely]]
      return prefetch_states_fast(hashes, count, hints);
#endif
    for (std::size_t i = 0; i < count; ++i) hints[i] = prefetch_state(hashes[i]);
  }

  // The state with these bytes, which is added if it is not there. Equal bytes must come with equal
  // hashes. `hint`: what prefetch_state has said, however long ago. Throws std::bad_alloc where memory
  // runs out and IndexesExhausted where indexes do; the store is then as before.
  [[gnu::always_inline]] inline Insertion insert(Writer& writer, std::uint64_t hash,
                                                 std::span<const std::byte> bytes, std::uint64_t hint,
                                                 const Code& code) {
    const std::uint64_t place = hint & kPlaceMask;
    const Table& table = tables_[table_of(hash)];
    const std::uint64_t at = table.home(hash);
    if (hint - place != epoch_) [[unlikely]]
      return look_up(writer, hash, bytes, code, at);
    if (place <= kLastSlot) [[likely]] {
      const std::uint64_t slot = table.slots[at + place].load(std::memory_order_acquire);
      if (slot != kEmpty) {
        if (const StateIndex known = index_if_equal(slot, bytes, code); known != kNoState) [[likely]]
          return {known, false};
      }
      return add(writer, hash, bytes, code, at, place);
    }
    return look_up(writer, hash, bytes, code, table.after(at));  // it was full
  }
  [[gnu::always_inline]] Insertion insert(Writer& writer, std::uint64_t hash,
                                          std::span<const std::byte> bytes, std::uint64_t hint = 0) {
    Code code;
    states_.encode(bytes, code);
    return insert(writer, hash, bytes, hint, code);
  }

  // The state with these bytes, or kNoState.
  StateIndex find(std::uint64_t hash, std::span<const std::byte> bytes) const {
    Code code;
    states_.encode(bytes, code);
    return find(hash, bytes, 0, code);
  }
  // The same, with what `insert` may have.
  StateIndex find(std::uint64_t hash, std::span<const std::byte> bytes, std::uint64_t hint,
                  const Code& code) const {
    const Table& table = tables_[table_of(hash)];
    std::uint64_t at = table.home(hash);
    if (const std::uint64_t place = hint & kPlaceMask; hint - place == epoch_ && place <= kLastSlot) {
      const std::uint64_t slot = table.slots[at + place].load(std::memory_order_acquire);
      if (slot == kEmpty) return kNoState;
      if (const StateIndex known = index_if_equal(slot, bytes, code); known != kNoState) return known;
    }
    for (;; at = table.after(at)) {
      const Slot* const line = table.slots + at;
      for (unsigned matches = look(line, hash).matches; matches != 0; matches &= matches - 1) {
        const std::uint64_t slot = line[__builtin_ctz(matches)].load(std::memory_order_acquire);
        if (slot == kEmpty) break;
        if (const StateIndex known = index_if_equal(slot, bytes, code); known != kNoState) return known;
      }
      if (line[kLastSlot].load(std::memory_order_acquire) == kEmpty) return kNoState;
    }
  }

  // REQUIRES: there is a state with this index, and this thread knows of it.
  std::span<const std::byte> get(StateIndex index, DecodeBuffer& room) const {
    return states_.get(index, room);
  }
  // The same for several, as they are kept (StateArena::as_kept).
  std::size_t as_kept(StateIndex first, std::span<KeptState> kept, DecodeBuffer& room) const {
    return states_.as_kept(first, kept, room);
  }
  bool is_state(StateIndex index, std::span<const std::byte> bytes) const {
    DecodeBuffer room;
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

  // What is in the slots of a line, a bit each. They may have been looked at at different moments.
  struct Look {
    unsigned matches = 0;  // those with the fingerprint of a hash, or empty ones where that is 0
    unsigned empties = 0;
  };

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
      Code& code = *codes++;
      if (shape != nullptr) [[likely]] {
        code.set(shape->pack(state, code.words.data(), rows, *keys) ? shape : nullptr);
      } else {
        *keys = hash_state({state, length});
        code.set(nullptr);
      }
      prefetch(*keys++);
    }
#endif
  }

#if defined(SPOOR_SLOTS_AT_ONCE)
  SPOOR_GATHERS [[gnu::noinline]] void prefetch_states_fast(const std::uint64_t* hashes, std::size_t count,
                                                            std::uint64_t* hints) const {
    const std::uint64_t epoch = epoch_;
    for (std::size_t i = 0; i < count; ++i) {
      const Table& table = tables_[table_of(hashes[i])];
      const Slot* const line = table.slots + table.home(hashes[i]);
      hints[i] = epoch + place_in(line, look_at_once(line, hashes[i]));
    }
  }
#endif

  // The slot of the line where the state probably is, which is brought nearer, or else would go; behind
  // the last where there is none.
  [[gnu::always_inline]] std::uint64_t place_in(const Slot* line, Look seen) const {
    const auto place =
        static_cast<unsigned>(__builtin_ctz(seen.matches | seen.empties | 1u << (kLastSlot + 1)));
    const std::uint64_t slot = line[place & kLastSlot].load(std::memory_order_acquire);
    states_.prefetch(slot & kPositionMask);  // one too far, so that an empty slot has one, too
    return place;
  }

  // From this line on.
  [[gnu::noinline]] Insertion look_up(Writer& writer, std::uint64_t hash, std::span<const std::byte> bytes,
                                      const Code& code, std::uint64_t at) {
    const Table& table = tables_[table_of(hash)];
    for (;; at = table.after(at)) {
      const Slot* const line = table.slots + at;
      // First of all: what comes into the line after this was looked at must be found by `add`.
      const bool is_full = line[kLastSlot].load(std::memory_order_acquire) != kEmpty;
      for (unsigned matches = look(line, hash).matches; matches != 0; matches &= matches - 1) {
        const std::uint64_t slot = line[__builtin_ctz(matches)].load(std::memory_order_acquire);
        if (slot == kEmpty) break;  // and so were all that follow
        if (const StateIndex known = index_if_equal(slot, bytes, code); known != kNoState)
          return {known, false};
      }
      if (!is_full) return add(writer, hash, bytes, code, at, 0);
    }
  }

  static constexpr unsigned kTableBits = 5;
  static constexpr std::size_t kTables = std::size_t{1} << kTableBits;
  static constexpr unsigned kFingerprintBits = 30;
  static constexpr unsigned kPositionBits = 64 - kFingerprintBits;  // 64 GiB of states
  static constexpr unsigned kInitialBits = 9;
  static constexpr unsigned kSharedBits = 17;  // tables of a megabyte
  static constexpr std::uint64_t kPositionMask = (std::uint64_t{1} << kPositionBits) - 1;
  static constexpr std::uint64_t kEmpty = 0;
  static constexpr std::uint64_t kLastSlot = 7;  // of a cache line, which has 8
  // Of a hint: which slot of the line. What is above says how often tables had grown.
  static constexpr std::uint64_t kPlaceMask = 15;

  // Read at every lookup, and written only by a thread that is alone.
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
  static Look look(const Slot* line, std::uint64_t hash) {
    const std::uint64_t mark = hash << kTableBits;
    Look seen;
    for (unsigned i = 0; i <= kLastSlot; ++i) {
      const std::uint64_t slot = line[i].load(std::memory_order_relaxed);
      seen.matches |= unsigned{(slot ^ mark) >> kPositionBits == 0} << i;
      seen.empties |= unsigned{slot == kEmpty} << i;
    }
    return seen;
  }
#if defined(SPOOR_SLOTS_AT_ONCE)
  SPOOR_GATHERS [[gnu::always_inline]] static inline unsigned zeros_in(__m256i four) {
    const __m256i are_zero = _mm256_cmpeq_epi64(four, _mm256_setzero_si256());
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(are_zero)));
  }
  SPOOR_GATHERS [[gnu::always_inline]] static inline Look look_at_once(const Slot* line, std::uint64_t hash) {
    const __m256i marks = _mm256_set1_epi64x(static_cast<long long>(hash << kTableBits));
    __m256i first = _mm256_load_si256(reinterpret_cast<const __m256i*>(line));
    __m256i second = _mm256_load_si256(reinterpret_cast<const __m256i*>(line) + 1);
    // Each slot is loaded once: the compiler would load it twice, and one that is filled in between with
    // this very fingerprint would be neither empty nor a match.
    __asm__("" : "+x"(first), "+x"(second));
    const __m256i first_rest = _mm256_srli_epi64(_mm256_xor_si256(first, marks), kPositionBits);
    const __m256i second_rest = _mm256_srli_epi64(_mm256_xor_si256(second, marks), kPositionBits);
    return {zeros_in(first_rest) | zeros_in(second_rest) << 4, zeros_in(first) | zeros_in(second) << 4};
  }
#endif
  // The index of the state in this slot if it has these bytes; else kNoState.
  [[gnu::always_inline]] StateIndex index_if_equal(std::uint64_t slot, std::span<const std::byte> bytes,
                                                   const Code& code) const {
    return states_.index_if_equal(states_.address(position_in(slot)), bytes, code);
  }
  static std::uint64_t position_in(std::uint64_t slot) { return (slot & kPositionMask) - 1; }
  static std::uint64_t slot_for(std::uint64_t hash, std::uint64_t position) {
    return (hash << kTableBits & ~kPositionMask) | (position + 1);
  }
  // An empty slot, unless another thread was faster; what it has put there is in `found` then.
  bool fill(Slot& slot, std::uint64_t& found, std::uint64_t mine) const {
    if (is_shared_) return slot.compare_exchange_strong(found, mine, std::memory_order_acq_rel);
    slot.store(mine, std::memory_order_relaxed);
    return true;
  }
  void count_use(std::size_t number) {
    std::atomic<std::uint64_t>& count = uses_[number].count;
    if (is_shared_) {
      count.fetch_add(1, std::memory_order_relaxed);
    } else {
      count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
  }
  static void set_size(Table& table, Slot* slots, unsigned bits);

  // A state that was not there, up to this slot of this line, which had room a moment ago.
  [[gnu::noinline]] Insertion add(Writer& writer, std::uint64_t hash, std::span<const std::byte> bytes,
                                  const Code& code, std::uint64_t at, std::uint64_t first) {
    const std::size_t number = table_of(hash);
    Slot* const line = tables_[number].slots + at;
    for (std::uint64_t i = first; i <= kLastSlot; ++i) {
      std::uint64_t slot = line[i].load(std::memory_order_acquire);
      if (slot == kEmpty) {
        if (is_full(number)) [[unlikely]] {
          quiescence_.alone([&] { grow(number); });
          break;
        }
        const std::uint64_t mine = slot_for(hash, states_.write(writer, bytes, code));
        if (fill(line[i], slot, mine)) [[likely]] {
          count_use(number);
          return {states_.keep(writer), true};
        }
      }
      // It was there before, or another thread was faster.
      if (!is_fingerprint_of(hash, slot)) continue;
      if (const StateIndex known = index_if_equal(slot, bytes, code); known != kNoState)
        return {known, false};
    }
    // The line is full now, or the table is another.
    return look_up(writer, hash, bytes, code, tables_[number].home(hash));
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
  std::uint64_t epoch_ = kPlaceMask + 1;  // how often tables have grown; changed by a thread that is alone
  const bool is_shared_;
  std::atomic<std::uint64_t> slot_bytes_ = 0;
  StateArena states_;
  Quiescence quiescence_;
};

static_assert(VisitedSet<ExactStore>);

}  // namespace spoor
