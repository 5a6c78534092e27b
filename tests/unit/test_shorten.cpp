// Making a known trace shorter: labels, elimination, neighbourhood, the Hamming distance, and all together.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "exec/interpreter.h"
#include "graph/fixed.h"
#include "hunt/hamming.h"
#include "hunt/hunt.h"
#include "hunt/shorten.h"
#include "hunt/step_labels.h"
#include "model/trace.h"
#include "promela/compile.h"
#include "promela/parse.h"
#include "unit/counters.h"
#include "unit/random_fixed_graph.h"
#include "unit/reference_checker.h"

namespace spoor {
namespace {

std::unique_ptr<exec::Interpreter> interpreted(const std::string& text) {
  promela::ParseResult parsed = promela::parse_text("test.pml", text, {});
  EXPECT_FALSE(parsed.diagnostics.has_errors()) << parsed.diagnostics.all().front().message;
  return std::make_unique<exec::Interpreter>(std::make_shared<promela::Program>(
      promela::compile(parsed.model, parsed.sources, parsed.diagnostics, {})));
}

// Philosophers who eat for ever, N of them.
std::string philosophers(int count) {
  return "#define N " + std::to_string(count) + R"(
chan forks[N] = [1] of { bit };
proctype philosopher(byte me) {
  do :: forks[me]?_; forks[(me + 1) % N]?_; forks[me]!0; forks[(me + 1) % N]!0 od
}
init { byte i; atomic { do :: i < N -> run philosopher(i); forks[i]!0; i++ :: else -> break od } }
)";
}

HuntOptions walking(std::uint64_t seed) {
  HuntOptions options;
  for (const MethodRow& row : methods()) {
    if (std::string("walk") == row.name) options.method = &row;
  }
  options.seed = seed;
  options.expansions = 100'000;
  return options;
}

bool replays(const TransitionSystem& system, const Violation& violation) {
  return std::holds_alternative<ReplayedTrace>(replay(system, {violation.steps, violation.finding}));
}

TEST(Shorten, EliminationLeavesOutWhatAProcessDoesInVain) {
  const auto system = interpreted(philosophers(8));
  std::size_t longest = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const HuntResult walked = hunt(*system, walking(seed));
    ASSERT_TRUE(walked.found);
    longest = std::max(longest, walked.found->steps.size());
    Hunter hunter(*system, {}, 0, FindingKinds::all());
    const std::optional<Violation> shorter = eliminate_steps(hunter, *walked.found);
    const Violation& best = shorter ? *shorter : *walked.found;
    EXPECT_TRUE(replays(*system, best));
    EXPECT_EQ(best.steps.size(), 9u) << "seed " << seed;  // the start, and one step for each philosopher
    if (shorter) {
      EXPECT_LT(shorter->steps.size(), walked.found->steps.size());
    }
  }
  EXPECT_GT(longest, 40u);
}

TEST(Shorten, WaysFromAStateToItselfAreCut) {
  const auto system = interpreted(philosophers(3));
  const HuntResult direct = hunt(*system, walking(1));
  ASSERT_TRUE(direct.found);
  Hunter hunter(*system, {}, 0, FindingKinds::all());
  const std::optional<Violation> shortest = eliminate_steps(hunter, *direct.found);
  const Violation& known = shortest ? *shortest : *direct.found;
  EXPECT_FALSE(cut_cycles(hunter, known));
  // One philosopher eats first, twice: then all is as after the start.
  Violation longer = known;
  std::vector<std::byte> state = system->initial_state();
  std::vector<StepId> round;
  Expansion expansion;
  const auto go = [&](std::size_t successor) {
    expansion.clear();
    system->expand(state, expansion);
    round.push_back(expansion.successors[successor].step);
    const StateBytes target = expansion.state(expansion.successors[successor]);
    state.assign(target.begin(), target.end());
  };
  go(0);
  const std::vector<std::byte> start = state;
  for (int i = 0; i < 8; ++i) go(0);
  ASSERT_EQ(state, start);
  longer.steps.erase(longer.steps.begin());
  longer.steps.insert(longer.steps.begin(), round.begin(), round.end());
  ASSERT_TRUE(replays(*system, longer));
  const std::optional<Violation> cut = cut_cycles(hunter, longer);
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->steps, known.steps);
  EXPECT_TRUE(replays(*system, *cut));
}

TEST(Shorten, TheNeighbourhoodOfATraceHasAShorterOne) {
  std::size_t shortened = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const FixedGraph system(random_fixed_graph(seed, 80));
    const reference::Exploration known = reference::explore(system);
    const HuntResult walked = hunt(system, walking(seed));
    if (!walked.found) continue;
    Hunter hunter(system, {}, 0, FindingKinds::all());
    const std::optional<Violation> best = search_neighbourhood(hunter, *walked.found);
    // Without a bound it sees all that the trace's states can reach, so the trace is then a shortest one.
    const Violation& result = best ? *best : *walked.found;
    EXPECT_EQ(result.steps.size(), known.shortest_of_all()) << "seed " << seed;
    EXPECT_TRUE(shows(system, result));
    shortened += best.has_value();
  }
  EXPECT_GT(shortened, 3u);
}

TEST(Shorten, ABudgetMakesTheNeighbourhoodSmallerAndTheTraceNotLonger) {
  const auto system = interpreted(philosophers(8));
  const HuntResult walked = hunt(*system, walking(3));
  ASSERT_TRUE(walked.found);
  for (const std::uint64_t budget : {1u, 50u, 500u, 5000u}) {
    Hunter hunter(*system, {}, 0, FindingKinds::all());
    hunter.begin(budget);
    const std::optional<Violation> shorter = search_neighbourhood(hunter, *walked.found);
    EXPECT_LE(hunter.counts().expansions, budget);
    if (!shorter) continue;
    EXPECT_LT(shorter->steps.size(), walked.found->steps.size());
    EXPECT_TRUE(replays(*system, *shorter));
  }
}

// Every kind of step that a name could find wrongly: timeouts, handshakes, processes that start and end,
// atomic sequences.
TEST(Shorten, EveryShorterTraceReplays) {
  const std::string text = R"(
chan a = [0] of { byte }; chan b = [2] of { byte }; byte count, lost;
proctype child(byte n) { if :: n > 1 -> b!n :: else fi; count++ }
active proctype maker() {
  byte n, sent;
  do
  :: atomic { n < 3 -> n++; run child(n) }
  :: n == 3 && sent < 2 -> sent++; a!n
  :: timeout -> lost++; n = 0; sent = 0
  od
}
active proctype taker() {
  byte m;
  do :: a?m :: b?m -> assert(!(m == 2 && lost > 0)) :: atomic { count > 0 -> count-- } od
}
)";
  const auto system = interpreted(text);
  std::size_t tried = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const HuntResult walked = hunt(*system, walking(seed));
    if (!walked.found) continue;
    ++tried;
    Hunter hunter(*system, {}, 0, FindingKinds::all());
    for (const auto shorten : {eliminate_steps, search_neighbourhood}) {
      hunter.begin(3000);
      if (const std::optional<Violation> shorter = shorten(hunter, *walked.found)) {
        EXPECT_TRUE(replays(*system, *shorter)) << "seed " << seed;
      }
    }
  }
  EXPECT_GT(tried, 5u);
}

TEST(Shorten, LabelsTellStepsApart) {
  const auto system = interpreted(
      "chan q = [0] of { bit }; active [2] proctype P() { if :: q!0 :: q!1 fi } active [2] proctype Q() { q?_ }");
  const std::vector<std::byte> state = system->initial_state();
  Expansion expansion;
  system->expand(state, expansion);
  std::vector<LabelledStep> rows;
  StepLabels(*system->guidance()).label(state, expansion, rows);
  ASSERT_EQ(rows.size(), 8u);  // two senders, two messages, two receivers
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].step, expansion.successors[i].step);
    EXPECT_LT(rows[i].process, 2u);
    EXPECT_EQ(rows[i].label.type, 0u);
    EXPECT_LT(rows[i].label.ordinal, 4u);
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_FALSE(rows[i].process == rows[k].process && rows[i].label == rows[k].label);
  }
}

TEST(Shorten, TheHammingDistanceCountsBits) {
  HammingDistance distance({std::byte{0b1010}, std::byte{0}, std::byte{0xff}});
  Expansion unused;
  const std::vector<std::byte> same = {std::byte{0b1010}, std::byte{0}, std::byte{0xff}},
                               other = {std::byte{0b0110}, std::byte{1}, std::byte{0xff}},
                               shorter = {std::byte{0b1010}};
  EXPECT_EQ(distance.estimate(same, unused), 0u);
  EXPECT_EQ(distance.estimate(other, unused), 3u);
  EXPECT_EQ(distance.estimate(shorter, unused), 16u);
  EXPECT_FALSE(distance.needs_steps());
}

TEST(Shorten, TheDefaultEndsWithAShortestTraceAndSaysSo) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const FaultyCounters system(3, 5, 20 + seed);
    const reference::Exploration known = reference::explore(system);
    if (known.shortest.empty()) continue;
    HuntOptions options;
    options.seed = seed;
    const HuntResult result = hunt(system, options);  // without a limit: it ends by the proof
    ASSERT_TRUE(result.found);
    EXPECT_TRUE(result.is_shortest);
    EXPECT_FALSE(result.limit);
    EXPECT_EQ(result.found->steps.size(), known.shortest_of_all());
    EXPECT_TRUE(shows(system, *result.found));
  }
  const auto philosophers_system = interpreted(philosophers(6));
  const HuntResult result = hunt(*philosophers_system, {});
  ASSERT_TRUE(result.found);
  EXPECT_TRUE(result.is_shortest);
  EXPECT_EQ(result.best.length, 7u);
}

TEST(Shorten, TheListenerIsToldOfEachTraceOnce) {
  class Listener : public HuntListener {
   public:
    void on_trace(const Violation& violation, const FoundTrace& found) override {
      EXPECT_EQ(violation.steps.size(), found.length);
      lengths.push_back(found.length);
    }
    std::vector<std::uint64_t> lengths;
  };
  const auto system = interpreted(philosophers(12));
  Listener listener;
  HuntOptions options;
  options.listener = &listener;
  options.expansions = 50'000;
  const HuntResult result = hunt(*system, options);
  ASSERT_FALSE(listener.lengths.empty());
  EXPECT_EQ(listener.lengths.front(), result.first.length);
  EXPECT_EQ(listener.lengths.back(), result.best.length);
  for (std::size_t i = 1; i < listener.lengths.size(); ++i)
    EXPECT_LT(listener.lengths[i], listener.lengths[i - 1]);
}

}  // namespace
}  // namespace spoor
