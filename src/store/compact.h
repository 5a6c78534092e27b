// The compact visited set: of a state only a hash of 64 bits is kept.
//
// The idea (hash compaction). A state is known if its hash is. Two different states with the same
// hash are taken for one, and what can be reached only through the second is never seen; so a search
// that finds no error says "probably holds" and states the probability of that. An error that it
// does find is real: its trace is replayed.
//
// How probable. If hashes are uniform and independent, each of the n(n-1)/2 pairs of n states agrees
// with probability 2^-64, so the probability that any state was omitted is at most
//
//     n(n-1) / 2^65
//
// 3e-6 for ten million states, 3e-4 for a hundred million. This is the bound of Wolper and Leroy
// (exact value: 1 - e^(-n^2/2^65), which is smaller). n is the number of states found; an omission
// would hide states from it, which changes the figure only when it is far from 0 already. The hash
// is XXH3 with a fixed key: good against accidents, not against a model that is made to collide.
//
// What the search must do. The bytes are gone once a state has been looked up, so the frontier keeps
// those of the states to be expanded, and a trace is found again by going forward from the initial
// state, each time to the successor that has the hash of the next state on the way.
//
// Rivals. The tree store (tree.h) needs about as much memory and is exact; compact is faster where
// states are long or have little in common. Fewer bits (Stern and Dill keep 40 and count on ordered
// insertion) save three bytes and make omissions certain at a hundred million states. Bitstate
// hashing (bitstate.h) keeps 1-8 bits, and its bound is 1 as soon as the filter has something to do.
//
// Invariants: (1) state i has the hash keys_[i]; no hash occurs twice.
//
// Cost: 8 bytes for the hash, 4.4 to 5.6 for the slot (key_table.h); two cache lines per lookup.
// Thread safety: all members but those of one Writer may be called from several threads that have
// entered; memory_bytes() and size() are then approximate.
// Citation: P. Wolper, D. Leroy, "Reliable hashing without collision detection", CAV 1993;
// U. Stern, D. Dill, "Improved probabilistic verification by hash compaction", CHARME 1995.
// Tested by: tests/unit/test_store_tree.cpp, tests/unit/test_store_threads.cpp,
// tests/unit/test_search.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/hash.h"
#include "store/key_table.h"
#include "store/quiescence.h"
#include "store/visited_set.h"

namespace spoor {

class CompactStore {
 public:
  static constexpr bool kConfusesStates = true;
  static constexpr bool kForgetsStates = false;
  static constexpr bool kKeepsBytes = false;
  static constexpr bool kNamesStates = true;
  static constexpr bool kIsShared = true;
  using DecodeBuffer = NoDecodeBuffer;
  using Writer = KeyTable::Writer;

  explicit CompactStore(IndexLimit limit = {}) : keys_(quiescence_, limit) {}

  void enter() { quiescence_.enter(); }
  void leave() { quiescence_.leave(); }
  void safe_point() { quiescence_.safe_point(); }

  static std::uint64_t key(std::span<const std::byte> state) { return hash_bytes(state); }
  void prefetch(std::uint64_t key) const { keys_.prefetch(key); }
  std::uint64_t prefetch_state(std::uint64_t key) const { return keys_.hint(key); }

  Insertion insert(Writer& writer, std::uint64_t key, std::span<const std::byte>, std::uint64_t hint = 0) {
    return keys_.insert(writer, key, hint);
  }

  bool is_state(StateIndex index, std::span<const std::byte> bytes) const {
    return keys_[index] == hash_bytes(bytes);
  }

  // An upper bound; see above.
  double omission_probability() const {
    const auto states = static_cast<double>(size());
    return std::min(1.0, states * (states - 1) / 0x1p65);
  }

  std::uint64_t size() const { return keys_.size(); }
  static IndexRange vacant(const Writer& writer) { return KeyTable::vacant(writer); }
  std::uint64_t index_bound() const { return keys_.bound(); }
  std::uint64_t memory_bytes() const { return sizeof(*this) + keys_.memory_bytes(); }

 private:
  Quiescence quiescence_;
  KeyTable keys_;
};

static_assert(VisitedSet<CompactStore>);

}  // namespace spoor
