// A set of 64-bit keys that numbers them 0, 1, 2, ... in the order of insertion.
//
// The idea. The keys themselves stand in an array in the order of their numbers (packed_keys.h). A
// hash table beside it has slots of 4 bytes: the number of a key, and in the bits that numbers do
// not need yet a tag, a part of the key's hash. 16 slots are a cache line; a key belongs into the
// line that its hash names or, where that is full, into the next with room. All 16 tags are
// compared at once, and only where one agrees is the key fetched from the array. Lines tolerate a
// load of 9/10, which single slots with linear probing do not.
//
// Several threads. Each has a Writer, which owns blocks of numbers; one writer alone numbers keys
// without gaps, of several each leaves at most one block unfinished. A key is first written into the
// array, at the writer's next number, and then made known by exchanging the first empty slot of a line
// for a full one, in one atomic step. A thread that loses the race for a slot reads the key that
// is there now; if that is its own key, its number is left for its next key. Slots never change again, so
// lookups need no lock. A table that must grow waits for a moment in which no other thread is at work
// (quiescence.h).
//
// Growth. The upper 3 bits of the hash choose one of 8 tables, which grow each by itself, by a
// quarter: a growth at a hundred million keys moves 13 million slots (estimated: 0.3 s), the load stays
// above 7/10, and the first sizes of the tables differ so that they do not all grow at the same
// time. Growth by a quarter moves a key four times in the life of a table; doubling would move it
// once, but leave up to half of the table empty. More tables would be too small for huge pages for
// longer: with 32, prefetching nodes waited for the TLB.
//
// The tag. A table with room for keys numbered below 2^b has tags of 32 - b bits: 12 bits at a
// million keys, 5 at a hundred million. A number that needs more bits than the table has for it
// makes the table be written anew with a shorter tag.
//
// Rivals. Slots that hold the keys (as in Laarman's table) need no array, but then a key's name is
// its place, which changes at growth: that table has a fixed size, and its numbers are not dense.
//
// Invariants:
//   1. A slot is 0 (empty) or tag << b | number + 1; slots are never removed.
//   2. The used slots of a line come first; a line with an empty slot ends every probe.
//   3. At most 9/10 of the slots of a table are used, and one more per thread.
//   4. Each key that was kept in the array has exactly one slot, in its home line or in one that is
//      reached from there through full lines only.
//   5. A thread that fills slot i of a line has compared its key with all before it, of this line and of the
//      full lines on the way. Hence 4: of two threads with the same key one fills the slot that both come to
//      first, and the other finds it there.
//
// Looking at 16 slots at once is not one atomic step; the compiler may even make it look twice. So a
// lookup first asks whether the last slot is used: if so all are, and none can change while the line is
// looked at. If not, and the key was not seen, `add` first finds out which slots are used, then looks
// at those, and then tries the others one by one.
//
// Cost: 4 bytes per slot at a load of 0.72 to 0.9, and the array. A lookup waits for two cache lines.
// Thread safety: all members but those of one Writer may be called from several threads that have
// entered the Quiescence; size() and memory_bytes() are then approximate.
// examples/self/keys.pml is a model of insertion, examples/self/store.pml of growth.
// Tested by: tests/unit/test_store_tree.cpp, tests/unit/test_store_threads.cpp
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "store/packed_keys.h"
#include "store/pages.h"
#include "store/quiescence.h"
#include "store/slots_at_once.h"
#include "store/visited_set.h"

namespace spoor {

class KeyTable {
 public:
  using Writer = PackedKeys::Writer;

  // All threads that use the table must have entered here.
  explicit KeyTable(Quiescence& quiescence, IndexLimit limit = {});

  // Brings the line of the table nearer in which the key would be.
  void prefetch(std::uint64_t key) const {
    const std::uint64_t hash = mix(key);
    const Table& table = table_of(hash);
    __builtin_prefetch(table.line(table.home(hash)));
  }

  // The number that is probably this key's, whose entry of the array is brought nearer; kNoState
  // where there is none.
  std::uint32_t candidate(std::uint64_t key) const {
    const std::uint64_t hash = mix(key);
    const Table& table = table_of(hash);
    const Slot* const line = table.line(table.home(hash));
    const std::uint32_t tag_mask = table.tag_mask();
    const std::uint32_t matches = Look(line).matches(table.tag(hash), tag_mask);
    if (matches == 0) return kNoState;
    const std::uint32_t slot = line[__builtin_ctz(matches)].load(std::memory_order_acquire);
    if (slot == 0) return kNoState;
    const std::uint32_t number = number_in(slot, tag_mask);
    keys_.prefetch(number);
    return number;
  }

  // The same as a hint for `insert`; 0 where there is none.
  std::uint64_t hint(std::uint64_t key) const {
    static_assert(static_cast<std::uint32_t>(kNoState + 1) == 0);
    return static_cast<std::uint32_t>(candidate(key) + 1);
  }

  // The number of the key, which is added if it is not there. Throws std::bad_alloc where memory runs
  // out and IndexesExhausted where numbers do; the table is then as before.
  Insertion insert(Writer& writer, std::uint64_t key, std::uint64_t hint) {
    if (hint != 0) {
      const auto number = static_cast<std::uint32_t>(hint - 1);
      if (keys_[number] == key) return {number, false};
    }
    return insert(writer, key);
  }
  Insertion insert(Writer& writer, std::uint64_t key) {
    const std::uint64_t hash = mix(key);
    const Table& table = table_of(hash);
    const std::uint32_t tag = table.tag(hash);
    const std::uint32_t tag_mask = table.tag_mask();
    for (std::uint64_t at = table.home(hash);; at = table.after(at)) {
      const Slot* const line = table.line(at);
      const bool is_full = line[kLineSlots - 1].load(std::memory_order_acquire) != 0;
      std::uint32_t matches = Look(line).matches(tag, tag_mask);
      for (; matches != 0; matches &= matches - 1) {
        const std::uint32_t slot = line[__builtin_ctz(matches)].load(std::memory_order_acquire);
        if (slot == 0) break;  // and so were all that follow
        const std::uint32_t number = number_in(slot, tag_mask);
        if (keys_[number] == key) return {number, false};
      }
      if (!is_full) return add(writer, key, hash, at);
    }
  }

  // REQUIRES: there is a key with this number, and this thread knows of it.
  std::uint64_t operator[](std::uint32_t number) const { return keys_[number]; }

  // The next keys get numbers in one of the writers' vacant ranges, or from the bound on.
  static IndexRange vacant(const Writer& writer) { return {writer.next(), writer.end()}; }
  std::uint64_t bound() const { return keys_.bound(); }

  std::uint64_t size() const;
  std::uint64_t memory_bytes() const {
    return slot_bytes_.load(std::memory_order_relaxed) + keys_.memory_bytes();
  }

 private:
  using Slot = std::atomic<std::uint32_t>;
  static_assert(Slot::is_always_lock_free && sizeof(Slot) == sizeof(std::uint32_t));

  static constexpr unsigned kTableBits = 3;
  static constexpr std::uint64_t kTables = std::uint64_t{1} << kTableBits;
  static constexpr std::uint64_t kLineSlots = 16;
  static constexpr std::uint64_t kLineBytes = kLineSlots * sizeof(Slot);

  // Read at every lookup, and written only by a thread that is alone.
  struct Table {
    Slot* slots = nullptr;  // at the start of a cache line
    std::uint64_t lines = 0;
    unsigned number_bits = 0;

    std::uint64_t home(std::uint64_t hash) const { return (hash << kTableBits >> 32) * lines >> 32; }
    std::uint64_t after(std::uint64_t at) const { return at + 1 == lines ? 0 : at + 1; }
    Slot* line(std::uint64_t at) const { return slots + at * kLineSlots; }
    std::uint32_t tag(std::uint64_t hash) const { return static_cast<std::uint32_t>(hash << number_bits); }
    std::uint32_t tag_mask() const { return static_cast<std::uint32_t>(~std::uint64_t{0} << number_bits); }
    bool has_bits_for(std::uint64_t number) const { return (number + 1) >> number_bits == 0; }
  };
  static std::uint32_t number_in(std::uint32_t slot, std::uint32_t tag_mask) {
    return (slot & ~tag_mask) - 1;
  }
  // Written at every insertion, so not beside what is read all the time.
  struct alignas(64) Use {
    std::atomic<std::uint64_t> count = 0;
  };

  // Keys are small numbers or hashes: every bit of the result depends on every bit of the key.
  static std::uint64_t mix(std::uint64_t key) {
    key *= 0x9e3779b97f4a7c15u;
    key ^= key >> 32;
    key *= 0xd6e8feb86659fd93u;
    return key ^ key >> 32;
  }

  // The slots of a line as they were at some moments, each at its own, and perhaps not the same in two
  // calls. What is said of a slot is to be trusted when it was loaded again, with acquire.
  class Look {
   public:
#if defined(SPOOR_SLOTS_AT_ONCE)
    explicit Look(const Slot* line)
        : first_(quarter(line, 0)),
          second_(quarter(line, 1)),
          third_(quarter(line, 2)),
          fourth_(quarter(line, 3)) {}
    // Bit i is set where slot i has this tag; empty slots have the tag 0.
    std::uint32_t matches(std::uint32_t tag, std::uint32_t tag_mask) const {
      const __m128i wanted = _mm_set1_epi32(static_cast<int>(tag));
      const __m128i mask = _mm_set1_epi32(static_cast<int>(tag_mask));
      const auto compare = [&](__m128i quarter) {
        return _mm_cmpeq_epi32(_mm_and_si128(quarter, mask), wanted);
      };
      const __m128i left = _mm_packs_epi32(compare(first_), compare(second_));
      const __m128i right = _mm_packs_epi32(compare(third_), compare(fourth_));
      return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(left, right)));
    }

   private:
    static __m128i quarter(const Slot* line, int i) {
      return _mm_load_si128(reinterpret_cast<const __m128i*>(line) + i);
    }
    __m128i first_, second_, third_, fourth_;
#else
    explicit Look(const Slot* line) {
      for (unsigned i = 0; i < kLineSlots; ++i) {
        slots_[i] = line[i].load(std::memory_order_relaxed);
      }
    }
    std::uint32_t matches(std::uint32_t tag, std::uint32_t tag_mask) const {
      std::uint32_t matches = 0;
      for (unsigned i = 0; i < kLineSlots; ++i) {
        matches |= static_cast<std::uint32_t>((slots_[i] & tag_mask) == tag) << i;
      }
      return matches;
    }

   private:
    std::uint32_t slots_[kLineSlots];
#endif
   public:
    std::uint32_t empties() const { return matches(0, UINT32_MAX); }
  };

  static std::size_t number_of_table(std::uint64_t hash) { return hash >> (64 - kTableBits); }
  const Table& table_of(std::uint64_t hash) const { return tables_[number_of_table(hash)]; }

  // Threads that ask at the same time may all be told no: there is room for a hundred of them.
  bool is_full(std::size_t number) const {
    return (uses_[number].count.load(std::memory_order_relaxed) + 1) * 10 >
           tables_[number].lines * kLineSlots * 9;
  }
  // REQUIRES: the key is not in the lines before this one, which are full.
  Insertion add(Writer& writer, std::uint64_t key, std::uint64_t hash, std::uint64_t at);
  // Nothing, where the key was neither there nor could be added: the line is full now.
  std::optional<Insertion> add_to_line(Writer& writer, std::uint64_t key, std::uint64_t hash, Slot* line);
  // Can the writer add a key to this table now? Otherwise makes it so that it can.
  bool is_ready(Writer& writer, std::size_t number);

  // REQUIRES: the thread is alone.
  void make_room(std::size_t number, std::uint32_t next);
  void rebuild(std::size_t number, std::uint64_t lines, unsigned number_bits);
  static void place(Table& table, std::uint64_t hash, std::uint32_t number);

  Quiescence& quiescence_;
  std::array<Table, kTables> tables_;
  std::array<Use, kTables> uses_;
  std::array<ZeroedPages, kTables> memory_;
  std::atomic<std::uint64_t> slot_bytes_ = 0;
  PackedKeys keys_;
};

}  // namespace spoor
