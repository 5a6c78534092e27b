// Breadth-first search, in batches.
//
// States are numbered by the store in the order in which they are found, so a level of the search
// is a range of numbers: while the states of one range are expanded, the next range grows behind
// it. No queue, and no state is copied.
//
// Batches. A lookup in a large hash table waits for memory, some 100 ns, during which nothing else
// is done if states are looked up as they come. So a batch of states is expanded first; each
// successor is hashed and its slot asked for (prefetch); when the batch is complete the slots have
// arrived, and the states that they name are asked for; then the successors are looked up one after
// the other. Their order is the same as without
// batches, and so are the numbers of the states.
//
// Traces. For each state the number of the state it was first reached from is kept (4 bytes). A
// trace is the chain of these, walked back; the step from one to the next is recovered by expanding
// the parent again and taking the first step that leads to the child.
//
// Shortest traces. When the level at depth d is expanded, a finding of a state has a trace of d
// steps, one of a step d + 1. So after the finding of a step the rest of the level is still looked
// through for a finding of a state, without following its steps. Example: states 1 and 2 are at
// depth 1; a step out of 1 fails its assertion (2 steps), 2 is a deadlock (1 step): the deadlock is
// reported.
//
// Reduced expansions. A system may give only some of the steps of a state (Expansion::may_reduce).
// That is sound if no state is put off for ever, and for that it suffices that every reduced state
// has a step to a state that is expanded later than itself: then in any set of states that the
// reduced steps do not leave, the one that is expanded last is not reduced. (Bosnacki and Holzmann,
// "Improving SPIN's partial-order reduction for breadth-first search", SPIN 2005.) States are
// expanded in the order of their numbers, so one comparison decides; where it fails, the state is
// expanded again, in full.
//
// Invariants:
//   1. parents_.size() == store.size(), and parents_[i] < i for all i but the first.
//   2. All states of a level have the same distance from the initial state, the smallest possible.
//
// Tested by: tests/unit/test_search.cpp
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "base/hash.h"
#include "model/system.h"
#include "search/core.h"
#include "store/chunked_vector.h"

namespace spoor {

template <VisitedSet Store>
class BreadthFirst {
 public:
  BreadthFirst(const TransitionSystem& system, SearchCore<Store>& core)
      : system_(system), core_(core) {
    core_.prefer_shorter_traces();
  }

  void run() {
    level_begin_ = core_.start();
    parents_.push_back(kNoState);
    for (;;) {
      level_end_ = static_cast<StateIndex>(core_.store().size());
      if (level_begin_ == level_end_) return;
      core_.note_depth(depth_);
      if (core_.is_beyond_depth_limit(depth_)) return;
      search_level();
      if (core_.is_over()) return;
      level_begin_ = level_end_;
      ++depth_;
    }
  }

 private:
  // Enough lookups under way to hide the memory's latency, few enough to stay in the nearest
  // caches.
  static constexpr std::size_t kBatchStates = 32;
  static constexpr std::size_t kBatchSuccessors = 96;

  struct Expanded {
    StateIndex state = kNoState;
    Expansion expansion;
  };

  void search_level() {
    StateIndex next = level_begin_;
    while (next < level_end_ && !core_.is_over()) {
      next = expand_batch(next);
      follow_batch();
      core_.poll(memory_bytes());
    }
    while (next < level_end_ && !core_.is_cut_off() && core_.shortest_violation() > depth_) {
      next = expand_batch(next);
      core_.poll(memory_bytes());
    }
  }

  // Expands states from `next` on until the batch is full or something ends it; returns the first
  // state not taken.
  StateIndex expand_batch(StateIndex next) {
    batch_size_ = 0;
    hashes_.clear();
    while (next < level_end_ && batch_size_ < kBatchStates && hashes_.size() < kBatchSuccessors) {
      const StateIndex state = next++;
      if (core_.admit(state, depth_)) expand(state, batch_[batch_size_++]);
      if (core_.is_over()) break;
    }
    batch_end_ = next;
    return next;
  }

  void expand(StateIndex state, Expanded& expanded) {
    expanded.state = state;
    Expansion& expansion = expanded.expansion;
    core_.expand(state, depth_, expansion, [&] { return trace_to(state); });
    for (const Successor& successor : expansion.successors) {
      hashes_.push_back(hash_bytes(expansion.state(successor)));
      core_.prefetch(hashes_.back());
    }
  }

  void follow_batch() {
    for (const std::uint64_t hash : hashes_) core_.prefetch_state(hash);
    std::size_t i = 0;
    for (std::size_t at = 0; at < batch_size_; ++at) {
      auto& [source, expansion] = batch_[at];
      bool leads_on = false;
      for (const Successor& successor : expansion.successors) {
        leads_on |= follow(source, expansion, successor, hashes_[i++]);
      }
      if (expansion.is_reduced && !leads_on) follow_in_full(source, expansion);
    }
  }

  // True when the step leads to a state that is yet to be expanded.
  bool follow(StateIndex source, const Expansion& expansion, const Successor& successor,
              std::uint64_t hash) {
    const Insertion arrival =
        core_.arrive(source, successor.attempt, hash, expansion.state(successor));
    if (arrival.is_new) parents_.push_back(source);
    return arrival.index >= batch_end_;
  }

  void follow_in_full(StateIndex source, Expansion& expansion) {
    core_.take_back(expansion.successors.size());
    core_.expand(source, depth_, expansion, [&] { return trace_to(source); }, true);
    for (const Successor& successor : expansion.successors) {
      follow(source, expansion, successor, hash_bytes(expansion.state(successor)));
    }
  }

  std::vector<std::uint32_t> trace_to(StateIndex state) const {
    std::vector<std::uint32_t> attempts;
    for (; parents_[state] != kNoState; state = parents_[state]) {
      attempts.push_back(core_.attempt_between(parents_[state], state));
    }
    std::reverse(attempts.begin(), attempts.end());
    return attempts;
  }

  std::uint64_t memory_bytes() const {
    std::uint64_t bytes = parents_.memory_bytes() + hashes_.capacity() * sizeof(std::uint64_t);
    for (const Expanded& expanded : batch_) bytes += memory_of(expanded.expansion);
    return bytes;
  }

  const TransitionSystem& system_;
  SearchCore<Store>& core_;
  ChunkedVector<StateIndex> parents_;
  StateIndex level_begin_ = 0;
  StateIndex level_end_ = 0;
  std::uint64_t depth_ = 0;
  std::array<Expanded, kBatchStates> batch_;
  std::size_t batch_size_ = 0;
  StateIndex batch_end_ = 0;           // states from here on are yet to be expanded
  std::vector<std::uint64_t> hashes_;  // of all successors of the batch, in order
};

}  // namespace spoor
