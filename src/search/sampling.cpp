#include "search/sampling.h"

#include <algorithm>
#include <new>
#include <optional>
#include <random>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "store/exact.h"

namespace spoor {
namespace {

constexpr double kBreadthFirstShare = 0.6;  // of memory and time
constexpr double kShareForCounting = 1.5;   // in the end, when the limit has been reached
constexpr std::uint64_t kBytesPerCounted = 32;
constexpr std::uint32_t kExpansionsPerPoll = 64;  // expansions

class Sampling {
 public:
  Sampling(const TransitionSystem& system, const SearchOptions& options, SampledSearch& result)
      : system_(system), result_(result), random_(options.shuffle), budget_(options.limits) {
    expansion_.asked.budget = &budget_;
    store_.enter();
  }
  ~Sampling() { store_.leave(); }
  Sampling(const Sampling&) = delete;
  Sampling& operator=(const Sampling&) = delete;

  void run() {
    budget_.begin_stage(kBreadthFirstShare);
    if (search_breadth_first() || budget_.limit() == LimitHit::kInterrupted) return;
    budget_.begin_stage(1);
    list_unexplored();
    if (budget_.is_over()) return;  // nothing is left for samples
    std::shuffle(unexplored_.begin(), unexplored_.end(), random_);
    std::size_t tried = 0;
    while (tried < unexplored_.size() && !poll()) sample(unexplored_[tried++]);
    unexplored_.erase(unexplored_.begin(), unexplored_.begin() + static_cast<std::ptrdiff_t>(tried));
    if (budget_.is_over()) count_left();
  }

  // Without the count of what is left the samples say nothing.
  void forget_samples() { result_.samples = result_.found = result_.left = 0; }

  void take_figures() {
    Statistics& figures = result_.statistics;
    figures.matched = figures.transitions - figures.states;
    figures.elapsed_s = budget_.elapsed_s();
    budget_.note_memory(memory_bytes());
    figures.memory_bytes = budget_.peak_bytes();
    if (!result_.limit) result_.limit = budget_.limit();
  }

 private:
  // A step that was not taken.
  struct Step {
    StateIndex source = kNoState;
    std::uint32_t place = 0;  // among the successors
  };

  // True: it has found all states.
  bool search_breadth_first() {
    arrive(system_.initial_state());
    std::uint64_t level_end = 0;
    for (; expanded_ < result_.statistics.states; ++expanded_) {
      if (expanded_ == level_end) {
        level_end = result_.statistics.states;
        result_.levels.push_back({level_end - expanded_, result_.statistics.transitions});
        ++result_.statistics.depth;
      }
      if (expanded_ % kExpansionsPerPoll == 0 && poll()) break;
      expand(static_cast<StateIndex>(expanded_));
      if (budget_.is_over()) break;
      for (const Successor& successor : expansion_.successors) arrive(expansion_.state(successor));
    }
    return !budget_.is_over();
  }

  // Is it new?
  bool arrive(StateBytes state) {
    const Insertion found = store_.insert(writer_, ExactStore::key(state), state);
    ++result_.statistics.transitions;
    if (!found.is_new) return false;
    if (found.index != result_.statistics.states)
      throw std::logic_error("a store with one writer has left out a number");
    ++result_.statistics.states;
    return true;
  }

  void list_unexplored() {
    for (std::uint64_t i = expanded_; i < result_.statistics.states; ++i) {
      if (i % kExpansionsPerPoll == 0 && poll()) return;
      list_steps(static_cast<StateIndex>(i), unexplored_);
    }
  }

  void list_steps(StateIndex state, std::vector<Step>& steps) {
    expand(state);
    for (std::uint32_t place = 0; place < expansion_.successors.size(); ++place)
      steps.push_back({state, place});
  }

  // Follows the step, and all that comes behind it. States that wait are not kept but made again: memory is
  // what is scarce.
  void sample(Step first) {
    waiting_.push_back(first);
    std::uint32_t popped = 0;
    while (!waiting_.empty() && (++popped % kExpansionsPerPoll != 0 || !poll())) {
      const Step step = waiting_.back();
      waiting_.pop_back();
      expand(step.source);
      const std::optional<StateBytes> state = target(step);
      if (!state || !arrive(*state)) continue;
      if (popped == 1) ++result_.samples;
      ++result_.found;
      list_steps(static_cast<StateIndex>(result_.statistics.states - 1), waiting_);
    }
  }

  // Which new states do the other steps lead to?
  void count_left() {
    const std::optional<LimitHit> limit = budget_.limit();
    budget_.begin_stage(kShareForCounting);
    std::ranges::sort(unexplored_, {}, [](const Step& step) { return step.source; });
    std::unordered_set<std::uint64_t> new_ones;
    StateIndex expanded = kNoState;
    std::uint32_t counted = 0;
    for (const Step& step : unexplored_) {
      if (++counted % kExpansionsPerPoll == 0) {
        counted_bytes_ = new_ones.size() * kBytesPerCounted;
        if (poll()) break;
      }
      if (step.source != expanded) expand(step.source);
      expanded = step.source;
      const std::optional<StateBytes> state = target(step);
      if (!state) continue;
      const std::uint64_t hash = ExactStore::key(*state);
      if (store_.find(hash, *state) == kNoState) new_ones.insert(hash);
    }
    result_.left = new_ones.size();
    if (budget_.is_over()) {
      forget_samples();
    } else {
      result_.limit = limit;
    }
  }

  void expand(StateIndex state) {
    expansion_.clear();
    system_.expand(store_.get(state, decode_buffer_), expansion_);
    if (!expansion_.was_cut) return;
    budget_.end(LimitHit::kMemory);  // more successors than can be numbered
    expansion_.clear();              // what was found so far is worth nothing
  }
  // The state behind a step of the state that was expanded last; nothing where the expansion was given up.
  std::optional<StateBytes> target(const Step& step) const {
    if (step.place >= expansion_.successors.size()) return std::nullopt;
    return expansion_.state(expansion_.successors[step.place]);
  }

  // Is this stage over?
  bool poll() { return budget_.poll(memory_bytes()); }
  std::uint64_t memory_bytes() const {
    return store_.memory_bytes() + (waiting_.capacity() + unexplored_.capacity()) * sizeof(Step) +
           counted_bytes_;
  }

  const TransitionSystem& system_;
  SampledSearch& result_;
  std::mt19937_64 random_;
  Budget budget_;
  ExactStore store_;
  ExactStore::Writer writer_;
  ExactStore::DecodeBuffer decode_buffer_;
  Expansion expansion_;
  std::uint64_t counted_bytes_ = 0;  // of the set of states that are left
  std::uint64_t expanded_ = 0;       // states, breadth-first
  std::vector<Step> unexplored_;
  std::vector<Step> waiting_;
};

}  // namespace

SampledSearch search_and_sample(const TransitionSystem& system, const SearchOptions& options) {
  SampledSearch result;
  try {
    Sampling search(system, options, result);
    try {
      search.run();
    } catch (const std::bad_alloc& error) {
      result.limit = limit_of(error);
      search.forget_samples();
    }
    search.take_figures();
  } catch (const std::bad_alloc&) {
    result.limit = LimitHit::kOutOfMemory;
  }
  return result;
}

}  // namespace spoor
