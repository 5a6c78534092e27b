// A system whose bad cycles have one mark, made of one whose cycles need several together.
//
// The idea (degeneralisation). Beside the state stands how many of the marks, in their order, have been met
// since the last time that all were. A step that completes them has the new mark, and the count begins
// again. A cycle that goes through such a step has met each mark, and the other way round: one that has all
// marks, walked often enough, completes them. Example with marks a and b: from count 0 a step with a leads
// to count 1, one with both completes them, one with b alone leads to count 0.
//
// The names of steps are the system's own, so a trace here is a trace there.
//
// Rivals. Components (components.h) need no count; searches that know one mark only (nested_dfs.h) do. A
// count beside the state of the claim would have one set of rules per automaton; here, fairness can use it,
// too.
//
// The bytes of a state: those of the system's state, then the count, in one byte.
//
// Cost: up to as many states as there are of the system, times the marks; a copy of every successor. Thread
// safety: as for every system.
// Tested by: tests/unit/test_cycles.cpp
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/layer.h"
#include "model/omega.h"

namespace spoor {

class OneMark : public LayerOver<OmegaSystem> {
 public:
  // The system must live as long as this. REQUIRES: its rule is kTogether, and it has marks.
  explicit OneMark(const OmegaSystem& system) : LayerOver(system), system_(system) {
    for (Marks rest = system.all_marks(); rest != 0; rest &= rest - 1) marks_.push_back(rest & -rest);
  }

  CycleRule rule() const override { return CycleRule::kTogether; }
  Marks all_marks() const override { return 1; }
  Finding cycle() const override { return system_.cycle(); }
  ClaimView look(StateBytes state) const override { return system_.look(without_count(state)); }
  std::optional<StepId> step_below(StateBytes state, StepId step) const override {
    return system_.step_below(without_count(state), step);
  }

  std::vector<std::byte> initial_state() const override {
    std::vector<std::byte> state = system_.initial_state();
    state.push_back(std::byte{0});
    return state;
  }

  void expand(StateBytes state, Expansion& out) const override {
    const std::size_t first = out.successors.size();
    system_.expand(without_count(state), out);
    for (std::size_t i = first; i < out.successors.size() && !out.was_cut; ++i) {
      Successor& successor = out.successors[i];
      const std::size_t length = successor.length + std::size_t{1};
      if (out.arena.size() > UINT32_MAX - length) {
        out.was_cut = true;  // more than can be numbered
        return;
      }
      // Behind all others, because there is no room for the count where the state is.
      if (out.arena.capacity() - out.arena.size() < length)
        out.arena.reserve(2 * (out.arena.size() + length));
      const StateBytes target = out.state(successor);
      successor.offset = static_cast<std::uint32_t>(out.arena.size());
      ++successor.length;
      out.arena.append(target);
      const Count count = count_on(std::to_integer<std::size_t>(state.back()), out.marks[i]);
      out.arena.push_back(static_cast<std::byte>(count.met));
      out.marks[i] = count.is_complete ? 1 : 0;
    }
  }

  bool is_well_formed(StateBytes state) const override {
    return !state.empty() && std::to_integer<std::size_t>(state.back()) < marks_.size() &&
           system_.is_well_formed(without_count(state));
  }

  Explanation explain(StateBytes state, StepId step) const override {
    Explanation explanation = system_.explain(without_count(state), step);
    if (explanation.target.empty()) return explanation;
    Expansion expansion;
    system_.expand(without_count(state), expansion);
    for (std::size_t i = 0; i < expansion.successors.size(); ++i) {
      if (expansion.successors[i].step != step) continue;
      const Count count = count_on(std::to_integer<std::size_t>(state.back()), expansion.marks[i]);
      explanation.target.push_back(static_cast<std::byte>(count.met));
      break;
    }
    return explanation;
  }

 private:
  StateBytes state_below(StateBytes state, std::vector<std::byte>&) const override {
    return without_count(state);
  }
  struct Count {
    std::size_t met = 0;
    bool is_complete = false;
  };

  static StateBytes without_count(StateBytes state) { return state.first(state.size() - 1); }

  // A step that completes the marks does not count for the next time.
  Count count_on(std::size_t met, Marks marks) const {
    while (met < marks_.size() && (marks & marks_[met]) != 0) ++met;
    return met == marks_.size() ? Count{0, true} : Count{met, false};
  }

  const OmegaSystem& system_;
  std::vector<Marks> marks_;  // each by itself
};

}  // namespace spoor
