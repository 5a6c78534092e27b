// What all searches have in common: visiting, counting, limits, collecting findings.
//
// A search decides the order in which states are expanded, and can tell the trace to the state it
// is at; nothing else. SearchCore and SearchWorker do the rest, so that a figure, a limit or a
// finding means the same in every search. The core is what a search has one of: the store, the
// verdict, the limits, the clock. A worker is what each of its threads has one of: counters,
// buffers, a place in the store to write to. A search is then a loop over these calls:
//
//   worker.begin(), rest()       around the work of a thread
//   worker.start()               the initial state is arrived at
//   core.is_beyond_depth_limit() may states at this depth be expanded?
//   worker.admit()               may this state be expanded? (the observer's answer)
//   worker.clear()               the successors that were expanded before are done with
//   worker.expand()              its successors and findings; findings are examined at once
//   worker.prepare()             the keys of the successors; what the store needs is on its way
//   worker.prefetch_states()     what the store needs has arrived; now the states that it names
//   worker.arrive()              the successors are looked up in the store, and are new or not
//   worker.count_steps()         how many were followed, and how many of them were new
//   worker.tell_expanded()       the observer, where there is one that wants it (tells_steps())
//   core.note_depth()            of every state that is expanded, or would be but for the depth limit
//   worker.poll()                time, memory, interrupt; now and then
//   core.show_progress()         after it, by one thread
//   core.is_over()               a violation has decided the matter, or a limit was hit
//   core.trace_violations()      the traces of what was found, which only the search can make
//   core.finish()                the result, when the workers are gone
//
// Findings. A defect is a (kind, identity). Each is kept once, with the state where it was first met
// or, where the search prefers that, where the trace is shortest. Without `all_errors` there is room
// for one violation only, whatever its defect. The trace is made later, when no other thread works.
//
// Invariants:
//   1. statistics.transitions == statistics.states + statistics.matched.
//   2. The outcome is Holds only if the store does not confuse states, no limit was hit, no state was left
//      unexpanded for its depth, and no counted finding was met.
//
// Thread safety: of the core, what is marked [any] may be called from any worker's thread; the rest
// only while no other worker is at work. A worker belongs to one thread.
// Tested by: tests/unit/test_search.cpp, tests/unit/test_search_threads.cpp
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/process_time.h"
#include "model/budget.h"
#include "model/system.h"
#include "search/checkpoint.h"
#include "search/search.h"
#include "store/filter.h"
#include "store/visited_set.h"

namespace spoor {

// The counters of one worker, as others may read them while it works.
struct PublishedFigures {
  std::atomic<std::uint64_t> states = 0, transitions = 0, matched = 0, inner_steps = 0;
  std::atomic<std::uint64_t> memory_bytes = 0;  // of the worker's own buffers
};

template <VisitedSet Store>
class SearchCore {
 public:
  SearchCore(const TransitionSystem& system, const SearchOptions& options)
      : system_(system),
        options_(options),
        store_(make_store(options)),
        budget_(options.limits),
        executed_(system.statements().size(), 0),
        cpu_begin_s_(process_cpu_s()),
        next_progress_s_(options.progress_interval_s) {}

  SearchCore(const SearchCore&) = delete;
  SearchCore& operator=(const SearchCore&) = delete;

  const TransitionSystem& system() const { return system_; }
  const SearchOptions& options() const { return options_; }
  Store& store() { return store_; }
  const Store& store() const { return store_; }
  bool reduces() const { return options_.reduce; }

  // From now on a violation gives way to one of the same defect with a shorter trace.
  void prefer_shorter_traces() { prefers_shorter_ = true; }

  void add_worker(const PublishedFigures& figures) { workers_.push_back(&figures); }
  // `vacant`: the numbers that it had for its next states.
  void remove_worker(const PublishedFigures& figures, const Statistics& statistics,
                     const std::vector<std::uint8_t>& executed, IndexRange vacant) {
    gaps_.push_back(vacant);
    std::erase(workers_, &figures);
    statistics_.states += statistics.states;
    statistics_.transitions += statistics.transitions;
    statistics_.matched += statistics.matched;
    statistics_.inner_steps += statistics.inner_steps;
    statistics_.skipped += statistics.skipped;
    for (std::size_t i = 0; i < executed.size(); ++i) executed_[i] |= executed[i];
  }

  // Numbers that no state has, of workers that are gone.
  const std::vector<IndexRange>& gaps() const { return gaps_; }

  // The states of the next level, for an observer.
  void note_next_level(IndexRange found) {
    if (options_.observer == nullptr) return;
    if (!by_level_.empty() && by_level_.back().end == found.begin) {
      by_level_.back().end = found.end;
    } else {
      by_level_.push_back(found);
    }
  }
  const std::vector<IndexRange>& by_level() const { return by_level_; }

  // Should the search be decided before this is called again, then its figures are those of now, so
  // that they do not depend on how far each worker was.
  void mark_figures() { marked_ = figures_now(); }

  // The search as it was when it was marked; and the other way round, to continue from there.
  CheckpointMark checkpoint_mark() const {
    CheckpointMark mark;
    mark.figures = *marked_;
    take_times(mark.figures);
    mark.executed = executed_;
    for (const Kept& kept : kept_) {
      if (kept.is_traced) mark.violations.push_back(kept.violation);
    }
    return mark;
  }
  void restore(const CheckpointMark& mark) {
    statistics_ = mark.figures;
    findings_.store(mark.figures.findings, std::memory_order_relaxed);
    if (mark.executed.size() == executed_.size()) executed_ = mark.executed;
    for (const Violation& violation : mark.violations) {
      violation_of_.emplace(defect_of(violation.finding), kept_.size());
      kept_.push_back({violation, kNoState, violation.steps.size(), true});
    }
    budget_.note_memory(mark.figures.memory_bytes);
    elapsed_before_s_ = mark.figures.elapsed_s;
    cpu_before_s_ = mark.figures.cpu_s;
  }
  // The budget of this search alone, without that of the search it continues.
  const Budget& budget() const { return budget_; }
  void note_checkpoint_error(const std::string& what) { checkpoint_error_ = what; }

  // True where states at this depth must not be expanded; the result will tell of it.
  bool is_beyond_depth_limit(std::uint64_t depth) {
    if (options_.limits.depth == 0 || depth < options_.limits.depth) return false;
    budget_.note_depth_limit();
    return true;
  }

  void note_depth(std::uint64_t depth) {
    if (depth > statistics_.depth) statistics_.depth = depth;
  }
  // The level at this depth has so many states, and will now be expanded. Where an earlier search was put
  // back its levels are not known, and neither are the later ones.
  void note_level(std::uint64_t depth, std::uint64_t states) {
    if (depth == levels_.size()) levels_.push_back({states, figures_now().transitions});
  }
  void take_levels(const std::vector<Level>& levels) { levels_ = levels; }
  const std::vector<Level>& levels() const { return levels_; }

  // [any] `source` is the state that was expanded, `depth` steps from the initial one.
  void examine(const Finding& finding, StateIndex source, std::uint64_t depth) {
    if (!options_.counted.contains(finding.kind)) return;
    findings_.fetch_add(1, std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);
    const std::uint64_t length = depth + (finding.step == Finding::kStateItself ? 0 : 1);
    Kept* const known = find_violation(finding);
    if (known == nullptr) {
      kept_.push_back({{finding, {}}, source, length, false});
      violation_of_.emplace(defect_of(finding), kept_.size() - 1);
    } else if (prefers_shorter_ && is_better(finding, length, *known)) {
      *known = {{finding, {}}, source, length, false};
    } else {
      return;
    }
    if (!options_.all_errors) shortest_.store(kept_.front().length, std::memory_order_relaxed);
  }

  // [any] A bad cycle, with its trace.
  void examine_cycle(const Finding& finding, std::vector<StepId> steps, std::size_t loop) {
    if (!options_.counted.contains(finding.kind)) return;
    findings_.fetch_add(1, std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);
    if (find_violation(finding) != nullptr) return;
    violation_of_.emplace(defect_of(finding), kept_.size());
    const std::uint64_t length = steps.size();
    kept_.push_back({{finding, std::move(steps), loop}, kNoState, length, true});
    if (!options_.all_errors) shortest_.store(kept_.front().length, std::memory_order_relaxed);
    if (options_.observer != nullptr) options_.observer->on_violation(kept_.back().violation);
  }

  // [any] Is the search over when one of these is found?
  bool ends_with(FindingKind kind) const { return !options_.all_errors && options_.counted.contains(kind); }

  // `trace_to` gives the steps that lead to a state.
  template <class TraceTo>
  void trace_violations(const TraceTo& trace_to) {
    for (Kept& kept : kept_) {
      if (kept.is_traced) continue;
      kept.violation.steps = trace_to(kept.source);
      const Finding& finding = kept.violation.finding;
      if (finding.step != Finding::kStateItself) {
        kept.violation.steps.push_back(finding.step);
      }
      kept.is_traced = true;
      if (options_.observer != nullptr) options_.observer->on_violation(kept.violation);
    }
  }
  bool has_untraced() const {
    for (const Kept& kept : kept_) {
      if (!kept.is_traced) return true;
    }
    return false;
  }

  // Goes from the state `at` to its successor with the number `target`; returns the name of the step.
  StepId step_to_state(std::vector<std::byte>& at, StateIndex target) const {
    Expansion expansion;
    system_.expand(at, expansion);
    for (const Successor& successor : expansion.successors) {
      const StateBytes bytes = expansion.state(successor);
      if (!store_.is_state(target, bytes)) continue;
      at.assign(bytes.begin(), bytes.end());
      return successor.step;
    }
    throw std::logic_error("a state expanded again does not lead to its successor");
  }

  // Takes this step from the state `at`.
  void take_step(std::vector<std::byte>& at, StepId step) const {
    Expansion expansion;
    if (!system_.step(at, step, expansion) || expansion.successors.empty()) {
      throw std::logic_error("a state expanded again does not have the step it had");
    }
    const StateBytes bytes = expansion.state(expansion.successors[0]);
    at.assign(bytes.begin(), bytes.end());
  }

  // [any] Looks at the clock, at memory and at the outside world.
  void poll() {
    const std::uint64_t bytes = memory_bytes();
    if constexpr (Store::kForgetsStates) store_.note_memory(bytes);
    budget_.poll(bytes);
  }

  // The user's limit was reached, or the system or the store has no more room.
  bool is_out_of_memory() const {
    const std::optional<LimitHit> limit = budget_.limit();
    return is_cut_off() && (limit == LimitHit::kMemory || limit == LimitHit::kOutOfMemory);
  }

  // From the thread that began the search, while others may work.
  void show_progress() {
    if (options_.progress == nullptr || options_.progress_interval_s == 0) return;
    const double elapsed_s = elapsed_now_s();
    if (elapsed_s < next_progress_s_) return;
    next_progress_s_ = elapsed_s + options_.progress_interval_s;
    Statistics now = figures_now();
    take_times(now);
    options_.progress->on_progress(now, levels_);
  }

  // [any] The most that the search occupies is kept.
  void note_memory() { budget_.note_memory(memory_bytes()); }
  // [any]
  std::uint64_t memory_bytes() const {
    std::uint64_t bytes = store_.memory_bytes();
    for (const PublishedFigures* worker : workers_) {
      bytes += worker->memory_bytes.load(std::memory_order_relaxed);
    }
    return bytes;
  }

  // [any] Ends the search. The first reason to end is the one that is told.
  void end(LimitHit limit) { budget_.end(limit); }

  // All of these [any].
  bool is_cut_off() const { return budget_.is_over(); }
  bool is_decided() const { return shortest_violation() != kNone; }
  bool is_over() const { return is_cut_off() || is_decided(); }
  // The length of its trace; larger than any where nothing has been decided.
  std::uint64_t shortest_violation() const { return shortest_.load(std::memory_order_relaxed); }

  SearchResult finish() {
    note_memory();
    Statistics statistics = is_decided() && marked_ ? *marked_ : statistics_;
    statistics.depth = statistics_.depth;
    statistics.findings = findings_.load(std::memory_order_relaxed);
    statistics.memory_bytes = budget_.peak_bytes();
    take_times(statistics);
    std::vector<Violation> violations;
    std::erase_if(kept_, [](const Kept& kept) { return !kept.is_traced; });  // memory ran out
    for (Kept& kept : kept_) violations.push_back(std::move(kept.violation));
    return {outcome(),
            std::move(violations),
            statistics,
            std::move(executed_),
            budget_.limit(),
            options_.store,
            std::move(checkpoint_error_),
            filter_figures(),
            std::move(levels_),
            cache_figures()};
  }

 private:
  using Defect = std::pair<FindingKind, std::uint32_t>;
  static constexpr std::uint64_t kNone = UINT64_MAX;

  struct Kept {
    Violation violation;
    StateIndex source = kNoState;
    std::uint64_t length = 0;
    bool is_traced = false;
  };

  static Defect defect_of(const Finding& finding) { return {finding.kind, finding.identity}; }

  // Of several with traces of the same length the smallest is kept, whichever was met first.
  static bool is_better(const Finding& finding, std::uint64_t length, const Kept& known) {
    if (length != known.length) return length < known.length;
    return !known.is_traced && defect_of(finding) < defect_of(known.violation.finding);
  }

  // Made in its place.
  static Store make_store(const SearchOptions& options) {
    if constexpr (std::is_constructible_v<Store, const CacheOptions&, std::uint64_t>) {
      return Store(options.cache, options.limits.memory_bytes);
    } else if constexpr (std::is_constructible_v<Store, const FilterOptions&, unsigned>) {
      return Store(options.filter, Store::kIsShared ? options.threads : 1, options.numbers);
    } else if constexpr (std::is_constructible_v<Store, unsigned>) {
      return Store(options.threads, options.numbers);
    } else if constexpr (std::is_constructible_v<Store, IndexLimit>) {
      return Store(options.numbers);
    } else {
      return Store();
    }
  }

  std::optional<CacheFigures> cache_figures() const {
    if constexpr (Store::kForgetsStates) {
      return store_.figures();
    } else {
      return std::nullopt;
    }
  }

  std::optional<FilterFigures> filter_figures() const {
    if constexpr (requires { store_.figures(true); }) {
      return store_.figures(!budget_.limit() && !is_decided());
    } else {
      return std::nullopt;
    }
  }

  // The violation whose place this finding would take.
  Kept* find_violation(const Finding& finding) {
    if (is_decided()) return &kept_.front();
    const auto found = violation_of_.find(defect_of(finding));
    return found == violation_of_.end() ? nullptr : &kept_[found->second];
  }

  Outcome outcome() const {
    if (!kept_.empty()) return Violated{};
    if (const std::optional<LimitHit> limit = budget_.limit()) return Unknown{*limit};
    if constexpr (Store::kConfusesStates) {
      return HoldsProbably{store_.omission_probability()};
    } else {
      return Holds{};
    }
  }

  // Those of workers that are gone and of those that are there, as far as they have told.
  Statistics figures_now() const {
    Statistics now = statistics_;
    for (const PublishedFigures* worker : workers_) {
      now.states += worker->states.load(std::memory_order_relaxed);
      now.transitions += worker->transitions.load(std::memory_order_relaxed);
      now.matched += worker->matched.load(std::memory_order_relaxed);
      now.inner_steps += worker->inner_steps.load(std::memory_order_relaxed);
    }
    now.findings = findings_.load(std::memory_order_relaxed);
    now.memory_bytes = budget_.peak_bytes();
    return now;
  }

  void take_times(Statistics& statistics) const {
    statistics.elapsed_s = elapsed_now_s();
    statistics.cpu_s = cpu_before_s_ + process_cpu_s() - cpu_begin_s_;
  }
  double elapsed_now_s() const { return elapsed_before_s_ + budget_.elapsed_s(); }

  const TransitionSystem& system_;
  const SearchOptions& options_;
  Store store_;
  Budget budget_;
  std::vector<const PublishedFigures*> workers_;
  std::vector<IndexRange> gaps_, by_level_;
  Statistics statistics_;  // of workers that are gone, and what no worker counts
  std::optional<Statistics> marked_;
  std::vector<std::uint8_t> executed_;
  std::mutex mutex_;  // guards the violations
  std::vector<Kept> kept_;
  std::map<Defect, std::size_t> violation_of_;  // index into kept_
  std::atomic<std::uint64_t> shortest_ = kNone;
  std::atomic<std::uint64_t> findings_ = 0;
  bool prefers_shorter_ = false;
  double cpu_begin_s_;
  double next_progress_s_;
  double elapsed_before_s_ = 0;  // in the searches that this one goes on with
  double cpu_before_s_ = 0;
  std::string checkpoint_error_;
  std::vector<Level> levels_;
};

}  // namespace spoor
