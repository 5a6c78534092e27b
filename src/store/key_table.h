// A set of 64-bit keys that numbers them 0, 1, 2, ... in the order of insertion.
//
// The idea. The keys themselves stand in an array in the order of their numbers (packed_keys.h). A
// hash table beside it has slots of 4 bytes: the number of a key, and in the bits that numbers do
// not need yet a tag, a part of the key's hash. 16 slots are a cache line; a key belongs into the
// line that its hash names or, where that is full, into the next with room. All 16 tags are
// compared at once, and only where one agrees is the key fetched from the array. Lines tolerate a
// load of 9/10, which single slots with linear probing do not.
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
//   3. At most 9/10 of the slots of a table are used.
//   4. Each key of the array has exactly one slot, in its home line or in one that is reached from
//      there through full lines only.
//
// Cost: 4 bytes per slot at a load of 0.72 to 0.9, and the array. A lookup waits for two cache lines.
// Thread safety: none.
// Tested by: tests/unit/test_store_tree.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "store/packed_keys.h"
#include "store/pages.h"
#include "store/visited_set.h"

namespace spoor {

class KeyTable {
 public:
  KeyTable();

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
    const std::uint32_t* const line = table.line(table.home(hash));
    const std::uint32_t matches = matches_in(line, table.tag(hash), table.tag_mask());
    if (matches == 0) return kNoState;
    const std::uint32_t slot = line[__builtin_ctz(matches)];
    if (slot == 0) return kNoState;
    const std::uint32_t number = table.number_in(slot);
    keys_.prefetch(number);
    return number;
  }

  // The number of the key, which is added if it is not there. Throws std::bad_alloc where memory or
  // numbers run out; the table is then as before.
  Insertion insert(std::uint64_t key) {
    const std::uint64_t hash = mix(key);
    const Table& table = table_of(hash);
    for (std::uint64_t at = table.home(hash);; at = at + 1 == table.lines ? 0 : at + 1) {
      const std::uint32_t* const line = table.line(at);
      std::uint32_t matches = matches_in(line, table.tag(hash), table.tag_mask());
      for (; matches != 0; matches &= matches - 1) {
        const std::uint32_t slot = line[__builtin_ctz(matches)];
        if (slot == 0) break;  // and so are all that follow
        const std::uint32_t number = table.number_in(slot);
        if (keys_[number] == key) return {number, false};
      }
      if (line[kLineSlots - 1] == 0) return {add(key, hash), true};
    }
  }

  // REQUIRES: number < size().
  std::uint64_t operator[](std::uint32_t number) const { return keys_[number]; }

  std::uint64_t size() const { return keys_.size(); }
  std::uint64_t memory_bytes() const { return slot_bytes_ + keys_.memory_bytes(); }

 private:
  static constexpr unsigned kTableBits = 3;
  static constexpr std::uint64_t kTables = std::uint64_t{1} << kTableBits;
  static constexpr std::uint64_t kLineSlots = 16;
  static constexpr std::uint64_t kLineBytes = kLineSlots * sizeof(std::uint32_t);

  struct Table {
    std::uint32_t* slots = nullptr;  // at the start of a cache line
    std::uint64_t lines = 0;
    std::uint64_t used = 0;
    unsigned number_bits = 0;
    ZeroedPages memory;

    std::uint64_t home(std::uint64_t hash) const { return (hash << kTableBits >> 32) * lines >> 32; }
    std::uint32_t* line(std::uint64_t at) const { return slots + at * kLineSlots; }
    std::uint32_t tag(std::uint64_t hash) const {
      return static_cast<std::uint32_t>(hash << number_bits);
    }
    std::uint32_t tag_mask() const {
      return static_cast<std::uint32_t>(~std::uint64_t{0} << number_bits);
    }
    std::uint32_t number_in(std::uint32_t slot) const { return (slot & ~tag_mask()) - 1; }
    bool is_full() const { return (used + 1) * 10 > lines * kLineSlots * 9; }
  };

  // Keys are small numbers or hashes: every bit of the result depends on every bit of the key.
  static std::uint64_t mix(std::uint64_t key) {
    key *= 0x9e3779b97f4a7c15u;
    key ^= key >> 32;
    key *= 0xd6e8feb86659fd93u;
    return key ^ key >> 32;
  }

  // Bit i is set where slot i of the line has this tag; empty slots have the tag 0.
  static std::uint32_t matches_in(const std::uint32_t* line, std::uint32_t tag,
                                  std::uint32_t tag_mask) {
#if defined(__SSE2__)
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(tag));
    const __m128i mask = _mm_set1_epi32(static_cast<int>(tag_mask));
    const auto* const quarters = reinterpret_cast<const __m128i*>(line);
    const auto compare = [&](int i) {
      return _mm_cmpeq_epi32(_mm_and_si128(_mm_load_si128(quarters + i), mask), wanted);
    };
    const __m128i halves[] = {_mm_packs_epi32(compare(0), compare(1)),
                              _mm_packs_epi32(compare(2), compare(3))};
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(halves[0], halves[1])));
#else
    std::uint32_t matches = 0;
    for (unsigned i = 0; i < kLineSlots; ++i) {
      matches |= static_cast<std::uint32_t>((line[i] & tag_mask) == tag) << i;
    }
    return matches;
#endif
  }

  Table& table_of(std::uint64_t hash) { return tables_[hash >> (64 - kTableBits)]; }
  const Table& table_of(std::uint64_t hash) const { return tables_[hash >> (64 - kTableBits)]; }

  // REQUIRES: the key is not there.
  std::uint32_t add(std::uint64_t key, std::uint64_t hash);
  void rebuild(Table& table, std::uint64_t lines, unsigned number_bits);
  static void place(Table& table, std::uint64_t hash, std::uint32_t number);

  std::array<Table, kTables> tables_;
  PackedKeys keys_;
  std::uint64_t slot_bytes_ = 0;
};

}  // namespace spoor
