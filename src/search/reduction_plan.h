// Partial-order reduction for infinite runs: where a state must be expanded in full, decided on the model.
//
// A reduced expansion (Expansion::may_reduce) puts steps of other processes off. For a claim about infinite runs they must
// not be put off for ever: on every cycle of the reduced graph some state is expanded in full (the cycle proviso;
// Peled 1994). The usual way is to look at the path of the search for the violation, that is at the product of model and
// claim. That is unsound: which steps a state of the model has then depends on the state of the claim beside
// it, and the theory is about one reduced graph of the model (Siegel, "What's wrong with on-the-fly partial order
// reduction", CAV 2019; SPIN does it).
//
// Here the model is searched first, by itself, depth-first and reduced. Where a reduced state has a step back to the path, to a
// state that is not expanded in full, it is expanded in full. Each cycle has such a step when its last edge is
// followed, so each cycle has a full state: the source or the target of that step. What was decided is
// kept, and the product is then built from the model as the plan has it: the steps of a state depend on that state alone.
//
// Rivals. A static proviso (one location of every loop of every process is never reduced: Kurshan, Levin, Minea, Peled,
// Yenigun 1998) needs no search, and leaves many more states where processes loop, as most do.
//
// Cost: the states of the reduced model are stored once more and expanded twice; a product has at least
// as many. A violation near the beginning is better looked for without a plan first.
//
// Thread safety: `system()` may be used from several threads. Tested by: tests/unit/test_reduction_plan.cpp,
// tests/suites/test_liveness.py
#pragma once

#include <memory>
#include <optional>

#include "model/system.h"
#include "search/search.h"

namespace spoor {

class ReductionPlan {
 public:
  ReductionPlan();
  ~ReductionPlan();
  ReductionPlan(const ReductionPlan&) = delete;
  ReductionPlan& operator=(const ReductionPlan&) = delete;

  // Searches the model, which must outlive this. What limits the options set holds here too; nothing of the rest but
  // progress and interrupt matters. Returns what has ended the search too early, if anything has.
  std::optional<LimitHit> make(const TransitionSystem& model, const SearchOptions& options);

  // The model as planned: with Expansion::may_reduce a state has the steps of the plan, and no proviso is left to the
  // caller. REQUIRES: make() was not cut short; states are those that the plan's own steps lead to.
  const TransitionSystem& system() const;

  std::uint64_t states() const;         // of the reduced model
  std::uint64_t memory_bytes() const;
  double elapsed_s() const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace spoor
