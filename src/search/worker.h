// What each thread of a search has for itself: counters, buffers, a place in the store to write to.
//
// See core.h for how a search uses it.
//
// Cost: a few additions per successor; one predictable branch per successor for an observer that is
// not there.
// Tested by: tests/unit/test_search.cpp, tests/unit/test_search_threads.cpp
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/buffer.h"
#include "model/system.h"
#include "search/core.h"
#include "store/visited_set.h"

namespace spoor {

// What an expansion's buffers occupy.
inline std::uint64_t memory_of(const Expansion& expansion) {
  return expansion.arena.capacity() + expansion.successors.capacity() * sizeof(Successor) +
         expansion.findings.capacity() * sizeof(Finding) + expansion.workspace_bytes;
}

template <VisitedSet Store>
class SearchWorker : private Patience {
 public:
  // REQUIRES: no worker is at work.
  explicit SearchWorker(SearchCore<Store>& core)
      : core_(core),
        store_(core.store()),
        observer_(core.options().observer),
        executed_(core.system().statements().size(), 0) {
    core_.add_worker(figures_);
  }
  ~SearchWorker() override { core_.remove_worker(figures_, statistics_, executed_); }

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
  // Statements that this worker has executed.
  void add_executed(std::vector<std::uint8_t>& to) const {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] |= executed_[i];
  }

  // Between the two the worker takes part in the search; else it rests.
  void begin() { store_.enter(); }
  void rest() {
    publish(figures_.memory_bytes.load(std::memory_order_relaxed));
    store_.leave();
  }

  IndexRange vacant() const { return store_.vacant(writer_); }

  // The observer's answer: may the state be expanded?
  bool admit(StateIndex state, StateBytes bytes, std::uint64_t depth) {
    if (observer_ == nullptr) [[likely]] return true;
    switch (observer_->on_state({state, bytes, depth})) {
      case Visit::kExpand:
        return true;
      case Visit::kSkip:
        ++statistics_.skipped;
        return false;
      case Visit::kStop:
        core_.end(LimitHit::kObserver);
        return false;
    }
    return false;
  }

  void expand(StateIndex state, StateBytes bytes, std::uint64_t depth, Expansion& out,
              bool in_full = false) {
    out.clear();
    out.may_reduce = core_.reduces() && !in_full;
    out.patience = this;
    {
      const Loan loan(*this, out);
      core_.system().expand(bytes, out);
    }
    if (out.was_cut) [[unlikely]] {
      if (!core_.is_cut_off()) core_.end(LimitHit::kMemory);  // more successors than can be numbered
      out.clear();
      return;
    }
    for (const Finding& finding : out.findings) core_.examine(finding, state, depth);
  }

  // Appends the keys of all successors, whose places in the store are asked for. `room`: that of
  // the state which was expanded.
  void prepare(const Expansion& expansion, const typename Store::Room& room,
               Buffer<std::uint64_t>& keys) {
    const std::size_t first = keys.size();
    const std::size_t count = expansion.successors.size();
    if (keys.capacity() < first + count) keys.reserve(2 * (first + count));
    std::uint64_t* const to = keys.data() + first;
    if constexpr (requires(StateBytes state) { Store::key(state); }) {
      for (std::size_t i = 0; i < count; ++i) {
        to[i] = Store::key(expansion.state(expansion.successors[i]));
        store_.prefetch(to[i]);
      }
    } else {
      states_.clear();
      for (const Successor& successor : expansion.successors) {
        states_.push_back(expansion.state(successor));
      }
      store_.keys(writer_, states_, room, to);
      for (std::size_t i = 0; i < count; ++i) store_.prefetch(to[i]);
    }
    keys.set_size(first + count);
  }

  Insertion arrive(StateIndex source, std::uint32_t attempt, std::uint64_t key, StateBytes bytes) {
    const Insertion insertion = store_.insert(writer_, key, bytes);
    if (observer_ != nullptr) [[unlikely]] {
      observer_->on_step({source, attempt, insertion.index, insertion.is_new});
    }
    return insertion;
  }

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

  void leave(StateIndex state) {
    if (observer_ != nullptr) observer_->on_leave(state);
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
    publish(search_bytes + workspace_bytes_);
  }
  void safe_point() { store_.safe_point(); }

 private:
  // Within one expansion.
  bool is_over(std::uint64_t bytes) override {
    const std::uint64_t otherwise = figures_.memory_bytes.load(std::memory_order_relaxed);
    figures_.memory_bytes.store(otherwise + bytes, std::memory_order_relaxed);
    core_.poll();
    figures_.memory_bytes.store(otherwise, std::memory_order_relaxed);
    return core_.is_cut_off();
  }

  // A worker expands one state at a time, so all its expansions share what need not be there twice:
  // the flags of executed statements, and the system's working memory, which then stays in the
  // nearest cache. Taken back also when an exception passes.
  class Loan {
   public:
    Loan(SearchWorker& worker, Expansion& out) : worker_(worker), out_(out) { exchange(); }
    ~Loan() { exchange(); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

   private:
    void exchange() {
      out_.executed.swap(worker_.executed_);
      out_.workspace.swap(worker_.workspace_);
      std::swap(out_.workspace_bytes, worker_.workspace_bytes_);
    }
    SearchWorker& worker_;
    Expansion& out_;
  };

  void publish(std::uint64_t search_bytes) {
    figures_.states.store(statistics_.states, std::memory_order_relaxed);
    figures_.transitions.store(statistics_.transitions, std::memory_order_relaxed);
    figures_.matched.store(statistics_.matched, std::memory_order_relaxed);
    figures_.inner_steps.store(statistics_.inner_steps, std::memory_order_relaxed);
    figures_.memory_bytes.store(search_bytes, std::memory_order_relaxed);
  }

  SearchCore<Store>& core_;
  Store& store_;
  Observer* observer_;
  typename Store::Writer writer_;
  Statistics statistics_;
  PublishedFigures figures_;
  std::vector<std::uint8_t> executed_;
  std::shared_ptr<void> workspace_;  // of the system
  std::uint64_t workspace_bytes_ = 0;
  std::vector<StateBytes> states_;  // working memory of prepare()
};

}  // namespace spoor
