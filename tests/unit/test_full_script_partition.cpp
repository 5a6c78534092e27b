// Algorithm 3.2: where a script is cut, and that the regions are as good as the whole.
#include "evidence/full_script_partition.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "graph/fixed.h"
#include "unit/counters.h"
#include "unit/full_scripts.h"
#include "unit/instrumented.h"
#include "unit/random_fixed_graph.h"
#include "unit/reducing_graph.h"

namespace spoor::scripts {
namespace {

std::vector<ScriptRegion> divided(const TransitionSystem& system, const FullScript& script, unsigned tasks,
                                  const Limits& limits = {}) {
  const std::string path = certificate_folder() + "/divided";
  FramedWriter writer(path, kCertificateFormat, {});
  writer.add(kScriptClaimRecord, encoded_script_claim(script.claim));
  std::string names;
  for (const NamedStep& step : script.steps) put_step(names, step);
  writer.add(kStepNamesRecord, names);
  ScriptPartWriter part(script.claim.is_trustful);
  for (const ScriptInstruction& instruction : script.instructions) {
    if (part.add(instruction, 5)) writer.add(kScriptPartRecord, part.take());
  }
  if (!part.is_empty()) writer.add(kScriptPartRecord, part.take());
  writer.finish();
  FramedReader reader(path, kCertificateFormat);
  FileRecord record;
  reader.read(record);
  CertifierOptions options;
  options.limits = limits;
  ScriptWork work(system, script.claim, reader, options);
  ScriptParts parts(reader, work.steps.size(), script.claim.is_trustful);
  std::vector<ScriptRegion> regions = divide_script(work, parts, tasks);
  EXPECT_EQ(regions.empty(), work.budget.is_over());
  return regions;
}

TEST(ScriptPartition, TheExampleOfTheEssay) {
  const FixedGraph graph({0, {{0, 1}, {1, 2}, {2, 3}}, {}, false, false});
  const FullScript script = record_full_script(graph).script;
  const std::vector<ScriptRegion> regions = divided(graph, script, 2);
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[1].root, 1u);
  EXPECT_EQ(regions[1].end, 4u);
  EXPECT_EQ(regions[1].steps, 2u);
  EXPECT_EQ(regions[1].path.size(), 1u);
  EXPECT_EQ(regions[1].first->place, (ScriptPlace{1, 1}));
  EXPECT_EQ(regions[1].last->place, (ScriptPlace{2, 1}));
  EXPECT_EQ(regions[0].cut, std::vector<std::size_t>{1});
  EXPECT_EQ(regions[0].steps, 1u);
}

TEST(ScriptPartition, RegionsHaveAllTransitionsOnce) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const FixedGraphOptions options = faultless_fixed_graph(seed, 200);
    const FixedGraph graph(options);
    const FullScript script = record_full_script(graph).script;
    for (const unsigned tasks : {1u, 2u, 7u, 1000u}) {
      const std::vector<ScriptRegion> regions = divided(graph, script, tasks);
      ASSERT_FALSE(regions.empty());
      EXPECT_LE(regions.size(), tasks);
      if (tasks == 1) continue;
      std::uint64_t steps = 0;
      std::set<std::size_t> cut;
      for (const ScriptRegion& region : regions) {
        steps += region.steps;
        cut.insert(region.cut.begin(), region.cut.end());
      }
      EXPECT_EQ(steps, script.claim.common.steps);
      EXPECT_EQ(cut.size(), regions.size() - 1);
    }
  }
}

TEST(ScriptPartition, ChoosingRegionsKeepsToTheLimits) {
  const Counters counters(3, 9);
  const FullScript script = record_full_script(counters).script;
  Limits limits;
  limits.memory_bytes = 10'000;  // less than the candidates need, and enough for two paths
  EXPECT_TRUE(divided(counters, script, 2, limits).empty());
  limits.memory_bytes = 1'000'000;
  EXPECT_EQ(divided(counters, script, 2, limits).size(), 2u);
}

TEST(ScriptPartition, TasksAreOfEqualSize) {
  const Counters counters(5, kIsInstrumented ? 6 : 9);
  const FullScript script = record_full_script(counters).script;
  for (const unsigned tasks : {2u, 10u, 50u}) {
    const std::vector<ScriptRegion> regions = divided(counters, script, tasks);
    ASSERT_EQ(regions.size(), tasks);
    for (const ScriptRegion& region : regions)
      EXPECT_LT(region.steps, 2 * script.claim.common.steps / tasks + 10) << tasks;
  }
}

void expect_same_in_regions(const TransitionSystem& system, const FullScript& script, bool reduces) {
  CertifierOptions options;
  options.reduces = reduces;
  const CertifierResult whole = certify_script(system, script, options);
  ASSERT_EQ(whole.answer, CertifierResult::Answer::kConfirmed) << whole.reason;
  for (const unsigned tasks : {2u, 3u, 10u, 60u}) {
    for (const unsigned workers : {1u, 3u}) {
      options.tasks = tasks;
      options.workers = workers;
      const CertifierResult result = certify_script(system, script, options);
      EXPECT_EQ(result.answer, CertifierResult::Answer::kConfirmed) << result.reason;
      EXPECT_EQ(result.states, whole.states);
      EXPECT_EQ(result.steps, whole.steps);
      EXPECT_LE(result.largest_region, whole.steps);
    }
  }
}

TEST(ScriptPartition, WhatIsConfirmedAsAWholeIsInRegions) {
  for (std::uint64_t seed = 0; seed < (kIsInstrumented ? 4 : 20); ++seed) {
    const FixedGraphOptions options = faultless_fixed_graph(seed, 100);
    expect_same_in_regions(FixedGraph(options), record_full_script(FixedGraph(options)).script, false);
    const certified::ReducingGraph reducing(options, seed);
    expect_same_in_regions(reducing, record_full_script(reducing, false, true).script, true);
  }
  const Counters counters(4, 5);
  expect_same_in_regions(counters, record_full_script(counters).script, false);
}

TEST(ScriptPartition, FingerprintsAreForgottenInRegions) {
  const Counters counters(5, kIsInstrumented ? 6 : 10);
  const FullScript script = record_full_script(counters).script;
  for (const unsigned tasks : {1u, 2u, 8u}) {
    CertifierOptions options;
    options.tasks = tasks;
    options.workers = tasks == 1 ? 1 : 2;
    const CertifierResult result = certify_script(counters, script, options, 1000);
    ASSERT_EQ(result.answer, CertifierResult::Answer::kConfirmed) << result.reason;
    EXPECT_GT(result.most_fingerprints, 0u);
    EXPECT_LT(result.most_fingerprints, result.states);
  }
}

TEST(ScriptPartition, AScriptOutOfOrderIsNotCut) {
  const FixedGraph graph({0, {{0, 1}, {0, 2}, {1, 2}, {2, 0}}, {}, false, false});
  const FullScript script = record_full_script(graph).script;
  const auto reason = [&](const auto& change) {
    FullScript changed = script;
    change(changed);
    EXPECT_FALSE(judge_script(graph, changed).is_right());
    CertifierOptions options;
    options.tasks = 2;
    const CertifierResult result = certify_script(graph, changed, options, 1000);
    EXPECT_EQ(result.answer, CertifierResult::Answer::kRefuted);
    return result.reason;
  };
  EXPECT_EQ(reason([](FullScript& s) { s.instructions.pop_back(); }),
            "instruction 6 of part 1: state 0: the script ends before all states were left");
  EXPECT_EQ(reason([](FullScript& s) { s.instructions.push_back({}); }),
            "instruction 8 of part 1: the script goes on when all states were left");
  EXPECT_EQ(reason([](FullScript& s) { s.instructions[2].number = 3; }),
            "instruction 3 of part 1: state 2: leads to a state with a number that is not known yet");
  EXPECT_EQ(reason([](FullScript& s) { s.instructions[0].target.size = 3; }),
            "instruction 5 of part 1: state 1: its subtree has 2 transitions, and the script says 3");
}

TEST(ScriptPartition, UsesThatAreWrongAreFoundInAnyOrder) {
  const FixedGraph graph({0, {{0, 1}, {0, 2}, {1, 2}, {2, 0}}, {}, false, false});
  for (const std::uint64_t uses : {0u, 2u, 9u}) {
    FullScript script = record_full_script(graph).script;
    ASSERT_EQ(script.instructions[1].target.uses, 1u);
    script.instructions[1].target.uses = uses;
    CertifierOptions options;
    options.tasks = 2;
    const CertifierResult result = certify_script(graph, script, options);
    EXPECT_EQ(result.answer, CertifierResult::Answer::kRefuted) << uses;
  }
}

}  // namespace
}  // namespace spoor::scripts
