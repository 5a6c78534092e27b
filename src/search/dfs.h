// Depth-first search with an explicit stack.
//
// The path from the initial state to the current one is a stack of frames of 12 bytes: the state,
// the attempt by which it was entered, and how many of its successors are still to be followed.
// Those successors lie on a second stack (pending_stack.h); they cannot be looked up when they are
// generated, because one of them may be reached first through another, and then the path on which
// it is visited, and with it every order that observers rely on, would be a different one.
//
// All successors of a state get their keys and their slots prefetched before the first is looked up;
// the majority of successors are known already, so several are looked up in a row.
//
// The trace to the current state is the list of attempts on the path: it costs nothing and is as
// long as the path. A depth limit cuts paths, not distances: a state that was first reached at the
// limit and is later met on a shorter path is not expanded then either. The outcome is Unknown in
// any case.
//
// Findings are examined when a state is expanded, those of its later steps included, that is before
// the first step is followed. This finds violations earlier and on shorter traces than waiting
// until each step is taken.
//
// Cost: per state on the path 12 bytes, and 24 bytes plus its length for every successor not yet
// followed. Where one path runs through most of the states this is several times what the store
// needs; breadth-first search is then the better choice.
//
// Invariants:
//   1. The sum of `pending` over all frames is the number of entries on the pending stack, and
//      the entries of deeper frames lie above those of shallower ones.
//   2. frames_[i] was entered from frames_[i - 1] by its attempt.
//
// Tested by: tests/unit/test_search.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/system.h"
#include "search/core.h"
#include "search/pending_stack.h"
#include "store/chunked_vector.h"

namespace spoor {

template <VisitedSet Store>
class DepthFirst {
 public:
  DepthFirst(const TransitionSystem& system, SearchCore<Store>& core)
      : system_(system), core_(core) {}

  void run() {
    const std::vector<std::byte> initial = system_.initial_state();
    enter(core_.start(initial), initial, 0);
    while (!frames_.empty() && !core_.is_over()) {
      Frame& top = frames_.back();
      if (top.pending == 0) {
        core_.leave(top.state);
        frames_.pop_back();
        continue;
      }
      --top.pending;
      const PendingStack::Entry next = pending_.pop();
      const Insertion arrival = core_.arrive(top.state, next.attempt, next.key, next.bytes);
      if (arrival.is_new) enter(arrival.index, next.bytes, next.attempt);
    }
  }

 private:
  // States between two looks at clock and memory.
  static constexpr unsigned kPollEvery = 32;

  struct Frame {
    StateIndex state = kNoState;
    std::uint32_t attempt = 0;  // by which the state was entered; meaningless for the first
    std::uint32_t pending = 0;  // successors still to be followed
  };

  void enter(StateIndex state, StateBytes bytes, std::uint32_t attempt) {
    const std::uint64_t depth = frames_.size();
    core_.note_depth(depth);
    if (core_.is_beyond_depth_limit(depth)) return;
    frames_.push_back({state, attempt, 0});
    // The same bytes, but with them the store's room for the successors.
    if constexpr (Store::kKeepsBytes) bytes = core_.store().get(state, room_);
    if (core_.admit(state, bytes, depth)) expand(frames_.back(), bytes, depth);
    if (++since_poll_ == kPollEvery) {
      since_poll_ = 0;
      core_.poll(memory_bytes());
    }
  }

  void expand(Frame& frame, StateBytes state, std::uint64_t depth) {
    core_.expand(state, depth, expansion_, [&] { return path(); });
    keys_.clear();
    core_.prepare(expansion_, room_, keys_);
    const Buffer<Successor>& successors = expansion_.successors;
    for (std::size_t i = successors.size(); i-- > 0;) {
      const Successor& successor = successors[i];
      const StateBytes bytes = expansion_.state(successor);
      pending_.push(keys_[i], successor.attempt, bytes);
    }
    frame.pending = static_cast<std::uint32_t>(successors.size());
  }

  std::vector<std::uint32_t> path() const {
    std::vector<std::uint32_t> attempts;
    for (std::size_t i = 1; i < frames_.size(); ++i) attempts.push_back(frames_[i].attempt);
    return attempts;
  }

  std::uint64_t memory_bytes() const {
    return frames_.memory_bytes() + pending_.memory_bytes() + room_.memory_bytes() +
           memory_of(expansion_) + keys_.capacity() * sizeof(std::uint64_t);
  }

  const TransitionSystem& system_;
  SearchCore<Store>& core_;
  ChunkedVector<Frame> frames_;
  PendingStack pending_;
  Expansion expansion_;
  std::vector<std::uint64_t> keys_;  // of the successors of the state expanded last
  typename Store::Room room_;  // of the state expanded last
  unsigned since_poll_ = 0;
};

}  // namespace spoor
