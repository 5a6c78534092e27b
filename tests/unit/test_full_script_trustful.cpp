// Trustful scripts: a spanning tree, executed step by step, for invariants of states.
#include "evidence/full_script_trustful.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "exec/interpreter.h"
#include "graph/fixed.h"
#include "unit/counters.h"
#include "unit/full_scripts.h"
#include "unit/golden_programs.h"
#include "unit/instrumented.h"
#include "unit/random_fixed_graph.h"

namespace spoor::scripts {
namespace {

// Counts what is asked, and says of one state that it violates an invariant.
class Examined : public FixedGraph, public StateExaminer {
 public:
  using FixedGraph::FixedGraph;
  void expand(StateBytes state, Expansion& out) const override {
    ++expanded;
    FixedGraph::expand(state, out);
  }
  bool step(StateBytes state, StepId step, Expansion& out) const override {
    ++steps;
    FixedGraph::expand(state, out);
    return keep_only(step, out);
  }
  void examine(StateBytes state, Expansion& out) const override {
    ++examined;
    if (std::ranges::equal(state, graph_state_bytes(wrong)))
      out.findings.push_back({FindingKind::kClaim, 0, Finding::kStateItself});
  }
  std::uint32_t wrong = UINT32_MAX;
  mutable std::uint64_t expanded = 0, steps = 0, examined = 0;
};

TEST(TrustfulScript, ExecutesOneStepPerStateAndExaminesEach) {
  Examined graph({0, {{0, 1}, {0, 2}, {1, 2}, {2, 0}, {1, 3}}, {}, false, false});
  const FullScript script = record_full_script(graph, true).script;
  EXPECT_EQ(script.claim.common.steps, 3u);
  EXPECT_EQ(script.instructions.size(), 7u);
  graph.expanded = 0;
  CertifierOptions options;
  options.examiner = &graph;
  const CertifierResult result = certify_script(graph, script, options);
  EXPECT_EQ(result.answer, CertifierResult::Answer::kConfirmed) << result.reason;
  EXPECT_EQ(graph.expanded, 0u);
  EXPECT_EQ(graph.steps, 3u);
  EXPECT_EQ(graph.examined, 4u);
  for (const std::uint32_t wrong : {0u, 1u, 2u, 3u}) {
    graph.wrong = wrong;
    for (const unsigned tasks : {1u, 3u}) {
      options.tasks = tasks;
      const CertifierResult found = certify_script(graph, script, options);
      EXPECT_EQ(found.answer, CertifierResult::Answer::kRefuted);
      ASSERT_TRUE(found.finding.has_value()) << found.reason;
      EXPECT_EQ(found.finding->kind, FindingKind::kClaim);
    }
  }
}

TEST(TrustfulScript, WhatASearchLeavesIsConfirmed) {
  for (int seed = 0; seed < (kIsInstrumented ? 5 : 30); ++seed) {
    const FixedGraph graph(faultless_fixed_graph(seed, 60));
    const Order order = seed % 2 == 0 ? Order::kDepthFirst : Order::kBreadthFirst;
    const RecordedScript recorded = record_full_script(graph, true, false, {}, order);
    EXPECT_TRUE(judge_script(graph, recorded.script).is_right());
    for (const unsigned tasks : {1u, 2u, 5u}) {
      CertifierOptions options;
      options.tasks = tasks;
      options.workers = 1 + tasks % 2;
      const CertifierResult result = certify_script(graph, recorded.script, options);
      EXPECT_EQ(result.answer, CertifierResult::Answer::kConfirmed) << result.reason;
      EXPECT_EQ(result.states, recorded.result.statistics.states);
      EXPECT_EQ(result.steps, result.states - 1);
      EXPECT_EQ(result.most_fingerprints, 0u);
    }
  }
}

TEST(TrustfulScript, TheModelsOfTheTestsAreConfirmed) {
  std::size_t confirmed = 0;
  for_each_golden_program([&](const std::string& name, const std::shared_ptr<promela::Program>& program) {
    const bool reduces = program->uses_stubborn_sets;
    program->uses_stubborn_sets = false;
    const exec::Interpreter system(program);
    SearchOptions few;
    few.numbers = IndexLimit{20'000};
    for (const Order order : {Order::kDepthFirst, Order::kBreadthFirst}) {
      const RecordedScript recorded = record_full_script(system, true, reduces, few, order);
      if (!std::holds_alternative<Holds>(recorded.result.outcome)) return;
      CertifierOptions options;
      options.reduces = reduces;
      options.tasks = 3;
      const CertifierResult result = certify_script(system, recorded.script, options, 1000);
      EXPECT_EQ(result.answer, CertifierResult::Answer::kConfirmed) << name << ": " << result.reason;
      ++confirmed;
    }
  });
  EXPECT_GT(confirmed, 50u);
}

TEST(TrustfulScript, IsNotBelievedFurtherThanItMustBe) {
  const FixedGraph graph({0, {{0, 1}, {0, 2}, {1, 2}, {2, 0}}, {}, false, false});
  const FullScript script = record_full_script(graph, true).script;  // two new states, three returns
  const auto reason = [&](const auto& change) {
    FullScript changed = script;
    change(changed);
    EXPECT_FALSE(judge_script(graph, changed).is_right());
    return certify_script(graph, changed, {}, 1000).reason;
  };
  EXPECT_EQ(reason([](FullScript& s) {
              s.steps.push_back({StepId(7), ""}), s.instructions[1].step = 2;
            }),
            "instruction 2 of part 1: state 1: the step does not exist");
  EXPECT_EQ(reason([](FullScript& s) { s.instructions.pop_back(); }),
            "instruction 4 of part 1: state 0: the script ends before all states were left");
  EXPECT_EQ(reason([](FullScript& s) { s.instructions.push_back({}); }),
            "instruction 6 of part 1: the script goes on when all states were left");
  EXPECT_EQ(reason([](FullScript& s) { s.claim.initial.size = 1; }),
            "instruction 5 of part 1: state 0: its subtree has 2 transitions, and the script says 1");
  EXPECT_EQ(reason([](FullScript& s) { s.claim.common.states = 9; }),
            "it has 3 states and 2 transitions, and says 9 and 2");
}

TEST(TrustfulScript, AnErrorOnAStepOfTheTreeIsSeen) {
  const FullScript script =
      record_full_script(FixedGraph({0, {{0, 1}, {0, 1}, {1, 0}}, {}, false, false}), true).script;
  for (const bool on_tree : {true, false}) {
    const FixedGraph wrong({0,
                            {{0, 1}, {0, 1}, {1, 0}},
                            {{0, {FindingKind::kAssertion, 0, StepId(on_tree ? 0 : 1)}, false}},
                            false,
                            false});
    EXPECT_EQ(certify_script(wrong, script).finding.has_value(), on_tree);
  }
}

}  // namespace
}  // namespace spoor::scripts
