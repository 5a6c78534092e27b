// Breadth-first search, in batches.
//
// States are numbered by the store in the order in which they are found, so a level of the search
// is a range of numbers: while the states of one range are expanded, the next range grows behind
// it. No queue, unless the store forgets the bytes of states (frontier.h).
//
// Batches. A lookup in a large hash table waits for memory, some 100 ns, during which nothing else
// is done if states are looked up as they come. So a batch of states is expanded first; each
// successor gets its key and its slot is asked for (prepare); when the batch is complete the slots
// have arrived, and the states that they name are asked for; then the successors are looked up one
// after the other. Their order is the same as without batches, and so are the numbers of the states.
//
// Traces. For each state the number of the state it was first reached from is kept: a list that
// never decreases, so 2 bits each (ascending_list.h). A trace is the chain of these. Its steps are
// recovered from the initial state forward, by expanding each state again and taking the first step
// that leads to the next one; so no state is needed back from the store, only whether a state is
// the one with a given number. Where the store takes two states for one, this finds the one that
// was met first and expanded, because the search met them in the same order.
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
//   1. parents_.size() == store.size(), and parents_[i] < i for all i but the first, whose entry
//      means nothing.
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

#include "model/system.h"
#include "search/core.h"
#include "search/frontier.h"
#include "store/ascending_list.h"

namespace spoor {

template <VisitedSet Store>
class BreadthFirst {
 public:
  BreadthFirst(const TransitionSystem& system, SearchCore<Store>& core)
      : system_(system), core_(core) {
    core_.prefer_shorter_traces();
  }

  void run() {
    const std::vector<std::byte> initial = system_.initial_state();
    level_begin_ = core_.start(initial);
    parents_.push_back(0);
    frontier_.add(initial);
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
    std::vector<std::byte> bytes;  // of the state, when the expansion is reduced
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
    keys_.clear();
    while (next < level_end_ && batch_size_ < kBatchStates && keys_.size() < kBatchSuccessors) {
      const StateIndex state = next++;
      const StateBytes bytes = frontier_.take(core_.store(), state);
      if (core_.admit(state, bytes, depth_)) expand(state, bytes, batch_[batch_size_++]);
      if (core_.is_over()) break;
    }
    batch_end_ = next;
    return next;
  }

  void expand(StateIndex state, StateBytes bytes, Expanded& expanded) {
    expanded.state = state;
    Expansion& expansion = expanded.expansion;
    core_.expand(bytes, depth_, expansion, [&] { return trace_to(state); });
    core_.prepare(expansion, frontier_.room(), keys_);
    if (expansion.is_reduced) expanded.bytes.assign(bytes.begin(), bytes.end());
  }

  void follow_batch() {
    for (const std::uint64_t key : keys_) core_.prefetch_state(key);
    std::size_t i = 0;
    for (std::size_t at = 0; at < batch_size_; ++at) {
      Expanded& expanded = batch_[at];
      bool leads_on = false;
      for (const Successor& successor : expanded.expansion.successors) {
        leads_on |= follow(expanded, successor, keys_[i++]);
      }
      if (expanded.expansion.is_reduced && !leads_on) follow_in_full(expanded);
    }
  }

  // True when the step leads to a state that is yet to be expanded.
  bool follow(const Expanded& expanded, const Successor& successor, std::uint64_t key) {
    const StateBytes bytes = expanded.expansion.state(successor);
    const Insertion arrival = core_.arrive(expanded.state, successor.attempt, key, bytes);
    if (arrival.is_new) {
      parents_.push_back(expanded.state);
      frontier_.add(bytes);
    }
    return arrival.index >= batch_end_;
  }

  void follow_in_full(Expanded& expanded) {
    core_.take_back(expanded.expansion.successors.size());
    core_.expand(expanded.bytes, depth_, expanded.expansion,
                 [&] { return trace_to(expanded.state); }, true);
    keys_of_one_.clear();
    typename Store::Room room;
    if constexpr (Store::kKeepsBytes) core_.store().get(expanded.state, room);
    core_.prepare(expanded.expansion, room, keys_of_one_);
    std::size_t i = 0;
    for (const Successor& successor : expanded.expansion.successors) {
      follow(expanded, successor, keys_of_one_[i++]);
    }
  }

  std::vector<std::uint32_t> trace_to(StateIndex state) const {
    std::vector<StateIndex> chain;  // backward, without the initial state
    for (; state != 0; state = static_cast<StateIndex>(parents_[state])) chain.push_back(state);

    std::vector<std::uint32_t> attempts;
    std::vector<std::byte> at = system_.initial_state();
    while (!chain.empty()) {
      attempts.push_back(core_.go_on(at, chain.back()));
      chain.pop_back();
    }
    return attempts;
  }

  std::uint64_t memory_bytes() const {
    std::uint64_t bytes = parents_.memory_bytes() + frontier_.memory_bytes() +
                          keys_.capacity() * sizeof(std::uint64_t);
    for (const Expanded& expanded : batch_) bytes += memory_of(expanded.expansion);
    return bytes;
  }

  const TransitionSystem& system_;
  SearchCore<Store>& core_;
  AscendingList parents_;
  Frontier<Store> frontier_;
  StateIndex level_begin_ = 0;
  StateIndex level_end_ = 0;
  std::uint64_t depth_ = 0;
  std::array<Expanded, kBatchStates> batch_;
  std::size_t batch_size_ = 0;
  StateIndex batch_end_ = 0;         // states from here on are yet to be expanded
  std::vector<std::uint64_t> keys_;  // of all successors of the batch, in order
  std::vector<std::uint64_t> keys_of_one_;
};

}  // namespace spoor
