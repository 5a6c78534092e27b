#include "hunt/hunter.h"

#include <algorithm>
#include <utility>

#include "store/state_hash.h"

namespace spoor {
namespace {

std::uint64_t or_none(std::uint64_t limit) { return limit == 0 ? UINT64_MAX : limit; }

Limits without_memory(Limits limits) {
  limits.memory_bytes = 0;  // it ends a call of a method, not the hunt
  limits.depth = 0;
  return limits;
}

// Steps of the graph that are followed to answer one question.
constexpr std::uint64_t kLeastWork = 200'000;
constexpr std::uint64_t kWorkPerStep = 4;
constexpr std::uint64_t kWorkAtEnd = 30'000'000;

}  // namespace

Hunter::Hunter(const TransitionSystem& system, const Limits& limits, std::uint64_t expansions,
               FindingKinds counted, const OmegaSystem* runs)
    : system_(system),
      runs_(runs != nullptr && runs->has_cycles() ? runs : nullptr),
      most_expansions_(or_none(expansions)),
      most_bytes_(or_none(limits.memory_bytes)),
      counted_(counted),
      budget_(without_memory(limits)) {
  begin(0);
}

void Hunter::begin(std::uint64_t expansions, std::uint32_t most_steps, bool may_reduce) {
  most_steps_ = most_steps;
  may_reduce_ = may_reduce;
  lasso_.reset();
  graph_.reset();
  next_look_ = 0;
  if (runs_ != nullptr) graph_.emplace(*runs_);
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
  if (graph_) bytes += graph_->memory_bytes();
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
  if (graph_ && !out.was_cut) {
    graph_->add(state, out);
    if (graph_->steps() >= next_look_) look_for_lasso();
  }
  return !is_call_over_;
}

void Hunter::note_lasso(const Violation& known) {
  if (!graph_) return;
  std::vector<std::byte> state = system_.initial_state();
  Expansion expansion;
  for (const StepId step : known.steps) {
    if (!expand(state, expansion)) return;
    const auto next = std::ranges::find(expansion.successors, step, &Successor::step);
    if (next == expansion.successors.end()) return;
    const StateBytes target = expansion.state(*next);
    state.assign(target.begin(), target.end());
  }
}

// The graph is a part larger each time, so all questions together cost as much as the last few. A bound means
// that a lasso is known: then there is no hurry.
void Hunter::look_for_lasso() {
  const std::uint64_t steps = graph_->steps();
  const bool is_bounded = most_steps_ != MethodOptions::kAnyLength;
  next_look_ = steps + steps / (is_bounded ? 1 : 4) + 8;
  ExpandedGraph::Answer answer =
      graph_->shortest_lasso(most_steps_, std::max(kLeastWork, kWorkPerStep * steps));
  if (!answer.lasso || !is_real_lasso(*runs_, *answer.lasso)) return;
  lasso_ = std::move(answer.lasso);
  is_call_over_ = true;
}

ExpandedGraph::Answer Hunter::lasso_at_end() {
  if (lasso_) return {std::exchange(lasso_, std::nullopt), false};
  if (!graph_) return {};
  ExpandedGraph::Answer answer = graph_->shortest_lasso(most_steps_, kWorkAtEnd);
  graph_.reset();
  if (answer.lasso && !is_real_lasso(*runs_, *answer.lasso)) return {std::nullopt, false};
  return answer;
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
