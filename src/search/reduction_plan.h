// Partial-order reduction for infinite runs: where a state must be expanded in full, decided on the model.
//
// A reduced expansion (asked.may_reduce) postpones steps of other processes. For a claim about infinite
// runs no step may be ignored, that is postponed forever: on every cycle of the reduced graph some state is
// expanded in full (the cycle proviso; Peled 1994). The usual way is to look at the path of the search for
// the violation, that is at the product of model and claim. That is unsound: which steps a state of the model
// has then depends on the state of the claim beside it, and the theory is about one reduced graph of the
// model (Siegel, "What's wrong with on-the-fly partial order reduction", CAV 2019; SPIN does it).
//
// Here the model is searched first, by itself, depth-first and reduced. Where a reduced state has a step
// back to the path, to a state that is not expanded in full, it is expanded in full. Each cycle has such a
// step when its last edge is followed, so each cycle has a full state: the source or the target of that
// step.
//
// What was found is kept as a graph: the steps of every state, and the truth of the claim's atoms in it.
// The product is then built from the graph, whose states are numbers of four bytes. So the steps of a state
// depend on that state alone, no state of the model is expanded, hashed or compared a second time, and a
// state of the product is small.
//
// Rivals. A static proviso (one location of every loop of every process is never reduced: Kurshan, Levin,
// Minea, Peled, Yenigun 1998) needs no search, and leaves many more states where processes loop, as most
// do. A plan without the graph (which states are to be expanded in full) needs less memory, and expands the
// model twice: on the liveness rows of the benchmark it takes half as long again.
//
// Cost: the reduced model is stored, and beside it 16 bytes per state and 8 per step. A violation near the
// beginning is better looked for without a plan first.
//
// Thread safety: `system()` and `propositions()` may be used from several threads.
// Tested by: tests/unit/test_reduction_plan.cpp, tests/suites/test_liveness.py
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "model/propositions.h"
#include "model/system.h"
#include "search/search.h"

namespace spoor {

class ReductionPlan {
 public:
  ReductionPlan();
  ~ReductionPlan();
  ReductionPlan(const ReductionPlan&) = delete;
  ReductionPlan& operator=(const ReductionPlan&) = delete;

  // Begins to search the model, which must outlive this, as must the propositions. What limits the options
  // set holds here too; nothing of the rest but limits and progress matters.
  void begin(const TransitionSystem& model, const Propositions& propositions, const SearchOptions& options);
  // Continues until it knows this many states. Returns what has ended the search too early, if anything has;
  // the plan cannot be continued then.
  std::optional<LimitHit> advance(std::uint64_t most_states = UINT64_MAX);
  bool is_complete() const;

  // The model as planned; its states are numbers. With asked.may_reduce a state has the steps of the
  // plan, and no proviso is left to the caller; without, all steps to states that the plan knows. Steps
  // have the names that they have in the model; columns that are asked for cost an expansion of the model.
  // REQUIRES: is_complete(), here and below.
  const TransitionSystem& system() const;
  const Propositions& propositions() const;
  // The state of the model.
  std::vector<std::byte> state_of(StateBytes number) const;

  // What the plan knows of a state.
  struct PlannedState {
    StateIndex number = kNoState;
    StateBytes bytes;
    bool is_full = true;  // no step is left out
    bool has_findings = false;
    std::vector<std::uint32_t> targets;  // of its steps, in order
  };
  // All states, by their numbers, which have no gaps.
  void for_each_state(const std::function<void(const PlannedState&)>& visit) const;

  // By statement: was it executed?
  const std::vector<std::uint8_t>& executed() const;
  std::uint64_t inner_steps() const;
  std::uint64_t states() const;  // of the reduced model
  std::uint64_t memory_bytes() const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace spoor
