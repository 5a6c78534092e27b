#include "hunt/hunter.h"

#include <algorithm>

#include "store/state_hash.h"

namespace spoor {
namespace {

std::uint64_t or_none(std::uint64_t limit) { return limit == 0 ? UINT64_MAX : limit; }

Limits without_memory(Limits limits) {
  limits.memory_bytes = 0;  // it ends a call of a method, not the hunt
  limits.depth = 0;
  return limits;
}

}  // namespace

Hunter::Hunter(const TransitionSystem& system, const Limits& limits, std::uint64_t expansions,
               FindingKinds counted)
    : system_(system),
      most_expansions_(or_none(expansions)),
      most_bytes_(or_none(limits.memory_bytes)),
      counted_(counted),
      budget_(without_memory(limits)) {
  begin(0);
}

void Hunter::begin(std::uint64_t expansions) {
  end_of_call_ = counts_.expansions + std::min(or_none(expansions), most_expansions_ - counts_.expansions);
  has_hit_memory_ = false;
  is_call_over_ = is_hunt_over();
}

std::optional<LimitHit> Hunter::limit() const {
  if (const std::optional<LimitHit> limit = budget_.limit()) return limit;
  if (counts_.expansions >= most_expansions_) return LimitHit::kExpansions;
  return std::nullopt;
}

void Hunter::poll(std::uint64_t bytes) {
  peak_bytes_ = std::max(peak_bytes_, bytes);
  has_hit_memory_ |= bytes > most_bytes_;
  budget_.poll(bytes);
  is_call_over_ |= has_hit_memory_ || budget_.is_over();
}

bool Hunter::expand(StateBytes state, Expansion& out) {
  if (counts_.expansions >= end_of_call_) is_call_over_ = true;
  if (is_call_over_) return false;
  ++counts_.expansions;
  seen_.add(hash_state(state));
  out.clear();
  out.asked.budget = &budget_;
  system_.expand(state, out);
  counts_.arrivals += out.successors.size();
  is_call_over_ |= out.was_cut;
  return !is_call_over_;
}

bool Hunter::step(StateBytes state, StepId step, Expansion& out) {
  if (is_poll_due()) poll(0);
  if (is_call_over_) return false;
  ++counts_.steps;
  out.clear();
  out.asked.budget = &budget_;
  return system_.step(state, step, out);
}

const Finding* Hunter::finding_of(const Expansion& out) const {
  const Finding* of_step = nullptr;
  for (const Finding& finding : out.last_findings()) {
    if (!counted_.contains(finding.kind)) continue;
    if (finding.step == Finding::kStateItself) return &finding;
    if (of_step == nullptr) of_step = &finding;
  }
  return of_step;
}

}  // namespace spoor
