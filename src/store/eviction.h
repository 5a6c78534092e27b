// Which state does a full cache evict? An interface with one class per answer (policies.inc).
//
// A policy hears of every state in the cache what the search does with it, and keeps what it needs by index:
//
//   found(i)           a new state is in the cache now, and pinned
//   entered(i)         the search goes on from it
//   left(i, level)     all its successors have been visited: it can be evicted from now on
//   met(i)             a step leads to it, and it is in the cache
//   victim()           the cache needs room: the state to evict, which the policy then forgets
//
// The level of a state is its depth when it was found. After `found` a state is entered before another is
// found, and states are left in the reverse order, as from a stack. All policies give the same verdict,
// whatever they choose, because no pinned state is ever a victim (cache.h); what they choose decides how
// often states are visited again. docs/adr/0025-state-caching.md compares them.
//
// Each class has an opening comment with the rule, its source, and the bytes that it needs per state. Two
// structures serve all of them, both with constant time per call: random_sets.h and ranked_lists.h.
//
// Invariants:
//   1. A victim was left, and was not a victim since then.
//   2. victim() is kNoState only if every state in the cache is pinned.
//
// Tested by: tests/unit/test_eviction.cpp, tests/unit/test_caching.cpp
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "store/visited_set.h"

namespace spoor {

// One for each line of policies.inc.
enum class PolicyKind : std::uint8_t {
#define SPOOR_POLICY(Kind, name, help) k##Kind,
#include "store/policies.inc"
#undef SPOOR_POLICY
};

class EvictionPolicy {
 public:
  EvictionPolicy() = default;
  EvictionPolicy(const EvictionPolicy&) = delete;
  EvictionPolicy& operator=(const EvictionPolicy&) = delete;
  virtual ~EvictionPolicy() = default;

  // The next state may have this index, which is one more than the largest so far. Throws std::bad_alloc.
  virtual void add_index() {}
  virtual void found(StateIndex) {}
  virtual void entered(StateIndex) {}
  virtual void left(StateIndex state, std::uint32_t level) = 0;
  virtual void met(StateIndex) {}
  // kNoState: there is none.
  virtual StateIndex victim() = 0;
  virtual std::uint64_t memory_bytes() const = 0;
};

struct PolicyRow {
  PolicyKind kind = PolicyKind();
  const char* name = "";
  const char* help = "";  // completes "NAME evicts"
};
// All of them, in the order of the list.
std::span<const PolicyRow> policies();
const char* to_string(PolicyKind kind);
std::unique_ptr<EvictionPolicy> make_policy(PolicyKind kind);

// Of the cache.
struct CacheOptions {
  PolicyKind policy = PolicyKind();
  std::uint64_t states = 0;  // so many at most; 0: as many as fit into the memory
};

// What is to be known of a search with the cache.
struct CacheFigures {
  PolicyKind policy = PolicyKind();
  std::uint64_t kept = 0;     // the largest number of states that were in the cache at once
  std::uint64_t evicted = 0;  // how often one was evicted; 0: no state was visited twice
};

}  // namespace spoor
