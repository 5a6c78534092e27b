// A model that was edited, without what lies below states that cannot reach the edit: the pruning of Yang,
// Dwyer and Rothermel (Regression Model Checking, ICSM 2009). `--regression prune`; the default is the walk
// (walk.h).
//
// The idea. Of each recorded state it is known what can be reached from it (reachable_sets.h). When the
// search meets a state of the recording from which no changed location is reached, everything below it is as
// it was in the old version: the same states, steps and statements. If nothing went wrong there, nothing does
// now. So this system gives such a state no successors; it is *pruned*. Every other state is expanded by the
// new version.
//
// Why not the default. Where most states lie in one component, as in most protocols, each of them reaches
// every location, and an edit anywhere leaves nothing to be pruned: the median over random edits is 100 % of
// the states. The walk executes only the states that stand at the edit, and counts all others. And sets have
// to be computed for each recording. It is here to be compared, and for models that go from phase to phase:
// an edit in an early phase leaves all later ones pruned.
//
// Why the verdict is that of a full check. Let s be a pruned state, o the recorded one that it is the
// translation of. All states below o were expanded, and have no changed location. A state without changed
// elements has, in the new version, the translations of its successors as successors, and the same findings
// (model/state_layout.h). By induction the states below s are the translations of those below o; so they have
// no finding, because o is not open. Statements: those recorded below o, by their numbers in the new version,
// are executed below s; where one has no number there, o is not pruned.
//
// Violations. Published is that the trace of a violation below a pruned state is reported from the recording.
// Here a state with a violation below it is open, and never pruned. So no state on a path to a violation is
// pruned: if a later one had a finding, the set or the state would not be as above. The search finds each
// violation itself, in the order of a full check, with a trace of the new version, which is replayed as any
// other; and a violation that the old trace does not lead to any more is not reported.
//
// Partial-order reduction. The search reduces as any search does, with its proviso; the recorded graph was
// made in the same way. What the proviso is for: from each state there is a path, in the reduced graph, to a
// state that is expanded in full; so no step is ignored. In the recorded graph below o this holds by itself,
// because such a path does not leave what is below o; and the subsets of steps that were chosen there are
// subsets that the new version chooses, because the flags that decide it belong to the elements. In the new
// search the chain of states that the proviso gives (to the next level; to a state that was left before) ends
// at a state that is expanded in full, or at a pruned one, from where it goes on below o. So the new graph,
// joined with the recorded one below the pruned states, is a reduced graph of the new version, in which no
// step is ignored. With `deadlocks_only` there is no proviso and nothing to be joined: each subset is enough
// by itself. Which states are reduced may be another choice than that of a full check, as with another order
// of search: verdict, kinds of violation and executed statements do not depend on it.
//
// Figures are those of the search: states that were explored, and among them those that were pruned. How many
// states the model has is not known.
//
// The recording stays as it is, also where the graph was explored completely, as published: the next version
// is compared with the version that was recorded. When nothing can be pruned any more, a full check records
// anew.
//
// What is trusted: recorded states are compared and never expanded, so no file leads to more than a wrong
// answer.
//
// Cost: a lookup per state, for which it is translated to the old version where layouts differ. A slot of 10
// to 20 bytes for each state that may be pruned, 5 bytes for each recorded one, and its code.
// Thread safety: as TransitionSystem demands.
// Tested by: tests/unit/test_reachable_sets.cpp, tests/suites/test_regression.py
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "evidence/recording.h"
#include "evidence/state_table.h"
#include "model/compare_elements.h"
#include "model/layer.h"
#include "model/state_layout.h"

namespace spoor {

class PrunedSystem : public LayerOver<TransitionSystem> {
 public:
  // `before`: the version that was recorded. Null, with the reason in `why_not`, where nothing can be pruned.
  // The arguments must live as long as the system. Throws std::bad_alloc.
  static std::unique_ptr<const PrunedSystem> make(const Recording& recording, const TransitionSystem& before,
                                                  const TransitionSystem& after, std::string& why_not);

  void expand(StateBytes state, Expansion& out) const override;

  struct Figures {
    std::size_t locations = 0;   // of the old version
    std::size_t changed = 0;     // of these
    std::uint64_t recorded = 0;  // states
    std::uint64_t prunable = 0;  // of these: nothing below them can be another
  };
  const Figures& figures() const { return figures_; }
  // States that were met and not expanded.
  std::uint64_t pruned() const { return pruned_.load(std::memory_order_relaxed); }

 private:
  struct Workspace;

  PrunedSystem(const Recording& recording, const TransitionSystem& before, const TransitionSystem& after);
  std::string why_nothing_to_prune();
  // By set: may its states be pruned? Their statements, as statements of the new version.
  bool choose_sets();
  void add_states();
  Workspace& workspace_of(Expansion& out) const;
  // The recorded state that a state of the new version is the translation of, if it may be pruned.
  StateIndex find(StateBytes state, Workspace& own) const;

  const Recording& recording_;
  const TransitionSystem& before_;
  const ElementComparison to_after_, to_before_;
  bool is_identity_ = false;
  Figures figures_;
  std::vector<bool> may_prune_;                         // by set
  std::vector<std::vector<std::uint32_t>> statements_;  // by set
  StateTable table_;                                    // of the states that may be pruned
  mutable std::vector<std::uint8_t> is_pruned_;         // by recorded state: it was met
  mutable std::atomic<std::uint64_t> pruned_ = 0;
};

}  // namespace spoor
