// Cycles on which every step has all marks (CycleRule::kEveryStep), in one depth-first search.
//
// The idea. Call a step bad that has all marks. A bad cycle is a cycle of the graph that has the bad steps
// only, and a depth-first search of a graph closes a cycle if there is one, wherever its roots are and in
// whatever order they are taken. So bad steps are followed depth-first; what any other step leads to is put
// into a queue, to be a root later. Every state is stored and expanded once. A state in the queue that is met
// by a bad step before its turn is entered at once.
//
// Rivals. SPIN looks for cycles without progress by a product with an automaton of two states and a nested
// search: a state is stored twice and expanded up to four times. Nested searches and components
// (components.h) do for weak claims what this does, at more cost. The queue is first in, first out, so that
// outside the bad part states are met breadth-first: cycles near the initial state are found first.
//
// The lasso is made anew when a cycle has been found (lasso.h), and so are traces to other errors.
//
// Invariants:
//   1. A state is kWaiting (in the queue), kOnPath or kDone; each step from a kDone state has been followed.
//   2. Among kDone states there is no bad cycle, and no bad step leads from one to a kWaiting state.
//
// Cost: a byte per state, beside the path. Citation: the argument is that of Cerna and Pelanek, "Relating
// hierarchy of temporal properties to model checking", MFCS 2003, for weak automata.
// Tested by: tests/unit/test_cycles.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "model/omega.h"
#include "search/core.h"
#include "search/lasso.h"
#include "search/path.h"
#include "search/worker.h"

namespace spoor {

template <RememberingSet Store>
class WeakCycles {
 public:
  WeakCycles(SearchCore<Store>& core, const OmegaSystem& system)
      : core_(core), system_(system), worker_(core), path_(core, worker_), all_(system.all_marks()) {}

  void run() {
    worker_.begin();
    const std::vector<std::byte> initial = core_.system().initial_state();
    wait(worker_.start(initial));
    while (!queue_.empty() && !is_over()) {
      const StateIndex root = queue_.front();
      queue_.pop_front();
      if (colours_[root] == kWaiting) enter(root, {});
      search_from_path();
    }
    if (!cycle_.empty()) report();
    if (core_.has_untraced()) {
      core_.trace_violations([&](StateIndex state) { return lasso_maker().trace_to(state); });
    }
    worker_.rest();
  }

 private:
  enum Colour : std::uint8_t { kWaiting, kOnPath, kDone };
  struct Note {};

  void search_from_path() {
    while (!path_.empty() && !is_over()) {
      if (path_.top().pending == 0) {
        colours_[path_.top().state] = kDone;
        path_.leave();
        continue;
      }
      const auto arrival = path_.follow();
      const StateIndex state = arrival.found.index;
      const bool is_bad = (arrival.marks & all_) == all_;
      if (arrival.found.is_new) colour(state, kWaiting);
      if (!is_bad) {
        if (arrival.found.is_new) wait(state);
      } else if (colours_[state] == kOnPath) {
        if (cycle_.empty()) note_cycle(state);
      } else if (colours_[state] == kWaiting) {
        enter(state, arrival.step);
      }
    }
  }

  void wait(StateIndex state) {
    colour(state, kWaiting);
    queue_.push_back(state);
  }

  // What a depth limit keeps from being expanded is done with, and the result tells of it.
  void enter(StateIndex state, StepId step) {
    colour(state, path_.enter(state, {}, step, false) ? kOnPath : kDone);
    path_.poll(colours_.capacity() + queue_.size() * sizeof(StateIndex));
  }

  void colour(StateIndex state, Colour colour) {
    if (colours_.size() <= state) colours_.resize(state + std::size_t{1} + state / 2);
    colours_[state] = colour;
  }

  bool is_over() const {
    return core_.is_over() || (!cycle_.empty() && core_.ends_with(system_.cycle().kind));
  }

  // The path from `state` on is a bad cycle.
  void note_cycle(StateIndex state) {
    for (std::size_t i = path_.size(); i-- > 0;) {
      cycle_.push_back(path_[i].state);
      if (path_[i].state == state) break;
    }
  }

  // At the end, because states that are looked up for a lasso are no longer new to the search.
  void report() {
    const auto is_bad = [&](const auto& step) { return (step.marks & all_) == all_; };
    Lasso lasso = lasso_maker().make(cycle_, is_bad);
    core_.examine_cycle(system_.cycle(), std::move(lasso.steps), lasso.loop);
  }

  LassoMaker<Store> lasso_maker() { return {system_, core_.store(), core_.store().index_bound()}; }

  SearchCore<Store>& core_;
  const OmegaSystem& system_;
  SearchWorker<Store> worker_;
  SearchPath<Store, Note, false> path_;
  const Marks all_;
  std::vector<std::uint8_t> colours_;  // by state
  std::deque<StateIndex> queue_;
  std::vector<StateIndex> cycle_;  // its states; empty as long as none is known
};

}  // namespace spoor
