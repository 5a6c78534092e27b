// Fingerprints of the states of a full script, by their numbers, which are forgotten after their last use
// (Taleghani, section 4.4), in a serial certification and in a parallel one.
//
// A certifier that executes a full script must see that all transitions that are said to lead to state n lead
// to the same state. It keeps a fingerprint of n: a keyed hash of its bytes, with 128 bits
// (base/keyed_hash.h), whose key is drawn when the file is complete. A state takes 24 bytes.
//
// Forgetting. With a state the script says how many later transitions lead to it, its uses. The map counts
// them down, and forgets the fingerprint at the last one; a state without uses is never kept. The thesis has
// the producer mark the last transition instead: a serial certifier forgets at the same moment either way.
//
// In parallel the thesis leaves open how to forget, since it compares the maps of all processors at the end.
// Here all workers share one map, and a number of uses has no order: a worker that uses n before another one
// has defined it makes an entry with the fingerprint that it has seen and -1 as the number of uses that are
// left; the definition compares, and adds its number. An entry is forgotten when it is defined and nothing is
// left. A certificate is right only if the map is empty at the end (`is_empty`).
//
// Why that is right. Each number is defined exactly once, because numbers are given in the order of the
// script. Let n be any number, and consider all that is said of n: its definition and its uses, in the order
// in which the map hears of them. An entry lives from the first of them until it is forgotten. Within one
// life all fingerprints were compared with the one that is kept, and so are equal. A life that does not have
// the definition never ends, because only a definition adds to what is left. So if the map is empty, every
// life of n had the definition, there was one life, and all uses of n were compared with the state that was
// executed as n. What the producer says of uses decides nothing but when memory is given back: too few, and a
// use comes later than the end (an entry that is never defined); too many, and an entry remains. Two states
// with equal fingerprints would be confused with a probability of 2^-128 per pair, of at most 2^64 pairs.
//
// Example, two workers: one uses 7 (entry: left -1), the other defines 7 with 2 uses (left 1) and uses it
// (left 0: forgotten). Serially: defined (left 2), left 1, forgotten.
//
// In a serial certification a use of a number that is not kept is refused on the spot (kUnknown).
//
// Rivals: one map per region, compared at the end, as published: keeps all entries. Marks with a point of the
// script that all workers have passed: keeps what later regions have seen until the first one is done. Sums
// (certifier.h) keep nothing at all; they are the compact form.
//
// Cost: a look-up per transition to a known state, two per state that has uses; one mutex per shard where
// workers share it. Invariants:
//   1. An entry with left > 0 is defined, one with left < 0 is not; there is none with 0.
//   2. The key of an empty slot is kMostScriptStates, which is no number.
// Thread safety: define, use, entries and memory_bytes may be called from several threads where the map is
// made for them. Tested by: tests/unit/test_full_script_fingerprints.cpp
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "base/keyed_hash.h"
#include "evidence/full_script.h"

namespace spoor {

class ScriptFingerprints {
 public:
  // Larger numbers of uses are refused.
  static constexpr std::uint64_t kMostUses = INT32_MAX;

  // What the map says to a definition or a use.
  enum class Answer : std::uint8_t {
    kRight,
    kOther,    // another state has this number
    kUnknown,  // a use of a number that is not kept
    kTooMany   // it was used more often than its definition says
  };

  explicit ScriptFingerprints(bool is_shared) : is_shared_(is_shared), shards_(is_shared ? kShards : 1) {}

  // State `number` has this fingerprint, and so many uses. REQUIRES: uses <= kMostUses; if 0, then is_shared,
  // or nothing is to be compared.
  Answer define(std::uint32_t number, Fingerprint fingerprint, std::uint64_t uses);
  Answer use(std::uint32_t number, Fingerprint fingerprint);

  bool is_empty() const { return entries() == 0; }
  // The lowest number with an entry. REQUIRES: nobody else is at work.
  struct Rest {
    std::uint32_t number = 0;
    std::int64_t left = 0;  // below zero: it was never defined, or is used so often too often
  };
  std::optional<Rest> first_rest() const;
  std::uint64_t entries() const { return count_.load(std::memory_order_relaxed); }
  // The most that there were at once.
  std::uint64_t most_entries() const { return most_.load(std::memory_order_relaxed); }
  std::uint64_t memory_bytes() const;

 private:
  static constexpr std::size_t kShards = 64;
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(kMostScriptStates);

  struct Slot {
    std::uint64_t low = 0, high = 0;
    std::uint32_t number = kNone;
    std::int32_t left = 0;
  };
  // Open addressing with linear probing.
  struct alignas(64) Shard {
    std::mutex lock;
    std::vector<Slot> slots;
    std::uint64_t count = 0;
    std::atomic<std::uint64_t> bytes = 0;

    std::size_t home(std::uint32_t number) const {
      return static_cast<std::size_t>(number * 0x9e3779b97f4a7c15 >> 32) & (slots.size() - 1);
    }
    Slot* find(std::uint32_t number);  // or the empty slot where it would be; null: there are no slots
    void insert(const Slot& slot);
    void erase(Slot* slot);
    void grow();
  };

  Shard& shard_of(std::uint32_t number) { return shards_[is_shared_ ? number % kShards : 0]; }
  // What is said of a number adds `change` to what is left of it.
  Answer add(std::uint32_t number, Fingerprint fingerprint, std::int32_t change);
  void note_insertion();

  const bool is_shared_;
  std::vector<Shard> shards_;
  std::atomic<std::uint64_t> count_ = 0, most_ = 0;
};

}  // namespace spoor
