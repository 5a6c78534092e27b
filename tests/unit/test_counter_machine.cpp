// A language that the program does not know, through the whole of a check.
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temporary_folder.h"
#include "check/check.h"
#include "model/trace.h"
#include "unit/counter_machine.h"

namespace spoor {
namespace {

// Two threads, each of which takes the only token before it counts, and gives it back.
constexpr char kTurns[] = R"(thread Owner
inc token
thread P
again:
dec token
inc inside
assert inside < 2
dec inside
inc token
goto again
thread Q
again:
dec token
inc inside
assert inside < 2
dec inside
inc token
goto again
claim returns []<> inside == 0
claim enters <> inside == 1
claim never_two [] inside < 2
)";
// One before there is a token; 4 in which it lies there and each thread is before its dec or its goto; and 8
// for each thread that has it.
constexpr std::uint64_t kStatesOfTurns = 21;
// The same with a second token.
constexpr char kBroken[] = R"(thread Owner
inc token
inc token
thread P
dec token
inc inside
assert inside < 2
thread Q
dec token
inc inside
assert inside < 2
)";

class CounterMachineTest : public testing::Test {
 protected:
  std::string model(const std::string& text) {
    const std::string path = folder_.path() + "/model.count";
    EXPECT_EQ(write_file_atomically(path, text), "");
    return path;
  }
  CheckAnswer check(const std::string& text, const CheckOptions& options) {
    return check_model(model(text), options, {}, languages());
  }
  std::vector<CheckReport> reports(const std::string& text, const CheckOptions& options) {
    const CheckAnswer answer = check(text, options);
    if (const auto* error = std::get_if<InputError>(&answer)) ADD_FAILURE() << error->message;
    const auto* checked = std::get_if<CheckedModel>(&answer);
    return checked != nullptr ? checked->reports : std::vector<CheckReport>(1);
  }
  CheckReport safety(const std::string& text) {
    CheckOptions options;
    options.property = "safety";
    return reports(text, options).front();
  }
  static FrontEnds languages() {
    static const CounterMachineFrontEnd counters;
    static const FrontEnd* const table[] = {&counters};
    return table;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(CounterMachineTest, HoldsWhereNothingIsWrong) {
  const CheckReport report = safety(kTurns);
  EXPECT_TRUE(std::holds_alternative<Holds>(report.result.outcome));
  EXPECT_EQ(report.result.statistics.states, kStatesOfTurns);
  EXPECT_TRUE(report.unreached.empty());
}

TEST_F(CounterMachineTest, IsTheSameInEverySearchAndStore) {
  for (const Order order : {Order::kBreadthFirst, Order::kDepthFirst}) {
    for (const StoreKind store :
         {StoreKind::kAuto, StoreKind::kExact, StoreKind::kTree, StoreKind::kCompact}) {
      CheckOptions options;
      options.property = "safety";
      options.order = order;
      options.store = store;
      EXPECT_EQ(reports(kTurns, options).front().result.statistics.states, kStatesOfTurns);
    }
  }
}

TEST_F(CounterMachineTest, HasItsAssertionsChecked) {
  const CheckReport report = safety(kBroken);
  EXPECT_TRUE(std::holds_alternative<Violated>(report.result.outcome));
  ASSERT_EQ(report.violations.size(), 1u);
  EXPECT_EQ(report.violations[0].finding.kind, FindingKind::kAssertion);
  EXPECT_EQ(report.violations[0].trace.findings.at(0).message, "assert inside < 2 fails");
  ASSERT_EQ(report.violations[0].trace.actions.size(), 7u);
  EXPECT_EQ(report.violations[0].trace.actions[0].action.process_name, "Owner");
  EXPECT_EQ(report.violations[0].trace.actions[0].action.changes, std::vector<std::string>{"token = 1"});
}

TEST_F(CounterMachineTest, HasTracesThatReplayInAnotherLoad) {
  const Violation violation = safety(kBroken).result.violations.at(0);
  InputError error;
  const auto again = load_model(model(kBroken), {}, ExecutionChoice::kAuto, error, languages());
  ASSERT_TRUE(again.has_value()) << error.message;
  EXPECT_TRUE(
      std::holds_alternative<ReplayedTrace>(replay(*again->reference, {violation.steps, violation.finding})));
}

TEST_F(CounterMachineTest, HasDeadlocksFound) {
  const CheckReport report = safety("thread P\ninc a\ndec b\nthread Q\ninc a\n");
  ASSERT_EQ(report.violations.size(), 1u);
  EXPECT_EQ(report.violations[0].finding.kind, FindingKind::kDeadlock);
  EXPECT_EQ(report.violations[0].trace.actions.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<Holds>(safety("thread P\ninc a\ndec a\n").result.outcome))
      << "a thread that has ended is not stuck";
}

TEST_F(CounterMachineTest, HasStepsThatFailWithoutASuccessor) {
  const CheckReport report = safety("thread P\nagain:\ninc a\njz b again\n");
  ASSERT_EQ(report.violations.size(), 1u);
  EXPECT_EQ(report.violations[0].finding.kind, FindingKind::kRuntimeError);
  EXPECT_EQ(report.violations[0].trace.findings.at(0).message, "inc a is one too many");
}

TEST_F(CounterMachineTest, HasStatementsThatAreNeverExecuted) {
  const CheckReport report = safety("thread P\njz a end\ninc a\nend:\n");
  ASSERT_EQ(report.unreached.size(), 1u);
}

TEST_F(CounterMachineTest, HasItsFormulasChecked) {
  const std::vector<CheckReport> all = reports(kTurns, {});
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].property, "safety");
  EXPECT_EQ(all[1].property, "ltl:returns");
  for (const CheckReport& report : all) EXPECT_TRUE(std::holds_alternative<Holds>(report.result.outcome));
}

TEST_F(CounterMachineTest, HasFormulasOfTheCommandLineChecked) {
  CheckOptions options;
  options.property = "ltl:given";
  options.formula = "[] (inside == 1 -> <> token > 1)";
  const CheckReport report = reports(kTurns, options).front();
  EXPECT_TRUE(std::holds_alternative<Violated>(report.result.outcome));
  ASSERT_EQ(report.violations.size(), 1u);
  EXPECT_EQ(report.violations[0].finding.kind, FindingKind::kAcceptanceCycle);
}

TEST_F(CounterMachineTest, HasInvariantsOfTheCommandLineChecked) {
  const auto kind_of = [&](const std::string& invariant) {
    CheckOptions options;
    options.invariant = invariant;
    const CheckReport report = reports(kTurns, options).front();
    EXPECT_EQ(report.property, "safety");
    return report.violations.empty() ? std::optional<FindingKind>() : report.violations[0].finding.kind;
  };
  EXPECT_EQ(kind_of("token < 9"), std::nullopt);
  EXPECT_EQ(kind_of("token < 1"), FindingKind::kClaim);
  EXPECT_EQ(kind_of("token < 1 -> X (token < 9)"), std::nullopt);
  EXPECT_EQ(kind_of("inside < 1 -> X (inside < 1)"), FindingKind::kClaim);
}

TEST_F(CounterMachineTest, TellsWhatIsWrongWithAModel) {
  const auto message = [&](const std::string& text, const std::string& property = "") {
    CheckOptions options;
    options.property = property;
    const CheckAnswer answer = check(text, options);
    const auto* error = std::get_if<InputError>(&answer);
    return error != nullptr ? error->message : "it was checked";
  };
  EXPECT_NE(message("thread P\nadd a\n").find(":2: this is no instruction"), std::string::npos);
  EXPECT_NE(message("thread P\ngoto x\n").find("no label 'x'"), std::string::npos);
  EXPECT_NE(message("thread P\ninc a\nclaim c [] b < 2\n").find("'b<2' says nothing"), std::string::npos);
  EXPECT_NE(message(kTurns, "progress").find("formulas only"), std::string::npos);
}

TEST_F(CounterMachineTest, IsNotAskedAboutOtherFiles) {
  InputError error;
  EXPECT_EQ(read_model("model.other", {}, "", error, languages()), nullptr);
  EXPECT_EQ(error.message, "'model.other' is in no language that is known here");
}

}  // namespace
}  // namespace spoor
