// Bad cycles, of either rule, by several threads: strongly connected components in sets that all of them
// share.
//
// The idea. Every thread does what components.h does, a depth-first search that unites what hangs together,
// but the components are shared (state_sets.h): what one thread has found to be on a cycle is so for all, and
// what one has found to be complete (dead) no thread enters again. The threads follow the steps of a state in
// different orders, and so drift apart. A thread that enters a component where others work becomes one of its
// workers: it expands states that are not finished, and leaves when none is left. So every thread that
// reaches a component works on it, however large the component is.
//
// One thread. A state of the path is the first of its component on it, or it was united with one further
// up. The steps of the latter are followed, and then it is left; the first stays until all states of its
// component are finished, those that it has not met itself included. Thus a thread alone expands every
// state once, in depth-first order. (Bloemen et al. let every state of the path wait so, which expands the
// path again.)
//
// Marks. A step within a component adds its marks to it: when a step leads back to a component on the path,
// and for those components on the path that are united thereby, the step to each. A thread that finishes a
// state has followed all its steps, or knows that they lead out; a component is dead when all its states are
// finished, so no step within is missed, whichever thread has united it. A component that has all marks has a
// bad cycle.
//
// kEveryStep. The graph is that of the bad steps (weak_cycles.h): what another step leads to is put into a
// queue of states to begin at (root_queue.h). A component that has a step within is bad at once.
//
// Rivals. CNDFS (Evangelista, Laarman, Petrucci, van de Pol, ATVA 2012) runs nested searches that share
// colours. It needs a few bits per state, where this needs 24 bytes, but knows one mark only, expands
// states twice, and waits for others where their searches overlap.
//
// The beginning belongs to the first thread: with fewer states than kWorthSharing the result is the same in
// every run. With more, a search without a violation finds the same states, and counts the same steps;
// which of several violations is found first depends on the threads. The lasso is made when all rest
// (lasso.h).
//
// Invariants:
//   1. A thread is a worker of a set that is not dead if and only if a state of the set is on its path.
//   2. roots: of each set on the path the first state, in order, with the marks of the step to it; unless
//      another thread has united some of them meanwhile.
//   3. A state is finished if each of its steps leads to a dead set, or to its own with its marks noted
//      there.
//   4. When all threads rest, the states of a set can reach each other within it. (Not before: a thread
//      unites a part of its path piece by piece, and others may rely on the first piece. So it must continue
//      to the state where it meant to stop when it began; examples/self/sets.pml, -DEARLY.)
//
// Observers. A state may be expanded by several threads; the first asks whether it is to be expanded, looks
// up all its successors and tells of them, while others that come to the same state wait. So each new state
// is told as new by the step that found it.
//
// Cost: 24 bytes per state. A state may be expanded by several threads, but is counted, and its findings
// are examined, once. Citation: Bloemen, Laarman, van de Pol, "Multi-core on-the-fly SCC decomposition",
// PPoPP 2016; for marks, Bloemen, van de Pol, "Multi-core SCC-based LTL model checking", HVC 2016.
// Tested by: tests/unit/test_cycles.cpp
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model/omega.h"
#include "search/core.h"
#include "search/lasso.h"
#include "search/pending_stack.h"
#include "search/root_queue.h"
#include "search/state_sets.h"
#include "search/thread_team.h"
#include "search/worker.h"
#include "store/chunked_vector.h"

namespace spoor {

// `Pause`: called where the interleaving of threads matters (state_sets.h).
template <VisitedSet Store, class Pause>
class SharedComponentsWith {
  static_assert(Store::kIsShared && Store::kKeepsBytes && Store::kNamesStates);

 public:
  static constexpr std::uint64_t kWorthSharing = 20'000;  // states

  // From `worth_sharing` states on there are several threads. REQUIRES: no depth limit.
  SharedComponentsWith(SearchCore<Store>& core, const OmegaSystem& system,
                       std::uint64_t worth_sharing = kWorthSharing)
      : core_(core),
        system_(system),
        all_(system.all_marks()),
        every_(system.rule() == CycleRule::kEveryStep),
        worth_sharing_(worth_sharing),
        stops_at_cycle_(core.ends_with(system.cycle().kind)),
        team_(std::clamp(core.options().threads, 1u, StateSets<>::kMostWorkers)) {
    for (unsigned i = 0; i < team_.size(); ++i)
      worker_states_.push_back(std::make_unique<WorkerState>(core_, i));
  }

  void run() {
    WorkerState& first = *worker_states_.front();
    first.worker.begin();
    initial_ = first.worker.start(core_.system().initial_state());
    first.worker.rest();
    queue_.join();
    work(0);
    if (!first.is_done && !is_over()) {
      is_shared_ = true;
      team_.run([this](unsigned number) {
        if (number != 0) queue_.join();
        work(number);
      });
    }
    for (const std::unique_ptr<WorkerState>& each : worker_states_) core_.note_depth(each->depth);
    first.worker.begin();
    report();
    first.worker.rest();
  }

 private:
  using Sets = StateSets<Pause>;
  static constexpr unsigned kPollEvery = 32;  // states

  // A state of the path.
  struct Frame {
    StateIndex state = kNoState;
    // The state of its set whose steps are followed: itself, as long as it is not finished.
    StateIndex at = kNoState;
    std::uint32_t pending = 0;  // of these steps
  };
  struct Root {
    std::size_t frame = 0;
    Marks entered_by = 0;
  };
  // What a thread has for itself.
  struct WorkerState {
    WorkerState(SearchCore<Store>& core, unsigned number) : worker(core), number(number), random(number) {}

    std::uint64_t memory_bytes() const {
      return frames.memory_bytes() + roots.memory_bytes() + pending.memory_bytes() + room.memory_bytes() +
             (found_roots.capacity() + own_roots.size()) * sizeof(StateIndex);
    }

    SearchWorker<Store> worker;
    const unsigned number;
    std::minstd_rand random;
    ChunkedVector<Frame> frames;
    ChunkedVector<Root> roots;
    PendingStack pending;
    typename Store::DecodeBuffer room;
    std::vector<StateIndex> found_roots;  // to be put into the queue
    std::deque<StateIndex> own_roots;     // taken from it
    std::vector<std::uint32_t> order;     // working memory of expand()
    std::uint64_t states = 0;             // that it has found
    std::uint64_t depth = 0;
    unsigned since_poll = 0;
    StateIndex root = kNoState;  // where the search at hand has begun
    bool is_open = false;        // others may help with it
    bool has_begun = false;
    bool is_done = false;
  };

  bool is_over() const {
    return core_.is_over() || (stops_at_cycle_ && bad_.load(std::memory_order_relaxed) != kNoState);
  }
  // The first thread has enough to share, and the others are not there yet.
  bool is_to_share(const WorkerState& own) const {
    return !is_shared_ && own.states >= worth_sharing_ && team_.size() > 1;
  }

  void work(unsigned number) {
    WorkerState& own = *worker_states_[number];
    own.worker.begin();
    try {
      search(own);
    } catch (const std::bad_alloc& error) {
      // The machine's memory, or the user's ulimit, is a limit like any other.
      core_.end(limit_of(error));
    } catch (...) {
      queue_.close();
      own.worker.rest();
      throw;
    }
    if (is_over()) queue_.close();
    own.worker.rest();
  }

  void search(WorkerState& own) {
    if (!std::exchange(own.has_begun, true)) begin_at(own, initial_);
    for (;;) {
      follow_path(own);
      if (is_over() || is_to_share(own)) return;
      if (std::exchange(own.is_open, false)) queue_.shut(own.root);
      if (own.own_roots.empty()) take_roots(own);
      if (own.is_done) return;
      const StateIndex root = own.own_roots.front();
      own.own_roots.pop_front();
      begin_at(own, root);
    }
  }

  void take_roots(WorkerState& own) {
    queue_.put(own.found_roots);
    own.worker.rest();  // a waiting thread must not keep others from growing their tables
    const RootQueue::Taken taken = queue_.take(own.own_roots);
    own.worker.begin();
    own.is_done = taken == RootQueue::Taken::kNothing;
    own.is_open = taken == RootQueue::Taken::kOpen;
  }

  void begin_at(WorkerState& own, StateIndex state) {
    own.root = state;
    if (sets_.claim(state, own.number) == Sets::Claim::kJoined) enter(own, state, 0);
  }

  void follow_path(WorkerState& own) {
    while (!own.frames.empty() && !is_over() && !is_to_share(own)) {
      Frame& top = own.frames.back();
      if (top.pending == 0) {
        finish(own);
      } else if (sets_.is_finished(top.at)) {
        for (; top.pending != 0; --top.pending) own.pending.pop();  // another thread was faster
      } else {
        follow(own);
      }
    }
  }

  // Takes the next step of the last state.
  void follow(WorkerState& own) {
    Frame& top = own.frames.back();
    --top.pending;
    const PendingStack::Entry next = own.pending.pop();
    const Insertion found = own.worker.arrive_at(next.key, next.bytes);
    if (found.is_new) count_new(own);
    if (every_ && (next.marks & all_) != all_) {
      if (found.is_new) wait(own, found.index);
      return;
    }
    Pause::here();
    switch (sets_.claim(found.index, own.number)) {
      case Sets::Claim::kDead: return;
      case Sets::Claim::kJoined: return enter(own, found.index, next.marks);
      case Sets::Claim::kMine: return unite(own, found.index, next.marks);
    }
  }

  void wait(WorkerState& own, StateIndex state) {
    own.found_roots.push_back(state);
    if (own.found_roots.size() >= RootQueue::kPortion || queue_.is_wanting()) queue_.put(own.found_roots);
  }

  void enter(WorkerState& own, StateIndex state, Marks marks) {
    own.roots.push_back({own.frames.size(), marks});
    own.frames.push_back({state, kNoState, 0});
    own.depth = std::max<std::uint64_t>(own.depth, own.frames.size() - 1);
  }

  // A step with these marks leads from the last state to a set on the path. All that is on the path from
  // there on is united with it, whatever others do to these sets meanwhile: were this to end as soon as both
  // ends of the step are together, which may be another thread's doing, a set could be left in which a state
  // cannot be reached but through one outside.
  void unite(WorkerState& own, StateIndex target, Marks marks) {
    const std::size_t into = last_root_with(own, target);
    while (own.roots.size() > into + 1) {
      Pause::here();
      const Root last = own.roots.back();
      own.roots.pop_back();
      sets_.unite(own.frames[own.roots.back().frame].state, own.frames[last.frame].state);
      marks |= last.entered_by;
    }
    const Marks needed = every_ ? 0 : all_;
    if ((sets_.add_marks(target, marks) & needed) != needed) return;
    StateIndex none = kNoState;
    bad_.compare_exchange_strong(none, target, std::memory_order_relaxed);
  }

  // REQUIRES: a state of this set is on the path.
  std::size_t last_root_with(const WorkerState& own, StateIndex state) {
    for (std::size_t i = own.roots.size(); i > 0; --i) {
      if (sets_.are_together(state, own.frames[own.roots[i - 1].frame].state)) return i - 1;
    }
    throw std::logic_error("a set with a worker has no state on its path");
  }

  // All steps were followed.
  void finish(WorkerState& own) {
    Frame& top = own.frames.back();
    Pause::here();
    if (top.at != kNoState) sets_.finish(top.at);
    if (own.roots.back().frame != own.frames.size() - 1) {
      own.frames.pop_back();
    } else if (const std::optional<StateIndex> left = sets_.pick(top.state)) {
      top.at = *left;
      expand(own, top);
    } else {
      own.roots.pop_back();
      own.frames.pop_back();
    }
  }

  void expand(WorkerState& own, Frame& frame) {
    SearchWorker<Store>& worker = own.worker;
    poll(own);
    worker.clear();
    const Expansion& expansion = worker.expansion();
    if (worker.is_observed()) [[unlikely]] {
      expand_observed(own, frame.at);
    } else {
      expand_or_again(own, frame.at, sets_.begin_expansion(frame.at));
      worker.prepare(own.room);
    }
    const std::size_t count = expansion.successors.size();
    own.order.resize(count);
    for (std::size_t i = 0; i < count; ++i) own.order[i] = static_cast<std::uint32_t>(count - 1 - i);
    if (own.number != 0) std::shuffle(own.order.begin(), own.order.end(), own.random);
    for (const std::uint32_t i : own.order) {
      const Successor& successor = expansion.successors[i];
      own.pending.push(worker.keys()[i], successor.step, expansion.marks[i], expansion.state(successor));
    }
    frame.pending = static_cast<std::uint32_t>(count);
  }

  void expand_or_again(WorkerState& own, StateIndex state, bool is_first) {
    SearchWorker<Store>& worker = own.worker;
    const StateBytes bytes = core_.store().get(state, own.room);
    if (!is_first) return worker.expand_again(bytes);
    worker.expand(state, bytes, own.frames.size() - 1);
    worker.count_steps(worker.expansion().successors.size(), 0, worker.expansion().inner_steps);
  }

  void expand_observed(WorkerState& own, StateIndex state) {
    ObservedStates& states = observed_[state % observed_.size()];
    // A thread that waits must not keep others from growing their tables.
    while (!states.mutex.try_lock()) {
      own.worker.safe_point();
      std::this_thread::yield();
    }
    const std::lock_guard lock(states.mutex, std::adopt_lock);
    const bool is_first = sets_.begin_expansion(state);
    const StateBytes bytes = core_.store().get(state, own.room);
    if (is_first && !own.worker.admit(state, bytes, own.frames.size() - 1)) states.skipped.insert(state);
    if (states.skipped.contains(state)) return;
    expand_or_again(own, state, is_first);
    own.worker.prepare(own.room);
    if (is_first && own.worker.tells_steps()) arrive_and_tell(own, state);
  }

  // All successors are looked up now; when they are followed, none will be new.
  void arrive_and_tell(WorkerState& own, StateIndex source) {
    const Expansion& expansion = own.worker.expansion();
    own.worker.prefetch_states();
    const std::span<const Insertion> arrivals =
        own.worker.arrive(0, static_cast<std::uint32_t>(expansion.successors.size()));
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
      if (!arrivals[i].is_new) continue;
      count_new(own);
      if (every_ && (expansion.marks[i] & all_) != all_) wait(own, arrivals[i].index);
    }
    ExpandedEvent event;
    event.source = source;
    event.arrivals = arrivals;
    event.findings = expansion.last_findings();
    event.was_reduced = expansion.is_reduced || expansion.is_reduced_for_deadlocks;
    event.inner_steps = expansion.inner_steps;
    event.executed = own.worker.last_executed();
    own.worker.tell_expanded(event, 0);
  }
  void count_new(WorkerState& own) {
    ++own.states;
    own.worker.count_steps(0, 1);
  }

  void poll(WorkerState& own) {
    own.worker.safe_point();
    if (++own.since_poll < kPollEvery) return;
    own.since_poll = 0;
    if (every_ && is_shared_ && !std::exchange(own.is_open, true)) queue_.open(own.root);
    const std::uint64_t shared = (sets_.memory_bytes() + queue_.memory_bytes()) / team_.size();
    own.worker.poll(own.memory_bytes() + shared);
    if (own.number != 0) return;
    core_.note_depth(own.depth);
    core_.show_progress();
  }

  // When all rest.
  void report() {
    const StateIndex bad = bad_.load(std::memory_order_relaxed);
    const std::uint64_t bound = core_.store().index_bound();
    LassoMaker<Store> maker(system_, core_.store(), bound);
    if (bad != kNoState) {
      const StateIndex root = sets_.root_of(bad);
      std::vector<StateIndex> component;
      for (std::uint64_t i = 0; i < bound; ++i) {
        const auto state = static_cast<StateIndex>(i);
        if (sets_.root_of(state) == root) component.push_back(state);
      }
      const auto is_within = [&](const auto& step) {
        return (!every_ || (step.marks & all_) == all_) && sets_.root_of(step.target) == root;
      };
      Lasso lasso = maker.make(component, is_within);
      core_.examine_cycle(system_.cycle(), std::move(lasso.steps), lasso.loop);
    }
    if (core_.has_untraced()) {
      core_.trace_violations([&](StateIndex state) { return maker.trace_to(state); });
    }
  }

  SearchCore<Store>& core_;
  const OmegaSystem& system_;
  const Marks all_;
  const bool every_;
  const std::uint64_t worth_sharing_;
  const bool stops_at_cycle_;
  Sets sets_;
  RootQueue queue_;
  std::atomic<StateIndex> bad_ = kNoState;  // a state of a bad component
  StateIndex initial_ = kNoState;
  // Where there is an observer: those of its states that have a remainder in common.
  struct ObservedStates {
    std::mutex mutex;
    std::unordered_set<StateIndex> skipped;  // not to be expanded
  };
  std::array<ObservedStates, 64> observed_;
  bool is_shared_ = false;  // changed by the first thread while it is alone
  std::vector<std::unique_ptr<WorkerState>> worker_states_;
  ThreadTeam team_;  // the last, so that its threads end first
};

template <RememberingSet Store>
using SharedComponents = SharedComponentsWith<Store, NoPause>;

}  // namespace spoor
