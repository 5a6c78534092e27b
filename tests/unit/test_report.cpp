// Reports and traces, on a system that exists only as a table.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "base/digest.h"
#include "base/files.h"
#include "base/quantities.h"
#include "check/shown.h"
#include "report/msc.h"
#include "report/report.h"
#include "report/table.h"
#include "report/text_columns.h"
#include "report/trace_file.h"
#include "report/trail.h"
#include "unit/step_names.h"

namespace spoor {
namespace {

// A step of the table: the actions on the way, where it leads, and whether it fails.
struct FakeStep {
  std::vector<Action> actions;
  int target = 0;  // -1: nowhere
  bool fails = false;
};

// States are numbers; a state without steps is a deadlock unless it is an end state.
class FakeSystem : public TransitionSystem {
 public:
  FakeSystem() { sources_.add("fake.pml", "one\ntwo\nthree\n"); }

  std::map<int, std::vector<FakeStep>> steps;
  std::vector<int> end_states;

  std::vector<std::byte> initial_state() const override { return bytes(0); }
  void expand(StateBytes state, Expansion& out) const override {
    const int number = std::to_integer<int>(state[0]);
    const auto found = steps.find(number);
    if (found == steps.end()) {
      const bool is_end = std::count(end_states.begin(), end_states.end(), number) != 0;
      if (!is_end) out.findings.push_back({FindingKind::kDeadlock, 0, Finding::kStateItself});
      return;
    }
    for (std::uint32_t i = 0; i < found->second.size(); ++i) {
      const FakeStep& step = found->second[i];
      if (step.fails) out.findings.push_back({FindingKind::kAssertion, i, StepId(i)});
      if (step.target < 0) continue;
      out.successors.push_back({StepId(i), static_cast<std::uint32_t>(out.arena.size()), 1});
      out.arena.push_back(static_cast<std::byte>(step.target));
    }
  }
  Explanation explain(StateBytes state, StepId step_id) const override {
    const FakeStep& step = steps.at(std::to_integer<int>(state[0])).at(step_id.ordinal());
    Explanation result{step.actions, {}, {}};
    if (step.target >= 0) result.target = bytes(step.target);
    if (step.fails)
      result.findings.push_back(
          {FindingKind::kAssertion, static_cast<std::uint32_t>(step_id.ordinal()), step_id});
    return result;
  }
  std::vector<std::string> describe(StateBytes state) const override {
    return {"state = " + std::to_string(std::to_integer<int>(state[0]))};
  }
  std::string message(const Finding& finding) const override {
    return finding.kind == FindingKind::kDeadlock ? "invalid end state" : "assertion violated";
  }
  Position place(const Finding& finding) const override {
    return finding.kind == FindingKind::kDeadlock ? Position{} : Position{0, 2, 1};
  }
  const std::vector<Element>& elements() const override { return statements_; }
  void element_sets_of(StateBytes, std::vector<std::uint32_t>&) const override {}
  std::span<const std::uint32_t> element_set(std::uint32_t) const override { return {}; }
  std::uint32_t element_set_count() const override { return 0; }
  const std::vector<Element>& statements() const override { return statements_; }
  const SourceSet& sources() const override { return sources_; }

  void add_statement(std::uint32_t line, const std::string& text) {
    statements_.push_back({text, {0, line, 1}, text});
  }

 private:
  static std::vector<std::byte> bytes(int number) { return {static_cast<std::byte>(number)}; }
  SourceSet sources_;
  std::vector<Element> statements_;
};

Action act(int process, std::uint32_t transition, const std::string& statement) {
  Action action;
  action.process = process;
  action.process_name = std::string(1, static_cast<char>('A' + process));
  action.position = {0, transition + 1, 1};
  action.statement = statement;
  action.key = statement;
  action.transition = transition;
  return action;
}

Action passing(int process, std::uint32_t transition, Message::Role role, const std::string& text) {
  Action action = act(process, transition, role == Message::Role::kSend ? "q!" + text : "q?x");
  action.message = Message{role, 1, "q", text};
  return action;
}

// A sends two numbers, B takes one of them and then fails.
FakeSystem messages() {
  FakeSystem system;
  system.steps[0] = {{{passing(0, 0, Message::Role::kSend, "7")}, 1}};
  system.steps[1] = {{{passing(0, 1, Message::Role::kSend, "8")}, 2}};
  system.steps[2] = {{{passing(1, 2, Message::Role::kReceive, "7")}, 3}};
  Action failing = act(1, 3, "assert(0)");
  failing.output = "bye\n";
  system.steps[3] = {{{failing}, 4, true}};
  return system;
}

// ---- Text in columns
// -----------------------------------------------------------------------------

TEST(Layout, CountsCharactersNotBytes) {
  EXPECT_EQ(display_width("über"), 4u);
  EXPECT_EQ(pad_right("├─", 4), "├─  ");
  EXPECT_EQ(shorten("abcdef", 4), "abc…");
  EXPECT_EQ(shorten("abcdef", 4, true), "abc~");
  EXPECT_EQ(shorten("abc", 3), "abc");
}

TEST(Layout, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(escape_controls("a\tb\n\x1b[31m"), "a\\tb\\n\\x1b[31m");
  EXPECT_EQ(escape_controls(std::string("\0\xff", 2)), "\\x00?");
}

TEST(Layout, WritesNumbersForPeople) {
  EXPECT_EQ(with_separators(0), "0");
  EXPECT_EQ(with_separators(999), "999");
  EXPECT_EQ(with_separators(1234567), "1,234,567");
  EXPECT_EQ(counted(1, "state"), "1 state");
  EXPECT_EQ(counted(1000, "state"), "1,000 states");
  EXPECT_EQ(human_bytes(1023), "1023 B");
  EXPECT_EQ(human_bytes(1536), "1.5 KiB");
  EXPECT_EQ(human_bytes(3ull << 40), "3.0 TiB");
  EXPECT_EQ(human_seconds(0.5), "0.50 s");
  EXPECT_EQ(human_seconds(125), "2 min 5 s");
  EXPECT_EQ(human_seconds(7500), "2 h 5 min");
}

// ---- Traces
// --------------------------------------------------------------------------------------

TEST(ShownTrace, NumbersTheStepsOfItsActionsAndEndsWithTheFinding) {
  FakeSystem system;
  system.steps[0] = {{{act(0, 0, "a"), act(0, 1, "b")}, 1}};
  system.steps[1] = {{{act(1, 2, "c")}, -1, true}};
  const ShownTrace trace = show_trace(system, step_names({0, 0}));
  ASSERT_EQ(trace.actions.size(), 3u);
  EXPECT_EQ(trace.actions[1].step, 1u);
  EXPECT_EQ(trace.actions[2].step, 2u);
  ASSERT_EQ(trace.findings.size(), 1u);
  EXPECT_EQ(trace.findings[0].message, "assertion violated");
  EXPECT_EQ(trace.final_state, std::vector<std::string>{"state = 1"});
}

TEST(ShownTrace, KnowsTheFindingOfItsLastState) {
  FakeSystem system;
  system.steps[0] = {{{act(0, 0, "a")}, 1}};
  EXPECT_EQ(show_trace(system, step_names({0})).findings.at(0).kind, FindingKind::kDeadlock);
  system.end_states = {1};
  EXPECT_TRUE(show_trace(system, step_names({0})).findings.empty());
}

TEST(ShownTrace, LeavesOutWhatAStepDoesAfterItsError) {
  FakeSystem system;  // errors are reported at line 2, where transition 1 stands
  system.steps[0] = {{{act(0, 0, "a"), act(0, 1, "assert"), act(0, 2, "b")}, 1, true}};
  EXPECT_EQ(show_trace(system, step_names({0})).actions.size(), 2u);
  system.steps[0][0].actions = {act(0, 0, "a"), act(0, 3, "d_step")};
  EXPECT_EQ(show_trace(system, step_names({0})).actions.size(), 2u)
      << "a place inside a d_step is not an action's";
  system.steps[0] = {{{act(0, 1, "x"), act(0, 2, "b")}, 1}};
  EXPECT_EQ(show_trace(system, step_names({0})).actions.size(), 2u)
      << "a deadlock is not an error of the step";
}

TEST(TraceFile, ThatEndsInsideItsLastStepIsFollowed) {
  FakeSystem system;
  system.steps[0] = {{{act(0, 0, "a"), act(0, 1, "assert"), act(0, 2, "b")}, 1, true}};
  std::string error;
  const auto record = parse_trace_file(
      write_trace_file({"fake.pml", "", {}}, show_trace(system, step_names({0})), system.sources()), error);
  ASSERT_TRUE(record) << error;
  EXPECT_EQ(record->steps.at(0).actions.size(), 2u);
  EXPECT_EQ(follow_record(system, *record).steps, step_names({0}));
}

TEST(Table, ShowsProcessLineStatementAndEffects) {
  FakeSystem system;
  Action first = act(0, 0, "x = 3");
  first.changes = {"x = 3", "y = 4"};
  Action second = act(1, 1, "printf(\"hi\")");
  second.output = "hi\n";
  system.steps[0] = {{{first}, 1}};
  system.steps[1] = {{{second}, 2}};
  EXPECT_EQ(trace_table(show_trace(system, step_names({0, 0})), system.sources()),
            "#  process  line        statement     changes\n"
            "1  A[0]     fake.pml:1  x = 3         x = 3, y = 4\n"
            "2  B[1]     fake.pml:2  printf(\"hi\")  prints \"hi\\n\"\n");
}

TEST(Table, LeavesOutColumnsThatHoldNothing) {
  FakeSystem system;
  Action action;
  action.statement = "go";
  system.steps[0] = {{{action}, 1}};
  EXPECT_EQ(trace_table(show_trace(system, step_names({0})), system.sources()),
            "#  process  statement\n"
            "1  -        go\n");
}

TEST(Table, CutsLongTracesInTheMiddleAndSaysHowMuch) {
  FakeSystem system;
  for (int i = 0; i < 100; ++i) system.steps[i] = {{{act(0, 0, "s")}, i + 1}};
  const ShownTrace trace = show_trace(system, std::vector<StepId>(100));
  const std::string table = trace_table(trace, system.sources(), {9, false, true});
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 10);
  EXPECT_NE(table.find("(91 more)"), std::string::npos);
  EXPECT_NE(table.find("\n 95  "), std::string::npos);
  EXPECT_EQ(table.find("\n  4  "), std::string::npos);
  const std::string whole = trace_table(trace, system.sources(), {100, false, true});
  EXPECT_EQ(whole.find("more"), std::string::npos);
}

// ---- Charts
// --------------------------------------------------------------------------------------

TEST(Chart, DrawsABufferedMessageWhereItArrives) {
  const FakeSystem system = messages();
  EXPECT_EQ(message_chart(show_trace(system, step_names({0, 0, 0, 0})), {true}),
            "    A[0]              B[1]\n"
            "      |                 |\n"
            " 1    +-q!7             |\n"
            " 2    +-q!8             |\n"
            " 3    +--q: 7 (from 1)->|\n"
            " 4    |                 +-\"bye\\n\"\n"
            " 4    |                 X assertion violated\n");
}

TEST(Chart, DrawsAHandshakeAsOneArrowInEitherDirection) {
  FakeSystem system;
  Action send = passing(1, 0, Message::Role::kSend, "ping,1");
  send.completes_with_next = true;
  system.steps[0] = {{{send, passing(0, 1, Message::Role::kReceive, "ping,1")}, 1}};
  system.end_states = {1};
  EXPECT_EQ(message_chart(show_trace(system, step_names({0}))),
            "    A[0]          B[1]\n"
            "      │             │\n"
            " 1    │◀─q: ping,1──┤\n");
}

TEST(Chart, KeepsACopiedMessageUnderWay) {
  FakeSystem system;
  system.steps[0] = {{{passing(0, 0, Message::Role::kSend, "7")}, 1}};
  system.steps[1] = {{{passing(1, 1, Message::Role::kCopy, "7")}, 2}};
  system.steps[2] = {{{passing(1, 2, Message::Role::kReceive, "7")}, 3}};
  const std::string chart = message_chart(show_trace(system, step_names({0, 0, 0})), {true});
  EXPECT_NE(chart.find(" 2    +--q: 7 (from 1)->|"), std::string::npos) << chart;
  EXPECT_NE(chart.find(" 3    +--q: 7 (from 1)->|"), std::string::npos) << chart;
}

TEST(Chart, ShowsTheLastActionAndATraceWithoutActions) {
  FakeSystem system;
  system.steps[0] = {{{act(0, 0, "x = 1")}, 1}};
  system.steps[1] = {{{act(0, 1, "x = 2")}, 2}};
  const std::string chart = message_chart(show_trace(system, step_names({0, 0})), {true});
  EXPECT_EQ(chart.find("x = 1"), std::string::npos) << chart;
  EXPECT_NE(chart.find("+-x = 2"), std::string::npos) << chart;
  EXPECT_NE(chart.find("X invalid end state"), std::string::npos) << chart;
  EXPECT_NE(message_chart(show_trace(FakeSystem(), {}), {true}).find("X invalid"), std::string::npos);
}

// ---- SPIN's trails
// -------------------------------------------------------------------------------

Trail parsed(const std::string& text) {
  std::string error;
  std::uint32_t line = 0;
  const std::optional<Trail> trail = parse_trail(text, error, line);
  EXPECT_TRUE(trail) << error;
  return trail.value_or(Trail());
}

TEST(Trail, IsWrittenWithOneLinePerAction) {
  EXPECT_EQ(write_trail(show_trace(messages(), step_names({0, 0, 0, 0}))), "1:0:0\n2:0:1\n3:1:2\n4:1:3\n");
}

TEST(Trail, OfAClaimLeavesTheClaimOutAndCountsProcessesFromZero) {
  const Trail trail = parsed("-2:3:-2\n-4:-4:-4\n1:0:12\n2:1:5\n-1:-1:-1\n3:0:12\n4:2:6\n");
  EXPECT_TRUE(trail.is_merged);
  ASSERT_EQ(trail.lines.size(), 2u);
  EXPECT_EQ(trail.lines[0].process, 0u);
  EXPECT_EQ(trail.lines[1].process, 1u);
  EXPECT_EQ(trail.lines[1].transition, 6u);
  EXPECT_EQ(trail.lines[1].text_line, 7u);
  EXPECT_EQ(trail.cycle_start, 1u);
}

TEST(Trail, ThatIsDamagedIsRefusedWithItsLine) {
  for (const std::string text : {"1:0:0\nabc\n", "1:0:0\n2:0\n", "1:0:0\n2:0:1:5\n", "1:0:0\n2:-7:1\n",
                                 "1:0:0\n-9:0:0\n", "1:0:0\n-5:0:0\n", "1:0:0\n2:0:99999999999999999999\n"}) {
    std::string error;
    std::uint32_t line = 0;
    EXPECT_FALSE(parse_trail(text, error, line)) << text;
    EXPECT_EQ(line, 2u) << text;
    EXPECT_FALSE(error.empty());
  }
  EXPECT_TRUE(is_trail("\n1:0:0\n"));
  EXPECT_FALSE(is_trail("{}"));
  EXPECT_TRUE(is_trail("\n"));
}

TEST(FollowingATrail, FindsTheStepsThatItNames) {
  FakeSystem system;
  system.steps[0] = {{{act(0, 0, "a")}, 1}, {{act(1, 5, "b")}, 2}};
  system.steps[2] = {{{act(0, 0, "a"), act(0, 1, "c")}, 3}};
  system.end_states = {1, 3};
  EXPECT_EQ(follow_trail(system, parsed("1:1:5\n2:0:0\n3:0:1\n")).steps, step_names({1, 0}));
}

TEST(FollowingATrail, TriesTheOtherStepsOfTheSameNameWhenOneFails) {
  FakeSystem system;
  system.steps[0] = {{{act(0, 0, "q??x")}, 1}, {{act(0, 0, "q??x")}, 2}};
  system.steps[2] = {{{act(0, 1, "x == 3")}, 3}};
  system.end_states = {1, 3};
  EXPECT_EQ(follow_trail(system, parsed("1:0:0\n2:0:1\n")).steps, step_names({1, 0}));
}

TEST(FollowingATrail, SaysWhichLineDoesNotFit) {
  FakeSystem system;
  system.steps[0] = {{{act(0, 0, "a")}, 1}};
  system.end_states = {1};
  const FollowResult result = follow_trail(system, parsed("1:0:0\n\n2:0:1\n"));
  EXPECT_NE(result.error.find("process 0 cannot take transition 1"), std::string::npos);
  EXPECT_EQ(result.line, 3u);
}

TEST(FollowingATrail, AllowsActionsWithoutALineOnlyWhenItIsMerged) {
  FakeSystem system;
  system.steps[0] = {{{act(0, 0, "a")}, 1}};
  system.steps[1] = {{{act(0, 1, "b")}, 2}, {{act(1, 4, "x")}, 5}};
  system.steps[2] = {{{act(0, 2, "c")}, 3}};
  system.end_states = {3, 5};
  EXPECT_EQ(follow_trail(system, parsed("-4:-4:-4\n1:0:0\n2:0:2\n")).steps.size(), 3u);
  EXPECT_FALSE(follow_trail(system, parsed("1:0:0\n2:0:2\n")).error.empty());
}

TEST(FollowingATrail, PrefersTheEndThatShowsAnError) {
  FakeSystem system;
  system.steps[0] = {{{act(0, 0, "a")}, 1}};
  system.steps[1] = {{{act(0, 1, "assert")}, 2, true}};
  system.end_states = {2};
  EXPECT_EQ(follow_trail(system, parsed("-4:-4:-4\n1:0:0\n")).steps.size(), 2u);
  EXPECT_EQ(follow_trail(system, parsed("1:0:0\n")).steps.size(), 1u);
}

TEST(FollowingATrail, MayEndWhereAnAssertionFailsInsideAStep) {
  FakeSystem system;
  system.steps[0] = {{{act(0, 0, "a"), act(0, 1, "assert"), act(0, 2, "b")}, 1, true}};
  system.end_states = {1};
  EXPECT_EQ(follow_trail(system, parsed("1:0:0\n2:0:1\n")).steps.size(), 1u);
  system.steps[0][0].fails = false;
  EXPECT_FALSE(follow_trail(system, parsed("1:0:0\n2:0:1\n")).error.empty());
}

TEST(FollowingATrail, OfNoStepsEndsInTheInitialState) {
  const FollowResult result = follow_trail(FakeSystem(), Trail());
  EXPECT_TRUE(result.error.empty());
  EXPECT_TRUE(result.steps.empty());
}

TEST(FollowingATrail, EndsEvenWhereMergedStepsGoInCircles) {
  FakeSystem system;
  system.steps[0] = {{{act(0, 0, "a")}, 1}};
  system.steps[1] = {{{act(0, 1, "b")}, 1}};
  EXPECT_FALSE(follow_trail(system, parsed("-4:-4:-4\n1:0:0\n2:0:9\n")).error.empty());
  EXPECT_TRUE(follow_trail(system, parsed("-4:-4:-4\n1:0:0\n")).error.empty());
}

// ---- Trace files
// ---------------------------------------------------------------------------------

RecordedTrace recorded(const std::string& text) {
  std::string error;
  const std::optional<RecordedTrace> record = parse_trace_file(text, error);
  EXPECT_TRUE(record) << error;
  return record.value_or(RecordedTrace());
}

TEST(TraceFile, IsReadBackAsItWasWritten) {
  const FakeSystem system = messages();
  const ShownTrace trace = show_trace(system, step_names({0, 0, 0, 0}));
  const std::string text =
      write_trace_file({"fake.pml", "abc", {{"N=2", "M"}, true}}, trace, system.sources());
  EXPECT_TRUE(is_trace_file(text));
  const RecordedTrace record = recorded(text);
  EXPECT_EQ(record.options.defines, (std::vector<std::string>{"N=2", "M"}));
  EXPECT_TRUE(record.options.strict);
  EXPECT_EQ(record.model_sha256, "abc");
  EXPECT_EQ(follow_record(system, record).steps, trace.steps);
}

TEST(TraceFile, FindsItsStepsByNameWhenTheirOrderHasChanged) {
  FakeSystem before;
  before.steps[0] = {{{act(0, 0, "a")}, 1}, {{act(1, 5, "a")}, 2}};
  FakeSystem after;
  after.steps[0] = {{{act(0, 8, "new")}, 3}, {{act(0, 0, "a")}, 1}, {{act(1, 5, "a")}, 2}};
  const std::string text =
      write_trace_file({"fake.pml", "", {}}, show_trace(before, step_names({1})), before.sources());
  EXPECT_EQ(follow_record(after, recorded(text)).steps, step_names({2}));
}

TEST(TraceFile, ThatDoesNotFitNamesTheStep) {
  FakeSystem system;
  system.steps[0] = {{{act(0, 0, "a")}, 1}};
  const std::string text =
      write_trace_file({"fake.pml", "", {}}, show_trace(system, step_names({0})), system.sources());
  system.steps[0][0].actions[0].key = "b";
  EXPECT_NE(follow_record(system, recorded(text)).error.find("step 1 of 1 (a)"), std::string::npos);
}

TEST(TraceFile, ThatIsDamagedIsRefused) {
  for (const std::string text :
       {"{", "{}", "[]", "{\"violations\": []}", "{\"violations\": 3}", "{\"violations\": [3]}",
        "{\"format\": \"spoor-trace\"}", "{\"format\": \"spoor-trace\", \"format_version\": 1}",
        "{\"format\": 7}",
        "{\"format\": \"spoor-trace\", \"format_version\": 1, \"trace\": {\"attempts\": [\"x\"]}}",
        "{\"format\": \"spoor-trace\", \"format_version\": 1,"
        " \"trace\": {\"attempts\": [0], \"steps\": [{\"step\": 1}]}}"}) {
    std::string error;
    EXPECT_FALSE(parse_trace_file(text, error)) << text;
    EXPECT_FALSE(error.empty()) << text;
  }
}

TEST(TraceFile, WithAnImpossibleOrdinalIsNotBelieved) {
  FakeSystem system;
  system.steps[0] = {{{act(0, 0, "a")}, 1}};
  RecordedTrace record;
  record.steps = {{StepId(4000000), {{0, "a"}}}};
  EXPECT_EQ(follow_record(system, record).steps, step_names({0}));
  record.steps[0].actions.clear();
  EXPECT_FALSE(follow_record(system, record).error.empty()) << "no action is not the beginning of one";
  record.steps[0].actions = {{3, "a"}};
  EXPECT_FALSE(follow_record(system, record).error.empty());
}

// ---- Reports
// -------------------------------------------------------------------------------------

CheckReport report_on(const FakeSystem& system, Outcome outcome) {
  CheckReport report;
  report.model = "fake.pml";
  report.result.outcome = outcome;
  report.result.statistics.states = 1234;
  report.result.executed = {1, 0, 0};
  report.unreached = unreached_statements(system, report.result.executed);
  return report;
}

FakeSystem with_statements() {
  FakeSystem system;
  system.add_statement(1, "x = 1");
  system.add_statement(2, "x = 2");
  system.add_statement(2, "x = 3");
  system.steps[0] = {{{act(0, 0, "a")}, 1, true}};
  return system;
}

TEST(TextReport, OpensWithTheVerdict) {
  const FakeSystem system = with_statements();
  CheckReport report = report_on(system, Violated{});
  report.violations.push_back(
      {{FindingKind::kAssertion, "assertion violated", {0, 2, 1}}, show_trace(system, step_names({0}))});
  EXPECT_TRUE(text_report({report}, system.sources(), {})
                  .starts_with("violated: assertion violated at fake.pml:2\n\n#  process"));
  report.violations.push_back(report.violations.front());
  const std::string several = text_report({report}, system.sources(), {});
  EXPECT_TRUE(several.starts_with("violated: assertion violated at fake.pml:2 (and 1 more)\n")) << several;
  EXPECT_NE(several.find("\n2. assertion: assertion violated at fake.pml:2\n"), std::string::npos);
  EXPECT_TRUE(text_report({report_on(system, Holds{})}, system.sources(), {})
                  .starts_with("holds: no error in 1,234 states"));
  EXPECT_TRUE(text_report({report_on(system, HoldsProbably{0.01})}, system.sources(), {})
                  .starts_with("probably holds: "));
}

TEST(TextReport, OfOneLineIsAllThatQuietPrints) {
  const FakeSystem system = with_statements();
  TextOptions options;
  options.quiet = true;
  const std::string text = text_report({report_on(system, Holds{})}, system.sources(), options);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  options.colour = true;
  EXPECT_TRUE(
      text_report({report_on(system, Holds{})}, system.sources(), options).starts_with("\x1b[32;1mholds"));
}

TEST(TextReport, SaysWhichLimitLeftItUndecided) {
  const FakeSystem system = with_statements();
  CheckReport report = report_on(system, Unknown{LimitHit::kTime});
  report.options.limits = {90, 1 << 20, 50};
  const auto first_line = [&](LimitHit limit) {
    report.result.outcome = Unknown{limit};
    return text_report({report}, system.sources(), {});
  };
  EXPECT_TRUE(first_line(LimitHit::kTime).starts_with("unknown: the time limit of 1 min 30 s"));
  EXPECT_TRUE(first_line(LimitHit::kMemory).starts_with("unknown: the memory limit of 1.0 MiB"));
  EXPECT_TRUE(first_line(LimitHit::kDepth).starts_with("unknown: the depth limit of 50 was reached"));
  EXPECT_TRUE(first_line(LimitHit::kInterrupted).starts_with("unknown: the search was interrupted"));
  EXPECT_TRUE(first_line(LimitHit::kObserver).starts_with("unknown: the search was stopped"));
  EXPECT_TRUE(first_line(LimitHit::kOutOfMemory).starts_with("unknown: the system has no more memory"));
  report.result.statistics.states = 4'294'967'040;
  EXPECT_TRUE(first_line(LimitHit::kStateNumbers)
                  .starts_with("unknown: the store cannot number more than 4,294,967,040 states"));
}

TEST(TextReport, ListsUnreachedStatementsByLineAfterACompleteSearchOnly) {
  const FakeSystem system = with_statements();
  CheckReport report = report_on(system, Holds{});
  EXPECT_NE(text_report({report}, system.sources(), {})
                .find("never reached: 2 statements on 1 line\n  fake.pml:2  x = 2; x = 3\n"),
            std::string::npos);
  report.result.outcome = Violated{};
  EXPECT_EQ(text_report({report}, system.sources(), {}).find("never reached"), std::string::npos);
  report.options.all_errors = true;
  EXPECT_NE(text_report({report}, system.sources(), {}).find("never reached"), std::string::npos);
  report.result.limit = LimitHit::kTime;
  EXPECT_EQ(text_report({report}, system.sources(), {}).find("never reached"), std::string::npos);
  EXPECT_NE(text_report({report}, system.sources(), {}).find("the search is incomplete"), std::string::npos);
  TextOptions options;
  options.all_unreached = true;
  EXPECT_NE(text_report({report}, system.sources(), options).find("never reached"), std::string::npos);
  report.with_unreached = false;
  EXPECT_EQ(text_report({report}, system.sources(), options).find("never reached"), std::string::npos);
}

TEST(TextReport, CutsALongListOfUnreachedLines) {
  FakeSystem system;
  for (std::uint32_t line = 1; line <= 50; ++line) system.add_statement(line, "skip");
  CheckReport report = report_on(system, Holds{});
  report.unreached = system.statements();
  EXPECT_NE(text_report({report}, system.sources(), {}).find("and 30 lines more"), std::string::npos);
}

TEST(JsonReport, NamesVerdictsAndPlaces) {
  const FakeSystem system = with_statements();
  CheckReport report = report_on(system, Violated{});
  report.violations.push_back(
      {{FindingKind::kDeadlock, "invalid end state", {}}, show_trace(system, step_names({0}))});
  report.warnings.push_back({"W1", Severity::kWarning, {{0, 3, 2}, 4}, "odd", "even"});
  const auto json = nlohmann::json::parse(json_report({report}, system.sources()));
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_EQ(json["violations"][0]["kind"], "deadlock");
  EXPECT_TRUE(json["violations"][0]["location"].is_null());
  EXPECT_EQ(json["violations"][0]["trace"]["length"], 1);
  EXPECT_EQ(json["violations"][0]["trace"]["steps"][0]["process"]["name"], "A");
  EXPECT_EQ(json["states"], 1234);
  EXPECT_EQ(json["unreached"].size(), 2u);
  EXPECT_EQ(json["warnings"][0]["location"]["line"], 3);
  EXPECT_TRUE(json["limit"].is_null());
  EXPECT_TRUE(json["options"]["time_s"].is_null());
  report.result.outcome = HoldsProbably{0.25};
  report.with_unreached = false;
  const auto probable = nlohmann::json::parse(json_report({report}, system.sources()));
  EXPECT_EQ(probable["verdict"], "probably-holds");
  EXPECT_EQ(probable["omission_probability"], 0.25);
  EXPECT_TRUE(probable["unreached"].is_null());
}

TEST(JsonReport, SurvivesTextThatIsNotUtf8) {
  const auto json = nlohmann::json::parse(json_error("bad \xff byte", {}, SourceSet()));
  EXPECT_EQ(json["error"], "bad \xef\xbf\xbd byte");
}

TEST(JsonReport, IsATraceFileToo) {
  const FakeSystem system = messages();
  CheckReport report = report_on(system, Violated{});
  report.violations.push_back({{}, show_trace(system, step_names({0, 0, 0, 0}))});
  EXPECT_EQ(follow_record(system, recorded(json_report({report}, system.sources()))).steps.size(), 4u);
}

// ---- Files and digests
// ---------------------------------------------------------------------------

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "spoor-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

TEST_F(Files, AreWrittenWholeAndReadBack) {
  const std::string text = std::string(200000, 'x') + std::string("\0end", 4);
  EXPECT_EQ(write_file_atomically(path("a"), text), "");
  std::string error;
  EXPECT_EQ(read_file(path("a"), error), text);
  EXPECT_EQ(write_file_atomically(path("a"), "short"), "");
  EXPECT_EQ(read_file(path("a"), error), "short");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1) << "a temporary file is left";
}

TEST_F(Files, KeepTheirModeAndTheLinksToThem) {
  ASSERT_EQ(write_file_atomically(path("a"), "1"), "");
  ASSERT_EQ(::chmod(path("a").c_str(), 0640), 0);
  std::filesystem::create_symlink("a", path("link"));
  EXPECT_EQ(write_file_atomically(path("link"), "2"), "");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  std::string error;
  EXPECT_EQ(read_file(path("a"), error), "2");
  struct stat status {};
  ASSERT_EQ(::stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(Files, ThatCannotBeReadOrWrittenSayWhy) {
  std::string error;
  EXPECT_FALSE(read_file(path("none"), error));
  EXPECT_EQ(error, "No such file or directory");
  EXPECT_FALSE(read_file(folder_.string(), error));
  EXPECT_EQ(error, "it is a directory");
  EXPECT_EQ(write_file_atomically(folder_.string(), "x"), "it is a directory");
  EXPECT_EQ(write_file_atomically(path("none/file"), "x"), "No such file or directory");
  EXPECT_EQ(write_file_atomically("/dev/full", "x"), "No space left on device");
  EXPECT_EQ(write_file_atomically("/dev/null", "x"), "");
}

TEST(Digest, IsThatOfSha256sum) {
  EXPECT_EQ(sha256(std::string_view("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  SourceSet sources;
  sources.add("a", "ab");
  sources.add("b", "c");
  EXPECT_EQ(sha256(sources), sha256(std::string_view("abc")));
}

}  // namespace
}  // namespace spoor
