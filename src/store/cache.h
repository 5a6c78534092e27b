// The cache: an exact store of limited size, which forgets states where it has no room for others.
//
// The idea (state-space caching). A depth-first search ends without remembering a single state that it
// has left: the states on its path are enough to notice cycles. All others save work only, namely that a
// state is visited again each time a step leads to it. So a store may hold what fits into the memory and
// evict the rest. A state that was evicted and is met again is new, and the search below it is repeated
// as far as states there were evicted, too. Nothing is missed: the verdict of a search that ends is a full
// "holds". What is lost is time, and how much depends on the victims (eviction.h).
//
// Why the search ends and misses nothing. States on the path are pinned and never evicted, so no path has a
// state twice, and there are finitely many such paths. Whenever a step leads to a state, that state is either
// in the cache, and so was entered before and is left at some time, or it is new and entered now. By
// induction over the steps that lead to it, every reachable state is visited once at least. The number of
// visits is bounded by that of paths without a repeated state, which is exponential: a cache that is far too
// small gives no answer in a lifetime.
//
// Partial-order reduction stays sound. The proof for depth-first search (search/dfs.h) speaks of visits
// instead of states. A reduced visit v is kept only if one of its steps leads to a state t off the path. If t
// is in the cache, a visit of it was left earlier; if not, one begins now and is left before v. So from each
// reduced visit a chain of visits, each left earlier than the one before, leads to a visit with all steps,
// and no step is ignored; and each step followed has a visit of its target, which is all that the proof needs
// of the others. Two visits of one state may be reduced differently, which does no harm.
//
// How a state is kept. As the pair at the root of its tree (tree.h): 8 bytes that stand for the whole state,
// always of the same size, so that a state takes the place of an evicted one without a gap. The nodes below
// the roots are shared by all states and are not evicted; there are far fewer nodes than states. Roots are in
// chains by their hash, so one can be taken out where it stands; in a table with open addressing (exact.h) it
// would leave a mark behind. The exact store's shorter codes (shape.h) have several lengths, and free places
// would have to be managed by length. Where states have a few words only, nearly each of them has a node of
// its own, and the cache is of little use; models with so little to say seldom fill a memory.
//
// How many states. As many as asked for (CacheOptions::states), or until the whole search, its path included,
// occupies 7/8 of the memory that it may use; the path is longest early, as a rule. If nothing can be evicted
// then, the path alone does not fit: the search ends (PathDoesNotFit). Without any limit this is a slower
// tree store.
//
// Rivals. A smaller exact representation has no price in repeated work, so the tree store comes first; where
// it does not fit, hash compaction and bitstate hashing (compact.h, bitstate.h) are fast and can miss states.
// Breadth-first search cannot use a cache: it would need another argument to end.
//
// Invariants:
//   1. No root occurs twice; each is in the chain of its hash.
//   2. An index is that of one state until the state is evicted.
//   3. pinned_ is the number of states on the path: the level of the next one.
//
// Cost: 14 to 16 bytes per state and those of the policy, 4 to 8; 10 to 14 for each node of the tree. An
// eviction takes constant time and the length of a chain, up to two on average.
// Thread safety: none; one thread.
// Citation: P. Godefroid, G. Holzmann, D. Pirottin, "State-space caching revisited", CAV 1992.
// Tested by: tests/unit/test_caching.cpp, tests/unit/test_store_any.cpp, tests/suites/test_caching.py
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "store/chunked_vector.h"
#include "store/eviction.h"
#include "store/pages.h"
#include "store/tree.h"
#include "store/visited_set.h"

namespace spoor {

class CacheStore {
 public:
  static constexpr bool kConfusesStates = false;
  static constexpr bool kForgetsStates = true;
  static constexpr bool kKeepsBytes = true;
  static constexpr bool kNamesStates = true;
  static constexpr bool kIsShared = false;
  using DecodeBuffer = TreeStore::DecodeBuffer;
  using Writer = TreeStore::Writer;

  // `memory_bytes`: what the whole search may use; 0: no limit.
  explicit CacheStore(const CacheOptions& options = {}, std::uint64_t memory_bytes = 0);

  void enter() { parts_.enter(); }
  void leave() { parts_.leave(); }
  void safe_point() { parts_.safe_point(); }

  void keys(Writer& writer, std::span<const std::span<const std::byte>> states, const DecodeBuffer& source,
            std::uint64_t* keys) {
    parts_.keys(writer, states, source, keys);
  }
  void prefetch(std::uint64_t root) const { __builtin_prefetch(&chain(root)); }
  std::uint64_t prefetch_state(std::uint64_t) const { return 0; }

  // Throws PathDoesNotFit and std::bad_alloc; no state is then forgotten.
  Insertion insert(Writer&, std::uint64_t root, std::span<const std::byte>, std::uint64_t = 0);

  // States are unpinned in the reverse order.
  void pin(StateIndex state) {
    newest_ = kNoState;
    ++pinned_;
    policy_->entered(state);
  }
  void unpin(StateIndex state) {
    pass_newest();
    --pinned_;
    policy_->left(state, pinned_);
  }

  std::span<const std::byte> get(StateIndex index, DecodeBuffer& room) const {
    return parts_.state_of(entries_[index].root(), room);
  }
  bool is_state(StateIndex index, std::span<const std::byte> bytes) const;

  // What the whole search occupies now.
  void note_memory(std::uint64_t bytes) { search_bytes_ = bytes; }

  static IndexRange vacant(const Writer&) { return {}; }
  std::uint64_t index_bound() const { return entries_.size(); }
  std::uint64_t size() const { return entries_.size(); }
  std::uint64_t memory_bytes() const {
    return sizeof(*this) + parts_.memory_bytes() + entries_.memory_bytes() + policy_->memory_bytes() +
           chains_.size();
  }
  CacheFigures figures() const { return {kind_, entries_.size(), evicted_}; }

 private:
  // The root in two halves, so that an entry has 12 bytes.
  struct Entry {
    std::uint32_t low = 0, high = 0;
    StateIndex next = kNoState;  // in the chain

    std::uint64_t root() const { return std::uint64_t{high} << 32 | low; }
    void set_root(std::uint64_t root) {
      low = static_cast<std::uint32_t>(root);
      high = static_cast<std::uint32_t>(root >> 32);
    }
  };

  static std::uint64_t hash(std::uint64_t root) {
    const std::uint64_t mixed = (root ^ root >> 31) * 0x9e3779b97f4a7c15u;
    return (mixed ^ mixed >> 29) * 0xd6e8feb86659fd93u;
  }
  // One more than the index of the first entry, so that zeroed pages are empty chains.
  std::uint32_t& chain(std::uint64_t root) const {
    return reinterpret_cast<std::uint32_t*>(chains_.data())[hash(root) >> shift_];
  }

  // The state found last was not entered (it is too deep): as if it had no successors.
  void pass_newest() {
    if (newest_ == kNoState) return;
    const StateIndex passed = newest_;
    newest_ = kNoState;
    policy_->entered(passed);
    policy_->left(passed, pinned_);
  }
  bool may_grow() const {
    return entries_.size() < most_ && (memory_bytes_ == 0 || search_bytes_ < memory_bytes_ / 8 * 7);
  }
  StateIndex make_room();
  void take_out(StateIndex index);
  void widen_chains();

  const PolicyKind kind_;
  const std::uint64_t most_;          // states
  const std::uint64_t memory_bytes_;  // of the whole search; 0: no limit
  std::uint64_t search_bytes_ = 0;
  TreeStore parts_;  // without states of its own: the nodes of the trees
  ChunkedVector<Entry> entries_;
  ZeroedPages chains_;
  unsigned shift_;
  std::unique_ptr<EvictionPolicy> policy_;
  std::uint32_t pinned_ = 0;
  StateIndex newest_ = kNoState;  // found, and neither pinned nor passed yet
  std::uint64_t evicted_ = 0;
};

static_assert(VisitedSet<CacheStore> && !RememberingSet<CacheStore>);

}  // namespace spoor
