#include "hunt/hunt.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "hunt/active_processes.h"
#include "hunt/eda.h"
#include "hunt/portfolio.h"
#include "hunt/shorten.h"

namespace spoor {
namespace {

// Several paths, also where they are long.
constexpr std::uint64_t kExpansionsLikeLearned = 3000;

std::unique_ptr<Heuristic> make_heuristic(const TransitionSystem& system, bool is_about_runs,
                                          const HuntOptions& options) {
  HeuristicKind kind = options.heuristic;
  if (kind == HeuristicKind::kAuto && is_about_runs) {
    // Without a claim nothing leads to a cycle.
    return system.guidance() != nullptr ? system.guidance()->distance_to_acceptance() : nullptr;
  }
  if (kind == HeuristicKind::kAuto)
    kind = options.violations.empty() ? HeuristicKind::kActive : HeuristicKind::kInvariant;
  const Guidance* const guidance = system.guidance();
  std::unique_ptr<Heuristic> heuristic;
  switch (kind) {
    case HeuristicKind::kAuto:
    case HeuristicKind::kActive: return std::make_unique<ActiveProcesses>();
    case HeuristicKind::kEnabled: return std::make_unique<EnabledSteps>();
    case HeuristicKind::kAssertions:
      if (guidance != nullptr) heuristic = guidance->distance_to_assertions();
      if (heuristic == nullptr) throw NotSupported("the model has no assertion to be near to");
      break;
    case HeuristicKind::kInvariant:
      if (guidance != nullptr && !options.violations.empty())
        heuristic = guidance->distance_to_atoms(options.violations);
      if (heuristic != nullptr) break;
      if (options.heuristic == HeuristicKind::kAuto) return std::make_unique<ActiveProcesses>();
      throw NotSupported("there is no invariant whose violation could be near");
    case HeuristicKind::kClaim:
      if (guidance != nullptr) heuristic = guidance->distance_to_acceptance();
      if (heuristic == nullptr) throw NotSupported("there is no claim that could accept");
      break;
  }
  return heuristic;
}

}  // namespace

const char* to_string(HeuristicKind kind) {
  switch (kind) {
    case HeuristicKind::kAuto: return "auto";
    case HeuristicKind::kActive: return "active";
    case HeuristicKind::kEnabled: return "enabled";
    case HeuristicKind::kAssertions: return "assertions";
    case HeuristicKind::kInvariant: return "invariant";
    case HeuristicKind::kClaim: return "claim";
  }
  return "";
}

std::span<const MethodRow> methods() {
  static constexpr MethodRow kRows[] = {
#define SPOOR_HUNT_METHOD(function, name, is_eager, help) {name, is_eager, help, function},
#include "hunt/methods.inc"
#undef SPOOR_HUNT_METHOD
  };
  return kRows;
}

Portfolio::Portfolio(const TransitionSystem& system, const HuntOptions& options, const OmegaSystem* runs)
    : options_(options),
      is_about_runs_(runs != nullptr),
      hunter_(system, options.limits, options.expansions, options.counted, runs),
      heuristic_(make_heuristic(system, runs != nullptr, options)) {}

std::uint64_t Portfolio::next_seed() { return options_.seed * 1'000'003 + calls_; }

bool Portfolio::is_over() const {
  return hunter_.is_hunt_over() || result_.has_seen_all || result_.is_shortest ||
         (result_.found && options_.ends_at_first);
}

MethodResult Portfolio::run(const char* name, const Call& method, const MethodOptions& options) {
  if (options_.listener != nullptr)
    options_.listener->on_method(name, hunter_.counts(), result_.found ? result_.best.length : 0);
  ++calls_;
  hunter_.begin(options.expansions, options.most_steps, options.may_reduce);
  MethodResult answer;
  try {
    if (result_.found && result_.found->loop) hunter_.note_lasso(*result_.found);
    answer = method(hunter_, options);
    add_lasso(answer);
  } catch (const std::bad_alloc&) {
    answer = {};  // the states are gone with the call; the next one begins with none
  }
  if (options.may_reduce) answer.has_seen_all = answer.has_seen_all_within = false;
  if (answer.found) offer(name, *answer.found);
  result_.depth = std::max(result_.depth, answer.depth);
  result_.states = std::max(result_.states, answer.states);
  if (answer.has_seen_all && !answer.found) {
    result_.has_seen_all = !result_.found;
    result_.states = answer.states;
  }
  // Nothing is left with fewer steps than the best trace.
  if (answer.has_seen_all_within && result_.found &&
      (answer.found || options.most_steps >= result_.best.length - 1))
    result_.is_shortest = true;
  return answer;
}

// What the method has expanded may have a lasso in it; if not, all that it has seen has none.
void Portfolio::add_lasso(MethodResult& answer) {
  ExpandedGraph::Answer runs = hunter_.lasso_at_end();
  if (!runs.is_exact) answer.has_seen_all = answer.has_seen_all_within = false;
  if (!runs.lasso) return;
  if (!answer.found || runs.lasso->steps.size() < answer.found->steps.size())
    answer.found = std::move(runs.lasso);
}

bool Portfolio::improve(const char* name, Shortener shorten, std::uint64_t expansions) {
  if (options_.listener != nullptr) options_.listener->on_method(name, hunter_.counts(), result_.best.length);
  const std::uint64_t before = result_.best.length;
  hunter_.begin(expansions, static_cast<std::uint32_t>(before - 1));
  try {
    if (const std::optional<Violation> shorter = shorten(hunter_, *result_.found)) offer(name, *shorter);
  } catch (const std::bad_alloc&) {
    // The trace stays as it is.
  }
  return result_.best.length < before;
}

std::vector<std::byte> Portfolio::last_state() {
  std::vector<std::byte> state = hunter_.system().initial_state();
  Expansion expansion;
  hunter_.begin(0);
  for (const StepId step : result_.found->steps) {
    if (!hunter_.step(state, step, expansion) || expansion.successors.empty()) break;
    const StateBytes target = expansion.state(expansion.successors[0]);
    state.assign(target.begin(), target.end());
  }
  return state;
}

void Portfolio::offer(const char* name, const Violation& violation) {
  const std::uint64_t length = violation.steps.size();
  if (result_.found && length >= result_.best.length) return;
  const bool is_first = !result_.found;
  result_.is_shortest = length == 0;
  result_.found = violation;
  result_.best = {name, length, hunter_.counts(), hunter_.elapsed_s()};
  if (is_first) result_.first = result_.best;
  if (options_.listener != nullptr) options_.listener->on_trace(violation, result_.best);
}

HuntResult Portfolio::take_result() {
  if (options_.learn_into != nullptr && result_.found) {
    options_.learn_into->clear();
    options_.learn_into->learn(actions_of(hunter_.system(), result_.found->steps));
  }
  result_.counts = hunter_.counts();
  result_.seen = hunter_.seen();
  result_.peak_bytes = hunter_.peak_bytes();
  result_.elapsed_s = hunter_.elapsed_s();
  if (!result_.has_seen_all && !result_.is_shortest) result_.limit = hunter_.limit();
  return std::move(result_);
}

void hunt_like_learned(Portfolio& portfolio, const Ngrams& learned) {
  MethodOptions options;
  options.expansions = kExpansionsLikeLearned;
  options.seed = portfolio.next_seed();
  options.heuristic = portfolio.heuristic();
  options.learned = &learned;
  portfolio.run("eda, learned", hunt_eda, options);
}

namespace {

HuntResult hunt_all(const TransitionSystem& system, const OmegaSystem* runs, const HuntOptions& options) {
  Portfolio portfolio(system, options, runs);
  if (options.method == nullptr) {
    if (options.known != nullptr) portfolio.offer("given trace", *options.known);
    if (options.learned != nullptr) hunt_like_learned(portfolio, *options.learned);
    if (!portfolio.result().found) {
      hunt_in_turns(portfolio);
    } else if (!portfolio.is_over()) {
      make_shorter(portfolio);
    }
    return portfolio.take_result();
  }
  MethodOptions how;
  how.seed = options.seed;
  how.heuristic = portfolio.heuristic();
  how.is_eager = options.method->is_eager;
  how.learned = options.learned;
  how.learn_into = options.learn_into;
  if (!options.ends_at_first)
    how.on_found = [&](const Violation& violation) { portfolio.offer(options.method->name, violation); };
  portfolio.run(options.method->name, options.method->run, how);
  // The first lasso in what a breadth-first search has seen need not be the shortest.
  while (options.method->run == hunt_bfs && portfolio.result().found && portfolio.result().found->loop &&
         !portfolio.is_over()) {
    how.most_steps = static_cast<std::uint32_t>(portfolio.result().best.length - 1);
    if (!portfolio.run(options.method->name, options.method->run, how).found) break;
  }
  HuntResult result = portfolio.take_result();
  if (!result.found && !result.has_seen_all && !result.limit) result.limit = LimitHit::kMemory;
  return result;
}

}  // namespace

HuntResult hunt(const TransitionSystem& system, const HuntOptions& options) {
  return hunt_all(system, nullptr, options);
}

HuntResult hunt_runs(const OmegaSystem& runs, const HuntOptions& options) {
  return hunt_all(runs, &runs, options);
}

}  // namespace spoor
