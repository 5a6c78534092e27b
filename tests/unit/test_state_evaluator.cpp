// Values in a state where a problem means that there is none.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exec/interpreter.h"
#include "exec/machine.h"
#include "exec/state_evaluator.h"
#include "promela/compile.h"
#include "promela/parse.h"

namespace spoor::exec {
namespace {

using promela::Statement;
using promela::StatementOp;

class Evaluated {
 public:
  // The right and the left side of an assignment, in the initial state.
  Evaluated(const std::string& right, const std::string& left = "y") {
    promela::ParseResult parsed = promela::parse_text(
        "test.pml",
        "byte a[3] = 7; int zero; chan q = [2] of { byte }; chan none; proctype P() { skip }"
        "active proctype A() { int y = 4; chan own = [1] of { byte }; " +
            left + " = " + right + " }",
        {});
    EXPECT_FALSE(parsed.diagnostics.has_errors()) << right << parsed.diagnostics.all().front().message;
    const auto program = std::make_shared<promela::Program>(
        promela::compile(parsed.model, parsed.sources, parsed.diagnostics));
    const Interpreter interpreter(program);
    const Options options;
    const Machine machine(*program, options, nullptr);
    StateEvaluator evaluator(machine);
    const std::vector<std::byte> state = interpreter.initial_state();
    evaluator.load(state);
    const auto assignment = std::find_if(program->statements.begin(), program->statements.end(),
                                         [](const Statement& s) { return s.op == StatementOp::kAssign; });
    // Twice: what was unknown once has left no trace.
    for (int round = 0; round < 2; ++round) {
      value = evaluator.evaluate(assignment->expr, 0);
      has_address = evaluator.address(program->places[assignment->place], 0).has_value();
    }
    EXPECT_TRUE(std::ranges::equal(evaluator.view().bytes(), state)) << "the state was changed";
    first_channel = evaluator.first_channel(0);
    has_channel = evaluator.channel(value.value_or(0)).has_value();
  }

  std::optional<std::int32_t> value;
  bool has_address = false;
  bool has_channel = false;
  std::uint32_t first_channel = 0;
};

TEST(StateEvaluator, KnowsWhatTheMachineKnows) {
  EXPECT_EQ(Evaluated("y + a[2] * 2").value, 18);
  EXPECT_EQ(Evaluated("_pid + _nr_pr").value, 1);
  EXPECT_EQ(Evaluated("nfull(q) && empty(own)").value, 1);
  EXPECT_EQ(Evaluated("len(q) + 1").value, 1);
  EXPECT_EQ(Evaluated("q?[3]").value, 0);
  EXPECT_EQ(Evaluated("(zero -> 1 / zero : 5)").value, 5);
}

TEST(StateEvaluator, DoesNotKnowWhatWouldBeAnError) {
  EXPECT_EQ(Evaluated("a[y]").value, std::nullopt);
  EXPECT_EQ(Evaluated("1 / zero").value, std::nullopt);
  EXPECT_EQ(Evaluated("1 % zero + 1").value, std::nullopt);
  EXPECT_EQ(Evaluated("len(none)").value, std::nullopt);
}

TEST(StateEvaluator, StartsNoProcess) { EXPECT_EQ(Evaluated("run P()").value, std::nullopt); }

TEST(StateEvaluator, KnowsWhereAPlaceIsIfItIsThere) {
  EXPECT_TRUE(Evaluated("1", "a[2]").has_address);
  EXPECT_FALSE(Evaluated("1", "a[y]").has_address);
  EXPECT_FALSE(Evaluated("1", "a[1 / zero]").has_address);
}

TEST(StateEvaluator, KnowsTheLiveChannels) {
  EXPECT_TRUE(Evaluated("q").has_channel);
  EXPECT_TRUE(Evaluated("own").has_channel);
  EXPECT_FALSE(Evaluated("none").has_channel);
  EXPECT_FALSE(Evaluated("99").has_channel);
  EXPECT_FALSE(Evaluated("-1").has_channel);
  EXPECT_EQ(Evaluated("own").value, static_cast<std::int32_t>(Evaluated("own").first_channel));
}

}  // namespace
}  // namespace spoor::exec
