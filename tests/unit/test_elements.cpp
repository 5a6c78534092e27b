// What the successors of a Promela state depend on: one pair of versions per kind of dependency, and what an
// edit must not touch. Random edits of random models: tests/suites/test_elements.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "promela/local_names.h"
#include "version_pair.h"

namespace spoor::exec {
namespace {

constexpr VersionReductions kNoReduction = {};
constexpr VersionReductions kAllReductions = {true, true, true};
constexpr VersionReductions kStubbornSets = {.stubborn = true};

struct Edit {
  const char* what;
  const char* before;
  const char* after;
  VersionReductions reductions = kNoReduction;
  bool changes_successors = true;  // of an old state; otherwise only touches one
};

void PrintTo(const Edit& edit, std::ostream* out) { *out << edit.what; }

class ElementsOfAnEdit : public testing::TestWithParam<Edit> {};

TEST_P(ElementsOfAnEdit, AreChangedWhereverSuccessorsAre) {
  const Edit& edit = GetParam();
  const auto before = version_of(edit.before, edit.reductions);
  const auto after = version_of(edit.after, edit.reductions);
  ASSERT_NE(before, nullptr);
  ASSERT_NE(after, nullptr);
  const VersionPair pair(*before, *after);
  const VersionPair::Figures figures = pair.compare(1000);
  EXPECT_EQ(figures.violation, "");
  EXPECT_LT(figures.untouched, figures.states);
  if (edit.changes_successors) {
    EXPECT_GT(figures.differing, 0U);
  }
}

// clang-format off
const Edit kEdits[] = {
    {"AtomicTail",
     "byte x, y; active proctype A() { skip; atomic { x = 1; y = 2 }; x = 0 }",
     "byte x, y; active proctype A() { skip; atomic { x = 1; y = 7 }; x = 0 }"},
    {"AtomicBrackets",
     "byte x, y; active proctype A() { atomic { x = 1; y = 2 }; x = 0 }",
     "byte x, y; active proctype A() { x = 1; y = 2; x = 0 }"},
    {"GotoTarget",
     "byte x; active proctype A() { if :: x == 0 -> goto P :: x == 1 -> skip fi; P: x = 1; Q: x = 2 }",
     "byte x; active proctype A() { if :: x == 0 -> goto Q :: x == 1 -> skip fi; P: x = 1; Q: x = 2 }"},
    {"InsideOfDStep",
     "byte x, y; active proctype A() { skip; d_step { x = 1; y = 2 } }",
     "byte x, y; active proctype A() { skip; d_step { x = 1; y = 7 } }"},
    {"BranchInsideOfDStep",
     "byte x, y; active proctype A() { skip; d_step { x = 1; if :: x > 0 -> y = 2 :: else -> y = 3 fi } }",
     "byte x, y; active proctype A() { skip; d_step { x = 1; if :: x > 1 -> y = 2 :: else -> y = 3 fi } }"},
    {"SelectBound",
     "byte x, n; active proctype A() { n = 2; select(x : 0 .. n * 1); skip }",
     "byte x, n; active proctype A() { n = 2; select(x : 0 .. n * 2); skip }"},
    {"InitialValueOfWhatARunStarts",
     "byte x; proctype B() { byte n = 1; x = n } init { skip; run B() }",
     "byte x; proctype B() { byte n = 2; x = n } init { skip; run B() }"},
    {"ParameterOfWhatARunStarts",
     "byte x; proctype B(int n) { x = n } init { skip; run B(300) }",
     "byte x; proctype B(byte n) { x = n } init { skip; run B(300) }"},
    {"PriorityOfARun",
     "byte x; proctype B() { x = 1 } init { skip; run B() priority 2 }",
     "byte x; proctype B() { x = 1 } init { skip; run B() priority 3 }"},
    {"StartOfWhatARunStarts",
     "byte x; proctype B() { P: x = 1; Q: x = 2 } init { skip; run B() }",
     "byte x; proctype B() { goto Q; P: x = 1; Q: x = 2 } init { skip; run B() }"},
    {"HandshakeWithWhatARunStarts",
     "byte x; chan q = [0] of { byte }; proctype B() { atomic { q?x; x = 5 } } init { atomic { run B(); q!1 } }",
     "byte x; chan q = [0] of { byte }; proctype B() { atomic { q?x; x = 6 } } init { atomic { run B(); q!1 } }"},
    {"DeadVariablesOfTheTarget",
     "byte x; chan q = [2] of { byte }; active proctype A() { byte v; q?v; q!v; x = 1; x = 2 }"
     "active proctype B() { q!3 }",
     "byte x; chan q = [2] of { byte }; active proctype A() { byte v; q?v; q!v; x = 1; x = v }"
     "active proctype B() { q!3 }", {false, true, false}},
    {"MergedStep",
     "byte x; active proctype A() { byte a; x = 1; a = 1; x = a } active proctype B() { x = 3 }",
     "byte x; active proctype A() { byte a; x = 1; a = 1; x = a } active proctype B() { x = A:a }", {true, false, false}},
    {"AmpleLocation",
     "byte x; active proctype A() { byte a; x = 1; a = a + 1; x = a } active proctype B() { x = 3 }",
     "byte x; active proctype A() { byte a; x = 1; a = a + 1; x = a } active proctype B() { x = A:a }",
     {false, false, true}},
    {"UnlessEscape",
     "byte x; active proctype A() { { x = 1; x = 2 } unless { x == 1 -> x = 5 } }",
     "byte x; active proctype A() { { x = 1; x = 2 } unless { x == 2 -> x = 5 } }"},
    {"GroupsOfEscapes",
     "byte x; active proctype A() { { x = 1; x = 2 } unless { if :: x == 1 -> x = 5 :: x < 2 -> x = 6 fi } }",
     "byte x; active proctype A() { { { x = 1; x = 2 } unless { x < 2 -> x = 6 } } unless { x == 1 -> x = 5 } }"},
    {"Provided",
     "byte x; active proctype A() provided (x < 2) { x = 1; x = 2; x = 3 }",
     "byte x; active proctype A() provided (x < 1) { x = 1; x = 2; x = 3 }"},
    {"SetPriority",
     "byte x; active proctype A() { set_priority(_pid, 2); x = 1 } active proctype B() { x = 2 }",
     "byte x; active proctype A() { set_priority(_pid, 3); x = 1 } active proctype B() { x = 2 }"},
    {"DProctype",
     "byte x; active proctype A() { if :: x = 1 :: x = 2 fi }",
     "byte x; active D_proctype A() { if :: x = 1 :: x = 2 fi }"},
    {"ExclusiveReceive",
     "chan q = [1] of { byte }; active proctype A() { byte b; q?b } active proctype B() { byte b; q!1; q?b }",
     "chan q = [1] of { byte }; active proctype A() { xr q; byte b; q?b } active proctype B() { byte b; q!1; q?b }"},
    {"EndLabel",
     "byte x; active proctype A() { skip; end: x == 1 }",
     "byte x; active proctype A() { skip; eend: x == 1 }"},
    {"ProgressLabel",
     "byte x; active proctype A() { skip; progress: x = 1 }",
     "byte x; active proctype A() { skip; pprogress: x = 1 }", kNoReduction, false},
    {"AcceptLabel",
     "byte x; active proctype A() { skip; accept: x = 1 }",
     "byte x; active proctype A() { skip; aaccept: x = 1 }", kNoReduction, false},
    {"LabelThatIsRead",
     "byte x; active proctype A() { P: x = 1; x = 2; x = 3 } active proctype B() { A@P -> x = 5 }",
     "byte x; active proctype A() { x = 1; P: x = 2; x = 3 } active proctype B() { A@P -> x = 5 }"},
    {"TypeOfAVariable",
     "int x; active proctype A() { x = 0; x = 300; x = 1 }",
     "byte x; active proctype A() { x = 0; x = 300; x = 1 }"},
    {"LocalOrGlobal",
     "byte x; active proctype A() { byte n; x = 0; n = 1; x = n }",
     "byte x, n; active proctype A() { byte m; x = 0; n = 1; x = n }"},
    {"NamesakesInInnerBlocks",
     "byte x; active proctype A() { { byte n; n = 1; x = n }; { byte n; n = 2; x = n } }",
     "byte x; active proctype A() { { byte n; skip }; { byte n; n = 1; x = n }; { byte n; n = 2; x = n } }"},
    {"ArraySize",
     "byte a[3], i; active proctype A() { i = 2; a[i] = 1 }",
     "byte a[2], i; active proctype A() { i = 2; a[i] = 1 }"},
    {"WhichBracketIsTheIndex",
     "typedef R { byte b[2] }; R a[2]; byte i; active proctype A() { i = 1; a[0].b[i] = 1 }",
     "typedef R { byte b[2] }; R a[2]; byte i; active proctype A() { i = 1; a[i].b[0] = 1 }"},
    {"ChannelCapacity",
     "chan q = [1] of { byte }; active proctype A() { q!1; q!2 }",
     "chan q = [2] of { byte }; active proctype A() { q!1; q!2 }"},
    {"CapacityOfAChannelThatIsPassedOn",
     "chan q = [1] of { byte }; proctype B(chan c) { c!1; c!2 } init { run B(q) }",
     "chan q = [2] of { byte }; proctype B(chan c) { c!1; c!2 } init { run B(q) }"},
    {"CapacityOfAChannelThatIsAssigned",
     "chan q = [1] of { byte }; chan r = [1] of { byte }; active proctype A() { r = q; r!1; r!2 }",
     "chan q = [2] of { byte }; chan r = [1] of { byte }; active proctype A() { r = q; r!1; r!2 }"},
    {"ChannelField",
     "chan q = [1] of { int, int }; int x, y; active proctype A() { q!1,300; q?x,y }",
     "chan q = [1] of { int, byte }; int x, y; active proctype A() { q!1,300; q?x,y }"},
    {"BufferBecomesHandshake",
     "chan q = [1] of { byte }; active proctype A() { skip; q!1 }",
     "chan q = [0] of { byte }; active proctype A() { skip; q!1 }"},
    {"NumberOfALocalChannel",
     "byte x; proctype B() { chan c = [1] of { byte }; c!1; x = 1 } init { run B() }",
     "chan q = [1] of { byte }; byte x; proctype B() { chan c = [1] of { byte }; c!1; x = 1 } init { run B() }"},
    {"NumbersOfMtypes",
     "mtype { a, b }; mtype m; active proctype A() { skip; m = a }",
     "mtype { b, a }; mtype m; active proctype A() { skip; m = a }"},
    {"OtherSideOfAHandshake",
     "chan q = [0] of { byte }; byte x; active proctype A() { q!1 } active proctype B() { q?2; x = 1 }",
     "chan q = [0] of { byte }; byte x; active proctype A() { q!1 } active proctype B() { q?1; x = 1 }"},
    {"SequenceOfTheReceiver",
     "chan q = [0] of { byte }; byte x; active proctype A() { q!1 } active proctype B() { atomic { q?x; x = 5 } }",
     "chan q = [0] of { byte }; byte x; active proctype A() { q!1 } active proctype B() { atomic { q?x; x = 6 } }"},
    {"SenderThatIsMetAgain",
     "chan q = [0] of { byte }; byte x; active proctype A() { q!1; q?2; x = 1 }"
     "active proctype B() { atomic { q?x; q!3; x = 5 } }",
     "chan q = [0] of { byte }; byte x; active proctype A() { q!1; q?3; x = 1 }"
     "active proctype B() { atomic { q?x; q!3; x = 5 } }"},
    {"ElseLooksAtOtherOptions",
     "byte x; active proctype A() { x = 1; if :: x == 2 -> x = 3 :: else -> x = 4 fi }",
     "byte x; active proctype A() { x = 1; if :: x == 1 -> x = 3 :: else -> x = 4 fi }"},
    {"TimeoutLooksAtOthers",
     "byte x; active proctype A() { x == 1 } active proctype B() { timeout -> x = 2 }",
     "byte x; active proctype A() { x == 0 } active proctype B() { timeout -> x = 2 }"},
    {"EnabledLooksAtOthers",
     "byte x; active proctype A() { x == 1 } active proctype B() { enabled(0) -> x = 2 }",
     "byte x; active proctype A() { x == 0 } active proctype B() { enabled(0) -> x = 2 }"},
    {"NumbersOfLocationsThatAreRead",
     "byte x, y; active proctype A() { x = 1; x = 2; x = 3 } active proctype B() { y = pc_value(0) }",
     "byte x, y; active proctype A() { x = 0; x = 1; x = 2; x = 3 } active proctype B() { y = pc_value(0) }"},
    {"TraceAssertion",
     "mtype { a, b }; chan q = [2] of { mtype }; active proctype A() { skip; q!a } trace { do :: q!a od }",
     "mtype { a, b }; chan q = [2] of { mtype }; active proctype A() { skip; q!a } trace { do :: q!b od }"},
    {"HiddenVariableThatIsKept",
     "hidden byte h; byte x; active proctype A() { skip; h = 1; x = 1; h = 2; x = h }",
     "hidden byte h; byte x; active proctype A() { skip; h = 1; x = 1; h = 2; atomic { h = 3; x = h } }"},
    {"ProblemWithTheInitialValues",
     "byte z = 0; byte x = 1 / z; active proctype A() { x = 1 }",
     "byte z = 1; byte x = 0 / z; active proctype A() { x = 1 }"},
    // What stubborn sets look at: the initial state has the same statements before its processes.
    {"AccessFarAhead",
     "byte x, y, z; active proctype A() { x = 1; x = 2; z = 1 } active proctype B() { y = 1; y = 2 }",
     "byte x, y, z; active proctype A() { x = 1; x = 2; y = 1 } active proctype B() { y = 1; y = 2 }",
     kStubbornSets},
    {"AccessOfAChildThatIsStartedLater",
     "byte x, y, z; proctype C() { z = 1 } active proctype A() { x = 1; run C() } active proctype B() { y = 1; y = 2 }",
     "byte x, y, z; proctype C() { y = 1 } active proctype A() { x = 1; run C() } active proctype B() { y = 1; y = 2 }",
     kStubbornSets},
    {"IndexThatIsNoLongerConstant",
     "byte y[3]; byte x; active [2] proctype A() { byte i = _pid; y[i] = 1; y[i] = 2 }",
     "byte y[3]; byte x; active [2] proctype A() { byte i = _pid; y[i] = 1; y[i] = 2; i = 0 }",
     kStubbornSets},
    {"QuestionAboutAChannelFarAhead",
     "chan q = [2] of { byte }; byte x, y; active proctype A() { x = 1; x = 2; q!1 } active proctype B() { q!2; y = 1 }",
     "chan q = [2] of { byte }; byte x, y; active proctype A() { x = 1; x = 2; len(q) > 0 } active proctype B() { q!2; y = 1 }",
     kStubbornSets, false},
};
// clang-format on

INSTANTIATE_TEST_SUITE_P(Elements, ElementsOfAnEdit, testing::ValuesIn(kEdits),
                         [](const auto& info) { return std::string(info.param.what); });

std::size_t changed(const ElementComparison& comparison) {
  return static_cast<std::size_t>(
      std::count(comparison.is_changed.begin(), comparison.is_changed.end(), true));
}

std::set<std::string> keys_of(const Interpreter& system) {
  std::set<std::string> keys;
  for (const Element& element : system.elements()) keys.insert(element.key);
  return keys;
}

// A body of many locations, with `inserted` in the middle.
std::string long_model(const std::string& inserted, const std::string& in_loop = "") {
  std::string text = "byte x, y; active proctype A() {\n";
  for (int i = 0; i < 30; ++i) {
    if (i == 10) text += inserted;
    text += "  x = " + std::to_string(i) + ";\n  if :: x > 3 -> y = x :: else -> y = 1; x = 2 fi;\n";
  }
  return text + "  do :: x > 1 -> " + in_loop + " y = 4; x-- :: else -> break od }\n" +
         "active proctype B() { y = 1; y = 2; x == 7 }";
}

TEST(Elements, AnInsertionRenamesNothingAndChangesTheElementBeforeItOnly) {
  for (const VersionReductions reductions : {kNoReduction, kAllReductions}) {
    const auto before = version_of(long_model(""), reductions);
    for (const std::string inserted : {"x = 77;\n", "if :: y == 1 -> x = 8 :: else fi;\n"}) {
      const auto after = version_of(long_model(inserted), reductions);
      const std::set<std::string> old_keys = keys_of(*before), new_keys = keys_of(*after);
      EXPECT_TRUE(std::includes(new_keys.begin(), new_keys.end(), old_keys.begin(), old_keys.end()));
      // The two ends of the `if` in front of it.
      EXPECT_EQ(changed(VersionPair(*before, *after).comparison()), 2U);
    }
    const auto in_loop = version_of(long_model("", "x = x + 0;"), reductions);
    EXPECT_EQ(changed(VersionPair(*before, *in_loop).comparison()), 1U);
  }
}

TEST(Elements, AnEditedStatementIsOneChangedElement) {
  const auto before = version_of(long_model("x = 77;"), {});
  const auto after = version_of(long_model("x = 78;"), {});
  EXPECT_EQ(changed(VersionPair(*before, *after).comparison()), 1U);
}

// Another value is no other access, and a variable that is added gives others another number and no other
// name.
TEST(Elements, WithStubbornSetsTheSameAccessesLaterAreNoChange) {
  const std::string rest = " active proctype B() { byte i; y[i] = x; i = 1; y[i] = 2 }";
  const auto before =
      version_of("byte x, y[2]; active proctype A() { x = 1; x = 2; y[x - 1] = 3 }" + rest, kStubbornSets);
  const auto value =
      version_of("byte x, y[2]; active proctype A() { x = 1; x = 2; y[2 - x] = 4 }" + rest, kStubbornSets);
  EXPECT_EQ(changed(VersionPair(*before, *value).comparison()), 1U);
  const auto variable =
      version_of("byte w, x, y[2]; active proctype A() { x = 1; x = 2; y[x - 1] = 3 }" + rest, kStubbornSets);
  EXPECT_EQ(changed(VersionPair(*before, *variable).comparison()), 1U);  // the initial state
  const auto access = version_of(
      "byte x, y[2]; active proctype A() { x = 1; x = 2; y[x - 1] = 3; x = 4 }" + rest, kStubbornSets);
  EXPECT_GT(changed(VersionPair(*before, *access).comparison()), 0U);
}

TEST(Elements, WhatNoSuccessorDependsOnIsNoChange) {
  const std::string text = "byte x; active proctype A() { L: x = 1; printf(\"a %d\\n\", x) }";
  const std::string other =
      "/* a comment */ byte x;\n active proctype A() {\n M: x = 1;\n printf(\"b %d\\n\", x) }";
  const auto before = version_of(text, {});
  const auto after = version_of(other, {});
  EXPECT_EQ(changed(VersionPair(*before, *after).comparison()), 0U);
}

TEST(Elements, AnAddedChannelBehindTheOthersChangesTheInitialStateOnly) {
  const std::string body = "active proctype A() { q!1; q!2 }";
  const auto before = version_of("chan q = [2] of { byte };" + body, {});
  const auto after = version_of("chan q = [2] of { byte }; chan r = [2] of { byte };" + body, {});
  const ElementComparison comparison = VersionPair(*before, *after).comparison();
  EXPECT_EQ(changed(comparison), 1U);
  for (std::size_t i = 0; i < before->elements().size(); ++i)
    EXPECT_EQ(comparison.is_changed[i], before->elements()[i].key == "initial state");
}

TEST(Elements, TheCapacityOfAChannelConcernsThoseWhoUseItOnly) {
  const std::string rest = " chan r = [1] of { byte }; active proctype A() { r!1; q!1; r!2 }";
  const auto before = version_of("chan q = [2] of { byte };" + rest, {});
  const auto after = version_of("chan q = [3] of { byte };" + rest, {});
  const VersionPair pair(*before, *after);
  EXPECT_EQ(changed(pair.comparison()), 1U);
  const VersionPair::Figures figures = pair.compare(100);
  EXPECT_EQ(figures.states - figures.untouched, 1U);
}

TEST(Elements, AskingGivesTheSameSetsAtTheSameAddressAndAllocatesNothing) {
  const auto system = version_of(long_model(""), {});
  const std::vector<std::byte> state = system->initial_state();
  std::vector<std::uint32_t> first, second;
  system->element_sets_of(state, first);
  ASSERT_EQ(first.size(), 2U);  // one per process
  second.reserve(2);
  const std::uint32_t* const room = second.data();
  system->element_sets_of(state, second);
  EXPECT_EQ(second.data(), room);
  EXPECT_EQ(first, second);
  for (std::size_t i = 0; i < first.size(); ++i)
    EXPECT_EQ(system->element_set(first[i]).data(), system->element_set(second[i]).data());
}

TEST(Elements, ALongSequenceFallsBackToTheSetOfEverything) {
  std::string text = "byte x; active proctype A() { x = 1; atomic {\n";
  for (int i = 0; i < 4000; ++i) text += "x = " + std::to_string(i % 100) + ";\n";
  const auto system = version_of(text + "x = 7 } }", {});
  const auto& type = system->program().processes[0];
  std::size_t entries = 0, all = 0;
  std::set<const std::uint32_t*> counted;
  StateView view(system->program());
  view.load(system->initial_state());
  for (std::uint32_t at = 1; at < type.locations.size(); ++at) {
    if (system->element_table().location(0, at) == promela::kNone) continue;
    view.set_location(0, at);
    std::vector<std::uint32_t> sets;
    system->element_sets_of(view.bytes(), sets);
    const auto set = system->element_set(sets.at(0));
    all += set.size() == system->elements().size() ? 1 : 0;
    if (counted.insert(set.data()).second) entries += set.size();
    EXPECT_TRUE(std::binary_search(set.begin(), set.end(), system->element_table().location(0, at)));
  }
  EXPECT_GT(all, 100U);
  EXPECT_LT(entries, Elements::kMostEntries + 2 * system->elements().size());
}

// Calls use(system, text, reductions) for every model of tests/models.
template <class Use>
void for_each_model(const Use& use) {
  int models = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(SPOOR_SOURCE_DIR) / "tests" / "models")) {
    if (file.path().extension() != ".pml") continue;
    SCOPED_TRACE(file.path());
    std::ifstream in(file.path());
    std::stringstream text;
    text << in.rdbuf();
    for (const VersionReductions reductions : {kNoReduction, kAllReductions}) {
      const auto system = version_of(text.str(), reductions);
      if (system == nullptr) continue;
      ++models;
      use(*system, text.str(), reductions);
    }
  }
  EXPECT_GT(models, 200);
}

TEST(Elements, EveryModelIsUnchangedAgainstItselfAndItsKeysDiffer) {
  for_each_model([](const Interpreter& system, const std::string& text, VersionReductions reductions) {
    EXPECT_EQ(keys_of(system).size(), system.elements().size());
    const auto again = version_of(text, reductions);
    const VersionPair pair(system, *again);
    EXPECT_EQ(changed(pair.comparison()), 0U);
    const VersionPair::Figures figures = pair.compare(50);
    EXPECT_EQ(figures.violation, "");
    EXPECT_EQ(figures.compared, figures.states);
  });
}

// What was executed on the way to some states says which sets of elements they can have.
TEST(Elements, OfReachedStatesFollowFromWhatWasExecuted) {
  for_each_model([](const Interpreter& system, const std::string&, VersionReductions) {
    std::set<std::vector<std::byte>> known = {system.initial_state()};
    std::vector<std::vector<std::byte>> queue(known.begin(), known.end());
    Expansion out;
    out.asked.columns.executed = true;
    for (std::size_t at = 0; at < queue.size() && at < 300; ++at) {
      out.clear();
      system.expand(queue[at], out);
      for (const Successor& successor : out.successors) {
        const StateBytes bytes = out.state(successor);
        std::vector<std::byte> state(bytes.begin(), bytes.end());
        if (known.insert(state).second) queue.push_back(std::move(state));
      }
      std::vector<std::uint32_t> allowed, sets;
      system.element_sets_after(out.executed, allowed);
      for (const Successor& successor : out.successors) system.element_sets_of(out.state(successor), sets);
      for (const std::uint32_t set : sets) {
        if (!std::ranges::binary_search(allowed, set)) {
          ADD_FAILURE() << "state " << at;
          return;
        }
      }
    }
  });
}

// ---- Renamed local variables -----------------------------------------------------------------------

// The old version under the names of the new one, compared with it.
VersionPair::Figures compare_renamed(const char* before, const char* after, VersionReductions reductions) {
  const auto old_version = version_of(before, reductions);
  const auto new_version = version_of(after, reductions);
  const auto program = std::make_shared<promela::Program>(old_version->program());
  promela::name_locals_like(*program, new_version->program());
  const Interpreter renamed(program);
  return VersionPair(renamed, *new_version).compare(1000);
}

TEST(RenamedLocals, ChangeNothing) {
  const char* const before =
      "byte x; proctype B(byte p) { short a[2]; a[0] = p; a[1] = 2; x = a[1] }"
      "active proctype A() { byte i; bit b; run B(3); do :: i < 5 -> i++; b = 1 :: else -> break od; x = i }";
  const char* const after =
      "byte x; proctype B(byte q) { short c[2]; c[0] = q; c[1] = 2; x = c[1] }"
      "active proctype A() { byte n; bit b; run B(3); do :: n < 5 -> n++; b = 1 :: else -> break od; x = n }";
  for (const VersionReductions reductions : {kNoReduction, kAllReductions}) {
    const VersionPair::Figures figures = compare_renamed(before, after, reductions);
    EXPECT_EQ(figures.violation, "");
    EXPECT_GT(figures.states, 20U);
    EXPECT_EQ(figures.compared, figures.states) << "all are untouched";
  }
}

// The pairs are right whatever they are: at worst more is changed.
TEST(RenamedLocals, MayBeTakenForOthers) {
  const char* const before = "byte x; active proctype A() { byte a, b; a = 1; b = 2; x = a; x = b; x = 9 }";
  for (const char* const after :
       {"byte x; active proctype A() { byte d, c; c = 1; d = 2; x = c; x = d; x = 9 }",  // in another order
        "byte x; active proctype A() { byte a, c; a = 1; c = 2; x = c; x = a; x = 9 }",
        "byte x; active proctype A() { byte b, a; b = 1; a = 2; x = b; x = a; x = 9 }",      // exchanged
        "byte x; active proctype A() { byte a; int c; a = 1; c = 2; x = a; x = c; x = 9 }",  // another type
        "byte x; active proctype A() { byte a, c, d; a = 1; c = 2; x = a; x = c; x = 9 }"}) {
    for (const VersionReductions reductions : {kNoReduction, kAllReductions}) {
      const VersionPair::Figures figures = compare_renamed(before, after, reductions);
      EXPECT_EQ(figures.violation, "") << after;
      EXPECT_LT(figures.untouched, figures.states) << after;
    }
  }
}

}  // namespace
}  // namespace spoor::exec
