// Full scripts: what a search leaves is confirmed, and what is wrong is refused with its place.
#include "evidence/full_script.h"

#include <gtest/gtest.h>

#include <algorithm>
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
#include "unit/reducing_graph.h"
#include "version_pair.h"

namespace spoor::scripts {
namespace {

using Answer = CertifierResult::Answer;

FixedGraph script_graph(std::vector<std::pair<std::uint32_t, std::uint32_t>> edges,
                        std::vector<PlantedFinding> planted = {}) {
  return FixedGraph({0, std::move(edges), std::move(planted), false, false});
}
// The example of full_script.h.
FixedGraph script_example() { return script_graph({{0, 1}, {0, 2}, {1, 2}, {2, 0}}); }

ScriptInstruction known(std::uint32_t step, std::uint32_t number) { return {Kind::kKnown, step, number, {}}; }
ScriptInstruction to_new(std::uint32_t step, std::uint64_t uses, std::uint64_t size) {
  return {Kind::kNew, step, 0, {uses, size, false}};
}
constexpr ScriptInstruction kBack = {};

// ---- the file ----------------------------------------------------------------------------------------

TEST(FullScript, ReadsWhatItHasWritten) {
  FullScript script;
  script.claim = {{"spoor 1", "m", "safety", "o", 3, 4, 0, "x"}, false, {7, 4, true}};
  script.steps = {
      {StepId(0), "a"}, {StepId::first_of(3, true).next(), ""}, {StepId(5).with_choice(2), "c\n"}};
  script.instructions = {to_new(0, 1, 3),
                         known(1, 0),
                         {Kind::kNew, 2, 0, {0, UINT64_MAX, true}},
                         known(1, 9),
                         kBack,
                         known(2, static_cast<std::uint32_t>(kMostScriptStates - 1)),
                         kBack};
  for (const std::size_t per_part : {1u, 2u, 100u}) {
    const FullScript back = ScriptFile(script, per_part).read();
    EXPECT_EQ(back, script) << per_part;
  }
}

TEST(FullScript, RecordsThatAreCutOrTooLongAreDamaged) {
  const FullScriptClaim claim = {{"spoor 1", "m", "safety", "o", 3, 4, 0, "x"}, false, {300, 4, true}};
  const std::string record = encoded_script_claim(claim);
  for (std::size_t size = 0; size < record.size(); ++size)
    EXPECT_THROW(decoded_script_claim(record.substr(0, size)), FramedFileError);
  EXPECT_THROW(decoded_script_claim(record + '\0'), FramedFileError);
  ScriptPartWriter part(false);
  for (const ScriptInstruction& instruction : {to_new(0, 300, 3), known(1, 0), kBack, known(0, 1000)})
    part.add(instruction);
  const std::string content = part.take();
  const auto read_all = [](const std::string& text) {
    ScriptPartReader reader(text, 2, false);
    for (ScriptInstruction instruction; reader.next(instruction);) {
    }
  };
  EXPECT_NO_THROW(read_all(content));
  for (std::size_t size = 0; size < content.size(); ++size)
    EXPECT_THROW(read_all(content.substr(0, size)), FramedFileError) << size;
  EXPECT_THROW(read_all(content + '\0'), FramedFileError);
}

TEST(FullScript, StepsAndNumbersOutOfRangeAreDamaged) {
  const auto expect_damaged = [](const ScriptInstruction& instruction) {
    ScriptPartWriter part(false);
    part.add(instruction);
    const std::string content = part.take();
    ScriptPartReader reader(content, 2, false);
    ScriptInstruction read;
    EXPECT_THROW(reader.next(read), FramedFileError);
  };
  expect_damaged(known(2, 0));
  expect_damaged(known(0, static_cast<std::uint32_t>(kMostScriptStates)));
}

TEST(FullScript, TheExampleOfTheEssay) {
  const FixedGraph graph = script_example();
  const FullScript script = record_full_script(graph).script;
  ASSERT_EQ(script.steps.size(), 4u);  // labels tell the edges apart
  // In the order in which states are left.
  EXPECT_EQ(script.steps[0], (NamedStep{StepId(0), "e3"}));
  EXPECT_EQ(script.steps[2], (NamedStep{StepId(0), "e0"}));
  EXPECT_EQ(script.steps[3], (NamedStep{StepId(1), "e1"}));
  EXPECT_EQ(script.claim.initial, (ScriptTarget{1, 4, false}));
  const std::vector<ScriptInstruction> expected = {to_new(2, 0, 2), to_new(1, 1, 1), known(0, 0), kBack,
                                                   kBack,           known(3, 2),     kBack};
  EXPECT_TRUE(script.instructions == expected);
  const CertifierResult result = certify_script(graph, script);
  EXPECT_EQ(result.answer, Answer::kConfirmed) << result.reason;
  EXPECT_EQ(result.states, 3u);
  EXPECT_EQ(result.steps, 4u);
  // State 0 until it is used, then state 2: two at once.
  EXPECT_EQ(result.most_fingerprints, 2u);
}

TEST(FullScript, TheTableHasTheKeysOfStatements) {
  const auto system =
      exec::version_of("byte counter; active proctype worker() { counter = 1; counter = 2 }\n", {});
  const FullScript script = record_full_script(*system).script;
  ASSERT_FALSE(script.steps.empty());
  for (const NamedStep& step : script.steps) {
    EXPECT_NE(std::ranges::find(system->statements(), step.key, &Element::key), system->statements().end());
    EXPECT_TRUE(step.key.empty() || step.key.find("worker") != std::string::npos) << step.key;
  }
}

// ---- what a search leaves ----------------------------------------------------------------------------

void expect_right(const TransitionSystem& system, const RecordedScript& recorded, bool reduces,
                  const std::string& what) {
  SCOPED_TRACE(what);
  ASSERT_TRUE(std::holds_alternative<Holds>(recorded.result.outcome));
  ASSERT_EQ(recorded.why_not, "");
  EXPECT_TRUE(judge_script(system, recorded.script, reduces).is_right());
  CertifierOptions options;
  options.reduces = reduces;
  for (const std::size_t per_part : {3u, 1000u}) {
    const CertifierResult result = certify_script(system, recorded.script, options, per_part);
    EXPECT_EQ(result.answer, Answer::kConfirmed) << result.reason;
    EXPECT_EQ(result.states, recorded.result.statistics.states);
    EXPECT_EQ(result.steps, recorded.result.statistics.transitions - 1);
    EXPECT_LE(result.most_fingerprints, result.states);
  }
}

TEST(FullScript, WhatASearchLeavesIsConfirmed) {
  for (int seed = 0; seed < (kIsInstrumented ? 5 : 30); ++seed) {
    const FixedGraph graph(faultless_fixed_graph(seed, 60));
    expect_right(graph, record_full_script(graph), false, "graph " + std::to_string(seed));
  }
  const Counters counters(4, 5);
  expect_right(counters, record_full_script(counters), false, "counters");
}

TEST(FullScript, StepsMayBeLeftOut) {
  std::uint64_t in_full = 0, reduced = 0;
  for (int seed = 0; seed < 20; ++seed) {
    const certified::ReducingGraph reducing(faultless_fixed_graph(seed, 60), seed);
    const RecordedScript recorded = record_full_script(reducing, false, true);
    expect_right(reducing, recorded, true, "graph " + std::to_string(seed));
    for (const ScriptInstruction& instruction : recorded.script.instructions)
      in_full += instruction.target.in_full;
    reduced += reducing.reduced();
  }
  EXPECT_GT(in_full, 10u);
  EXPECT_GT(reduced, 100u);
}

TEST(FullScript, TheModelsOfTheTestsAreConfirmedUnderTheirReductions) {
  std::size_t confirmed = 0;
  for_each_golden_program([&](const std::string& name, const std::shared_ptr<promela::Program>& program) {
    const bool reduces = program->uses_stubborn_sets;
    program->uses_stubborn_sets = false;
    const exec::Interpreter system(program);
    SearchOptions few;
    few.numbers = IndexLimit{20'000};
    const RecordedScript recorded = record_full_script(system, false, reduces, few);
    if (!std::holds_alternative<Holds>(recorded.result.outcome)) return;
    CertifierOptions options;
    options.reduces = reduces;
    const CertifierResult result = certify_script(system, recorded.script, options, 1000);
    EXPECT_EQ(result.answer, Answer::kConfirmed) << name << ": " << result.reason;
    ++confirmed;
  });
  EXPECT_GT(confirmed, 50u);
}

TEST(FullScript, StepsMayBeTakenInAnyOrder) {
  for (std::uint64_t shuffle = 1; shuffle < 6; ++shuffle) {
    SearchOptions options;
    options.shuffle = shuffle;
    const FixedGraph graph(faultless_fixed_graph(shuffle + 100, 60));
    expect_right(graph, record_full_script(graph, false, false, options), false, "shuffled");
  }
}

TEST(FullScript, ASearchThatHasNotSeenAllStatesLeavesNone) {
  const FixedGraph wrong =
      script_graph({{0, 1}, {1, 2}}, {{1, {FindingKind::kAssertion, 0, StepId(0)}, false}});
  EXPECT_NE(record_full_script(wrong).why_not, "");
  SearchOptions options;
  options.limits.depth = 3;
  EXPECT_NE(record_full_script(Counters(2, 9), false, false, options).why_not, "");
}

// ---- what is refused ---------------------------------------------------------------------------------

// The example, changed: the instructions are 2 new, 1 new, 0 -> 0, back, back, 3 -> 2, back.
void expect_refused(const FullScript& script, const std::string& reason) {
  const FixedGraph graph = script_example();
  const CertifierResult result = certify_script(graph, script, {}, 1000);
  EXPECT_EQ(result.answer, Answer::kRefuted);
  EXPECT_EQ(result.reason, reason);
  EXPECT_FALSE(judge_script(graph, script).is_right());
}
template <class Change>
FullScript changed_example(const Change& change) {
  FullScript script = record_full_script(script_example()).script;
  change(script);
  return script;
}

TEST(FullScript, TheThreeDeviationsOfTheThesisAreFound) {
  expect_refused(changed_example([](FullScript& s) { s.instructions[2].step = 3; }),
                 "instruction 3 of part 1: state 2: the step does not exist");
  expect_refused(changed_example([](FullScript& s) { s.instructions.erase(s.instructions.begin() + 2); }),
                 "instruction 3 of part 1: state 2: the state is left when 0 of its 1 steps were taken");
  expect_refused(changed_example([](FullScript& s) {
                   s.instructions[5].number = 0;
                   s.claim.initial.uses = 2;
                 }),
                 "instruction 6 of part 1: state 0: leads to another state than the one with this number");
}

TEST(FullScript, WhatTheThesisDoesNotMentionIsFound) {
  expect_refused(changed_example([](FullScript& s) { s.instructions.pop_back(); }),
                 "instruction 6 of part 1: state 0: the script ends before all states were left");
  expect_refused(changed_example([](FullScript& s) { s.instructions.clear(); }),
                 "state 0: the script ends before all states were left");
  expect_refused(changed_example([](FullScript& s) { s.instructions.push_back(kBack); }),
                 "instruction 8 of part 1: the script goes on when all states were left");
  expect_refused(changed_example([](FullScript& s) { s.instructions[2].number = 3; }),
                 "instruction 3 of part 1: state 2: leads to a state with a number that is not known yet");
  expect_refused(changed_example([](FullScript& s) {
                   s.instructions.insert(s.instructions.begin() + 3, s.instructions[2]);
                 }),
                 "instruction 4 of part 1: state 2: the step is taken twice");
  expect_refused(changed_example([](FullScript& s) { s.steps[0].key = "other"; }),
                 "instruction 3 of part 1: state 2: the step has another statement than the script says");
}

TEST(FullScript, SizesAndUsesMustBeRight) {
  expect_refused(changed_example([](FullScript& s) { s.instructions[0].target.size = 3; }),
                 "instruction 5 of part 1: state 1: its subtree has 2 transitions, and the script says 3");
  expect_refused(changed_example([](FullScript& s) { s.claim.initial.size = UINT64_MAX; }),
                 "instruction 7 of part 1: state 0: its subtree has 4 transitions, and the script says "
                 "18446744073709551615");
  expect_refused(
      changed_example([](FullScript& s) { s.instructions[1].target.uses = 0; }),
      "instruction 6 of part 1: state 0: leads to a state that has no more uses, as the script says");
  expect_refused(changed_example([](FullScript& s) { s.instructions[1].target.uses = 3; }),
                 "state 2: the script says that it is used 2 times more");
  expect_refused(changed_example([](FullScript& s) { s.instructions[1].target.uses = UINT64_MAX; }),
                 "instruction 2 of part 1: state 1: has an impossible number of uses");
}

TEST(FullScript, WhatItSaysOfItselfMustBeRight) {
  expect_refused(changed_example([](FullScript& s) { s.claim.common.states = 4; }),
                 "it has 3 states and 4 transitions, and says 4 and 4");
  expect_refused(changed_example([](FullScript& s) { s.claim.common.steps = 5; }),
                 "it has 3 states and 4 transitions, and says 3 and 5");
  expect_refused(changed_example([](FullScript& s) { s.claim.common.states = 2; }),
                 "instruction 2 of part 1: state 1: the script has more states than it says");
}

TEST(FullScript, AnErrorOfAStateIsOneOfTheModel) {
  const FullScript script = record_full_script(script_example()).script;
  const FixedGraph wrong =
      script_graph({{0, 1}, {0, 2}, {1, 2}, {2, 0}}, {{2, {FindingKind::kAssertion, 0, StepId(0)}, false}});
  const CertifierResult result = certify_script(wrong, script, {}, 1000);
  EXPECT_EQ(result.answer, Answer::kRefuted);
  ASSERT_TRUE(result.finding.has_value());
  EXPECT_EQ(result.finding->kind, FindingKind::kAssertion);
  EXPECT_EQ(result.reason.substr(0, 53),
            "instruction 2 of part 1: state 2 has an error: " + wrong.message(*result.finding).substr(0, 6));
  CertifierOptions options;
  options.counted = FindingKinds::none().with(FindingKind::kDeadlock);
  EXPECT_EQ(certify_script(wrong, script, options).answer, Answer::kConfirmed);
}

TEST(FullScript, AReducedStateNeedsANewStep) {
  // State 1 has two steps to known states; the reduction leaves out one of them.
  class Reduced : public FixedGraph {
   public:
    using FixedGraph::FixedGraph;
    void expand(StateBytes state, Expansion& out) const override {
      FixedGraph::expand(state, out);
      if (!out.asked.may_reduce || out.successors.size() != 2) return;
      out.keep_successors(1);
      out.is_reduced = true;
    }
  };
  const Reduced graph({0, {{0, 1}, {1, 0}, {1, 1}}, {}, false, false});
  FullScript script = record_full_script(graph, false, true).script;
  CertifierOptions options;
  options.reduces = true;
  EXPECT_EQ(certify_script(graph, script, options).answer, Answer::kConfirmed);
  ASSERT_TRUE(script.instructions[0].target.in_full);
  script.instructions[0].target.in_full = false;
  script.instructions.erase(script.instructions.begin() + 2);  // 1 -> 1
  script.instructions[0].target = {0, 1, false};
  script.claim.initial.size = script.claim.common.steps = 2;
  EXPECT_FALSE(judge_script(graph, script, true).is_right());
  EXPECT_EQ(
      certify_script(graph, script, options, 1000).reason,
      "instruction 3 of part 1: state 1: steps are left out, and none of those that are taken leads to a new "
      "state");
}

TEST(FullScript, LimitsEndIt) {
  const Counters counters(5, kIsInstrumented ? 6 : 11);
  const FullScript script = record_full_script(counters).script;
  CertifierOptions options;
  options.limits.memory_bytes = 1000;
  const CertifierResult result = certify_script(counters, script, options, 1000);
  EXPECT_EQ(result.answer, Answer::kLimit);
  EXPECT_EQ(result.limit, LimitHit::kMemory);
}

}  // namespace
}  // namespace spoor::scripts
