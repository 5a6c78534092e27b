// Depth-first search: always onward from the newest state (path.h).
//
// The trace to the current state is the list of steps on the path: it costs nothing and is as
// long as the path. A depth limit cuts paths, not distances: a state that was first reached at the
// limit and is later met on a shorter path is not expanded then either. The outcome is Unknown in
// any case.
//
// A reduced expansion (asked.may_reduce) is sound if one of its steps leads to a state that is
// not on the path; otherwise the state is expanded again, in full, before it is left. For such a
// state is left earlier than this one, and by induction over the order of leaving no step is ignored
// from there on. (Holzmann and Peled, "An improvement in formal verification", FORTE 1994.) With
// SearchOptions::reduces_to_new the step must lead to a new state: then steps that were new suffice as a
// proof.
//
// Findings are examined when a state is expanded, those of its later steps included, that is before
// the first step is followed. This finds violations earlier and on shorter traces than waiting
// until each step is taken.
//
// Cost: that of the path. Where one path runs through most of the states this is several times what the
// store needs; breadth-first search is then the better choice.
//
// Invariants:
//   1. The state of a frame was entered from that of the frame before it, by its step.
//
// Tested by: tests/unit/test_search.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/system.h"
#include "search/core.h"
#include "search/path.h"
#include "search/worker.h"

namespace spoor {

template <VisitedSet Store>
class DepthFirst {
 public:
  // A state whose bytes are forgotten could not be expanded a second time, so it is not reduced.
  static constexpr bool kCanReduce = Store::kKeepsBytes;

  explicit DepthFirst(SearchCore<Store>& core) : core_(core), worker_(core), path_(core, worker_) {}

  void run() {
    worker_.begin();
    const std::vector<std::byte> initial = core_.system().initial_state();
    enter(worker_.start(initial), initial, {});
    while (!path_.empty() && !core_.is_over()) {
      auto& top = path_.top();
      if (top.pending == 0 && top.note.is_reduced && !top.note.leads_on) {
        expand_in_full();
        continue;
      }
      if (top.pending == 0) {
        if (reduces()) on_path_[top.state] = false;
        path_.leave();
        continue;
      }
      const auto arrival = path_.follow();
      if (!arrival.found.is_new) {
        top.note.leads_on |= reduces() && !to_new_ && !on_path_[arrival.found.index] ? 1 : 0;
        continue;
      }
      top.note.leads_on = 1;
      enter(arrival.found.index, arrival.bytes, arrival.step);
    }
    worker_.rest();
  }

 private:
  struct Note {
    std::uint32_t followed : 30 = 0;  // how many steps there were
    std::uint32_t is_reduced : 1 = 0;
    std::uint32_t leads_on : 1 = 0;  // one of its steps has led off the path
  };

  bool reduces() const { return kCanReduce && core_.reduces(); }

  void enter(StateIndex state, StateBytes bytes, StepId step) {
    if (!path_.enter(state, bytes, step, !Store::kKeepsBytes)) return;
    if (reduces()) {
      if (on_path_.size() <= state) on_path_.resize(std::size_t{state} + 1);
      on_path_[state] = true;
    }
    note_expansion();
    path_.poll(on_path_.capacity() / 8);
  }

  // Its few steps led nowhere new: now all of them.
  void expand_in_full() {
    if constexpr (Store::kKeepsBytes) {
      worker_.take_back(path_.top().note.followed);
      path_.expand_again_in_full();
      note_expansion();
    }
  }

  void note_expansion() {
    auto& top = path_.top();
    top.note.followed = top.pending;
    top.note.is_reduced = path_.is_reduced() ? 1 : 0;
    if (!worker_.expansion().findings.empty() && core_.has_untraced()) {
      core_.trace_violations([&](StateIndex) { return trace(); });
    }
  }

  std::vector<StepId> trace() const {
    std::vector<StepId> steps;
    for (std::size_t i = 1; i < path_.size(); ++i) steps.push_back(path_[i].step);
    return steps;
  }

  SearchCore<Store>& core_;
  SearchWorker<Store> worker_;
  SearchPath<Store, Note, true> path_;
  const bool to_new_ = core_.options().reduces_to_new;
  std::vector<bool> on_path_;  // by state; only where expansions may be reduced
};

}  // namespace spoor
