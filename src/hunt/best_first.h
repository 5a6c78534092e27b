// Best-first search: the state with the smallest key next. Greedy search, A* and the search for new
// combinations differ in the key only.
//
// The key of a state is computed once, when it is found, from its estimate, its depth and what else the
// method knows; of equal keys the older state comes first. An estimate that is made from the steps of a state
// (Heuristic::needs_steps) is that of the state before, unless the search is eager: then every new state is
// expanded at once, which shows its errors, too, and again when it is taken. Expansions are counted twice
// then, which is right: the work is done twice, and no state has to be kept with its successors.
//
// A state to which a shorter way is found gets that way. It waits once more, with the estimate that it had,
// where depth matters: to A*, which is after short traces, and with a bound on the length, so that no state
// is lost by a detour.
//
// When no state is waiting, all were expanded, each at its least depth as far as the bound on the length
// allows: there is no error within it.
//
// Cost: the states that were found, with 16 bytes per state that waits. Thread safety: none.
// Tested by: tests/unit/test_hunt.cpp
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "hunt/hunter.h"
#include "hunt/state_tree.h"

namespace spoor {

// `KeyOf` has meet(bytes), called once for every new state in the order of their numbers, key(state, depth,
// estimate), memory_bytes() and kUsesDepth.
template <class KeyOf>
class BestFirst {
 public:
  BestFirst(Hunter& hunter, const MethodOptions& options, KeyOf& key_of)
      : hunter_(hunter),
        options_(options),
        key_of_(key_of),
        is_lazy_(options.heuristic != nullptr && options.heuristic->needs_steps() && !options.is_eager),
        reopens_(KeyOf::kUsesDepth || options.most_steps != MethodOptions::kAnyLength),
        is_eager_(options.heuristic != nullptr && options.heuristic->needs_steps() && options.is_eager) {}

  MethodResult run() {
    arrive(hunter_.system().initial_state(), kNoState, StepId::none(), 0);
    while (!waiting_.empty() && !result_.found) {
      std::ranges::pop_heap(waiting_, later);
      const Waiting next = waiting_.back();
      waiting_.pop_back();
      if (reopens_ && next.depth != tree_.depth(next.state)) continue;  // it waits with a shorter way, too
      if (!expand(next.state)) break;
    }
    result_.states = tree_.size();
    result_.depth = tree_.greatest_depth();
    if (result_.found || hunter_.is_over()) return std::move(result_);
    result_.has_seen_all_within = true;
    result_.has_seen_all = !is_cut_;
    return std::move(result_);
  }

  std::uint64_t memory_bytes() const {
    return tree_.memory_bytes() + waiting_.capacity() * sizeof(Waiting) +
           estimates_.capacity() * sizeof(estimates_[0]) + key_of_.memory_bytes();
  }

 private:
  struct Waiting {
    std::uint64_t key = 0;
    std::uint64_t turn = 0;  // how many came before
    StateIndex state = 0;
    std::uint32_t depth = 0;
  };
  static bool later(const Waiting& a, const Waiting& b) {
    return a.key != b.key ? a.key > b.key : a.turn > b.turn;
  }

  // False: the method is over.
  bool expand(StateIndex state) {
    const std::uint32_t depth = tree_.depth(state);
    if (!hunter_.expand(tree_.bytes(state), expansion_, *this)) return false;
    hunter_.note_taken();
    if (note_error(state, expansion_)) return true;
    if (depth >= options_.most_steps) {
      is_cut_ |= !expansion_.successors.empty();
      return true;
    }
    std::uint32_t estimate = 0;
    if (is_lazy_) estimate = options_.heuristic->estimate(tree_.bytes(state), expansion_);
    for (const Successor& successor : expansion_.successors) {
      if (!arrive(expansion_.state(successor), state, successor.step, estimate)) return false;
      if (result_.found) break;
    }
    return true;
  }

  // False: the method is over.
  bool arrive(StateBytes bytes, StateIndex parent, StepId step, std::uint32_t estimate) {
    const Insertion inserted = tree_.add(bytes, parent, step);
    const StateIndex state = inserted.index;
    if (inserted.is_new) {
      if (is_eager_) {
        if (!hunter_.expand(bytes, ahead_, *this)) return false;
        if (note_error(state, ahead_)) return true;
        estimate = options_.heuristic->estimate(bytes, ahead_);
      } else if (options_.heuristic != nullptr && !is_lazy_) {
        estimate = options_.heuristic->estimate(bytes, ahead_);
      }
      estimates_.push_back(estimate);
      key_of_.meet(bytes);
      wait(state);
    } else if (parent != kNoState && tree_.shorten(state, parent, step) && reopens_) {
      wait(state);
    }
    return true;
  }

  void wait(StateIndex state) {
    const std::uint32_t depth = tree_.depth(state);
    waiting_.push_back({key_of_.key(state, depth, estimates_[state]), turn_++, state, depth});
    std::ranges::push_heap(waiting_, later);
  }

  bool note_error(StateIndex state, const Expansion& expansion) {
    const Finding* const finding = hunter_.finding_of(expansion);
    if (finding == nullptr || length_of(*finding, tree_.depth(state)) > options_.most_steps) return false;
    result_.found = tree_.violation(state, *finding);
    return true;
  }

  Hunter& hunter_;
  const MethodOptions& options_;
  KeyOf& key_of_;
  const bool is_lazy_, reopens_, is_eager_;
  MethodResult result_;
  StateTree tree_;
  std::vector<Waiting> waiting_;          // a heap
  std::vector<std::uint32_t> estimates_;  // by state
  Expansion expansion_, ahead_;
  std::uint64_t turn_ = 0;
  bool is_cut_ = false;
};

// A key of several parts: the most significant first.
inline std::uint64_t join_key(std::uint32_t first, std::uint32_t second, std::uint32_t third) {
  constexpr std::uint64_t kBits = 21;
  constexpr std::uint64_t kMost = (std::uint64_t{1} << kBits) - 1;
  const auto part = [&](std::uint64_t value) { return std::min(value, kMost); };
  return part(first) << 2 * kBits | part(second) << kBits | part(third);
}

}  // namespace spoor
