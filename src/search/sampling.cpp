#include "search/sampling.h"

#include <algorithm>
#include <chrono>
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
constexpr std::uint32_t kPollEvery = 64;  // expansions

class Sampling : private ExpansionBudget {
 public:
  Sampling(const TransitionSystem& system, const SearchOptions& options, SampledSearch& result)
      : system_(system), options_(options), result_(result), random_(options.shuffle) {
    expansion_.asked.budget = this;
    store_.enter();
  }
  ~Sampling() { store_.leave(); }
  Sampling(const Sampling&) = delete;
  Sampling& operator=(const Sampling&) = delete;

  void run() {
    if (search_breadth_first()) return;
    if (result_.limit == LimitHit::kInterrupted) return;
    result_.limit.reset();
    list_unexplored();
    if (result_.limit) return;  // nothing is left for samples
    std::shuffle(unexplored_.begin(), unexplored_.end(), random_);
    std::size_t tried = 0;
    while (tried < unexplored_.size() && !poll(1)) sample(unexplored_[tried++]);
    unexplored_.erase(unexplored_.begin(), unexplored_.begin() + static_cast<std::ptrdiff_t>(tried));
    if (result_.limit) count_left();
  }

  // Without the count of what is left the samples say nothing.
  void forget_samples() { result_.samples = result_.found = result_.left = 0; }

  void take_figures() {
    Statistics& figures = result_.statistics;
    figures.matched = figures.transitions - figures.states;
    figures.elapsed_s = elapsed_s();
    note_memory();
  }

 private:
  using Clock = std::chrono::steady_clock;

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
      if (expanded_ % kPollEvery == 0 && poll(kBreadthFirstShare)) break;
      expand(static_cast<StateIndex>(expanded_));
      if (result_.limit) break;
      for (const Successor& successor : expansion_.successors) arrive(expansion_.state(successor));
    }
    return !result_.limit;
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
      if (i % kPollEvery == 0 && poll(1)) return;
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
    while (!waiting_.empty() && (++popped % kPollEvery != 0 || !poll(1))) {
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
    const std::optional<LimitHit> limit = std::exchange(result_.limit, std::nullopt);
    share_of_expansions_ = kShareForCounting;
    std::ranges::sort(unexplored_, {}, [](const Step& step) { return step.source; });
    std::unordered_set<std::uint64_t> new_ones;
    StateIndex expanded = kNoState;
    std::uint32_t counted = 0;
    for (const Step& step : unexplored_) {
      if (++counted % kPollEvery == 0) {
        counted_bytes_ = new_ones.size() * kBytesPerCounted;
        if (poll(kShareForCounting)) break;
      }
      if (step.source != expanded) expand(step.source);
      expanded = step.source;
      const std::optional<StateBytes> state = target(step);
      if (!state) continue;
      const std::uint64_t hash = ExactStore::key(*state);
      if (store_.find(hash, *state) == kNoState) new_ones.insert(hash);
    }
    result_.left = new_ones.size();
    if (result_.limit || limit == LimitHit::kInterrupted) forget_samples();
    if (!result_.limit) result_.limit = limit;
  }

  void expand(StateIndex state) {
    expansion_.clear();
    system_.expand(store_.get(state, room_), expansion_);
    if (!expansion_.was_cut) return;
    if (!result_.limit) result_.limit = LimitHit::kMemory;  // more successors than can be numbered
    expansion_.clear();                                     // what was found so far is worth nothing
  }
  // The state behind a step of the state that was expanded last; nothing where the expansion was given up.
  std::optional<StateBytes> target(const Step& step) const {
    if (step.place >= expansion_.successors.size()) return std::nullopt;
    return expansion_.state(expansion_.successors[step.place]);
  }

  // Within one expansion, which may take long.
  bool is_exhausted(std::uint64_t bytes) override {
    expansion_bytes_ = bytes;
    const bool is_over = poll(share_of_expansions_);
    expansion_bytes_ = 0;
    return is_over;
  }

  // Has a limit been reached, of which this share may be used?
  bool poll(double share) {
    const Limits& limits = options_.limits;
    const double memory = static_cast<double>(note_memory());
    if (options_.interrupt != nullptr && options_.interrupt->load(std::memory_order_relaxed))
      result_.limit = LimitHit::kInterrupted;
    if (limits.memory_bytes != 0 && memory > share * static_cast<double>(limits.memory_bytes))
      result_.limit = LimitHit::kMemory;
    if (limits.seconds != 0 && elapsed_s() > share * limits.seconds) result_.limit = LimitHit::kTime;
    return result_.limit.has_value();
  }

  std::uint64_t note_memory() {
    const std::uint64_t bytes = store_.memory_bytes() +
                                (waiting_.capacity() + unexplored_.capacity()) * sizeof(Step) +
                                expansion_bytes_ + counted_bytes_;
    result_.statistics.memory_bytes = std::max(result_.statistics.memory_bytes, bytes);
    return bytes;
  }
  double elapsed_s() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  const TransitionSystem& system_;
  const SearchOptions& options_;
  SampledSearch& result_;
  std::mt19937_64 random_;
  const Clock::time_point begin_ = Clock::now();
  ExactStore store_;
  ExactStore::Writer writer_;
  ExactStore::Room room_;
  Expansion expansion_;
  double share_of_expansions_ = 1;     // of the limits, that a long expansion may use up
  std::uint64_t expansion_bytes_ = 0;  // of one under way
  std::uint64_t counted_bytes_ = 0;    // of the set of states that are left
  std::uint64_t expanded_ = 0;         // states, breadth-first
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
