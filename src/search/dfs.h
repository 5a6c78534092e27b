// Depth-first search with an explicit stack.
//
// The path from the initial state to the current one is a stack of frames of 16 bytes: the state,
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
// A reduced expansion (Expansion::may_reduce) is sound if one of its steps leads to a state that is
// not on the path; otherwise the state is expanded again, in full, before it is left. For such a
// state is left earlier than this one, and by induction over the order of leaving nothing is put off
// for ever from there. (Holzmann and Peled, "An improvement in formal verification", FORTE 1994.)
//
// Findings are examined when a state is expanded, those of its later steps included, that is before
// the first step is followed. This finds violations earlier and on shorter traces than waiting
// until each step is taken.
//
// Cost: per state on the path 16 bytes, and 24 bytes plus its length for every successor not yet
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

#include "base/buffer.h"
#include "model/system.h"
#include "search/core.h"
#include "search/pending_stack.h"
#include "search/worker.h"
#include "store/chunked_vector.h"

namespace spoor {

template <VisitedSet Store>
class DepthFirst {
 public:
  explicit DepthFirst(SearchCore<Store>& core) : core_(core), worker_(core) {}

  void run() {
    worker_.begin();
    const std::vector<std::byte> initial = core_.system().initial_state();
    enter(worker_.start(initial), initial, 0);
    while (!frames_.empty() && !core_.is_over()) {
      Frame& top = frames_.back();
      if (top.pending == 0 && top.is_reduced && !top.leads_on) {
        expand_in_full(top);
        continue;
      }
      if (top.pending == 0) {
        worker_.leave(top.state);
        if (reduces()) on_path_[top.state] = false;
        frames_.pop_back();
        continue;
      }
      --top.pending;
      const PendingStack::Entry next = pending_.pop();
      const Insertion arrival = worker_.arrive_at(top.state, next.attempt, next.key, next.bytes);
      worker_.count_steps(1, arrival.is_new ? 1 : 0);
      if (!arrival.is_new) {
        top.leads_on |= reduces() && !on_path_[arrival.index] ? 1 : 0;
        continue;
      }
      top.leads_on = 1;
      enter(arrival.index, next.bytes, next.attempt);
    }
    worker_.rest();
  }

 private:
  // States between two looks at clock and memory.
  static constexpr unsigned kPollEvery = 32;

  struct Frame {
    StateIndex state = kNoState;
    std::uint32_t attempt = 0;  // by which the state was entered; meaningless for the first
    std::uint32_t pending = 0;  // successors still to be followed
    std::uint32_t followed : 30 = 0;  // how many there were
    std::uint32_t is_reduced : 1 = 0;
    std::uint32_t leads_on : 1 = 0;  // one of its steps has led off the path
  };

  // A state whose bytes are forgotten could not be expanded a second time, so it is not reduced.
  bool reduces() const { return Store::kKeepsBytes && core_.reduces(); }

  void enter(StateIndex state, StateBytes bytes, std::uint32_t attempt) {
    const std::uint64_t depth = frames_.size();
    core_.note_depth(depth);
    if (core_.is_beyond_depth_limit(depth)) return;
    frames_.push_back({state, attempt});
    if (reduces()) {
      if (on_path_.size() <= state) on_path_.resize(std::size_t{state} + 1);
      on_path_[state] = true;
    }
    // The same bytes, but with them the store's room for the successors.
    if constexpr (Store::kKeepsBytes) bytes = core_.store().get(state, room_);
    if (worker_.admit(state, bytes, depth)) expand(frames_.back(), bytes, depth);
    if (++since_poll_ == kPollEvery) {
      since_poll_ = 0;
      worker_.poll(memory_bytes());
      core_.show_progress();
    }
  }

  // Its few steps led nowhere new: now all of them.
  void expand_in_full(Frame& frame) {
    if constexpr (Store::kKeepsBytes) {
      worker_.take_back(frame.followed);
      expand(frame, core_.store().get(frame.state, room_), frames_.size() - 1, true);
    }
  }

  void expand(Frame& frame, StateBytes state, std::uint64_t depth,
              bool in_full = !Store::kKeepsBytes) {
    worker_.clear();
    worker_.expand(frame.state, state, depth, in_full);
    const Expansion& expansion = worker_.expansion();
    if (!expansion.findings.empty() && core_.has_untraced()) {
      core_.trace_violations([&](StateIndex) { return path(); });
    }
    worker_.prepare(room_);
    const Buffer<Successor>& successors = expansion.successors;
    for (std::size_t i = successors.size(); i-- > 0;) {
      pending_.push(worker_.keys()[i], successors[i].attempt, expansion.state(successors[i]));
    }
    frame.pending = static_cast<std::uint32_t>(successors.size());
    frame.is_reduced = expansion.is_reduced ? 1 : 0;
    frame.followed = frame.pending;
    worker_.count_steps(0, 0, expansion.inner_steps);
  }

  std::vector<std::uint32_t> path() const {
    std::vector<std::uint32_t> attempts;
    std::vector<std::byte> at;
    if (reduces()) at = core_.system().initial_state();
    for (std::size_t i = 1; i < frames_.size(); ++i) {
      std::uint32_t attempt = frames_[i].attempt;
      if constexpr (Store::kKeepsBytes) {
        // The numbers of a reduced expansion mean nothing to others.
        if (reduces()) attempt = core_.go_on(at, frames_[i].state);
      }
      attempts.push_back(attempt);
    }
    return attempts;
  }

  std::uint64_t memory_bytes() const {
    return frames_.memory_bytes() + pending_.memory_bytes() + room_.memory_bytes() +
           on_path_.capacity() / 8;
  }

  SearchCore<Store>& core_;
  SearchWorker<Store> worker_;
  ChunkedVector<Frame> frames_;
  PendingStack pending_;
  typename Store::Room room_;  // of the state expanded last
  std::vector<bool> on_path_;  // by state; only where expansions may be reduced
  unsigned since_poll_ = 0;
};

}  // namespace spoor
