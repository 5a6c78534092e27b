// The plan of a reduction on random graphs whose states offer some of their steps: on every cycle of what
// is planned some state has all its steps.
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "model/propositions.h"
#include "quiet_system.h"
#include "search/reduction_plan.h"

namespace spoor {
namespace {

std::uint32_t decode(StateBytes bytes) {
  std::uint32_t state = 0;
  std::memcpy(&state, bytes.data(), sizeof state);
  return state;
}

// State i has the steps to targets[i]; where less will do, those from the `kept[i]`-th on are left out.
class OfferingGraph : public QuietSystem, public Propositions {
 public:
  std::vector<std::vector<std::uint32_t>> targets;
  std::vector<std::size_t> kept;

  std::vector<std::byte> initial_state() const override { return encode(0); }
  void expand(StateBytes bytes, Expansion& out) const override {
    const std::uint32_t state = decode(bytes);
    out.is_reduced = out.asked.may_reduce && kept[state] < targets[state].size();
    const std::size_t count = out.is_reduced ? kept[state] : targets[state].size();
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::vector<std::byte> target = encode(targets[state][i]);
      out.successors.push_back(
          {StepId(i), static_cast<std::uint32_t>(out.arena.size()), sizeof(std::uint32_t)});
      out.arena.append(target);
    }
  }
  // Atom i: bit i of the number; those of multiples of 5 cannot be told.
  AtomValues atom_values(StateBytes bytes, std::shared_ptr<void>&,
                         std::vector<Finding>& findings) const override {
    const std::uint32_t state = decode(bytes);
    if (state % 5 != 0) return {state, 0};
    findings.push_back({FindingKind::kRuntimeError, state});
    return {state, 1};
  }

 private:
  static std::vector<std::byte> encode(std::uint32_t state) {
    std::vector<std::byte> bytes(sizeof state);
    std::memcpy(bytes.data(), &state, sizeof state);
    return bytes;
  }
};

OfferingGraph random_graph(std::mt19937& random, std::uint32_t states) {
  OfferingGraph graph;
  for (std::uint32_t i = 0; i < states; ++i) {
    const std::size_t steps = random() % 4;
    std::vector<std::uint32_t>& targets = graph.targets.emplace_back();
    while (targets.size() < steps) targets.push_back(static_cast<std::uint32_t>(random() % states));
    graph.kept.push_back(1 + random() % 3);
  }
  return graph;
}

// What can be reached as planned: the steps of the states that lack some, and how many states have all.
struct Planned {
  std::map<std::uint32_t, std::vector<std::uint32_t>> reduced;
  std::set<std::uint32_t> full;
};

Planned follow(const ReductionPlan& plan) {
  const TransitionSystem& system = plan.system();
  const auto in_model = [&](StateBytes state) { return decode(plan.state_of(state)); };
  Planned planned;
  std::vector<std::vector<std::byte>> open{system.initial_state()};
  while (!open.empty()) {
    const std::vector<std::byte> state = open.back();
    open.pop_back();
    const std::uint32_t number = in_model(state);
    if (planned.full.count(number) + planned.reduced.count(number) != 0) continue;
    Expansion out;
    out.asked.may_reduce = true;
    system.expand(state, out);
    EXPECT_FALSE(out.is_reduced) << "the caller is left with the proviso";
    std::vector<std::uint32_t>* const steps =
        out.is_reduced_for_deadlocks ? &planned.reduced[number] : nullptr;
    if (steps == nullptr) planned.full.insert(number);
    for (const Successor& successor : out.successors) {
      const StateBytes target = out.state(successor);
      open.emplace_back(target.begin(), target.end());
      if (steps != nullptr) steps->push_back(in_model(target));
    }
  }
  return planned;
}

// By taking out, again and again, states none of whose steps stays.
bool has_cycle(std::map<std::uint32_t, std::vector<std::uint32_t>> graph) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto at = graph.begin(); at != graph.end();) {
      bool stays = false;
      for (const std::uint32_t target : at->second) stays |= graph.count(target) != 0;
      changed |= !stays;
      at = stays ? std::next(at) : graph.erase(at);
    }
  }
  return !graph.empty();
}

std::optional<LimitHit> make(ReductionPlan& plan, const OfferingGraph& graph,
                             const SearchOptions& options = {}) {
  plan.begin(graph, graph, options);
  return plan.advance();
}

TEST(ReductionPlan, LeavesNoCycleOfReducedStates) {
  std::mt19937 random(7);
  std::size_t reduced = 0, forced = 0;
  for (int round = 0; round < 3000; ++round) {
    const OfferingGraph graph = random_graph(random, 1 + random() % 12);
    ReductionPlan plan;
    ASSERT_FALSE(make(plan, graph).has_value());
    const Planned planned = follow(plan);
    ASSERT_FALSE(has_cycle(planned.reduced)) << "round " << round;
    EXPECT_EQ(plan.states(), planned.reduced.size() + planned.full.size());
    reduced += planned.reduced.size();
    for (const std::uint32_t state : planned.full)
      forced += graph.kept[state] < graph.targets[state].size() ? 1 : 0;
  }
  EXPECT_GT(reduced, 1000u);
  EXPECT_GT(forced, 500u);
}

TEST(ReductionPlan, GivesAllStepsToStatesItKnowsToWhoWantsThem) {
  OfferingGraph graph;
  graph.targets = {{1, 2}, {}, {}};
  graph.kept = {1, 1, 1};
  ReductionPlan plan;
  ASSERT_FALSE(make(plan, graph).has_value());
  EXPECT_EQ(plan.states(), 2u);
  Expansion out;
  plan.system().expand(plan.system().initial_state(), out);
  // State 2 is left out by the plan, and nothing is known about it.
  ASSERT_EQ(out.successors.size(), 1u);
  EXPECT_EQ(decode(plan.state_of(out.state(out.successors[0]))), 1u);
}

TEST(ReductionPlan, KnowsWhatIsTrueInAState) {
  std::mt19937 random(5);
  const OfferingGraph graph = random_graph(random, 40);
  ReductionPlan plan;
  ASSERT_FALSE(make(plan, graph).has_value());
  std::set<std::vector<std::byte>> met;
  std::vector<std::vector<std::byte>> open{plan.system().initial_state()};
  while (!open.empty()) {
    const std::vector<std::byte> state = open.back();
    open.pop_back();
    if (!met.insert(state).second) continue;
    const std::uint32_t number = decode(plan.state_of(state));
    std::shared_ptr<void> asking;
    std::vector<Finding> failures;
    const AtomValues letter = plan.propositions().atom_values(state, asking, failures);
    EXPECT_EQ(letter.truth, number);
    EXPECT_EQ(letter.failed, number % 5 == 0 ? 1u : 0u);
    EXPECT_EQ(failures.size(), letter.failed);
    Expansion out;
    out.asked.may_reduce = true;
    plan.system().expand(state, out);
    for (const Successor& successor : out.successors) {
      const StateBytes target = out.state(successor);
      open.emplace_back(target.begin(), target.end());
    }
  }
  EXPECT_EQ(met.size(), plan.states());
}

TEST(ReductionPlan, IsMadeInParts) {
  std::mt19937 random(3);
  const OfferingGraph graph = random_graph(random, 200);
  ReductionPlan whole, parts;
  ASSERT_FALSE(make(whole, graph).has_value());
  parts.begin(graph, graph, {});
  std::uint64_t most = 1;
  for (; !parts.is_complete(); most += 3) ASSERT_FALSE(parts.advance(most).has_value());
  EXPECT_GT(most, 10u);
  EXPECT_EQ(parts.states(), whole.states());
  EXPECT_EQ(follow(parts).reduced, follow(whole).reduced);
}

TEST(ReductionPlan, StopsAtALimit) {
  OfferingGraph graph;
  for (std::uint32_t i = 0; i < 100'000; ++i) graph.targets.push_back({(i + 1) % 100'000});
  graph.kept.assign(graph.targets.size(), 1);
  SearchOptions options;
  options.limits.memory_bytes = 100'000;
  ReductionPlan plan;
  EXPECT_EQ(make(plan, graph, options), LimitHit::kMemory);
  EXPECT_FALSE(plan.is_complete());
}

}  // namespace
}  // namespace spoor
