// Cycles whose steps together have all marks (CycleRule::kTogether), by strongly connected components.
//
// The idea. A component whose inner steps together have all marks contains a cycle that has them all, and the
// other way round. One depth-first search finds components while they grow: it keeps a stack of those that it
// knows of on its path, each with the marks of the steps within it; a step back to a state on the path, or to
// one that hangs together with it, unites all components above that state into one. As soon as one has all
// marks the search is over, often long before the component is complete. Any number of marks costs the same.
//
// Rivals. Nested depth-first search has one mark only: claims must be degeneralised first, and fairness
// multiplies the states by the number of processes, where here each process is a mark. Its advantage is
// that it needs two bits per state, and so works where states are not kept. Tarjan's algorithm knows the
// marks of a component only when it is complete.
//
// Invariants:
//   1. A state has no number (not met), a number (live: its component may still grow) or is dead.
//   2. The roots' numbers rise; the live states from one root's number on, up to the next root's, are
//      strongly connected, and root.marks are those of steps that were followed among them.
//   3. No bad cycle goes through a dead state.
//
// Cost: 4 bytes per state, 4 per live state, 24 per component on the path. Citation: Couvreur, "On-the-fly
// verification of linear temporal logic", FM 1999; Gabow, "Path-based depth-first search", IPL 2000.
// Tested by: tests/unit/test_cycles.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/omega.h"
#include "search/core.h"
#include "search/lasso.h"
#include "search/path.h"
#include "search/worker.h"
#include "store/chunked_vector.h"

namespace spoor {

template <RememberingSet Store>
class Components {
 public:
  Components(SearchCore<Store>& core, const OmegaSystem& system)
      : core_(core), system_(system), worker_(core), path_(core, worker_), all_(system.all_marks()) {}

  void run() {
    worker_.begin();
    const std::vector<std::byte> initial = core_.system().initial_state();
    enter(worker_.start(initial), {}, {}, 0);
    while (!path_.empty() && !is_over()) {
      if (path_.top().pending == 0) {
        leave();
        continue;
      }
      const auto arrival = path_.follow();
      const StateIndex state = arrival.found.index;
      if (arrival.found.is_new) {
        enter(state, arrival.bytes, arrival.step, arrival.marks);
      } else if (numbers_[state] != kDead) {
        unite(numbers_[state], arrival.marks);
      }
    }
    if (!bad_.empty()) report();
    if (core_.has_untraced()) {
      core_.trace_violations([&](StateIndex state) { return lasso_maker().trace_to(state); });
    }
    worker_.rest();
  }

 private:
  static constexpr std::uint32_t kDead = UINT32_MAX;
  struct Note {};
  struct Root {
    std::uint32_t number = 0;
    Marks entered_by = 0;  // the marks of the step to it
    Marks marks = 0;       // of the steps within
  };

  void enter(StateIndex state, StateBytes bytes, StepId step, Marks marks) {
    if (numbers_.size() <= state) numbers_.resize(state + std::size_t{1} + state / 2);
    numbers_[state] = kDead;
    // What a depth limit keeps from being expanded is done with, and the result tells of it.
    if (!path_.enter(state, bytes, step, false)) return;
    numbers_[state] = static_cast<std::uint32_t>(live_.size() + 1);
    live_.push_back(state);
    roots_.push_back({numbers_[state], marks, 0});
    path_.poll(numbers_.capacity() * sizeof(std::uint32_t) + live_.memory_bytes() + roots_.memory_bytes());
  }

  // A step with these marks leads to a live state.
  void unite(std::uint32_t number, Marks marks) {
    while (roots_.back().number > number) {
      marks |= roots_.back().marks | roots_.back().entered_by;
      roots_.pop_back();
    }
    roots_.back().marks |= marks;
    if ((roots_.back().marks & all_) == all_ && bad_.empty()) note_bad(roots_.back().number);
  }

  void leave() {
    const StateIndex state = path_.top().state;
    if (roots_.back().number == numbers_[state]) {
      roots_.pop_back();
      while (live_.size() >= numbers_[state] && !live_.empty()) {
        const StateIndex last = live_.back();
        live_.pop_back();
        if (last == state) break;
        numbers_[last] = kDead;
      }
      numbers_[state] = kDead;
    }
    path_.leave();
  }

  bool is_over() const { return core_.is_over() || (!bad_.empty() && core_.ends_with(system_.cycle().kind)); }

  // The live states from this number on are a bad component.
  void note_bad(std::uint32_t first) {
    for (std::size_t i = first - 1; i < live_.size(); ++i) bad_.push_back(live_[i]);
    std::sort(bad_.begin(), bad_.end());
  }

  // At the end, because states that are looked up for a lasso are no longer new to the search.
  void report() {
    const auto is_within = [&](const auto& step) {
      return std::binary_search(bad_.begin(), bad_.end(), step.target);
    };
    Lasso lasso = lasso_maker().make(bad_, is_within);
    core_.examine_cycle(system_.cycle(), std::move(lasso.steps), lasso.loop);
  }

  LassoMaker<Store> lasso_maker() { return {system_, core_.store(), core_.store().index_bound()}; }

  SearchCore<Store>& core_;
  const OmegaSystem& system_;
  SearchWorker<Store> worker_;
  SearchPath<Store, Note, false> path_;
  const Marks all_;
  std::vector<std::uint32_t> numbers_;  // by state: where it is among the live ones, from 1; or kDead
  ChunkedVector<StateIndex> live_;
  ChunkedVector<Root> roots_;
  std::vector<StateIndex> bad_;  // a component, in the order of numbers; empty as long as none is known
};

}  // namespace spoor
