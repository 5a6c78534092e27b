// Certificates: what a search leaves is confirmed, whatever its regions, and what is wrong is refused with
// its place.
#include "evidence/certificate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "evidence/certifier.h"
#include "evidence/script_recorder.h"
#include "exec/interpreter.h"
#include "graph/fixed.h"
#include "unit/certificates.h"
#include "unit/counters.h"
#include "unit/golden_programs.h"
#include "unit/instrumented.h"
#include "unit/random_fixed_graph.h"
#include "unit/reducing_graph.h"

namespace spoor::certified {
namespace {

using Answer = CertifierResult::Answer;

constexpr std::uint32_t kMostStates = 20'000;  // of a model
constexpr std::uint64_t kSizes[] = {1, 2, 3, 7, 50, RegionCut::kOneRegion};

FixedGraph graph_of(std::vector<std::pair<std::uint32_t, std::uint32_t>> edges,
                    std::vector<PlantedFinding> planted = {}) {
  return FixedGraph({0, std::move(edges), std::move(planted), false, false});
}
// The example of certificate.h.
FixedGraph example() { return graph_of({{0, 1}, {0, 2}, {1, 2}, {2, 0}}); }

// ---- the file ----------------------------------------------------------------------------------------

TEST(Certificate, ReadsWhatItHasWritten) {
  const CertificateClaim claim = {"spoor 1", std::string(64, 'a'), "safety", "a b\nc d\n", 1, 1u << 20, 3,
                                  "\0x"};
  EXPECT_EQ(decoded_claim(encoded_claim(claim)), claim);
  RegionGroup group;
  group.heads = {{2, 3, "root", 2}, {1, 0, "", 0}};
  group.in_full = {0, 2};
  group.flags = "ab";
  group.references = {1, (std::uint64_t{1} << 40) - 1, 0};
  const RegionGroup back = decoded_group(encoded_group(group));
  EXPECT_EQ(encoded_group(back), encoded_group(group));
  EXPECT_EQ(back.references, group.references);
  EXPECT_EQ(back.in_full, group.in_full);
  EXPECT_EQ(back.flags, group.flags);
  ASSERT_EQ(back.heads.size(), 2u);
  EXPECT_EQ(back.heads[0].root, "root");
  EXPECT_EQ(back.heads[1].states, 1u);
}

TEST(Certificate, RecordsThatAreCutOrTooLongAreDamaged) {
  const CertificateClaim claim = {"spoor 1", "a", "safety", "o", 1, 2, 3, "x"};
  RegionGroup group;
  group.heads = {{2, 3, "root", 2}, {1, 0, "", 0}};
  group.flags = "ab";
  group.references = {1, 300, 0};
  const auto expect_damaged = [](const std::string& record, const auto& decode) {
    for (std::size_t size = 0; size < record.size(); ++size)
      EXPECT_THROW(decode(record.substr(0, size)), FramedFileError) << size;
    EXPECT_THROW(decode(record + '\0'), FramedFileError);
  };
  expect_damaged(encoded_claim(claim), [](const std::string& record) { decoded_claim(record); });
  expect_damaged(encoded_group(group), [](const std::string& record) { decoded_group(record); });
}

TEST(Certificate, SizesThatARecordDeclaresAreNotBelieved) {
  for (const std::uint64_t huge : {std::uint64_t{100}, std::uint64_t{1} << 40, UINT64_MAX}) {
    for (const bool of_states : {false, true}) {
      RegionGroup group;
      group.heads = {{of_states ? huge : 1, 1, "r", of_states ? 1 : huge}, {1, 1, "r", 1}};
      group.flags = "fl";
      group.references = {1, 1};
      EXPECT_THROW(decoded_group(encoded_group(group)), FramedFileError) << huge;
    }
    std::string record;
    put(record, huge);  // regions
    EXPECT_THROW(decoded_group(record + "abcd"), FramedFileError);
  }
}

TEST(Certificate, TheExampleOfTheEssay) {
  const FixedGraph graph = example();
  const Recorded recorded = record_script(graph, RegionCut::kOneRegion);
  ASSERT_EQ(recorded.certificate.groups.size(), 1u);
  const RegionGroup& group = recorded.certificate.groups[0];
  EXPECT_EQ(group.flags, std::string({1, 1, 0}));
  EXPECT_EQ(group.references, (std::vector<std::uint64_t>{2, 0, 1}));
  EXPECT_EQ(recorded.certificate.claim.states, 3u);
  EXPECT_EQ(recorded.certificate.claim.steps, 4u);
  EXPECT_EQ(certify(graph, recorded.certificate).answer, Answer::kConfirmed);
}

TEST(Certificate, AChainIsCutWhereTheEssaySays) {
  const FixedGraph graph = graph_of({{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  const Recorded recorded = record_script(graph, 3);
  const Script script = script_of(graph, recorded.certificate.groups);
  ASSERT_EQ(script.size(), 2u);
  EXPECT_EQ(script[0].states.size(), 4u);
  EXPECT_EQ(bytes_of(script[0].root), graph_state_bytes(1));
  EXPECT_EQ(script[0].states[0].references, 1u);
  EXPECT_EQ(script[1].states, (std::vector<ScriptState>{{{false}, 1, false}}));
}

TEST(Certificate, TheExampleOfTheEssayAboutLevels) {
  const FixedGraph graph = graph_of({{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  const Script script = script_of(graph, record_level_script(graph, 1).certificate.groups);
  ASSERT_EQ(script.size(), 3u);
  EXPECT_EQ(bytes_of(script[0].root), graph_state_bytes(2));
  EXPECT_EQ(script[0].states, (std::vector<ScriptState>{{{false}, 1, false}}));
  EXPECT_EQ(bytes_of(script[1].root), graph_state_bytes(1));
  EXPECT_EQ(script[1].states, (std::vector<ScriptState>{{{true}, 1, false}, {{}, 1, false}}));
  EXPECT_EQ(script[2].states, (std::vector<ScriptState>{{{false, false}, 1, false}}));
}

// ---- what a search leaves ----------------------------------------------------------------------------

void expect_confirmed(const TransitionSystem& system, const Recorded& recorded, bool reduces,
                      const std::string& what) {
  SCOPED_TRACE(what);
  ASSERT_TRUE(std::holds_alternative<Holds>(recorded.result.outcome));
  ASSERT_EQ(recorded.why_not, "");
  EXPECT_EQ(recorded.certificate.claim.states, recorded.result.statistics.states);
  EXPECT_EQ(recorded.certificate.claim.steps, recorded.result.statistics.transitions - 1);
  const Judgement judgement = judge(system, recorded.certificate, reduces);
  EXPECT_TRUE(judgement.is_right());
  for (const unsigned workers : {1u, 3u}) {
    CertifierOptions options;
    options.reduces = reduces;
    options.workers = workers;
    const CertifierResult result = certify(system, recorded.certificate, options);
    EXPECT_EQ(result.answer, Answer::kConfirmed) << result.reason;
    EXPECT_EQ(result.reason, "");
    EXPECT_EQ(result.states, recorded.result.statistics.states);
    EXPECT_EQ(result.steps, recorded.certificate.claim.steps);
    EXPECT_EQ(result.regions, recorded.certificate.claim.regions);
  }
}

TEST(Certificate, WhatASearchLeavesIsConfirmed) {
  const int graphs = kIsInstrumented ? 5 : 20;
  for (int seed = 0; seed < graphs; ++seed) {
    const FixedGraph graph(faultless_fixed_graph(seed, 60));
    for (const std::uint64_t least_steps : kSizes) {
      const std::string what = "graph " + std::to_string(seed) + ", " + std::to_string(least_steps);
      for (const auto record : kRecordings)
        expect_confirmed(graph, record(graph, least_steps, false, {}), false, what);
    }
  }
}

void expect_steps_to_be_left_out(const auto& record) {
  std::uint64_t in_full = 0, reduced = 0;
  for (int seed = 0; seed < 20; ++seed) {
    const ReducingGraph reducing(faultless_fixed_graph(seed, 60), seed);
    for (const std::uint64_t least_steps : kSizes) {
      const Recorded recorded = record(reducing, least_steps, true, SearchOptions());
      expect_confirmed(reducing, recorded, true,
                       "graph " + std::to_string(seed) + ", " + std::to_string(least_steps));
      for (const RegionGroup& group : recorded.certificate.groups) in_full += group.in_full.size();
    }
    reduced += reducing.reduced();
  }
  EXPECT_GT(in_full, 10u);
  EXPECT_GT(reduced, 100u);
}
TEST(Certificate, StepsMayBeLeftOut) {
  for (const auto record : kRecordings) expect_steps_to_be_left_out(record);
}

TEST(Certificate, ManyRegionsInSeveralGroups) {
  const Counters counters(5, kIsInstrumented ? 6 : 11);
  const Recorded recorded = record_script(counters, 20);
  // Its states are not said to be well formed, so no region is the root's alone.
  const CertifierResult refused = certify(counters, recorded.certificate);
  EXPECT_EQ(refused.answer, Answer::kRefuted);
  EXPECT_EQ(refused.reason, "state 1 of region 1: its root is no state of the model");

  class WellFormed : public Counters {
   public:
    using Counters::Counters;
    bool is_well_formed(StateBytes) const override { return true; }
  };
  const WellFormed vouched(5, kIsInstrumented ? 6 : 11);
  EXPECT_GT(recorded.certificate.claim.regions, 100u);
  EXPECT_GT(recorded.certificate.groups.size(), kIsInstrumented ? 0u : 1u);
  for (const unsigned workers : {1u, 4u}) {
    CertifierOptions options;
    options.workers = workers;
    const CertifierResult result = certify(vouched, recorded.certificate, options);
    EXPECT_EQ(result.answer, Answer::kConfirmed) << result.reason;
    EXPECT_EQ(result.states, recorded.result.statistics.states);
    EXPECT_GT(result.largest_region, 19u);
    EXPECT_LT(result.largest_region, 200u);
  }
}

TEST(Certificate, TheModelsOfTheTestsAreConfirmedUnderTheirReductions) {
  std::size_t confirmed = 0;
  for_each_golden_program([&](const std::string& name, const std::shared_ptr<promela::Program>& program) {
    const bool reduces = program->uses_stubborn_sets;
    program->uses_stubborn_sets = false;
    const exec::Interpreter system(program);
    for (const auto& [record, least_steps] :
         {std::pair(&record_script, std::uint64_t{5}), std::pair(&record_script, RegionCut::kOneRegion),
          std::pair(&record_level_script, std::uint64_t{5}),
          std::pair(&record_level_script, RegionCut::kOneRegion)}) {
      SearchOptions few;
      few.numbers = IndexLimit{kMostStates};
      const Recorded recorded = record(system, least_steps, reduces, few);
      if (!std::holds_alternative<Holds>(recorded.result.outcome)) return;
      CertifierOptions options;
      options.reduces = reduces;
      const CertifierResult result = certify(system, recorded.certificate, options);
      EXPECT_EQ(result.answer, Answer::kConfirmed) << name << ": " << result.reason;
      ++confirmed;
    }
  });
  EXPECT_GT(confirmed, 50u);
}

TEST(Certificate, IsMadeWithEveryStoreThatKeepsAllStates) {
  const FixedGraph graph(faultless_fixed_graph(7, 60));
  for (const StoreRow& row : stores()) {
    const StoreKind store = row.kind;
    SearchOptions options;
    options.store = store;
    options.filter.bits = 1 << 16;
    const bool keeps_all = row.traits.keeps_states && !row.traits.forgets_states;
    for (const auto& [order, record] : {std::pair(Order::kDepthFirst, &record_script),
                                        std::pair(Order::kBreadthFirst, &record_level_script)}) {
      if (!can_search(order, store)) continue;
      const Recorded recorded = record(graph, 5, false, options);
      EXPECT_EQ(recorded.why_not.empty(), keeps_all) << row.name;
      if (!keeps_all) continue;
      EXPECT_EQ(certify(graph, recorded.certificate).answer, Answer::kConfirmed);
    }
  }
}

TEST(Certificate, ASearchThatHasNotSeenAllStatesLeavesNone) {
  const FixedGraph wrong = graph_of({{0, 1}, {1, 2}}, {{1, {FindingKind::kAssertion, 0, StepId(0)}, false}});
  SearchOptions options;
  options.limits.depth = 3;
  for (const auto record : kRecordings) {
    EXPECT_NE(record(wrong, 1, false, {}).why_not, "");
    EXPECT_NE(record(Counters(2, 9), 1, false, options).why_not, "");
  }
}

// ---- what is refused ---------------------------------------------------------------------------------

CertifierResult certify_changed(const TransitionSystem& system, std::uint64_t least_steps, const auto& change,
                                const CertifierOptions& options = {}) {
  const Recorded recorded = record_script(system, least_steps, options.reduces);
  Script script = script_of(system, recorded.certificate.groups, options.reduces);
  change(script);
  return certify(system, certificate_of(script), options);
}

void expect_refuted(const CertifierResult& result, const std::string& reason) {
  EXPECT_EQ(result.answer, Answer::kRefuted);
  EXPECT_EQ(result.reason, reason);
}

TEST(Certificate, SaysWhatIsWrongWithTheStates) {
  const FixedGraph graph = example();  // one region: 0, 1, 2 with the flags 10, 1, 0
  const auto changed = [&](const auto& change) {
    return certify_changed(graph, RegionCut::kOneRegion, change);
  };
  expect_refuted(changed([](Script& s) { s[0].root += 'x'; }),
                 "state 1 of region 1: its root is no state of the model");
  expect_refuted(changed([](Script& s) { s[0].states.pop_back(); }),
                 "state 3 of region 1: the region has more states than it says");
  expect_refuted(changed([](Script& s) { s[0].states.clear(); }),
                 "state 1 of region 1: the region has more states than it says");
  expect_refuted(changed([](Script& s) {
                   s[0].states.push_back({{}, 0, false});
                 }),
                 "state 4 of region 1: the region goes on when all of its states were expanded");
  expect_refuted(changed([](Script& s) { s[0].states[1].references = std::uint64_t{1} << 40; }),
                 "state 2 of region 1: has an impossible number of references");
  expect_refuted(changed([](Script& s) { s[0].states[2].flags.clear(); }),
                 "state 3 of region 1: the region ends before all of its transitions were taken");
  expect_refuted(changed([](Script& s) {
                   s[0].states[2].flags = {false, true};
                 }),
                 "state 3 of region 1: more transitions are marked than there are");
  expect_refuted(changed([](Script& s) {
                   s[0].states[2].flags = {false, false};
                 }),
                 "state 4 of region 1: the region has another number of transitions than it says");
}

TEST(Certificate, SaysWhichReferenceIsWrong) {
  const FixedGraph graph = example();
  const auto changed = [&](const auto& change) {
    return certify_changed(graph, RegionCut::kOneRegion, change);
  };
  expect_refuted(changed([](Script& s) { s[0].states[1].references = 1; }),
                 "state 2 of region 1: is referred to 0 times, and the certificate says 1");
  expect_refuted(changed([](Script& s) { s[0].states[0].references = 1; }),
                 "state 1 of region 1: is referred to 2 times, and the certificate says 1");
  // State 2 is cut off; 1 -> 2 is a reference, as 0 -> 2 is.
  expect_refuted(changed([](Script& s) {
                   s[0].states[1].flags[0] = false;
                   s[0].states.pop_back();
                   s[0].states[0].references = 1;
                 }),
                 "transition 2 of state 1 of region 1: leads to a state that is none of the states of the "
                 "certificate");
  expect_refuted(changed([](Script& s) {
                   s[0].root = text_of(graph_state_bytes(1));
                   s[0].states = {{{true}, 0, false}, {{false}, 0, false}};
                 }),
                 "the initial state is none of its states");
  expect_refuted(certify(graph, certificate_of({})), "the initial state is none of its states");
}

TEST(Certificate, SaysWhichTransitionOfAnotherRegionIsWrong) {
  const FixedGraph graph = graph_of({{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  expect_refuted(certify_changed(graph, 3, [](Script& s) { s.erase(s.begin()); }),
                 "transition 1 of state 1 of region 1: leads to a state that is none of the states of the "
                 "certificate");
}

TEST(Certificate, WhatItSaysOfItselfMustBeRight) {
  const FixedGraph graph = example();
  const Certificate good = record_script(graph, 1).certificate;
  const auto changed = [&](const auto& change) {
    Certificate certificate = good;
    change(certificate.claim);
    return certify(graph, certificate);
  };
  for (const std::uint64_t wrong : {std::uint64_t{0}, std::uint64_t{100}, UINT64_MAX}) {
    EXPECT_EQ(changed([&](CertificateClaim& c) { c.states = wrong; }).answer, Answer::kRefuted);
    EXPECT_EQ(changed([&](CertificateClaim& c) { c.steps = wrong; }).answer, Answer::kRefuted);
    EXPECT_EQ(changed([&](CertificateClaim& c) { c.regions = wrong; }).answer, Answer::kRefuted);
  }
  expect_refuted(changed([](CertificateClaim& c) { c.states = 2; }), "it has more states than it says");
  expect_refuted(changed([](CertificateClaim& c) { c.steps = 7; }),
                 "it has 3 states, 4 transitions and 3 regions, and says 3, 7 and 3");
}

TEST(Certificate, GroupsWithoutRegionsAreRefused) {
  const FixedGraph graph = example();
  Certificate certificate = record_script(graph, 1).certificate;
  certificate.groups.emplace_back();
  expect_refuted(certify(graph, certificate), "it has a group without regions");
}

TEST(Certificate, RecordsOfOtherKindsAreDamage) {
  const FixedGraph graph = example();
  const Certificate good = record_script(graph, 1).certificate;
  const std::string group = encoded_group(good.groups[0]);
  using Records = std::vector<std::pair<char, std::string>>;
  EXPECT_EQ(CertificateFile(good.claim, Records{{kGroupRecord, group}}).certify(graph).answer,
            Answer::kConfirmed);
  for (const Records& records :
       {Records{{'x', group}}, Records{{kGroupRecord, group}, {'x', ""}},
        Records{{kGroupRecord, group}, {kClaimRecord, encoded_claim(good.claim)}},
        Records{{kGroupRecord, group.substr(1)}}, Records{{kGroupRecord, group + 'x'}}}) {
    EXPECT_THROW(CertificateFile(good.claim, records).certify(graph), FramedFileError);
  }
}

TEST(Certificate, ALargeGroupIsDamage) {
  const FixedGraph graph = example();
  const Certificate good = record_script(graph, 1).certificate;
  const CertificateFile file(good.claim, {{kGroupRecord, std::string(kMostGroupBytes + 1, '\0')}});
  EXPECT_THROW(file.certify(graph), FramedFileError);
}

// While one worker reads, the others wait for it; none may wait for ever when what it reads is wrong.
TEST(Certificate, ManyWorkersEndWhereTheFileIsDamaged) {
  const FixedGraph graph = example();
  const Certificate good = record_script(graph, 1).certificate;
  Certificate empty_group = good;
  empty_group.groups.emplace_back();
  using Records = std::vector<std::pair<char, std::string>>;
  const CertificateFile damaged(
      good.claim, Records{{kGroupRecord, encoded_group(good.groups[0])}, {kGroupRecord, "no group"}});
  CertifierOptions options;
  options.workers = 8;
  for (int round = 0; round < 200; ++round) {
    EXPECT_THROW(damaged.certify(graph, options), FramedFileError);
    EXPECT_EQ(certify(graph, empty_group, options).answer, Answer::kRefuted);
  }
}

TEST(Certificate, AReducedStateNeedsANewTransition) {
  // 0 -> 1 alone is taken of 0; 1 -> 0 and 1 -> 2. State 0 is expanded in full because 1 is its own region.
  const FixedGraph graph = graph_of({{0, 1}, {0, 2}, {1, 0}});
  class Reduces : public FixedGraph {
   public:
    using FixedGraph::FixedGraph;
    void expand(StateBytes state, Expansion& out) const override {
      FixedGraph::expand(state, out);
      if (!out.asked.may_reduce || graph_state(state) != 0) return;
      out.keep_successors(1);
      out.is_reduced = true;
    }
  };
  const Reduces reduces({0, {{0, 1}, {0, 2}, {1, 0}}, {}, false, false});
  const auto region = [](std::uint32_t root, std::vector<ScriptState> states) {
    return ScriptRegion{text_of(graph_state_bytes(root)), std::move(states)};
  };
  CertifierOptions options;
  options.reduces = true;
  const Script kept = {region(0, {{{true}, 2, false}, {{false}, 0, false}})};
  EXPECT_EQ(certify(reduces, certificate_of(kept), options).answer, Answer::kConfirmed);
  // The child is a region of its own: nothing in the region of 0 proves that 0 -> 2 is not put off for ever.
  const Script cut = {region(0, {{{false}, 2, false}}), region(1, {{{false}, 1, false}})};
  expect_refuted(
      certify(reduces, certificate_of(cut), options),
      "state 1 of region 1: steps are left out, and none of those that are taken leads to a new state");
  const Script in_full = {region(0, {{{false, true}, 2, true}, {{}, 0, false}}),
                          region(1, {{{false}, 1, false}})};
  EXPECT_EQ(certify(reduces, certificate_of(in_full), options).answer, Answer::kConfirmed);
  // Without reductions the certifier takes all steps, and believes no list.
  EXPECT_EQ(certify(reduces, certificate_of(kept)).answer, Answer::kRefuted);
  EXPECT_EQ(certify(reduces, certificate_of(in_full)).answer, Answer::kConfirmed);
}

TEST(Certificate, AnExpansionThatGaveUpProvesNothing) {
  class GivesUp : public FixedGraph {
   public:
    using FixedGraph::FixedGraph;
    void expand(StateBytes state, Expansion& out) const override {
      FixedGraph::expand(state, out);
      if (graph_state(state) == 2 && gives_up) out.was_cut = true;
    }
    bool gives_up = false;
  };
  GivesUp system({0, {{0, 1}, {0, 2}, {1, 2}, {2, 0}}, {}, false, false});
  const Certificate good = record_script(system, 100).certificate;
  EXPECT_EQ(certify(system, good).answer, Answer::kConfirmed);
  system.gives_up = true;
  expect_refuted(certify(system, good), "state 3 of region 1: has more successors than can be numbered");
}

// ---- errors, limits, the second system ---------------------------------------------------------------

TEST(Certificate, AMemberWithAnErrorIsNotConfirmed) {
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> edges = {{0, 1}, {0, 2}, {1, 2}, {2, 0}, {9, 2}};
  const Certificate good = record_script(graph_of(edges), 100).certificate;
  for (const StepId step : {Finding::kStateItself, StepId(0)}) {
    const FixedGraph wrong = graph_of(edges, {{2, {FindingKind::kAssertion, 4, step}, false}});
    const CertifierResult result = certify(wrong, good);
    EXPECT_EQ(result.answer, Answer::kNotConfirmed);
    EXPECT_EQ(result.reason, "state 3 of region 1 has an error: assertion 4");
    ASSERT_TRUE(result.finding.has_value());
    EXPECT_EQ(result.finding->step, step);
    CertifierOptions only_deadlocks;
    only_deadlocks.counted = FindingKinds::none().with(FindingKind::kDeadlock);
    EXPECT_EQ(certify(wrong, good, only_deadlocks).answer, Answer::kConfirmed);
  }
  // The initial state, and a member that no run reaches.
  const FixedGraph at_once =
      graph_of(edges, {{0, {FindingKind::kRuntimeError, 0, Finding::kStateItself}, false}});
  EXPECT_EQ(certify(at_once, good).answer, Answer::kNotConfirmed);
  Script script = script_of(graph_of(edges), good.groups);
  ++script[0].states[2].references;
  script.push_back({text_of(graph_state_bytes(3)), {{{false}, 0, false}}});
  EXPECT_EQ(certify(graph_of(edges), certificate_of(script)).answer, Answer::kConfirmed);
  const FixedGraph elsewhere =
      graph_of(edges, {{9, {FindingKind::kAssertion, 1, Finding::kStateItself}, false}});
  EXPECT_TRUE(std::holds_alternative<Holds>(search(elsewhere, {}).outcome));
  const CertifierResult result = certify(elsewhere, certificate_of(script));
  EXPECT_EQ(result.answer, Answer::kNotConfirmed);
  EXPECT_EQ(result.reason, "state 1 of region 2 has an error: assertion 1");
}

TEST(Certificate, AStepThatFailsWithoutASuccessorIsAnError) {
  const FixedGraph wrong =
      graph_of({{0, 1}, {1, 0}}, {{1, {FindingKind::kRuntimeError, 2, StepId(0)}, true}});
  const Script script = {{text_of(graph_state_bytes(0)), {{{true}, 1, false}, {{}, 0, false}}}};
  EXPECT_EQ(certify(wrong, certificate_of(script)).answer, Answer::kNotConfirmed);
}

TEST(Certificate, MembersThatAreListedTwiceDoNoHarm) {
  const FixedGraph graph = example();
  Script script = script_of(graph, record_script(graph, 100).certificate.groups);
  const ScriptRegion again = script[0];
  script.push_back(again);
  // All references but that of the beginning are found twice.
  script[1].states[0].references = 1;
  EXPECT_EQ(certify(graph, certificate_of(script)).answer, Answer::kConfirmed);
  script[1].states[0].references = 2;
  expect_refuted(certify(graph, certificate_of(script)),
                 "state 1 of region 2: is referred to 3 times, and the certificate says 4");
}

TEST(Certificate, LimitsEndIt) {
  const Counters counters(4, 9);
  const Certificate good = record_script(counters, RegionCut::kOneRegion).certificate;
  for (const unsigned workers : {1u, 3u}) {
    CertifierOptions options;
    options.workers = workers;
    EXPECT_EQ(certify(counters, good, options).answer, Answer::kConfirmed);
    options.limits.memory_bytes = 1000;
    CertifierResult result = certify(counters, good, options);
    EXPECT_EQ(result.answer, Answer::kLimit);
    EXPECT_EQ(result.limit, LimitHit::kMemory);
    options.limits.memory_bytes = 0;
    options.limits.seconds = 1e-9;
    EXPECT_EQ(certify(counters, good, options).limit, LimitHit::kTime);
    options.limits.seconds = 0;
    const std::atomic<bool> interrupted = true;
    options.limits.interrupt = &interrupted;
    result = certify(counters, good, options);
    EXPECT_EQ(result.answer, Answer::kLimit);
    EXPECT_EQ(result.limit, LimitHit::kInterrupted);
  }
}

TEST(Certificate, ASecondSystemIsAskedForSomeStates) {
  const Counters counters(3, 9);
  const Certificate good = record_script(counters, RegionCut::kOneRegion).certificate;
  CertifierOptions options;
  options.second = &counters;
  options.second_part = 1;
  EXPECT_EQ(certify(counters, good, options).compared, 729u);
  options.second_part = 10;
  const std::uint64_t compared = certify(counters, good, options).compared;
  EXPECT_GT(compared, 20u);
  EXPECT_LT(compared, 200u);
}

// One with another answer for one state.
class Differs : public Counters {
 public:
  enum class Way { kTarget, kMissing, kFinding, kReduced };
  Differs(std::size_t digits, unsigned base, Way way) : Counters(digits, base), way_(way) {}

  void expand(StateBytes state, Expansion& out) const override {
    Counters::expand(state, out);
    if (state[0] != std::byte{3} || state[1] != std::byte{4}) return;
    switch (way_) {
      case Way::kTarget: out.arena[out.successors[0].offset + 2] ^= std::byte{1}; break;
      case Way::kMissing: out.keep_successors(out.successors.size() - 1); break;
      case Way::kFinding: out.findings.push_back({FindingKind::kAssertion, 0, StepId(0)}); break;
      case Way::kReduced: out.is_reduced = true; break;
    }
  }

 private:
  const Way way_;
};

TEST(Certificate, ASecondSystemThatDisagreesIsABugOfOurs) {
  using Way = Differs::Way;
  const Counters counters(3, 9);
  const Certificate good = record_script(counters, RegionCut::kOneRegion).certificate;
  for (const Way way : {Way::kTarget, Way::kMissing, Way::kFinding, Way::kReduced}) {
    const Differs second(3, 9, way);
    CertifierOptions options;
    options.second = &second;
    options.second_part = 1;
    EXPECT_THROW(certify(counters, good, options), std::logic_error);
    options.second_part = UINT64_MAX;
    EXPECT_EQ(certify(counters, good, options).answer, Answer::kConfirmed);
  }
}

TEST(Certificate, AnErrorOfTheSystemReachesTheCaller) {
  class Refuses : public FixedGraph {
   public:
    using FixedGraph::FixedGraph;
    void expand(StateBytes state, Expansion& out) const override {
      if (graph_state(state) == 2) throw NotSupported("too much");
      FixedGraph::expand(state, out);
    }
  };
  const Certificate good = record_script(example(), 1).certificate;
  const Refuses system({0, {{0, 1}, {0, 2}, {1, 2}, {2, 0}}, {}, false, false});
  for (const unsigned workers : {1u, 4u}) {
    CertifierOptions options;
    options.workers = workers;
    EXPECT_THROW(certify(system, good, options), NotSupported);
  }
}

}  // namespace
}  // namespace spoor::certified
