#include "search/probe.h"

#include <algorithm>
#include <new>
#include <numeric>
#include <random>
#include <unordered_set>
#include <vector>

#include "search/pending_stack.h"
#include "store/bitstate.h"

namespace spoor {
namespace {

constexpr unsigned kHashes = 2;
constexpr std::uint32_t kLongLine = 8;
constexpr std::uint32_t kBetweenMarks = 64;  // states of a line
constexpr std::size_t kMostMarks = 8192;
constexpr std::uint32_t kPollEvery = 256;

class Probe {
 public:
  Probe(const TransitionSystem& system, const SearchOptions& options, ProbeResult& result)
      : system_(system),
        options_(options),
        result_(result),
        budget_(options.limits),
        filter_(filter_of(options)),
        random_(options.filter.seed) {
    expansion_.asked.budget = &budget_;
  }

  void run() {
    const std::vector<std::byte> initial = system_.initial_state();
    meet(initial, 0);
    poll();  // a long expansion is added to what was polled last: the filter counts from the first one on
    while (!waiting_.empty() && !budget_.is_over()) {
      const PendingStack::Entry next = waiting_.pop();
      const auto line_to_it = static_cast<std::uint32_t>(next.marks);
      expand(next.bytes);
      result_.transitions += expansion_.successors.size();
      if (result_.expanded % kPollEvery == 0) poll();
      const bool has_choice = expansion_.is_reduced || expansion_.successors.size() != 1;
      if (has_choice && line_to_it > 0 && !is_new_behind_line(next.key, line_to_it)) continue;
      const std::uint32_t line = has_choice ? 0 : line_to_it + 1;
      order_.resize(expansion_.successors.size());
      std::iota(order_.begin(), order_.end(), 0u);
      std::shuffle(order_.begin(), order_.end(), random_);
      for (const std::uint32_t i : order_) meet(expansion_.state(expansion_.successors[i]), line);
    }
    result_.limit = budget_.limit();
    result_.elapsed_s = budget_.elapsed_s();
  }

 private:
  void poll() { budget_.poll(filter_.memory_bytes() + waiting_.memory_bytes()); }

  // Where the steps of a reduced expansion lead to nothing new, all are needed.
  void expand(StateBytes state) {
    expansion_.clear();
    expansion_.asked.may_reduce = options_.reduce;
    system_.expand(state, expansion_);
    const auto is_new = [&](const Successor& successor) {
      return !filter_.contains(BitstateStore::key(expansion_.state(successor)));
    };
    if (expansion_.is_reduced && std::ranges::none_of(expansion_.successors, is_new)) {
      expansion_.clear();
      expansion_.asked.may_reduce = false;
      system_.expand(state, expansion_);
    }
    if (expansion_.was_cut) budget_.end(LimitHit::kMemory);  // more successors than can be numbered
    ++result_.expanded;
  }

  static FilterOptions filter_of(const SearchOptions& options) {
    FilterOptions filter = options.filter;
    filter.hashes = kHashes;
    filter.counts_met = false;
    return filter;
  }

  // Does the filter take it for new? From now on it does not.
  bool add(std::uint64_t hash) { return filter_.insert(writer_, hash, {}).is_new != 0; }
  // False: it was there. There is no room for more than a few.
  bool mark(std::uint64_t hash) { return marks_.size() < kMostMarks && marks_.insert(hash).second; }

  bool is_new_behind_line(std::uint64_t hash, std::uint32_t line) {
    return add(hash) || (line >= kLongLine && mark(hash));
  }

  void meet(StateBytes state, std::uint32_t line) {
    const std::uint64_t hash = BitstateStore::key(state);
    result_.met.add(hash);
    bool goes_on = true;
    if (line == 0) {
      goes_on = add(hash);
    } else if (line % kBetweenMarks == 0) {
      goes_on = marks_.contains(hash) ? false : mark(hash) || add(hash);
    }
    if (goes_on) waiting_.push(hash, {}, line, state);
  }

  const TransitionSystem& system_;
  const SearchOptions& options_;
  ProbeResult& result_;
  Budget budget_;
  BitstateStore filter_;
  BitstateStore::Writer writer_;
  std::mt19937_64 random_;
  Expansion expansion_;
  std::vector<std::uint32_t> order_;
  PendingStack waiting_;  // the marks of a state: how many single steps lead to it
  std::unordered_set<std::uint64_t> marks_;
};

}  // namespace

ProbeResult probe(const TransitionSystem& system, const SearchOptions& options) {
  ProbeResult result;
  try {
    Probe search(system, options, result);
    search.run();
  } catch (const std::bad_alloc& error) {
    result.limit = limit_of(error);
  }
  return result;
}

}  // namespace spoor
