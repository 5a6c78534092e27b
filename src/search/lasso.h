// Counterexamples of infinite runs: a short way to a short cycle.
//
// A depth-first search that closes a bad cycle has a path through half of the state space behind it, too long
// to read. So a second search, breadth-first, finds the lasso among the states that the first has
// met: a cycle first, then the shortest way from the initial state to any state of it.
//
// The cycle. The search names states that lie on bad cycles, and says which steps may be taken (those
// within the component that it found). From a start, a breadth-first search over pairs of a state and the
// marks that were met on the way finds the shortest bad cycle through it. Where there are too many pairs,
// because there are many marks, the nearest step with a missing mark is walked to instead, then the next,
// and in the end the shortest way back: short, but perhaps not the shortest. (To find the shortest is
// NP-hard in the number of marks: Clarke, Grumberg, McMillan, Zhao, DAC 1995.) Several starts are tried, as
// long as that costs no more than kMostExpansions.
//
// Breadth-first search over states that are known needs expansions and lookups, and no more memory than
// what it walks over. A state that was never met is not entered, so a lasso costs no more than the search
// did.
//
// REQUIRES: a store that keeps bytes and names states.
// Tested by: tests/unit/test_cycles.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/omega.h"
#include "search/core.h"
#include "store/visited_set.h"

namespace spoor {

struct Lasso {
  std::vector<StepId> steps;
  std::size_t loop = 0;  // how many of them lead to the cycle
};

template <RememberingSet Store>
class LassoMaker {
  static_assert(Store::kKeepsBytes && Store::kNamesStates);

 public:
  struct Step {
    StateIndex source = kNoState;
    StepId step;
    Marks marks = 0;
    StateIndex target = kNoState;
  };

  // `bound`: states with this number or more were not met by the search.
  LassoMaker(const OmegaSystem& system, Store& store, std::uint64_t bound)
      : system_(system), store_(store), bound_(bound) {}

  // The shortest way from the initial state to this one.
  std::vector<StepId> trace_to(StateIndex state) {
    return names_of(walk(
        initial(), [&](const Step& step) { return step.target == state; }, [](const Step&) { return true; },
        state));
  }

  // `starts`: some states that lie on bad cycles. `may_take`: is the step within such cycles?
  template <class MayTake>
  Lasso make(std::span<const StateIndex> starts, const MayTake& may_take) {
    std::vector<Step> best;
    const std::size_t stride = std::max<std::size_t>(1, starts.size() / kMostStarts);
    for (std::size_t i = 0; i < starts.size(); i += stride) {
      std::vector<Step> cycle = cycle_through(starts[i], may_take);
      if (best.empty() || cycle.size() < best.size()) best = std::move(cycle);
      if (expansions_ > kMostExpansions) break;
    }
    const auto is_on_cycle = [&](StateIndex state) {
      return std::ranges::any_of(best, [&](const Step& step) { return step.source == state; });
    };
    std::vector<Step> stem;
    if (const StateIndex first = initial(); !is_on_cycle(first)) {
      stem = walk(
          first, [&](const Step& step) { return is_on_cycle(step.target); },
          [](const Step&) { return true; });
    }
    const StateIndex entry = stem.empty() ? initial() : stem.back().target;
    const auto begins = [&](const Step& step) { return step.source == entry; };
    std::rotate(best.begin(), std::find_if(best.begin(), best.end(), begins), best.end());
    Lasso lasso{names_of(stem), stem.size()};
    for (const Step& step : best) lasso.steps.push_back(step.step);
    return lasso;
  }

 private:
  static constexpr std::size_t kMostStarts = 256;
  static constexpr std::uint64_t kMostExpansions = 1'000'000;
  static constexpr std::size_t kMostPairs = 1'000'000;

  StateIndex initial() {
    const std::vector<std::byte> state = system_.initial_state();
    return find(state);
  }
  StateIndex find(StateBytes state) {
    std::uint64_t key = 0;
    if constexpr (requires { Store::key(state); }) {
      key = Store::key(state);
    } else {
      store_.keys(writer_, {&state, 1}, {}, &key);
    }
    return store_.insert(writer_, key, state).index;
  }

  // Marks that a cycle must meet on one of its steps. (Where every step must have them, `may_take` sees to
  // it.)
  Marks needed() const { return system_.rule() == CycleRule::kTogether ? system_.all_marks() : 0; }

  template <class MayTake>
  std::vector<Step> cycle_through(StateIndex start, const MayTake& may_take) {
    std::vector<Step> cycle = shortest_cycle_through(start, may_take);
    return cycle.empty() ? greedy_cycle_through(start, may_take) : cycle;
  }

  // Empty where there are too many pairs.
  template <class MayTake>
  std::vector<Step> shortest_cycle_through(StateIndex start, const MayTake& may_take) {
    using Pair = std::pair<StateIndex, Marks>;  // and the marks that were met
    struct Found {
      Pair before;
      Step by;
    };
    std::map<Pair, Found> reached;
    std::deque<Pair> queue{{start, 0}};
    while (!queue.empty() && reached.size() < kMostPairs) {
      const Pair at = queue.front();
      queue.pop_front();
      for (const Step& step : steps_of(at.first)) {
        if (!may_take(step)) continue;
        const Pair next{step.target, at.second | (step.marks & needed())};
        if (!reached.try_emplace(next, Found{at, step}).second) continue;
        if (next != Pair{start, needed()}) {
          queue.push_back(next);
          continue;
        }
        std::vector<Step> cycle;
        Pair back = next;
        do {
          const Found& found = reached.at(back);
          cycle.push_back(found.by);
          back = found.before;
        } while (back != Pair{start, 0});
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
    }
    return {};
  }

  template <class MayTake>
  std::vector<Step> greedy_cycle_through(StateIndex start, const MayTake& may_take) {
    std::vector<Step> cycle;
    Marks missing = needed();
    StateIndex at = start;
    const auto append = [&](const std::vector<Step>& part) {
      for (const Step& step : part) missing &= ~step.marks;
      cycle.insert(cycle.end(), part.begin(), part.end());
      at = cycle.back().target;
    };
    while (missing != 0) {
      append(walk(
          at, [&](const Step& step) { return (step.marks & missing) != 0; }, may_take));
    }
    if (cycle.empty() || at != start) {
      append(walk(
          at, [&](const Step& step) { return step.target == start; }, may_take));
    }
    return cycle;
  }

  // The shortest way from a state up to a step that is good, which is part of it. Empty where `at_once` is
  // the state itself. Throws std::logic_error where there is none.
  template <class IsGood, class MayTake>
  std::vector<Step> walk(StateIndex from, const IsGood& is_good, const MayTake& may_take,
                         StateIndex at_once = kNoState) {
    if (from == at_once) return {};
    std::unordered_map<StateIndex, Step> reached{{from, {}}};  // by which step first
    std::deque<StateIndex> queue{from};
    while (!queue.empty()) {
      const StateIndex source = queue.front();
      queue.pop_front();
      for (const Step& step : steps_of(source)) {
        if (!may_take(step)) continue;
        const bool is_first = reached.try_emplace(step.target, step).second;
        if (is_good(step)) return way(from, step, reached);
        if (is_first) queue.push_back(step.target);
      }
    }
    throw std::logic_error("a cycle that was found cannot be walked");
  }

  static std::vector<Step> way(StateIndex from, Step last,
                               const std::unordered_map<StateIndex, Step>& reached) {
    std::vector<Step> steps{last};
    while (steps.back().source != from) steps.push_back(reached.at(steps.back().source));
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

  const std::vector<Step>& steps_of(StateIndex source) {
    ++expansions_;
    expansion_.clear();
    system_.expand(store_.get(source, decode_buffer_), expansion_);
    steps_.clear();
    for (std::size_t i = 0; i < expansion_.successors.size(); ++i) {
      const Successor& successor = expansion_.successors[i];
      const StateIndex target = find(expansion_.state(successor));
      if (target >= bound_) continue;
      steps_.push_back({source, successor.step, expansion_.marks[i], target});
    }
    return steps_;
  }

  static std::vector<StepId> names_of(const std::vector<Step>& steps) {
    std::vector<StepId> names;
    for (const Step& step : steps) names.push_back(step.step);
    return names;
  }

  const OmegaSystem& system_;
  Store& store_;
  typename Store::Writer writer_;
  typename Store::DecodeBuffer decode_buffer_;
  const std::uint64_t bound_;
  Expansion expansion_;
  std::vector<Step> steps_;
  std::uint64_t expansions_ = 0;
};

}  // namespace spoor
