#include "check/invariant.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "layer/invariant_layer.h"

namespace spoor {
namespace {

// A layer, and what it needs to live.
struct OwnedLayer {
  std::shared_ptr<const TransitionSystem> system, reference_owner;
  InvariantLayer layer;
};

}  // namespace

std::string given_formula(const std::string& formula, const std::string& invariant) {
  return invariant.empty() ? formula : "[] (" + invariant + ")";
}

bool check_invariant(LoadedModel& model, const std::string& text, InputError& error) {
  if (text.empty() || !model.claim.is_invariant) return true;
  if (!model.claim.invariant) {
    error.message = fmt::format(
        "--invariant '{}' is not a condition of a state, or of a state and the next one (X); a formula is "
        "checked with --ltl",
        text);
    return false;
  }
  const auto with_layer = [&](const TransitionSystem& system, const Propositions& propositions) {
    const auto owned = std::make_shared<const OwnedLayer>(OwnedLayer{
        model.system, model.reference_owner, {system, propositions, *model.claim.invariant, text}});
    return std::shared_ptr<const TransitionSystem>(owned, &owned->layer);
  };
  auto system = with_layer(*model.system, *model.propositions);
  auto reference = with_layer(*model.reference, *model.reference_propositions);
  model.system = std::move(system);
  model.reference_owner = std::move(reference);
  model.reference = model.reference_owner.get();
  return true;
}

}  // namespace spoor
