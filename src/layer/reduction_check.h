// A layer that distrusts partial-order reduction: what was claimed is tried out.
//
// The idea (LTSmin has a layer in the same spirit: it scrambles the variables that a front end declared
// unread). A system that answers with some of the steps of a state (Expansion::is_reduced) claims that
// these steps have nothing to do with whatever the others do first. That can be tested by running it.
// Let R be the steps given, and let the left-out processes be those that take part in none of them. At
// a state that was reduced:
//
//   1. R is part of the expansion in full, and nothing goes wrong in it.
//   2. Every step t of R commutes with every step u that was left out: t then u, and u then t, are both
//      possible and end in the same state, and what goes wrong on u goes wrong in both orders.
//   3. "Scramble": the left-out processes walk on alone, in an order drawn at random (the seed is the
//      state, so that every run draws alike). On the way, the processes of R can do exactly the steps
//      of R, and 2 holds for each step of the walk.
//
// Example: `x = x + 1` of one process is given alone, while another can do `y = x`. The two orders end
// in y = 0 and y = 1: a fault, reported with the state and both steps.
//
// What this cannot show: that no step is ignored (the proviso of the searches), and faults
// behind longer walks. It is a test, not a proof; but it can fail, and it needs no knowledge of the
// language. Steps at different states are the same step when the same processes do the same
// transitions; explain() tells.
//
// Which states: the first kFirst that were reduced, and of the others one in kOneIn, chosen by a hash.
//
// When a fault is found the expansion says that it was cut, which ends the search; fault() then tells.
//
// Cost: some hundred expansions per state that is checked. Thread safety: as for every system; of
// faults found at once by several threads one is kept.
// Tested by: tests/unit/test_layer.cpp, tests/suites/test_reduction.py
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "model/layer.h"
#include "model/system.h"

namespace spoor {

// Two steps that were said to be independent, and are not.
struct ReductionFault {
  std::string reason;              // "the steps do not end in the same state"
  std::vector<std::string> state;  // where both start, in words
  std::string step;                // of the reduced set
  std::string other;               // that was left out; empty where the fault is of `step` alone
  Position position;               // of `step`
};

class ReductionCheck : public LayerOver<TransitionSystem> {
 public:
  static constexpr std::uint64_t kFirst = 2048;
  static constexpr std::uint64_t kOneIn = 32;
  static constexpr int kWalks = 2;
  static constexpr int kWalkSteps = 8;
  static constexpr std::size_t kMostPairs = 256;  // of steps, at one state

  // `system` must live as long as the layer.
  explicit ReductionCheck(const TransitionSystem& system) : LayerOver(system) {}

  // Read when no thread expands any more.
  const std::optional<ReductionFault>& fault() const { return fault_; }
  std::uint64_t checked_states() const { return checked_states_; }
  std::uint64_t checked_pairs() const { return checked_pairs_; }

  void expand(StateBytes state, Expansion& out) const override;
  bool is_well_formed(StateBytes state) const override { return below().is_well_formed(state); }

 private:
  class Trial;

  mutable std::atomic<std::uint64_t> reduced_states_{0};
  mutable std::atomic<std::uint64_t> checked_states_{0};
  mutable std::atomic<std::uint64_t> checked_pairs_{0};
  mutable std::atomic<bool> is_broken_{false};
  mutable std::mutex mutex_;
  mutable std::optional<ReductionFault> fault_;  // guarded by mutex_ while threads expand
};

}  // namespace spoor
