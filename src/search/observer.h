// What can be told about a search while it runs, and what can be answered.
//
// An observer is where recording, scripts and counting live, so that no search has to know of them. Every
// worker of a search has a WorkerObserver of its own, which is called from the worker's thread and needs no
// lock; the Observer makes them before the work begins and takes back what they know at the end. A progress
// listener is told, now and then, of the figures. All members but WorkerObserver's maker have a default that
// does nothing and agrees to everything.
//
// What is told. on_state(s) comes, for observers that want it, once for every state that is about to be
// expanded (so not for those at a depth limit). on_expanded comes once for every state that was expanded,
// with all of its steps, when it is certain that these steps are the ones that count: where a reduced
// expansion fails its proviso, the steps of the expansion in full are told and no others. So over all workers
// every counted step is told exactly once; `told == SearchResult::statistics.transitions - 1` for a search
// that was not decided by a violation. (The figures of a breadth-first search that was decided are those of
// the levels before, bfs.h; its observers may have been told of more.)
//
// Order of calls, of one worker. A breadth-first search asks about a small batch of states and then tells of
// their steps, in the order of the states' numbers where it has one worker. A depth-first search tells of a
// state when it leaves it, that is when all below it have been told; when it ends early, the states on its
// path are told last, from the deepest on, with `is_complete` false and the steps followed so far.
//
// Cost: one virtual call per state, two with on_state (docs/adr/0014 has the figures); labels cost what the
// column costs.
// Tested by: tests/unit/test_observer.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/level.h"
#include "model/system.h"
#include "store/visited_set.h"

namespace spoor {

struct Violation {
  Finding finding;
  // The trace: the names of its steps, from the initial state on. For a finding of a step the last
  // one is that step; for a finding of a state they lead to that state.
  std::vector<StepId> steps;
  // For a lasso: how many steps lead to the cycle; the steps behind them are the cycle.
  std::optional<std::size_t> loop = std::nullopt;
};

struct Statistics {
  // Distinct ones, the initial one included; a store that forgets states counts a state each time it is new.
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;  // arrivals: the initial state, and every successor generated
  std::uint64_t matched = 0;      // arrivals at a state that was there already
  std::uint64_t inner_steps = 0;  // inside indivisible sequences
  std::uint64_t skipped = 0;      // states that the observer did not want expanded
  std::uint64_t depth = 0;        // steps from the initial state to the deepest one, on the search's path
  std::uint64_t findings = 0;     // occurrences of counted findings, not distinct ones
  double elapsed_s = 0;
  double cpu_s = 0;
  std::uint64_t memory_bytes = 0;  // peak of what the search allocated
};

// kSkip: the observer vouches that nothing below this state needs to be looked at; the verdict of
// the search is then only as good as its word. kStop: end with LimitHit::kObserver.
enum class Visit : std::uint8_t { kExpand, kSkip, kStop };

struct StateEvent {
  StateNumber number = kNoState;
  StateBytes bytes;
  std::uint64_t depth = 0;
};

// The names of some steps, which lie in what a search has at own.
class StepNames {
 public:
  StepNames() = default;
  explicit StepNames(std::span<const StepId> names)
      : first_(reinterpret_cast<const std::byte*>(names.data())),
        stride_(sizeof(StepId)),
        size_(names.size()) {}
  explicit StepNames(std::span<const Successor> successors)
      : first_(reinterpret_cast<const std::byte*>(successors.data()) + offsetof(Successor, step)),
        stride_(sizeof(Successor)),
        size_(successors.size()) {}

  std::size_t size() const { return size_; }
  StepId operator[](std::size_t i) const { return *reinterpret_cast<const StepId*>(first_ + i * stride_); }

 private:
  const std::byte* first_ = nullptr;
  std::size_t stride_ = 0, size_ = 0;
};

// A reduced expansion that was given up for one in full.
struct ExpansionAttempt {
  StepNames steps;
  std::uint64_t inner_steps = 0;
  std::uint32_t executed = 0;
};

// A state and its steps. What it refers to is valid during the call.
struct ExpandedEvent {
  StateNumber source = kNoState;
  StepNames steps;
  // Where each step leads, in the order of `steps`: the index of an arrival is the number of the state. A
  // store that does not name states (kNamesStates) has a number for new states only. With one that forgets
  // states (kForgetsStates) a state that was forgotten is new when it is met again, and has another number.
  std::span<const Insertion> arrivals;
  // Which statement each step is (the column `labels`, model/expansion.h), in the order of `steps`; empty for
  // observers that do not want them.
  std::span<const std::uint32_t> labels;
  // The marks of the steps (model/omega.h), in the order of `steps`; empty where the system has none.
  std::span<const Marks> marks;
  std::span<const Finding> findings;  // of the state and of its steps
  bool was_reduced = false;           // steps were left out
  // Steps were left out at first, and then not, because of the proviso. What was tried first; null where the
  // search does not have it any more.
  bool is_again_in_full = false;
  const ExpansionAttempt* first_attempt = nullptr;
  bool is_complete = true;        // false: the search ended before all steps were followed
  std::uint64_t inner_steps = 0;  // as in model/expansion.h
  // Which statements its steps execute: a number of one of the worker's sets (search/executed_sets.h); for
  // observers that want it, else 0.
  std::uint32_t executed = 0;
};

// The states of a search, as long as its store is there.
class KeptStates {
 public:
  virtual ~KeptStates() = default;
  // Numbers of states are below the bound, and in none of the gaps, which are in no order and may be empty:
  // several threads number states in blocks, and each leaves its last block unfinished.
  virtual StateNumber bound() const = 0;
  virtual std::span<const IndexRange> gaps() const = 0;
  // The numbers of all states in the order of their levels; empty where the search has no levels.
  virtual std::span<const IndexRange> by_level() const = 0;
  // Are these all states that can be reached? No violation and no limit has ended the search.
  virtual bool is_complete() const = 0;
  // The bytes are valid until the next call. REQUIRES: there is a state with this number.
  virtual StateBytes get(StateNumber number) = 0;
  // The same for many, without decoding them where that can be avoided: some of the states from `first` on,
  // at least that one and at most so many as there is room for. Returns how many. REQUIRES: there are states
  // with all numbers that there is room for.
  virtual std::size_t as_kept(StateNumber first, std::span<KeptState> room) {
    room[0] = {nullptr, get(first)};
    return 1;
  }
};

// One worker's part in observing.
class WorkerObserver {
 public:
  virtual ~WorkerObserver() = default;

  // Is on_state to be called? Asked once, before the work begins.
  virtual bool wants_states() const { return true; }
  // Is on_expanded? Asked once, too.
  virtual bool wants_steps() const { return true; }
  // Are labels to be told? Asked once, too. Native code must have been made for it (check/model_options.h,
  // has_labels), or the interpreter does the work.
  virtual bool wants_labels() const { return false; }
  // Is it to be told which statements each expansion executes? Asked once, too.
  virtual bool wants_executed() const { return false; }
  // With wants_executed: the worker has a new set of statements, in ascending order. The first is number 0.
  virtual void on_executed_set(std::span<const std::uint32_t>) {}
  virtual Visit on_state(const StateEvent&) { return Visit::kExpand; }
  virtual void on_expanded(const ExpandedEvent&) {}
};

// All members are called from the thread that began the search, while no worker is at work.
class Observer {
 public:
  virtual ~Observer() = default;

  // Once for each worker, before it begins; a search with another store makes new workers.
  virtual std::unique_ptr<WorkerObserver> make_worker_observer() = 0;
  // Once for each worker, at its end.
  virtual void merge(WorkerObserver&) {}
  // Once per distinct defect; a second time where a breadth-first search then meets it on a shorter
  // trace within the same level.
  virtual void on_violation(const Violation&) {}
  // May a search go on without the observer, where it would otherwise have to end for lack of memory? From
  // then on states have other numbers. The observer is told nothing more; its workers end as usual.
  virtual bool may_be_left_behind() const { return false; }
  // Once, after all workers, where the store keeps states and does not forget any.
  virtual void on_end(KeptStates&) {}
};

class ProgressListener {
 public:
  virtual ~ProgressListener() = default;
  // `levels`: of a breadth-first search; see SearchResult.
  virtual void on_progress(const Statistics&, std::span<const Level> levels) = 0;
};

}  // namespace spoor
