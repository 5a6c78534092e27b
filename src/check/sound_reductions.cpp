#include "check/sound_reductions.h"

namespace spoor {

namespace {

SoundReductions for_invariant(const Claim& claim, Reductions wanted) {
  Reductions allowed = wanted;
  allowed.stubborn = false;
  if (!claim.invariant || claim.invariant->looks_ahead()) allowed.merge = allowed.order = false;
  if (allowed == wanted) return {allowed, ""};
  return {allowed, allowed.order == wanted.order ? "stubborn sets are not used with an invariant"
                                                 : "the invariant is about two consecutive states (X)"};
}

}  // namespace

SoundReductions sound_reductions(const Claim& claim, const ModelOptions& options) {
  Reductions wanted = parse_reductions(options.reduce).value_or(Reductions());
  if (claim.kind == ClaimKind::kNone) return {wanted, ""};
  if (claim.is_invariant) return for_invariant(claim, wanted);
  if (options.reduce == "default") wanted.stubborn = true;
  const bool has_automaton = claim.kind == ClaimKind::kFormula || claim.kind == ClaimKind::kNever;
  const bool is_invariant = !has_automaton || claim.automaton.is_stutter_invariant.value_or(false);
  if (is_invariant && !options.is_fair && !claim.has_inner_labels) return {wanted, ""};
  Reductions allowed;
  allowed.dead = wanted.dead;
  if (allowed == wanted) return {allowed, ""};
  return {allowed, claim.has_inner_labels
                       ? "accept labels inside atomic sequences belong to steps, not to states"
                   : is_invariant ? "fairness depends on the processes that can move in every state"
                   : claim.kind != ClaimKind::kNever ? "the formula is not stutter-invariant (X)"
                   : claim.automaton.is_stutter_invariant.has_value()
                       ? "the never claim is not stutter-invariant"
                       : "the never claim is too large to decide whether it is stutter-invariant"};
}

}  // namespace spoor
