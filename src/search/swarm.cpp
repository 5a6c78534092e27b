#include "search/swarm.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <variant>

#include "base/distinct_counter.h"
#include "search/thread_team.h"

namespace spoor {
namespace {

constexpr double kNoGrowth = 0.01;
constexpr unsigned kWithoutGrowth = 2;  // searches in a row

class Swarm {
 public:
  Swarm(const TransitionSystem& system, const SearchOptions& options, const SwarmOptions& swarm)
      : system_(system), options_(options), swarm_(swarm), budget_(options.limits) {
    options_.filter.counts_met = true;
    options_.threads = 1;
    if (swarm.is_diversified) options_.order = Order::kDepthFirst;
  }

  SwarmResult run() {
    ThreadTeam team(std::min(std::max(1u, swarm_.threads), swarm_.searches));
    team.run([this](unsigned thread) { work(thread); });
    return together();
  }

 private:
  // One search after another, until there is none left to begin.
  void work(unsigned thread) {
    for (;;) {
      const unsigned number = next_.fetch_add(1, std::memory_order_relaxed);
      if (number >= swarm_.searches || (number > 0 && budget_.poll())) return;
      SearchOptions options = options_;
      options.filter.seed += number;
      if (swarm_.is_diversified) options.shuffle = options.filter.seed + 1;
      if (thread != 0) options.progress = nullptr;  // it may be called from one thread only
      options.limits = budget_.part();
      note(number, search(system_, options));
    }
  }

  void note(unsigned number, SearchResult result) {
    const std::lock_guard lock(mutex_);
    // A search that was cut short because the swarm is over has not reached a limit of its own.
    if (result.limit) budget_.end(*result.limit);
    if (!result.violations.empty() && !options_.all_errors) budget_.stop();
    results_.emplace(number, std::move(result));
    if (swarm_.ends_without_growth && has_stopped_growing()) budget_.stop();
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
    sum.statistics.elapsed_s = budget_.elapsed_s();
    sum.statistics.memory_bytes *= std::min<std::uint64_t>(std::max(1u, swarm_.threads), results_.size());
    swarm.seen = all.estimate();
    for (auto& [defect, violation] : violations) sum.violations.push_back(std::move(violation));
    sum.store = StoreKind::kBitstate;
    sum.limit = budget_.limit();
    if (!swarm.members.empty()) sum.filter = swarm.members.back().filter;
    if (!sum.violations.empty()) {
      sum.outcome = Violated{};
    } else if (sum.limit || (!has_finished && swarm.members.empty())) {
      sum.outcome = Unknown{sum.limit.value_or(LimitHit::kInterrupted)};
    } else {
      sum.outcome = HoldsProbably{omission};
    }
    return swarm;
  }

  const TransitionSystem& system_;
  SearchOptions options_;
  const SwarmOptions swarm_;
  Budget budget_;  // of all searches together
  std::atomic<unsigned> next_ = 0;
  std::mutex mutex_;  // guards the rest
  std::map<unsigned, SearchResult> results_;
};

}  // namespace

SwarmResult search_swarm(const TransitionSystem& system, const SearchOptions& options,
                         const SwarmOptions& swarm) {
  if (options.store != StoreKind::kBitstate) throw std::invalid_argument("a swarm searches with filters");
  if (swarm.searches == 0) throw std::invalid_argument("a swarm needs at least one search");
  return Swarm(system, options, swarm).run();
}

}  // namespace spoor
