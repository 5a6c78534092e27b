#include "check/invariant.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "layer/invariant_layer.h"

namespace spoor {
namespace {

// A layer, and what it needs to live.
struct OwnedLayer {
  std::shared_ptr<const TransitionSystem> system, reference_owner;
  InvariantLayer layer;
};

void put_layer_before(LoadedModel& model, const std::string& text) {
  const auto with_layer = [&](const TransitionSystem& system, const Propositions& propositions) {
    const auto owned = std::make_shared<const OwnedLayer>(OwnedLayer{
        model.system, model.reference_owner, {system, propositions, *model.claim.invariant, text}});
    return std::shared_ptr<const InvariantLayer>(owned, &owned->layer);
  };
  auto system = with_layer(*model.system, *model.propositions);
  auto reference = with_layer(*model.reference, *model.reference_propositions);
  model.examiner = system.get();
  model.system = std::move(system);
  model.reference_owner = std::move(reference);
  model.reference = model.reference_owner.get();
}

}  // namespace

std::string given_formula(const std::string& formula, const std::string& invariant) {
  return invariant.empty() ? formula : "[] (" + invariant + ")";
}

std::optional<ClaimChoice> invariant_claim(const SourceModel& source) {
  const std::vector<StatedClaim> claims = source.claims();
  const auto given = std::ranges::find(claims, true, &StatedClaim::is_given);
  if (given == claims.end()) return std::nullopt;
  return ClaimChoice{given->kind, given->index, std::nullopt, true};
}

std::optional<LoadedModel> load_for_safety(const SourceModel& source, const ModelOptions& options,
                                           ExecutionChoice execution, const std::string& invariant,
                                           InputError& error) {
  if (invariant.empty()) return source.load(options, execution, {}, error);
  const std::optional<ClaimChoice> claim = invariant_claim(source);
  std::optional<LoadedModel> model = source.load(options, execution, claim.value_or(ClaimChoice()), error);
  if (!model) return std::nullopt;
  if (!model->claim.invariant) {
    error.message = fmt::format(
        "--invariant '{}' is not a condition of a state, or of a state and the next one (X); a formula is "
        "checked with --ltl",
        invariant);
    return std::nullopt;
  }
  put_layer_before(*model, invariant);
  return model;
}

}  // namespace spoor
