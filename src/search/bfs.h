// Breadth-first search, in batches.
//
//   begin();                                   the initial state, or a checkpoint, is the first level
//   for each level, until a verdict or a limit:
//     for each unit of its states:             several threads share them
//       for each batch of a unit:
//         expand_batch();                      all successors, and what goes wrong
//         prepare(), prefetch_states();        keys; the memory that the lookups need is on its way
//         follow_batch();                      lookups: new states are the next level
//     trace_violations();                      when no other thread works
//   end();                                     the figures, a last checkpoint
//
// States are numbered by the store in the order in which they are found, so a level of the search
// is a range of numbers: while the states of one range are expanded, the next range grows behind
// it. No queue, unless the store forgets the bytes of states (frontier_bytes.h).
//
// Batches. A lookup in a large hash table waits for memory, some 100 ns, during which nothing else
// is done if states are looked up as they come. So a batch of states is expanded first; each
// successor gets its key and its slot is asked for (prepare), state by state or when the batch is
// complete; when that is done the first slots have arrived, and the states that they name are asked
// for; then the successors are looked up one after the other. Their order is the same as without
// batches, and so are the numbers of the states.
//
// Threads. The states of a level are cut into units of up to 256. A worker takes units that it found
// itself, whose states are still near, and then steals from the others; a unit is taken by adding to
// its owner's counter. The next level begins when all are done. Small levels are done by one worker.
// Which states a level consists of does not depend on the worker that found them, and neither do the figures.
//
// Traces. For each state the number of the state it was first reached from is kept, in 2 bits
// (ancestry.h). A trace is the chain of these, made at the end of the level, when all workers rest.
// Its steps are recovered from the initial state forward, by expanding each state again and taking
// the first step that leads to the next one; so no state is needed back from the store, only whether
// a state is the one with a given number. Where the store takes two states for one, this finds the
// one that was met first and expanded, because the search met them in the same order; with several
// threads it may be the other one, and the trace is then found out when it is replayed. A store that
// does not name states cannot say which one is meant; then the step by which each state was found is
// kept, too (incoming_steps.h).
//
// Shortest traces. When the level at depth d is expanded, a finding of a state has a trace of d
// steps, one of a step d + 1. So after a finding the rest of the level is still looked through,
// without following its steps. Example: states 1 and 2 are at depth 1; a step out of 1 fails its
// assertion (2 steps), 2 is a deadlock (1 step): the deadlock is reported. Of several with traces
// of the same length one is chosen that does not depend on timing. The figures of such a
// search are those of the levels before: that many states were found and expanded for certain.
//
// Reduced expansions. A system may give only some of the steps of a state (asked.may_reduce).
// That is sound if no step is postponed forever (ignored), and for that it suffices that every reduced state
// has a step to a state of the next level: then in any set of states that the reduced steps do not
// leave, those of the last level are not reduced. (Bosnacki and Holzmann, "Improving SPIN's
// partial-order reduction for breadth-first search", SPIN 2005, let a step to any state that is yet
// to be expanded pass; which states of its own level these are depends on threads.) Where there is no
// such step, the state is expanded again, in full. With SearchOptions::reduces_to_new the step must lead to a
// new state, as in dfs.h.
//
// Invariants:
//   1. Each state of a level is in exactly one unit.
//   2. All states of a level have the same distance from the initial state, the smallest possible.
//
// Tested by: tests/unit/test_search.cpp, tests/unit/test_search_threads.cpp
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "model/system.h"
#include "search/ancestry.h"
#include "search/core.h"
#include "search/frontier_bytes.h"
#include "search/incoming_steps.h"
#include "search/search_log.h"
#include "search/thread_team.h"
#include "search/worker.h"

namespace spoor {

template <RememberingSet Store>
class BreadthFirst {
 public:
  static constexpr bool kCanReduce = true;

  explicit BreadthFirst(SearchCore<Store>& core) : core_(core), team_(useful_threads(core.options())) {
    core_.prefer_shorter_traces();
    for (unsigned i = 0; i < team_.size(); ++i)
      worker_states_.push_back(std::make_unique<WorkerState>(core_));
  }

  // Goes on where a search with another store has ended. To be called before run(). False: a limit was
  // in the way.
  template <class Other>
  bool take_over(const BreadthFirst<Other>& other) {
    WorkerState& first = *worker_states_.front();
    first.worker.begin();
    has_begun_ = log_.take_over(first, other.log(), depth_);
    core_.take_levels(other.levels());
    first.worker.rest();
    return has_begun_;
  }

  void run() {
    if (!has_begun_ && !begin()) return;
    has_begun_ = true;
    for (; begin_level(); ++depth_) {
      search_level();
      if (core_.has_untraced()) core_.trace_violations([&](StateIndex s) { return trace_to(s); });
      if (core_.is_over()) break;
    }
    end();
  }
  // False: a limit was reached while an earlier search was put back.
  bool has_begun() const { return has_begun_; }

  const auto& log() const { return log_; }
  const std::vector<Level>& levels() const { return core_.levels(); }

 private:
  // Enough lookups under way to hide the memory's latency, few enough to stay in the nearest
  // caches.
  static constexpr std::size_t kBatchStates = 32;
  static constexpr std::size_t kBatchSuccessors = 96;
  static constexpr std::size_t kBatchBytes = std::size_t{1} << 18;  // of successors
  static constexpr std::uint32_t kUnitStates = 256;
  static constexpr unsigned kPollEvery = 8;             // batches
  static constexpr std::uint64_t kWorthSharing = 2048;  // states of a level

  // States with indexes one after the other.
  struct Unit {
    StateIndex first = kNoState;
    std::uint32_t count = 0;
    [[no_unique_address]] typename FrontierBytes<Store>::Place place;  // of their bytes
  };

  // A state of the batch, and which of the worker's successors are its own.
  struct Expanded {
    StateIndex state = kNoState;
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    std::uint32_t first_finding = 0;
    std::uint32_t end_finding = 0;
    bool is_reduced = false;   // and the proviso has yet to be met
    bool was_reduced = false;  // steps were left out, whether there is a proviso or not
    bool is_again_in_full = false;
    // What was tried first, if so: which successors, and what they executed.
    struct Attempt {
      std::uint32_t first = 0, end = 0, executed = 0;
      std::uint64_t inner_steps = 0;
    } attempt;
    std::uint32_t executed = 0;  // see ExpandedEvent
    std::uint64_t inner_steps = 0;
    std::vector<std::byte> bytes;  // where it is reduced and the store does not keep them
  };

  // What a worker has beside what every search needs.
  struct WorkerState {
    explicit WorkerState(SearchCore<Store>& core) : worker(core) {}

    void add_to_next_level(StateIndex state, StateBytes bytes) {
      const typename FrontierBytes<Store>::Place place = frontier.add(bytes);
      if (next_units.empty() || next_units.back().count == kUnitStates ||
          next_units.back().first + next_units.back().count != state ||
          !frontier.is_same_chunk(next_units.back().place, place)) {
        next_units.push_back({state, 0, place});
        frontier.begin_unit(place);
      }
      ++next_units.back().count;
      ++next_states;
    }

    std::uint64_t memory_bytes() const {
      std::uint64_t bytes = ancestry.memory_bytes() + incoming_steps.memory_bytes() +
                            frontier.memory_bytes() + room.memory_bytes() +
                            (units.capacity() + next_units.capacity()) * sizeof(Unit);
      if constexpr (!Store::kKeepsBytes) {
        for (const Expanded& expanded : batch) bytes += expanded.bytes.capacity();
      }
      return bytes;
    }

    SearchWorker<Store> worker;
    Ancestry ancestry;
    IncomingStepsFor<Store> incoming_steps;
    FrontierBytes<Store> frontier;
    std::vector<Unit> units;             // of this level, found by this worker
    std::atomic<std::size_t> taken = 0;  // how many of them, and perhaps more
    std::vector<Unit> next_units;        // of the next level
    std::uint64_t next_states = 0;
    std::array<Expanded, kBatchStates> batch;
    std::size_t batch_size = 0;
    [[no_unique_address]] typename Store::DecodeBuffer room;  // of a state that is expanded again
    std::uint64_t batches = 0;
    IndexRange vacant;  // indexes for its next states, when the level began
  };

  // From the initial state, or from where an earlier search was; false when a limit was in the way.
  bool begin() {
    WorkerState& first = *worker_states_.front();
    first.worker.begin();
    if (core_.options().checkpoint.resume.empty()) {
      const std::vector<std::byte> initial = core_.system().initial_state();
      initial_ = first.worker.start(initial);
      first.add_to_next_level(initial_, initial);
    } else {
      has_begun_ = log_.restore(first, depth_);
      first.worker.rest();
      return has_begun_;
    }
    first.worker.rest();
    return true;
  }

  static unsigned useful_threads(const SearchOptions& options) {
    return Store::kIsShared ? std::max(1u, options.threads) : 1;
  }

  // What was the next level is this one. False: it has no states, or they must not be expanded.
  bool begin_level() {
    level_states_ = 0;
    level_bound_ = core_.store().index_bound();
    for (const std::unique_ptr<WorkerState>& each : worker_states_) {
      each->units.swap(each->next_units);
      each->next_units.clear();
      for (const Unit& unit : each->units) core_.note_next_level({unit.first, unit.first + unit.count});
      each->frontier.begin_level();
      each->taken.store(0, std::memory_order_relaxed);
      each->vacant = each->worker.vacant();
      level_states_ += std::exchange(each->next_states, 0);
    }
    core_.mark_figures();
    if (level_states_ == 0) return false;
    core_.note_depth(depth_);
    log_.at_level(depth_);
    core_.note_level(depth_, level_states_);
    return !core_.is_beyond_depth_limit(depth_);
  }

  void end() {
    if (!core_.is_decided() && level_states_ != 0) log_.at_end();
    for (const std::unique_ptr<WorkerState>& each : worker_states_)
      each->worker.note_memory(each->memory_bytes());
    core_.note_memory();
  }

  void search_level() {
    if (team_.size() == 1 || level_states_ < kWorthSharing) {
      work(0);
    } else {
      team_.run([this](unsigned number) { work(number); });
    }
  }

  // One worker's part in a level.
  void work(unsigned number) {
    WorkerState& own = *worker_states_[number];
    own.worker.begin();
    try {
      while (const Unit* const unit = take_unit(number)) {
        if (!search_unit(own, *unit)) break;
        if (number == 0) core_.show_progress();
      }
    } catch (const std::bad_alloc& error) {
      // The machine's memory, or the user's ulimit, is a limit like any other.
      core_.end(limit_of(error));
    } catch (...) {
      own.worker.rest();
      throw;
    }
    own.worker.rest();
  }

  // A unit that no worker has taken yet: one of its own, or else one of another worker's.
  const Unit* take_unit(unsigned number) {
    for (std::size_t i = 0; i < worker_states_.size(); ++i) {
      WorkerState& owner = *worker_states_[(number + i) % worker_states_.size()];
      if (owner.taken.load(std::memory_order_relaxed) >= owner.units.size()) continue;
      const std::size_t at = owner.taken.fetch_add(1, std::memory_order_relaxed);
      if (at < owner.units.size()) return &owner.units[at];
    }
    return nullptr;
  }

  // False when the rest of the level is of no interest.
  bool search_unit(WorkerState& own, const Unit& unit) {
    const StateIndex end = unit.first + unit.count;
    own.frontier.open(unit.place);
    for (StateIndex next = unit.first; next < end;) {
      if (core_.is_cut_off()) return false;
      next = expand_batch(own, next, end);
      if (!core_.is_over()) follow_batch(own);
      own.worker.safe_point();
      const bool is_large = own.worker.expansion().arena.size() >= kBatchBytes;
      if (++own.batches % kPollEvery == 0 || is_large) own.worker.poll(own.memory_bytes());
    }
    own.frontier.close(unit.place);
    return true;
  }

  // Expands states from `next` on until the batch is full or something ends it; returns the first
  // state not taken.
  [[gnu::noinline]] StateIndex expand_batch(WorkerState& own, StateIndex next, StateIndex end) {
    SearchWorker<Store>& worker = own.worker;
    own.batch_size = 0;
    worker.clear();
    const Expansion& expansion = worker.expansion();
    while (next < end && own.batch_size < kBatchStates && expansion.successors.size() < kBatchSuccessors &&
           expansion.arena.size() < kBatchBytes) {
      const StateIndex state = next++;
      const StateBytes bytes = own.frontier.take(core_.store(), state);
      if (worker.admit(state, bytes, depth_)) {
        Expanded& expanded = own.batch[own.batch_size++];
        expand(worker, bytes, state, false, expanded);
        if constexpr (!Store::kKeepsBytes) {
          if (expanded.is_reduced) expanded.bytes.assign(bytes.begin(), bytes.end());
        }
        if constexpr (SearchWorker<Store>::kKeysNeedSource) worker.prepare(own.frontier.room());
      }
      if (core_.is_cut_off()) break;
    }
    if constexpr (!SearchWorker<Store>::kKeysNeedSource) worker.prepare(own.frontier.room());
    return next;
  }

  void expand(SearchWorker<Store>& worker, StateBytes bytes, StateIndex state, bool in_full,
              Expanded& expanded) {
    worker.expand(state, bytes, depth_, in_full);
    const Expansion& expansion = worker.expansion();
    expanded.state = state;
    expanded.first = static_cast<std::uint32_t>(expansion.first_successor);
    expanded.end = static_cast<std::uint32_t>(expansion.successors.size());
    expanded.first_finding = static_cast<std::uint32_t>(expansion.first_finding);
    expanded.end_finding = static_cast<std::uint32_t>(expansion.findings.size());
    expanded.is_reduced = expansion.is_reduced;
    expanded.was_reduced = expansion.is_reduced || expansion.is_reduced_for_deadlocks;
    expanded.is_again_in_full = in_full;
    expanded.inner_steps = expansion.inner_steps;
    expanded.executed = worker.last_executed();
  }

  void follow_batch(WorkerState& own) {
    SearchWorker<Store>& worker = own.worker;
    worker.prefetch_states();
    if (!core_.reduces()) {
      // What follows does not depend on what has become of the states before: all at once.
      const std::span<const Insertion> arrivals =
          worker.arrive(0, static_cast<std::uint32_t>(worker.expansion().successors.size()));
      for (std::size_t at = 0; at < own.batch_size; ++at) {
        const Expanded& expanded = own.batch[at];
        own.ancestry.expand(expanded.state);
        note_arrivals(own, expanded, arrivals.subspan(expanded.first, expanded.end - expanded.first));
      }
      return;
    }
    for (std::size_t at = 0; at < own.batch_size; ++at) {
      Expanded& expanded = own.batch[at];
      own.ancestry.expand(expanded.state);
      if (!follow_all(own, expanded)) {
        expand_in_full(own, expanded);
        follow_all(own, expanded);
      }
    }
  }

  // False: the expansion was reduced, and none of its steps leads to the next level (to_new_: a new state).
  bool follow_all(WorkerState& own, const Expanded& expanded) {
    return note_arrivals(own, expanded, own.worker.arrive(expanded.first, expanded.end));
  }
  [[gnu::always_inline]] bool note_arrivals(WorkerState& own, const Expanded& expanded,
                                            std::span<const Insertion> arrivals) {
    const std::uint64_t found_before = own.next_states;
    bool leads_on = !expanded.is_reduced;
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
      if (arrivals[i].is_new) note_new(own, arrivals[i].index, expanded.first + i);
      if (!leads_on) [[unlikely]]
        leads_on = to_new_ ? arrivals[i].is_new : is_of_next_level(arrivals[i].index);
    }
    if (leads_on) {
      own.worker.count_steps(arrivals.size(), own.next_states - found_before, expanded.inner_steps);
      if (own.worker.tells_steps()) [[unlikely]]
        tell_expanded(own.worker, expanded, arrivals);
    }
    return leads_on;
  }

  // Not before the proviso has been met.
  void tell_expanded(SearchWorker<Store>& worker, const Expanded& expanded,
                     std::span<const Insertion> arrivals) {
    const std::span<const Finding> findings(worker.expansion().findings);
    ExpandedEvent event;
    event.source = expanded.state;
    event.arrivals = arrivals;
    event.findings = findings.subspan(expanded.first_finding, expanded.end_finding - expanded.first_finding);
    event.was_reduced = expanded.was_reduced;
    event.is_again_in_full = expanded.is_again_in_full;
    event.inner_steps = expanded.inner_steps;
    event.executed = expanded.executed;
    if (!expanded.is_again_in_full) [[likely]]
      return worker.tell_expanded(event, expanded.first);
    const auto& [first, end, executed, inner_steps] = expanded.attempt;
    const std::span<const Successor> tried(worker.expansion().successors.data() + first, end - first);
    const ExpansionAttempt attempt = {StepNames(tried), inner_steps, executed};
    event.first_attempt = &attempt;
    worker.tell_expanded(event, expanded.first);
  }

  void note_new(WorkerState& own, StateIndex state, std::size_t successor) {
    own.ancestry.find(state);
    own.incoming_steps.add(own.worker.expansion().successors[successor].step);
    own.add_to_next_level(state, own.worker.successor(successor));
  }

  // Was the state found since this level began?
  bool is_of_next_level(StateIndex state) const {
    if constexpr (!Store::kNamesStates) return state != kNoState;  // it is new
    if (state >= level_bound_) return true;
    return std::ranges::any_of(worker_states_, [&](const std::unique_ptr<WorkerState>& each) {
      return each->vacant.begin <= state && state < each->vacant.end;
    });
  }

  // Behind the successors of the whole batch.
  void expand_in_full(WorkerState& own, Expanded& expanded) {
    StateBytes bytes = expanded.bytes;
    if constexpr (Store::kKeepsBytes) bytes = core_.store().get(expanded.state, own.room);
    expanded.attempt = {expanded.first, expanded.end, expanded.executed, expanded.inner_steps};
    expand(own.worker, bytes, expanded.state, true, expanded);
    own.worker.prepare(own.room);
    own.worker.prefetch_states();
  }

  std::vector<StepId> trace_to(StateIndex state) const {
    std::vector<StateIndex> chain;  // backward, without the initial state
    for (; state != initial_; state = parent(state)) chain.push_back(state);

    std::vector<StepId> steps;
    std::vector<std::byte> at = core_.system().initial_state();
    while (!chain.empty()) {
      if constexpr (Store::kNamesStates) {
        steps.push_back(core_.step_to_state(at, chain.back()));
      } else {
        steps.push_back(incoming_step(chain.back()));
        core_.take_step(at, steps.back());
      }
      chain.pop_back();
    }
    return steps;
  }

  StepId incoming_step(StateIndex state) const {
    for (const std::unique_ptr<WorkerState>& each : worker_states_) {
      const std::uint64_t place = each->ancestry.place_of(state);
      if (place != each->ancestry.found()) return each->incoming_steps[place];
    }
    throw std::logic_error("no worker has found this state");
  }

  StateIndex parent(StateIndex state) const {
    for (const std::unique_ptr<WorkerState>& each : worker_states_) {
      const StateIndex parent = each->ancestry.parent(state);
      if (parent != kNoState) return parent;
    }
    throw std::logic_error("a state without a parent");
  }

  SearchCore<Store>& core_;
  std::vector<std::unique_ptr<WorkerState>> worker_states_;
  ThreadTeam team_;
  SearchLog<Store, WorkerState> log_{core_, worker_states_};
  const bool to_new_ = core_.options().reduces_to_new;
  bool has_begun_ = false;
  StateIndex initial_ = 0;
  std::uint64_t depth_ = 0;
  std::uint64_t level_states_ = 0;
  std::uint64_t level_bound_ = 0;  // indexes from here on are given to states of the next level
};

}  // namespace spoor
