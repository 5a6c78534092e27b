// Cycles where states are not kept: nested depth-first search, with two entries in the store for each state.
//
// The idea. Call a step bad that has all marks. A depth-first search, the outer one, visits all states.
// When it leaves a state that has bad steps, it starts another, the inner one, from there: does a bad step
// lead back? What the inner searches have visited is remembered for all of them, by a second entry of the
// state in the same store, under another key. So a state is entered at most twice, and all that is needed
// is a set that can be added to.
//
// The outer search closes cycles, too, as soon as a step leads back to its path: along the path the places
// of the bad steps are known. Without that a violation near the initial state would be found only when the
// search leaves it, after all that is reachable from there. Example: `<> (a == 2)` in a model with the
// process `do :: a = 1 - a od` and three counters is refuted after 256 states, as in the stores that keep
// states; without it four million do not suffice.
//
//   kTogether   (one mark.) The inner search follows the bad steps of the state that it starts from, then
//               any. When it meets a state of the outer path, the cycle is closed: along the path to where
//               it started, by the bad step, and back. What an inner search has visited in vain later ones
//               need not visit, because states are left in postorder: were there a way from there to a
//               later start s, then an earlier start would reach s, which was on the path, and would have
//               closed a cycle itself.
//   kEveryStep  The inner search follows bad steps only, and what it looks for is a state of its own path.
//               (The argument above fails: the way from s down the outer path need not consist of bad
//               steps. Example: s has steps to a, and, bad, to b; a has a bad step to s, b to s. The inner
//               search from a visits s and b and closes no cycle through a; that from b may not visit s
//               again. But any depth-first search of the graph of the bad steps closes a cycle if there is
//               one, as in weak_cycles.h.)
//
// Several marks are made one first (one_mark.h).
//
// Marks are on steps, where the literature has them on states: read "a state with bad steps" as a state
// with a copy, which is accepting, is its last successor, and has its bad steps only.
//
// Paths. Which states are on them is known by their keys (path_keys.h), 64 bits each. Of the states on the
// outer path those with bad steps are kept in full, so that the inner search can start from them. A cycle
// is walked once more before it is reported, so that no confusion of keys passes for one.
//
// Rivals. Components (components.h) need an entry for each state that can change, and states that have
// names. The first nested search (1992) looks for its start only; to look for any state of the path (1996)
// closes the cycle earlier. Schwoon and Esparza (2005) let the outer search close cycles, as here, and never
// start from states that inner searches have visited; for that a state's colour must be read and changed,
// and filters cannot. (Components close a cycle also where a step leads to a state that was left; here the
// inner search does, later. So the first states are searched by components, search.h.)
//
// Invariants:
//   1. The bytes in `seeds_` are those of the path's states with bad steps, in their order.
//   2. Note::bad_place. kTogether: the last state of the path, up to this one, that a bad step has entered;
//      0: none. kEveryStep: the first state of the path from which bad steps only lead to this one.
//   3. Without a violation: no bad cycle goes through a state that was left (unless the store has taken it
//      for another).
//
// The figures are those of the outer search; those of a filter count all entries. The lasso consists of the
// paths, so it is as long as these happen to be.
//
// Cost: two entries per state, at most two expansions; on the path 20 to 28 bytes more than dfs.h, and some
// states. Citation: Courcoubetis, Vardi, Wolper, Yannakakis, "Memory-efficient algorithms for the
// verification of temporal properties", FMSD 1, 1992; Holzmann, Peled, Yannakakis, "On nested depth first
// search", SPIN 1996; Schwoon, Esparza, "A note on on-the-fly verification algorithms", TACAS 2005.
// Tested by: tests/unit/test_cycles.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/omega.h"
#include "search/core.h"
#include "search/path.h"
#include "search/path_keys.h"
#include "search/pending_stack.h"
#include "search/worker.h"
#include "store/chunked_vector.h"

namespace spoor {

// The inner searches, one after the other.
template <RememberingSet Store>
class InnerSearch {
 public:
  InnerSearch(SearchCore<Store>& core, SearchWorker<Store>& worker, const OmegaSystem& system,
              const PathKeys& outer)
      : core_(core),
        worker_(worker),
        all_(system.all_marks()),
        every_(system.rule() == CycleRule::kEveryStep),
        outer_(outer) {}

  bool is_bad(Marks marks) const { return (marks & all_) == all_; }
  bool needs_every_step() const { return every_; }

  // Searches from this state until a cycle may be closed (true) or nothing is left to visit. What an inner
  // search has visited before is not visited again. `others`: bytes that the search has beside this.
  bool start(StateBytes state, std::uint64_t others) {
    others_ = others;
    const std::uint64_t key = Store::key(state);
    if (every_ && !worker_.mark(inner_key(key)).is_new) return false;
    enter(state, key, {}, true);
    return advance();
  }
  // The cycle that was closed last is not real: continues. REQUIRES: `start` or this has returned true.
  bool advance() {
    while (!frames_.empty() && !core_.is_over()) {
      if (frames_.back().pending == 0) {
        leave();
        continue;
      }
      --frames_.back().pending;
      const PendingStack::Entry next = pending_.pop();
      closed_by_ = next.step;
      closed_at_ = (every_ ? own_ : outer_).find(next.key);
      if (closed_at_) return true;
      if (worker_.mark(inner_key(next.key)).is_new) enter(next.bytes, next.key, next.step, every_);
    }
    stop();
    return false;
  }
  void stop() {
    while (!frames_.empty()) {
      for (; frames_.back().pending != 0; --frames_.back().pending) pending_.pop();
      leave();
    }
  }

  // From the start on, the step that closes the cycle included.
  std::vector<StepId> steps() const {
    std::vector<StepId> steps;
    for (std::size_t i = 1; i < frames_.size(); ++i) steps.push_back(frames_[i].step);
    steps.push_back(closed_by_);
    return steps;
  }
  // How many steps lead to the cycle; `start`: how many lead to where this search has started.
  std::size_t loop(std::size_t start) const { return *closed_at_ + (every_ ? start : 0); }

  std::uint64_t memory_bytes() const {
    return frames_.memory_bytes() + pending_.memory_bytes() + own_.memory_bytes();
  }

 private:
  struct Frame {
    StepId step;
    std::uint32_t pending = 0;
  };
  static constexpr unsigned kPollEvery = 32;

  // Of the second entry. No two keys are made the same.
  static std::uint64_t inner_key(std::uint64_t key) {
    key = (key ^ 0x9fb21c651e98df25u) * 0x9e3779b97f4a7c15u;
    return key ^ key >> 29;
  }

  void enter(StateBytes state, std::uint64_t key, StepId step, bool by_bad_steps_only) {
    // The start is the last state of the outer path.
    if (core_.is_beyond_depth_limit(outer_.size() - 1 + frames_.size())) return;
    frames_.push_back({step, 0});
    if (every_) own_.push(key);
    worker_.clear();
    worker_.expand_again(state);
    const Expansion& expansion = worker_.expansion();
    for (std::size_t i = expansion.successors.size(); i-- > 0;) {
      const Marks marks = i < expansion.marks.size() ? expansion.marks[i] : 0;
      if (by_bad_steps_only && !is_bad(marks)) continue;
      const Successor& successor = expansion.successors[i];
      const StateBytes target = expansion.state(successor);
      const std::uint64_t target_key = Store::key(target);
      core_.store().prefetch(inner_key(target_key));
      pending_.push(target_key, successor.step, marks, target);
      ++frames_.back().pending;
    }
    if (++since_poll_ < kPollEvery) return;
    since_poll_ = 0;
    worker_.poll(others_ + memory_bytes());
    core_.show_progress();
  }

  void leave() {
    if (every_) own_.pop();
    frames_.pop_back();
  }

  SearchCore<Store>& core_;
  SearchWorker<Store>& worker_;
  const Marks all_;
  const bool every_;
  const PathKeys& outer_;
  PathKeys own_;  // with kEveryStep only
  ChunkedVector<Frame> frames_;
  PendingStack pending_;
  StepId closed_by_;
  std::optional<std::size_t> closed_at_;
  std::uint64_t others_ = 0;
  unsigned since_poll_ = 0;
};

template <RememberingSet Store>
class NestedDfs {
  static_assert(!Store::kKeepsBytes);

 public:
  // REQUIRES: the system has one mark at most, or its rule is kEveryStep.
  NestedDfs(SearchCore<Store>& core, const OmegaSystem& system)
      : core_(core),
        system_(system),
        worker_(core),
        path_(core, worker_),
        inner_(core, worker_, system, keys_) {}

  void run() {
    worker_.begin();
    const std::vector<std::byte> initial = core_.system().initial_state();
    Arrival first;
    first.key = Store::key(initial);
    first.bytes = initial;
    enter(worker_.start(initial), first);
    while (!path_.empty() && !core_.is_over()) {
      if (path_.top().pending == 0) {
        leave();
        continue;
      }
      const Arrival arrival = path_.follow();
      if (arrival.found.is_new) {
        enter(arrival.found.index, arrival);
      } else if (!is_found_) {
        close_cycle(arrival);
      }
    }
    worker_.rest();
  }

 private:
  struct Note {
    std::uint32_t has_bad_steps = 0;
    std::uint32_t bad_place = 0;  // invariant 2
  };
  using Path = SearchPath<Store, Note, true>;
  using Arrival = typename Path::Arrival;

  void enter(StateIndex state, const Arrival& arrival) {
    entered_.assign(arrival.bytes.begin(), arrival.bytes.end());
    if (!path_.enter(state, entered_, arrival.step, false)) return;
    keys_.push(arrival.key);
    if (const std::size_t place = path_.size() - 1; place > 0) {
      const bool begins_here = inner_.is_bad(arrival.marks) != inner_.needs_every_step();
      path_.top().note.bad_place =
          begins_here ? static_cast<std::uint32_t>(place) : path_[place - 1].note.bad_place;
    }
    const Expansion& expansion = worker_.expansion();
    const auto is_bad = [&](Marks marks) { return inner_.is_bad(marks); };
    if (std::any_of(expansion.marks.begin(), expansion.marks.end(), is_bad)) {
      path_.top().note.has_bad_steps = 1;
      seeds_.push(arrival.key, {}, 0, entered_);
    }
    if (!expansion.findings.empty() && core_.has_untraced()) {
      core_.trace_violations([&](StateIndex) { return trace(); });
    }
    path_.poll(others());
  }

  void leave() {
    if (path_.top().note.has_bad_steps != 0) {
      const StateBytes seed = seeds_.pop().bytes;
      if (!is_found_) look_for_cycle(seed);
    }
    keys_.pop();
    path_.leave();
  }

  // The step leads to a state that was visited before: to one on the path, so that a bad cycle is closed?
  void close_cycle(const Arrival& arrival) {
    const std::size_t bad_place = path_.top().note.bad_place;
    const bool is_bad = inner_.is_bad(arrival.marks);
    if (!is_bad && (inner_.needs_every_step() || bad_place == 0)) return;
    const std::optional<std::size_t> place = keys_.find(arrival.key);
    if (!place) return;
    if (inner_.needs_every_step() ? *place < bad_place : !is_bad && *place >= bad_place) return;
    std::vector<StepId> steps = trace();
    steps.push_back(arrival.step);
    report_if_real(std::move(steps), *place);
  }

  void look_for_cycle(StateBytes seed) {
    bool is_closed = inner_.start(seed, path_.memory_bytes() + others());
    for (; is_closed; is_closed = !is_found_ && inner_.advance()) {
      std::vector<StepId> steps = trace();
      const std::size_t loop = inner_.loop(steps.size());
      for (const StepId step : inner_.steps()) steps.push_back(step);
      report_if_real(std::move(steps), loop);
    }
    if (is_found_) inner_.stop();
  }

  void report_if_real(std::vector<StepId> steps, std::size_t loop) {
    if (!is_real(steps, loop)) return;
    core_.examine_cycle(system_.cycle(), std::move(steps), loop);
    is_found_ = true;
  }

  // Do the steps from `loop` on lead back to where they begin? If not, two states have the same key.
  bool is_real(const std::vector<StepId>& steps, std::size_t loop) const {
    std::vector<std::byte> at = core_.system().initial_state();
    std::vector<std::byte> begin;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (i == loop) begin = at;
      core_.take_step(at, steps[i]);
    }
    return at == begin;
  }

  std::vector<StepId> trace() const {
    std::vector<StepId> steps;
    for (std::size_t i = 1; i < path_.size(); ++i) steps.push_back(path_[i].step);
    return steps;
  }

  std::uint64_t others() const {
    return keys_.memory_bytes() + seeds_.memory_bytes() + inner_.memory_bytes() + entered_.capacity();
  }

  SearchCore<Store>& core_;
  const OmegaSystem& system_;
  SearchWorker<Store> worker_;
  Path path_;
  PathKeys keys_;       // of the states on the path
  PendingStack seeds_;  // those with bad steps
  std::vector<std::byte> entered_;
  InnerSearch<Store> inner_;
  bool is_found_ = false;
};

}  // namespace spoor
