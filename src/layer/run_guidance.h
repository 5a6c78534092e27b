// What leads a hunt for infinite runs: what the system below knows of its states, and where the claim is.
//
// The claim counts as one more process, the last one. So the combination of locations of a state
// (hunt/novelty.h) has the state of the claim in it, and a step on which the system stutters is a step of the
// claim.
//
// Two facts about the claim, from its graph alone (Edelkamp, Leue, Lluch-Lafuente, "Directed explicit-state
// model checking in the validation of communication protocols", STTT 2004):
//
//   the distance    how many edges lead to a state with an accepting edge: the least number of steps until
//                   the claim can accept. Among states with the same distance those are nearer whose atoms
//                   differ less from what an edge that leads nearer asks for (Guidance::distance_to_atoms
//                   of the system below). The published estimate has the first part only.
//   the component   whether the cycles within it are accepting: none, some or all (N-, P- and
//                   F-components).
//
// The distance need not be exact, because it only chooses what is expanded first. The component must be
// right: it says where a nested search needs no second search (hunt/indfs.cpp).
//
// The bytes of a state are those of the system's state, then `claim_bytes` with the number of the claim's
// state, the lowest first.
//
// Thread safety: as for every Guidance. Tested by: tests/unit/test_hunt_runs.cpp
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/guidance.h"

namespace spoor {

class RunGuidance : public Guidance {
 public:
  static constexpr std::uint32_t kClaimType = UINT32_MAX;  // of the place of the claim

  struct ClaimState {
    ClaimComponent component;
    std::uint32_t distance = Heuristic::kFar;
    std::vector<WantedAtoms> nearer;  // what the edges ask for that lead nearer, or accept
  };

  // `below` must live as long as this. `states`: of the claim; empty: it has none.
  RunGuidance(const Guidance& below, std::vector<ClaimState> states, std::uint32_t claim_bytes);

  void places(StateBytes state, std::vector<ProcessPlace>& out) const override;
  std::uint32_t process_of(StateBytes state, StepId step) const override;
  std::uint64_t group_of(StateBytes state, std::uint32_t process) const override;
  std::unique_ptr<Heuristic> distance_to_assertions() const override;
  std::unique_ptr<Heuristic> distance_to_atoms(std::span<const WantedAtoms> wanted) const override;
  std::unique_ptr<Heuristic> distance_to_acceptance() const override;
  ClaimComponent claim_component(StateBytes state) const override;

 private:
  StateBytes system_state(StateBytes state) const { return state.first(state.size() - claim_bytes_); }
  std::uint32_t claim_state(StateBytes state) const;

  class OfSystem;
  class ToAcceptance;

  const Guidance& below_;
  const std::vector<ClaimState> states_;
  const std::uint32_t claim_bytes_;
};

}  // namespace spoor
