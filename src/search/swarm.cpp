#include "search/swarm.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <variant>

#include "base/distinct_counter.h"
#include "search/crew.h"

namespace spoor {
namespace {

constexpr double kNoGrowth = 0.01;
constexpr unsigned kWithoutGrowth = 2;  // searches in a row

class Swarm {
 public:
  Swarm(const TransitionSystem& system, const SearchOptions& options, const SwarmOptions& swarm)
      : system_(system), options_(options), swarm_(swarm) {
    options_.filter.counts_met = true;
    options_.threads = 1;
    options_.halt = &is_over_;
    if (swarm.is_diversified) options_.order = Order::kDepthFirst;
  }

  SwarmResult run() {
    Crew crew(std::min(std::max(1u, swarm_.threads), swarm_.searches));
    crew.run([this](unsigned thread) { work(thread); });
    return together();
  }

 private:
  using Clock = std::chrono::steady_clock;

  // One search after another, until there is none left to begin.
  void work(unsigned thread) {
    for (;;) {
      const unsigned number = next_.fetch_add(1, std::memory_order_relaxed);
      if (number >= swarm_.searches || is_over_.load(std::memory_order_relaxed)) return;
      SearchOptions options = options_;
      options.filter.seed += number;
      if (swarm_.is_diversified) options.shuffle = options.filter.seed + 1;
      if (thread != 0) options.progress = nullptr;  // it may be called from one thread only
      if (options.limits.seconds != 0) {
        const double left_s = options.limits.seconds - elapsed_s();
        if (left_s <= 0 && number > 0) return note_limit(LimitHit::kTime);
        options.limits.seconds = std::max(1e-9, left_s);
      }
      note(number, search(system_, options));
    }
  }

  double elapsed_s() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  void note_limit(LimitHit limit) {
    const std::lock_guard lock(mutex_);
    if (!limit_) limit_ = limit;
    is_over_.store(true, std::memory_order_relaxed);
  }

  void note(unsigned number, SearchResult result) {
    const std::lock_guard lock(mutex_);
    const bool was_halted =
        result.limit == LimitHit::kInterrupted && is_over_.load(std::memory_order_relaxed);
    const bool is_violated = !result.violations.empty();
    if (result.limit && !was_halted && !limit_) limit_ = result.limit;
    if ((is_violated && !options_.all_errors) || result.limit)
      is_over_.store(true, std::memory_order_relaxed);
    results_.emplace(number, std::move(result));
    if (swarm_.ends_without_growth && has_stopped_growing()) is_over_.store(true, std::memory_order_relaxed);
  }

  // Have the last searches added nothing worth mentioning? Asked in the order of their numbers.
  bool has_stopped_growing() const {
    DistinctCounter all;
    double before = 0;
    unsigned without = 0;
    unsigned expected = 0;
    for (const auto& [number, result] : results_) {
      if (number != expected++ || !result.filter || !result.filter->is_complete) break;
      all.add(*result.filter->seen);
      const double now = all.estimate();
      without = now < before * (1 + kNoGrowth) ? without + 1 : 0;
      before = now;
      if (without >= kWithoutGrowth) return true;
    }
    return false;
  }

  SwarmResult together() {
    SwarmResult swarm;
    swarm.has_stopped_growing = has_stopped_growing();
    DistinctCounter all;
    double omission = 1;
    bool has_finished = true;
    std::map<std::pair<FindingKind, std::uint32_t>, Violation> violations;
    SearchResult& sum = swarm.result;
    for (auto& [number, result] : results_) {
      Statistics& statistics = sum.statistics;
      statistics.states += result.statistics.states;
      statistics.transitions += result.statistics.transitions;
      statistics.matched += result.statistics.matched;
      statistics.inner_steps += result.statistics.inner_steps;
      statistics.findings += result.statistics.findings;
      statistics.depth = std::max(statistics.depth, result.statistics.depth);
      statistics.cpu_s += result.statistics.cpu_s;
      statistics.memory_bytes = std::max(statistics.memory_bytes, result.statistics.memory_bytes);
      if (sum.executed.empty()) sum.executed.resize(result.executed.size());
      for (std::size_t i = 0; i < result.executed.size(); ++i) sum.executed[i] |= result.executed[i];
      for (Violation& violation : result.violations) {
        const std::pair defect(violation.finding.kind, violation.finding.identity);
        const auto [known, is_new] = violations.try_emplace(defect, violation);
        if (!is_new && violation.steps.size() < known->second.steps.size())
          known->second = std::move(violation);
      }
      if (const auto* const probably = std::get_if<HoldsProbably>(&result.outcome)) {
        omission = std::min(omission, probably->omission_probability);
      }
      if (!result.filter || result.filter->seen == nullptr) continue;
      all.add(*result.filter->seen);
      if (result.filter->is_complete) {
        swarm.members.push_back({*result.filter, result.statistics.transitions, all.estimate()});
      } else {
        has_finished = false;
      }
    }
    sum.statistics.elapsed_s = elapsed_s();
    sum.statistics.memory_bytes *= std::min<std::uint64_t>(std::max(1u, swarm_.threads), results_.size());
    swarm.seen = all.estimate();
    for (auto& [defect, violation] : violations) sum.violations.push_back(std::move(violation));
    sum.store = StoreKind::kBitstate;
    sum.limit = limit_;
    if (!swarm.members.empty()) sum.filter = swarm.members.back().filter;
    if (!sum.violations.empty()) {
      sum.outcome = Violated{};
    } else if (limit_ || (!has_finished && swarm.members.empty())) {
      sum.outcome = Unknown{limit_.value_or(LimitHit::kInterrupted)};
    } else {
      sum.outcome = HoldsProbably{omission};
    }
    return swarm;
  }

  const TransitionSystem& system_;
  SearchOptions options_;
  const SwarmOptions swarm_;
  const Clock::time_point begin_ = Clock::now();
  std::atomic<unsigned> next_ = 0;
  std::atomic<bool> is_over_ = false;
  std::mutex mutex_;  // guards the rest
  std::map<unsigned, SearchResult> results_;
  std::optional<LimitHit> limit_;
};

}  // namespace

SwarmResult search_swarm(const TransitionSystem& system, const SearchOptions& options,
                         const SwarmOptions& swarm) {
  if (options.store != StoreKind::kBitstate) throw std::invalid_argument("a swarm searches with filters");
  if (swarm.searches == 0) throw std::invalid_argument("a swarm of nobody");
  return Swarm(system, options, swarm).run();
}

}  // namespace spoor
