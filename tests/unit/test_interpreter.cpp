// The interpreter on single states: successors, findings, explanations and words. Whole state spaces
// are compared with SPIN by the conformance and differential tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "exec/interpreter.h"
#include "promela/compile.h"
#include "promela/parse.h"

namespace spoor::exec {
namespace {

std::unique_ptr<Interpreter> system_of(const std::string& text, Options options = {}) {
  promela::ParseResult parsed = promela::parse_text("test.pml", text, {});
  EXPECT_FALSE(parsed.diagnostics.has_errors()) << parsed.diagnostics.all().front().message;
  auto program =
      std::make_shared<promela::Program>(promela::compile(parsed.model, parsed.sources, parsed.diagnostics));
  EXPECT_FALSE(parsed.diagnostics.has_errors());
  return std::make_unique<Interpreter>(program, options);
}

Expansion expand(const Interpreter& system, StateBytes state) {
  Expansion out;
  system.expand(state, out);
  return out;
}

std::vector<std::byte> only_successor(const Interpreter& system, StateBytes state) {
  const Expansion out = expand(system, state);
  EXPECT_EQ(out.successors.size(), 1U);
  const StateBytes bytes = out.state(out.successors[0]);
  return {bytes.begin(), bytes.end()};
}

bool says(const std::vector<std::string>& lines, const std::string& wanted) {
  return std::find(lines.begin(), lines.end(), wanted) != lines.end();
}

std::vector<std::string> messages(const Interpreter& system, const Expansion& out) {
  std::vector<std::string> texts;
  for (const Finding& finding : out.findings) texts.push_back(system.message(finding));
  return texts;
}

// "24 states, 0 deadlocks": all that can be reached, counted without any search of ours.
std::string space_of(const std::string& text) {
  const auto system = system_of(text);
  std::vector<std::vector<std::byte>> found = {system->initial_state()};
  int deadlocks = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Expansion out = expand(*system, found[i]);
    for (const Finding& finding : out.findings) deadlocks += finding.kind == FindingKind::kDeadlock ? 1 : 0;
    for (const Successor& successor : out.successors) {
      const StateBytes bytes = out.state(successor);
      std::vector<std::byte> state(bytes.begin(), bytes.end());
      if (std::find(found.begin(), found.end(), state) == found.end()) found.push_back(std::move(state));
    }
  }
  return std::to_string(found.size()) + " states, " + std::to_string(deadlocks) + " deadlocks";
}

// docs/spin-differences.md quotes these models: SPIN is wrong, and these are the right numbers.
TEST(Interpreter, CountsWhatSpinMiscounts) {
  // SPIN leaves _priority out of the state where a proctype has no variables (16 states).
  const std::string a = "byte x; active proctype A() { x = 1; x = 2 } ";
  EXPECT_EQ(space_of(a + "active proctype B() { if :: set_priority(_pid, 3) :: skip fi; x = 5 }"),
            "24 states, 0 deadlocks");
  EXPECT_EQ(space_of(a + "active proctype B() { byte k; if :: set_priority(_pid, 3) :: skip fi; x = 5 }"),
            "24 states, 0 deadlocks");
  // SPIN takes receives back wrongly when their fields depend on what they change (a deadlock; 4 states).
  EXPECT_EQ(
      space_of(
          "chan c = [2] of { byte }; active proctype A() { c!1; skip } active proctype B() { c?eval(len(c)) }"),
      "8 states, 0 deadlocks");
  EXPECT_EQ(space_of("chan q[3] = [2] of { byte }; byte i = 1;"
                     "active proctype A() { q[1]!2; if :: q[i]?i :: skip fi; q[1]?i }"),
            "6 states, 1 deadlocks");
  // SPIN starts more than one process (9 states).
  EXPECT_EQ(space_of("byte a[4]; proctype B() { skip } init { a[run B()] = 1 }"), "5 states, 0 deadlocks");
  // SPIN ends with an error.
  EXPECT_EQ(
      space_of(
          "byte x; init { skip; d_step { x = 1; if :: atomic { x == 5 -> x = 2 } :: else -> x = 3 fi } }"),
      "4 states, 0 deadlocks");
}

TEST(Interpreter, StartsWithInitialisersEvaluatedInOrder) {
  const auto system =
      system_of("byte g = 3; int h = g + 1; active proctype P() { byte a = h; short b = a - 7; skip }");
  const auto lines = system->describe(system->initial_state());
  EXPECT_TRUE(says(lines, "g = 3"));
  EXPECT_TRUE(says(lines, "h = 4"));
  EXPECT_TRUE(says(lines, "P[0]:a = 4"));
  EXPECT_TRUE(says(lines, "P[0]:b = -3"));
}

TEST(Interpreter, TriesTheYoungestProcessFirst) {
  const auto system = system_of("byte x; active proctype A() { x = 1 } active proctype B() { x = 2 }");
  const auto state = system->initial_state();
  const Expansion out = expand(*system, state);
  ASSERT_EQ(out.successors.size(), 2U);
  EXPECT_EQ(system->explain(state, out.successors[0].step).actions.at(0).process_name, "B");
  EXPECT_EQ(system->explain(state, out.successors[1].step).actions.at(0).process_name, "A");
}

TEST(Interpreter, ExplainsEveryStepThatExpandReports) {
  const auto system = system_of(
      "chan q = [0] of { byte }; byte x;"
      "active proctype A() { atomic { if :: x = 1 :: x = 2 fi; q!x; x = 9 } }"
      "active proctype B() { byte y; atomic { q?y; x = y } }");
  const auto state = system->initial_state();
  const Expansion out = expand(*system, state);
  ASSERT_EQ(out.successors.size(), 2U);
  for (const Successor& successor : out.successors) {
    const Explanation explanation = system->explain(state, successor.step);
    const StateBytes bytes = out.state(successor);
    EXPECT_EQ(explanation.target, std::vector<std::byte>(bytes.begin(), bytes.end()));
    // x = .., q!x, q?y, x = y: the receiver's sequence goes on, the sender's is interrupted.
    ASSERT_EQ(explanation.actions.size(), 4U);
    EXPECT_TRUE(explanation.actions[1].completes_with_next);
    EXPECT_EQ(explanation.actions[2].process_name, "B");
    EXPECT_EQ(explanation.actions[3].statement, "x = y");
  }
}

TEST(Interpreter, AnAtomicSequenceThatRunsInACircleHasNoSuccessor) {
  const auto system = system_of(
      "byte x; active proctype P() { atomic { x = 1; do :: x == 1 -> x = 2 :: x == 2 -> x = 1 od } }");
  const auto state = system->initial_state();
  const Expansion out = expand(*system, state);
  EXPECT_TRUE(out.successors.empty());
  EXPECT_TRUE(out.findings.empty());
}

TEST(Interpreter, ALongCircleInAnAtomicSequenceIsFoundToo) {
  const auto system = system_of(
      "int x; active proctype P() { atomic { x = 1; do :: x < 3000 -> x++ :: x == 3000 -> x = 0 od } }");
  const Expansion out = expand(*system, system->initial_state());
  EXPECT_TRUE(out.successors.empty());
  EXPECT_TRUE(out.findings.empty());
}

TEST(Interpreter, AnAtomicSequenceWithoutEndIsAnError) {
  const auto system = system_of("int x; active proctype P() { atomic { x = 1; do :: x++ od } }");
  const Expansion out = expand(*system, system->initial_state());
  ASSERT_EQ(out.findings.size(), 1U);
  EXPECT_EQ(problem_of(out.findings[0].identity), Problem::kAtomicEndless);
}

TEST(Interpreter, TheAnswersForSeveralStatesLieBehindEachOther) {
  const auto system = system_of(
      "byte x; active proctype P() { do :: x++ :: x = 3; assert(x != 3) od }"
      "active proctype Q() { byte y; y = 1; y = 2; x = y }");
  Expansion all;
  std::vector<std::byte> state = system->initial_state();
  for (const bool may_reduce : {false, true, false, true}) {
    Expansion alone;
    alone.asked.may_reduce = may_reduce;
    system->expand(state, alone);
    const std::size_t successors_before = all.successors.size();
    const std::size_t findings_before = all.findings.size();
    all.begin_next();
    all.asked.may_reduce = may_reduce;
    system->expand(state, all);
    ASSERT_EQ(all.first_successor, successors_before);
    ASSERT_EQ(all.last_successors().size(), alone.successors.size());
    for (std::size_t i = 0; i < alone.successors.size(); ++i) {
      const Successor& successor = all.last_successors()[i];
      EXPECT_EQ(successor.step, alone.successors[i].step);
      EXPECT_TRUE(std::ranges::equal(all.state(successor), alone.state(alone.successors[i])));
    }
    ASSERT_EQ(all.first_finding, findings_before);
    ASSERT_EQ(all.last_findings().size(), alone.findings.size());
    EXPECT_EQ(all.is_reduced, alone.is_reduced);
    const StateBytes next = alone.state(alone.successors[0]);
    state.assign(next.begin(), next.end());
  }
  EXPECT_GT(all.successors.size(), all.last_successors().size());
}

TEST(Interpreter, ADStepWithoutEndIsAnErrorAfterAWhile) {
  const auto system =
      system_of("byte x; active proctype P() { d_step { x = 1; do :: x == 2 -> break :: else od } }");
  const Expansion out = expand(*system, system->initial_state());
  ASSERT_EQ(out.findings.size(), 1U);
  EXPECT_EQ(problem_of(out.findings[0].identity), Problem::kDStepEndless);
}

TEST(Interpreter, AFailedAssertionStillHasASuccessor) {
  const auto system = system_of("byte x; active proctype P() { assert(x == 1); x = 2 }");
  const Expansion out = expand(*system, system->initial_state());
  ASSERT_EQ(out.successors.size(), 1U);
  ASSERT_EQ(out.findings.size(), 1U);
  EXPECT_EQ(out.findings[0].kind, FindingKind::kAssertion);
  EXPECT_EQ(out.findings[0].step, out.successors[0].step);
  EXPECT_EQ(system->sources().place(system->place(out.findings[0])), "test.pml:1:31");
}

TEST(Interpreter, FatalErrorsHaveNoSuccessor) {
  const std::vector<std::pair<std::string, Problem>> cases = {
      {"byte x, a[2]; active proctype P() { x = 2; a[x] = 1 }", Problem::kIndex},
      {"int x; active proctype P() { skip; x = 1 / x }", Problem::kDivision},
      {"int x; active proctype P() { skip; (1 % x == 0) }", Problem::kDivision},
      {"chan q = [1] of { byte }; chan c; active proctype P() { skip; c!1 }", Problem::kNoChannel},
      {"byte x; active proctype P() { skip; d_step { x = 1; x == 2 } }", Problem::kDStepBlocked},
      {"chan q = [0] of { byte }; active proctype P() { skip; d_step { skip; q!1 } } active proctype Q() { q?_ }",
       Problem::kDStepRendezvous},
      {"active proctype P() { skip; set_priority(_pid, 256) }", Problem::kPriorityRange},
  };
  for (const auto& [text, problem] : cases) {
    const auto system = system_of(text);
    std::vector<std::byte> state = system->initial_state();
    const Expansion first = expand(*system, state);
    ASSERT_FALSE(first.successors.empty()) << text;
    const StateBytes bytes = first.state(first.successors.back());
    state.assign(bytes.begin(), bytes.end());
    const Expansion out = expand(*system, state);
    EXPECT_TRUE(out.successors.empty() || text.find("proctype Q") != std::string::npos) << text;
    ASSERT_FALSE(out.findings.empty()) << text;
    EXPECT_EQ(problem_of(out.findings[0].identity), problem) << text;
    EXPECT_EQ(out.findings[0].kind, FindingKind::kRuntimeError);
    const Explanation explanation = system->explain(state, out.findings[0].step);
    EXPECT_TRUE(explanation.target.empty()) << text;
    EXPECT_FALSE(explanation.actions.empty()) << text;
  }
}

TEST(Interpreter, AMessageOfOtherArityIsReportedAndPadded) {
  const auto system = system_of("chan q = [1] of { byte, byte }; active proctype P() { chan c = q; c!7 }");
  const Expansion out = expand(*system, system->initial_state());
  ASSERT_EQ(out.successors.size(), 1U);
  ASSERT_EQ(out.findings.size(), 1U);
  EXPECT_EQ(problem_of(out.findings[0].identity), Problem::kTooFewFields);
  EXPECT_TRUE(says(system->describe(out.state(out.successors[0])), "q = [7,0]"));
}

TEST(Interpreter, APollOfARendezvousChannelIsAFindingOfTheState) {
  const auto system =
      system_of("chan q = [0] of { byte }; active proctype P() { q?[1] } active proctype Q() { q!1 }");
  const Expansion out = expand(*system, system->initial_state());
  ASSERT_FALSE(out.findings.empty());
  EXPECT_EQ(problem_of(out.findings[0].identity), Problem::kPollRendezvous);
  EXPECT_EQ(out.findings[0].step, Finding::kStateItself);
}

TEST(Interpreter, ADeadlockNamesAStuckProcess) {
  const auto system = system_of("byte x; active proctype P() { end: x == 1 } active proctype Q() { x == 2 }");
  const Expansion out = expand(*system, system->initial_state());
  ASSERT_EQ(out.findings.size(), 1U);
  EXPECT_EQ(out.findings[0].kind, FindingKind::kDeadlock);
  EXPECT_NE(system->message(out.findings[0]).find("x==2"), std::string::npos);
}

TEST(Interpreter, StrictModeReportsUnsignedOverflowAndChoiceInDStep) {
  const std::string text =
      "unsigned u : 3; byte x; active proctype P() { u = 9; d_step { if :: x = 1 :: x = 2 fi } }";
  const auto lax = system_of(text);
  const auto strict = system_of(text, {.strict = true});
  const auto state = lax->initial_state();
  EXPECT_TRUE(expand(*lax, state).findings.empty());
  const Expansion out = expand(*strict, state);
  ASSERT_EQ(out.findings.size(), 1U);
  EXPECT_EQ(problem_of(out.findings[0].identity), Problem::kUnsignedRange);
  const auto next = only_successor(*strict, state);
  EXPECT_TRUE(says(strict->describe(next), "u = 1"));
  const Expansion second = expand(*strict, next);
  ASSERT_EQ(second.findings.size(), 1U);
  EXPECT_EQ(problem_of(second.findings[0].identity), Problem::kDStepChoice);
  EXPECT_TRUE(expand(*lax, next).findings.empty());
}

TEST(Interpreter, ALossyChannelDropsWhatDoesNotFit) {
  const std::string text = "chan q = [1] of { byte }; active proctype P() { q!1; q!2 }";
  const auto lossy = system_of(text, {.lose_messages = true});
  const auto full = only_successor(*lossy, lossy->initial_state());
  EXPECT_TRUE(says(lossy->describe(only_successor(*lossy, full)), "q = [1]"));
  EXPECT_TRUE(expand(*system_of(text), full).successors.empty());
}

TEST(Interpreter, ExclusiveAccessIsChecked) {
  const auto system = system_of(
      "chan q = [2] of { byte };"
      "active proctype A() { xs q; q!1 }"
      "active proctype B() { q!2 }");
  const Expansion out = expand(*system, system->initial_state());
  ASSERT_EQ(out.findings.size(), 1U);
  EXPECT_EQ(out.findings[0].kind, FindingKind::kChannelAssertion);
  EXPECT_EQ(messages(*system, out).at(0), "send to a channel that another process claimed with xs in `q!2`");
}

TEST(Interpreter, PrintsAsSpinDoes) {
  const auto system = system_of(
      "mtype = { red, green }; mtype m = green; active proctype P() {"
      "printf(\"%d %u %x %o %c %e %%\\n\", -1, 7, 255, 8, 65, m) }");
  const auto state = system->initial_state();
  const Explanation explanation = system->explain(state, StepId(0));
  EXPECT_EQ(explanation.actions.at(0).output, "-1 7 ff 10 A green %\n");
}

TEST(Interpreter, SaysWhatChanged) {
  const auto system = system_of(
      "byte x; chan q = [1] of { byte }; proctype C(byte n) { skip } init { x = 4; q!x; run C(3) }");
  std::vector<std::byte> state = system->initial_state();
  EXPECT_EQ(system->explain(state, StepId(0)).actions.at(0).changes, std::vector<std::string>{"x = 4"});
  state = only_successor(*system, state);
  EXPECT_EQ(system->explain(state, StepId(0)).actions.at(0).changes, std::vector<std::string>{"q = [4]"});
  state = only_successor(*system, state);
  EXPECT_EQ(system->explain(state, StepId(0)).actions.at(0).changes,
            (std::vector<std::string>{"starts C[1]", "C[1]:n = 3"}));
}

TEST(Interpreter, MarksWhatWasExecuted) {
  const auto system =
      system_of("byte x; active proctype P() { if :: x == 0 -> x = 1 :: x == 1 -> x = 2 fi }");
  Expansion out;
  out.asked.columns.executed = true;
  system->expand(system->initial_state(), out);
  for (std::size_t i = 0; i < out.executed.size(); ++i) {
    const std::string& text = system->statements()[i].text;
    if (text != "((x==0))" && text != "((x==1))") continue;
    EXPECT_EQ(out.executed[i], text == "((x==0))") << text;
  }
}

TEST(Interpreter, ReportsWhatIsWrongWithTheInitialValues) {
  const auto system = system_of("byte zero; byte x = 1 / zero; init { skip }");
  const Expansion out = expand(*system, system->initial_state());
  ASSERT_EQ(out.findings.size(), 1U);
  EXPECT_EQ(out.findings[0].step, Finding::kStateItself);
  EXPECT_EQ(system->message(out.findings[0]), "division by zero in `the initial values`");
  EXPECT_FALSE(system->place(out.findings[0]).is_known());
  const StateBytes next = out.state(out.successors[0]);
  EXPECT_TRUE(expand(*system, {next.begin(), next.end()}).findings.empty());
}

TEST(Interpreter, FindsAThingOnceAlthoughItTriesTwice) {
  const auto system = system_of(
      "chan c = [0] of { byte }; active proctype P() { do :: c?[1] -> skip :: timeout -> break od }");
  EXPECT_EQ(expand(*system, system->initial_state()).findings.size(), 1U);
}

}  // namespace
}  // namespace spoor::exec
