// What each thread of a search has for itself: counters, buffers, a place in the store to write to.
//
// See core.h for how a search uses it.
//
// Cost: a few additions per successor; one predictable branch per state for an observer that is not there.
// Tested by: tests/unit/test_search.cpp, tests/unit/test_search_threads.cpp
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/buffer.h"
#include "model/system.h"
#include "search/core.h"
#include "search/executed_sets.h"
#include "store/visited_set.h"

namespace spoor {

template <VisitedSet Store>
class SearchWorker : private ExpansionBudget {
 public:
  // REQUIRES: no worker is at work.
  explicit SearchWorker(SearchCore<Store>& core)
      : core_(core), store_(core.store()), executed_sets_(core.system().statements().size()) {
    if (core.options().observer != nullptr) {
      observer_ = core.options().observer->make_worker_observer();
      wants_states_ = observer_->wants_states();
      wants_steps_ = observer_->wants_steps();
      wants_executed_ = observer_->wants_executed();
      expansion_.asked.columns.labels = observer_->wants_labels();
    }
    expansion_.asked.columns.executed = true;
    expansion_.asked.budget = this;
    core_.add_worker(figures_);
  }
  ~SearchWorker() override {
    core_.remove_worker(figures_, statistics_, executed(), vacant());
    if (observer_ != nullptr) core_.options().observer->merge(*observer_);
  }

  StateIndex start(StateBytes initial) {
    ++statistics_.transitions;
    ++statistics_.states;
    return put_back(initial).index;
  }

  // A state that an earlier search has counted.
  Insertion put_back(StateBytes state) {
    std::uint64_t key = 0;
    if constexpr (requires { Store::key(state); }) {
      key = Store::key(state);
    } else {
      store_.keys(writer_, {&state, 1}, {}, &key);
    }
    return store_.insert(writer_, key, state);
  }
  // A key that a search has use for beside those of the states; for stores that know states by keys alone.
  Insertion mark(std::uint64_t key) { return store_.insert(writer_, key, {}); }
  // Statements that this worker has executed.
  void add_executed(std::vector<std::uint8_t>& to) const {
    for (std::size_t i = 0; i < executed().size(); ++i) to[i] |= executed()[i];
  }

  // Between the two the worker takes part in the search; else it rests.
  void begin() { store_.enter(); }
  void rest() {
    publish(figures_.memory_bytes.load(std::memory_order_relaxed));
    store_.leave();
  }

  IndexRange vacant() const { return store_.vacant(writer_); }
  bool is_observed() const { return observer_ != nullptr; }
  // Does the observer want to be told of steps?
  bool tells_steps() const { return wants_steps_; }

  // The observer's answer: may the state be expanded?
  bool admit(StateIndex state, StateBytes bytes, std::uint64_t depth) {
    if (!wants_states_) [[likely]]
      return true;
    switch (observer_->on_state({state, bytes, depth})) {
      case Visit::kExpand: return true;
      case Visit::kSkip: ++statistics_.skipped; return false;
      case Visit::kStop: core_.end(LimitHit::kObserver); return false;
    }
    return false;
  }

  // Forgets the successors that were there.
  void clear() {
    expansion_.clear();
    keys_.clear();
    hints_.clear();
    codes_.clear();
  }

  // Adds the successors of a state behind those that are there.
  void expand(StateIndex state, StateBytes bytes, std::uint64_t depth, bool in_full = false) {
    expansion_.begin_next();
    expansion_.asked.may_reduce = core_.reduces() && !in_full;
    core_.system().expand(bytes, expansion_);
    if (wants_executed_) [[unlikely]]
      take_executed();
    if (expansion_.was_cut) [[unlikely]] {
      if (!core_.is_cut_off()) core_.end(LimitHit::kMemory);  // more successors than can be numbered
      expansion_.forget_last();
      return;
    }
    for (const Finding& finding : expansion_.last_findings()) core_.examine(finding, state, depth);
  }
  // Expands a state whose findings were examined before.
  void expand_again(StateBytes bytes) {
    expansion_.begin_next();
    expansion_.asked.may_reduce = core_.reduces();
    core_.system().expand(bytes, expansion_);
    if (wants_executed_) [[unlikely]]
      take_executed();
    if (!expansion_.was_cut) [[likely]]
      return;
    if (!core_.is_cut_off()) core_.end(LimitHit::kMemory);
    expansion_.forget_last();
  }
  const Expansion& expansion() const { return expansion_; }
  // What the last expansion executed (ExpandedEvent::executed).
  std::uint32_t last_executed() const { return last_executed_; }

  // Does the store compute keys of successors from that of their source? Then they are prepared state by
  // state, else as many at once as there are.
  static constexpr bool kKeysNeedSource = !requires(StateBytes state) { Store::key(state); };

  // Computes the keys of the successors that have none yet; their places in the store are asked for.
  // `room`: that of the state which was expanded.
  [[gnu::noinline]] void prepare(const typename Store::DecodeBuffer& room) {
    const std::span<const Successor> all(expansion_.successors.begin(), expansion_.successors.end());
    const std::span<const Successor> successors = all.subspan(keys_.size());
    if (keys_.capacity() < all.size()) keys_.reserve(2 * all.size());
    std::uint64_t* to = keys_.end();
    keys_.set_size(all.size());
    if constexpr (kHasCodes) {
      if (codes_.capacity() < all.size()) codes_.reserve(2 * all.size());
      Code* const codes = codes_.end();
      codes_.set_size(all.size());
      store_.prepare(expansion_.arena.data(), successors, to, codes);
    } else if constexpr (!kKeysNeedSource) {
      for (const Successor& successor : successors) {
        *to = Store::key(expansion_.state(successor));
        store_.prefetch(*to++);
      }
    } else {
      states_.clear();
      for (const Successor& successor : successors) states_.push_back(expansion_.state(successor));
      store_.keys(writer_, states_, room, to);
      for (std::size_t i = 0; i < successors.size(); ++i) store_.prefetch(to[i]);
    }
  }
  // To be called when their places have arrived: now the states are asked for that are there.
  [[gnu::noinline]] void prefetch_states() {
    const Store& store = store_;
    if (hints_.capacity() < keys_.size()) hints_.reserve(2 * keys_.size());
    const std::uint64_t* key = keys_.data() + hints_.size();
    if constexpr (requires { store.prefetch_states(key, keys_.size(), hints_.end()); }) {
      store.prefetch_states(key, keys_.size() - hints_.size(), hints_.end());
    } else {
      std::uint64_t* const end = hints_.data() + keys_.size();
      for (std::uint64_t* to = hints_.end(); to != end; ++to) *to = store.prefetch_state(*key++);
    }
    hints_.set_size(keys_.size());
  }
  // The keys of the successors, one each.
  const Buffer<std::uint64_t>& keys() const { return keys_; }

  StateBytes successor(std::size_t at) const { return expansion_.state(expansion_.successors[at]); }

  // Looks up successors, from number `first` to `end`, after prefetch_states(). The answers are in their
  // order, and valid until the next call. A loop of its own, so that the compiler sees nothing else. Where it
  // throws, some states were inserted without an answer: the level is not finished then, and a search that is
  // resumed begins it again.
  [[gnu::noinline]] std::span<const Insertion> arrive(std::uint32_t first, std::uint32_t end) {
    if (arrivals_.capacity() < end - first) arrivals_.reserve(2 * (end - first));
    arrivals_.set_size(end - first);
    Store& store = store_;
    const Successor* const successors = expansion_.successors.data();
    const std::byte* const arena = expansion_.arena.data();
    const std::uint64_t* const keys = keys_.data();
    Insertion* to = arrivals_.data();
    for (std::uint32_t i = first; i < end; ++i) {
      const StateBytes bytes(arena + successors[i].offset, successors[i].length);
      if constexpr (kHasCodes) {
        *to++ = store.insert(writer_, keys[i], bytes, hints_[i], codes_[i]);
      } else {
        *to++ = store.insert(writer_, keys[i], bytes, hints_[i]);
      }
    }
    return {arrivals_.begin(), arrivals_.end()};
  }
  // Looks up a state that is no longer in the expansion.
  Insertion arrive_at(std::uint64_t key, StateBytes bytes) { return store_.insert(writer_, key, bytes); }

  // Tells the observer of the successors from number `first` on, which have led to the arrivals of the event;
  // their names and labels are added to it.
  // REQUIRES: tells_steps().
  void tell_expanded(ExpandedEvent& event, std::size_t first) {
    const std::size_t count = event.arrivals.size();
    event.steps = StepNames(std::span<const Successor>(expansion_.successors.data() + first, count));
    if (expansion_.asked.columns.labels) event.labels = {expansion_.labels.data() + first, count};
    if (!expansion_.marks.empty()) event.marks = {expansion_.marks.data() + first, count};
    observer_->on_expanded(event);
  }
  // The same for a search that has collected the steps itself.
  void tell_expanded(const ExpandedEvent& event) { observer_->on_expanded(event); }

  // Of so many steps that were followed, this many led to a new state.
  void count_steps(std::uint64_t followed, std::uint64_t found, std::uint64_t inner = 0) {
    statistics_.inner_steps += inner;
    statistics_.transitions += followed;
    statistics_.states += found;
    statistics_.matched += followed - found;
  }

  // The proviso of a reduced expansion was not met: its steps, none of which led to a new state, do
  // not count, because the expansion in full has them again.
  void take_back(std::uint64_t followed) {
    statistics_.transitions -= followed;
    statistics_.matched -= followed;
  }

  // `search_bytes` is what the worker itself occupies beside the store. To be called every few
  // microseconds to milliseconds, where the worker holds on to nothing in the store.
  void poll(std::uint64_t search_bytes) {
    note_memory(search_bytes);
    core_.poll();
    safe_point();
  }
  void note_memory(std::uint64_t search_bytes) {
    if constexpr (requires { writer_.memory_bytes(); }) search_bytes += writer_.memory_bytes();
    search_bytes_ = search_bytes;
    publish(search_bytes + memory_bytes());
  }
  void safe_point() { store_.safe_point(); }

 private:
  // Some stores want to compute more than a key beforehand.
  static constexpr bool kHasCodes = requires { typename Store::Code; };
  template <class S>
  struct CodeOf {
    using Type = char;
  };
  template <class S>
  requires requires { typename S::Code; }
  struct CodeOf<S> {
    using Type = typename S::Code;
  };
  using Code = typename CodeOf<Store>::Type;

  // Flags of all that was executed.
  const std::vector<std::uint8_t>& executed() const {
    return wants_executed_ ? executed_ : expansion_.executed;
  }
  // Of the last expansion alone; flags begin anew.
  void take_executed() {
    std::vector<std::uint8_t>& flags = expansion_.executed;
    last_executed_ = executed_sets_.take(flags, [&](std::span<const std::uint32_t> set) {
      executed_.resize(flags.size());
      for (const std::uint32_t statement : set) executed_[statement] = 1;
      observer_->on_executed_set(set);
    });
  }

  // Within one expansion.
  bool is_exhausted(std::uint64_t bytes) override {
    const std::uint64_t published = figures_.memory_bytes.load(std::memory_order_relaxed);
    figures_.memory_bytes.store(search_bytes_ + bytes, std::memory_order_relaxed);
    core_.poll();
    figures_.memory_bytes.store(published, std::memory_order_relaxed);
    return core_.is_cut_off();
  }

  std::uint64_t memory_bytes() const {
    return expansion_.memory_bytes() + (keys_.capacity() + hints_.capacity()) * sizeof(std::uint64_t) +
           arrivals_.capacity() * sizeof(Insertion) + codes_.capacity() * sizeof(Code) +
           executed_sets_.memory_bytes();
  }

  void publish(std::uint64_t search_bytes) {
    figures_.states.store(statistics_.states, std::memory_order_relaxed);
    figures_.transitions.store(statistics_.transitions, std::memory_order_relaxed);
    figures_.matched.store(statistics_.matched, std::memory_order_relaxed);
    figures_.inner_steps.store(statistics_.inner_steps, std::memory_order_relaxed);
    figures_.memory_bytes.store(search_bytes, std::memory_order_relaxed);
  }

  SearchCore<Store>& core_;
  Store& store_;
  std::unique_ptr<WorkerObserver> observer_;  // null: there is none
  bool wants_states_ = false;
  bool wants_steps_ = false;
  bool wants_executed_ = false;
  ExecutedSets executed_sets_;          // with wants_executed_, and so are:
  std::vector<std::uint8_t> executed_;  // flags of all sets
  std::uint32_t last_executed_ = 0;
  typename Store::Writer writer_;
  Statistics statistics_;
  PublishedFigures figures_;
  std::uint64_t search_bytes_ = 0;  // what was last published, without the expansion
  Expansion expansion_;
  Buffer<std::uint64_t> keys_;   // of its successors, in order
  Buffer<std::uint64_t> hints_;  // of the store: where they probably are
  Buffer<Code> codes_;
  Buffer<Insertion> arrivals_;
  std::vector<StateBytes> states_;  // working memory of prepare()
};

}  // namespace spoor
