// What all searches have in common: visiting, counting, limits, collecting findings.
//
// A search decides the order in which states are expanded, and can tell the trace to the state it
// is at; nothing else. This class does the rest, so that a figure, a limit or a finding means the
// same in every search. A search is then a loop over these calls:
//
//   start()                  the initial state is arrived at
//   is_beyond_depth_limit()  may states at this depth be expanded?
//   admit()                  may this state be expanded? (the observer's answer)
//   expand()                 its successors and findings; findings are examined at once
//   prepare()                the keys of the successors; what the store needs is on its way
//   arrive()                 a successor is looked up in the store, and is new or not
//   poll()                   time, memory, interrupt, progress; now and then
//   is_over()                a violation has decided the matter, or a limit was hit
//   finish()                 the result
//
// Findings. A defect is a (kind, identity). Each is kept once, with the trace on which it was first
// met or, where the search prefers that, the shortest. Without `all_errors` there is room for one
// violation only, whatever its defect.
//
// Invariants:
//   1. statistics.transitions == statistics.states + statistics.matched.
//   2. The outcome is Holds only if the store is exact, no limit was hit, no state was left
//      unexpanded for its depth, and no counted finding was met.
//
// Thread safety: one thread. Cost: a few additions per successor; one predictable branch per
// successor for an observer that is not there.
// Tested by: tests/unit/test_search.cpp
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "model/system.h"
#include "search/search.h"
#include "store/visited_set.h"

namespace spoor {

// What an expansion's buffers occupy.
inline std::uint64_t memory_of(const Expansion& expansion) {
  return expansion.arena.capacity() + expansion.successors.capacity() * sizeof(Successor) +
         expansion.findings.capacity() * sizeof(Finding) + expansion.workspace_bytes;
}

template <VisitedSet Store>
class SearchCore : private Patience {
 public:
  SearchCore(const TransitionSystem& system, const SearchOptions& options)
      : system_(system),
        options_(options),
        executed_(system.statements().size(), 0),
        begin_(Clock::now()),
        cpu_begin_s_(cpu_now_s()),
        next_progress_s_(options.progress_interval_s) {}

  SearchCore(const SearchCore&) = delete;
  SearchCore& operator=(const SearchCore&) = delete;

  const Store& store() const { return store_; }

  // From now on a violation gives way to one of the same defect with a shorter trace.
  void prefer_shorter_traces() { prefers_shorter_ = true; }

  StateIndex start(StateBytes initial) {
    std::uint64_t key = 0;
    store_.keys({&initial, 1}, {}, &key);
    return count(store_.insert(key, initial)).index;
  }

  // Appends the keys of all successors, whose places in the store are asked for. `room`: that of
  // the state which was expanded.
  void prepare(const Expansion& expansion, const typename Store::Room& room,
               std::vector<std::uint64_t>& keys) {
    successors_.clear();
    for (const Successor& successor : expansion.successors) {
      successors_.push_back(expansion.state(successor));
    }
    const std::size_t first = keys.size();
    keys.resize(first + successors_.size());
    store_.keys(successors_, room, keys.data() + first);
    for (std::size_t i = first; i < keys.size(); ++i) store_.prefetch(keys[i]);
  }
  void prefetch_state(std::uint64_t key) const { store_.prefetch_state(key); }

  // True where states at this depth must not be expanded; the result will tell of it.
  bool is_beyond_depth_limit(std::uint64_t depth) {
    if (options_.limits.depth == 0 || depth < options_.limits.depth) return false;
    if (!limit_) limit_ = LimitHit::kDepth;
    return true;
  }

  // The observer's answer: may the state be expanded?
  bool admit(StateIndex state, StateBytes bytes, std::uint64_t depth) {
    if (options_.observer == nullptr) return true;
    switch (options_.observer->on_state({state, bytes, depth})) {
      case Visit::kExpand:
        return true;
      case Visit::kSkip:
        ++statistics_.skipped;
        return false;
      case Visit::kStop:
        end(LimitHit::kObserver);
        return false;
    }
    return false;
  }

  // `trace_to_state` gives the attempts that led to the state; it is called for the few findings
  // that are kept.
  template <class TraceToState>
  void expand(StateBytes state, std::uint64_t depth, Expansion& out,
              const TraceToState& trace_to_state, bool in_full = false) {
    out.clear();
    out.may_reduce = options_.reduce && !in_full;
    out.patience = this;
    {
      const Loan loan(out.executed, executed_);
      system_.expand(state, out);
    }
    if (out.was_cut) {
      if (!is_cut_off()) end(LimitHit::kMemory);  // more successors than can be numbered
      out.clear();
      return;
    }
    statistics_.inner_steps += out.inner_steps;
    for (const Finding& finding : out.findings) examine(finding, depth, trace_to_state);
  }

  Insertion arrive(StateIndex source, std::uint32_t attempt, std::uint64_t key, StateBytes bytes) {
    const Insertion insertion = count(store_.insert(key, bytes));
    if (options_.observer != nullptr) {
      options_.observer->on_step({source, attempt, insertion.index, insertion.is_new});
    }
    return insertion;
  }

  // The proviso of a reduced expansion was not met: its `count` steps, none of which led to a new
  // state, do not count, because an expansion in full will report them again.
  void take_back(std::uint64_t count) {
    statistics_.transitions -= count;
    statistics_.matched -= count;
  }

  // Goes from the state `at` to its successor with the number `target`; returns the name of the step,
  // which is that of an expansion in full.
  std::uint32_t go_on(std::vector<std::byte>& at, StateIndex target) const {
    Expansion expansion;
    system_.expand(at, expansion);
    for (const Successor& successor : expansion.successors) {
      const StateBytes bytes = expansion.state(successor);
      if (!store_.is_state(target, bytes)) continue;
      at.assign(bytes.begin(), bytes.end());
      return successor.attempt;
    }
    throw std::logic_error("a state expanded again does not lead to its successor");
  }
  bool reduces() const { return options_.reduce; }

  void leave(StateIndex state) {
    if (options_.observer != nullptr) options_.observer->on_leave(state);
  }

  void note_depth(std::uint64_t depth) {
    if (depth > statistics_.depth) statistics_.depth = depth;
  }

  // Looks at the clock, at memory and at the outside world. `search_bytes` is what the search
  // itself occupies beside the store. To be called every few microseconds to milliseconds.
  void poll(std::uint64_t search_bytes) {
    if (options_.interrupt != nullptr && options_.interrupt->load(std::memory_order_relaxed)) {
      end(LimitHit::kInterrupted);
    }
    search_bytes_ = search_bytes;
    note_memory();
    const Limits& limits = options_.limits;
    if (limits.memory_bytes != 0 && statistics_.memory_bytes > limits.memory_bytes) {
      end(LimitHit::kMemory);
    }
    const double elapsed_s = elapsed_now_s();
    if (limits.seconds != 0 && elapsed_s > limits.seconds) end(LimitHit::kTime);
    if (options_.observer != nullptr && options_.progress_interval_s != 0 &&
        elapsed_s >= next_progress_s_) {
      next_progress_s_ = elapsed_s + options_.progress_interval_s;
      take_times();
      options_.observer->on_progress(statistics_);
    }
  }

  // Ends the search. The first reason to end is the one that is told.
  void end(LimitHit limit) {
    if (!ended_) limit_ = limit;
    ended_ = true;
  }

  bool is_cut_off() const { return ended_; }
  bool is_decided() const { return !options_.all_errors && !violations_.empty(); }
  bool is_over() const { return is_cut_off() || is_decided(); }

  // REQUIRES: is_decided().
  std::uint64_t shortest_violation() const { return violations_.front().attempts.size(); }

  SearchResult finish() {
    note_memory();
    take_times();
    return {outcome(), std::move(violations_), statistics_, std::move(executed_), limit_};
  }

 private:
  using Clock = std::chrono::steady_clock;

  // Within one expansion.
  bool is_over(std::uint64_t bytes) override {
    const std::uint64_t otherwise = search_bytes_;
    poll(otherwise + bytes);
    search_bytes_ = otherwise;
    return is_cut_off();
  }

  using Defect = std::pair<FindingKind, std::uint32_t>;

  // Lends one vector to another's place and takes it back even when an exception passes.
  class Loan {
   public:
    Loan(std::vector<std::uint8_t>& place, std::vector<std::uint8_t>& owner)
        : place_(place), owner_(owner) {
      place_.swap(owner_);
    }
    ~Loan() { place_.swap(owner_); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

   private:
    std::vector<std::uint8_t>& place_;
    std::vector<std::uint8_t>& owner_;
  };

  Insertion count(Insertion insertion) {
    ++statistics_.transitions;
    ++(insertion.is_new ? statistics_.states : statistics_.matched);
    return insertion;
  }

  template <class TraceToState>
  void examine(const Finding& finding, std::uint64_t depth, const TraceToState& trace_to_state) {
    if (!options_.counted.contains(finding.kind)) return;
    ++statistics_.findings;
    const bool is_of_state = finding.attempt == Finding::kStateItself;
    Violation* const known = find_violation(finding);
    if (known != nullptr) {
      const std::uint64_t length = depth + (is_of_state ? 0 : 1);
      if (!prefers_shorter_ || length >= known->attempts.size()) return;
    }

    Violation violation{finding, trace_to_state()};
    if (!is_of_state) violation.attempts.push_back(finding.attempt);
    if (options_.observer != nullptr) options_.observer->on_violation(violation);
    if (known != nullptr) {
      *known = std::move(violation);
      return;
    }
    violation_of_.emplace(Defect(finding.kind, finding.identity), violations_.size());
    violations_.push_back(std::move(violation));
  }

  // The violation whose place this finding would take.
  Violation* find_violation(const Finding& finding) {
    if (is_decided()) return &violations_.front();
    const auto found = violation_of_.find({finding.kind, finding.identity});
    return found == violation_of_.end() ? nullptr : &violations_[found->second];
  }

  Outcome outcome() const {
    if (!violations_.empty()) return Violated{};
    if (limit_) return Unknown{*limit_};
    if constexpr (Store::kIsExact) {
      return Holds{};
    } else {
      return HoldsProbably{store_.omission_probability()};
    }
  }

  void note_memory() {
    const std::uint64_t bytes = store_.memory_bytes() + search_bytes_;
    if (bytes > statistics_.memory_bytes) statistics_.memory_bytes = bytes;
  }

  void take_times() {
    statistics_.elapsed_s = elapsed_now_s();
    statistics_.cpu_s = cpu_now_s() - cpu_begin_s_;
  }
  double elapsed_now_s() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  static double cpu_now_s() {
    std::timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }

  const TransitionSystem& system_;
  const SearchOptions& options_;
  Store store_;
  Statistics statistics_;
  std::vector<Violation> violations_;
  std::map<Defect, std::size_t> violation_of_;  // index into violations_
  std::vector<std::uint8_t> executed_;
  std::vector<StateBytes> successors_;  // working memory of prepare()
  std::optional<LimitHit> limit_;
  bool ended_ = false;
  bool prefers_shorter_ = false;
  Clock::time_point begin_;
  double cpu_begin_s_;
  double next_progress_s_;
  std::uint64_t search_bytes_ = 0;
};

}  // namespace spoor
