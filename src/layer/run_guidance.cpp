#include "layer/run_guidance.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace spoor {

// An estimate of the system below.
class RunGuidance::OfSystem : public Heuristic {
 public:
  OfSystem(const RunGuidance& guidance, std::unique_ptr<Heuristic> below)
      : guidance_(guidance), below_(std::move(below)) {}

  bool needs_steps() const override { return below_->needs_steps(); }
  std::uint32_t estimate(StateBytes state, const Expansion& steps) override {
    return below_->estimate(guidance_.system_state(state), steps);
  }

 private:
  const RunGuidance& guidance_;
  const std::unique_ptr<Heuristic> below_;
};

class RunGuidance::ToAcceptance : public Heuristic {
 public:
  explicit ToAcceptance(const RunGuidance& guidance) : guidance_(guidance) {
    for (const ClaimState& state : guidance.states_) {
      const bool asks = state.distance != 0 && state.distance != kFar;
      missing_.push_back(asks ? guidance.below_.distance_to_atoms(state.nearer) : nullptr);
    }
  }

  std::uint32_t estimate(StateBytes state, const Expansion& steps) override {
    const std::uint32_t claim = guidance_.claim_state(state);
    const std::uint32_t distance = guidance_.states_[claim].distance;
    if (distance >= kFar / kPerEdge) return kFar;
    const std::unique_ptr<Heuristic>& missing = missing_[claim];
    return distance * kPerEdge +
           (missing == nullptr
                ? 0
                : std::min(missing->estimate(guidance_.system_state(state), steps), kPerEdge - 1));
  }

 private:
  static constexpr std::uint32_t kPerEdge = 64;

  const RunGuidance& guidance_;
  std::vector<std::unique_ptr<Heuristic>> missing_;  // by state of the claim
};

RunGuidance::RunGuidance(const Guidance& below, std::vector<ClaimState> states, std::uint32_t claim_bytes)
    : below_(below), states_(std::move(states)), claim_bytes_(claim_bytes) {}

std::uint32_t RunGuidance::claim_state(StateBytes state) const {
  std::uint32_t number = 0;
  std::memcpy(&number, state.data() + state.size() - claim_bytes_, claim_bytes_);
  return number;
}

void RunGuidance::places(StateBytes state, std::vector<ProcessPlace>& out) const {
  below_.places(system_state(state), out);
  out.push_back({kClaimType, claim_state(state)});
}

std::uint32_t RunGuidance::process_of(StateBytes state, StepId step) const {
  if (step.below() != StepId::stutter()) return below_.process_of(system_state(state), step.below());
  std::vector<ProcessPlace> places;
  below_.places(system_state(state), places);
  return static_cast<std::uint32_t>(places.size());
}

std::uint64_t RunGuidance::group_of(StateBytes state, std::uint32_t process) const {
  return below_.group_of(system_state(state), process);
}

std::unique_ptr<Heuristic> RunGuidance::distance_to_assertions() const {
  std::unique_ptr<Heuristic> below = below_.distance_to_assertions();
  if (below == nullptr) return nullptr;
  return std::make_unique<OfSystem>(*this, std::move(below));
}

std::unique_ptr<Heuristic> RunGuidance::distance_to_atoms(std::span<const WantedAtoms> wanted) const {
  std::unique_ptr<Heuristic> below = below_.distance_to_atoms(wanted);
  if (below == nullptr) return nullptr;
  return std::make_unique<OfSystem>(*this, std::move(below));
}

std::unique_ptr<Heuristic> RunGuidance::distance_to_acceptance() const {
  if (states_.empty()) return nullptr;
  return std::make_unique<ToAcceptance>(*this);
}

ClaimComponent RunGuidance::claim_component(StateBytes state) const {
  return states_.empty() ? ClaimComponent() : states_[claim_state(state)].component;
}

}  // namespace spoor
