// What a Promela program knows about its states: places of processes, and distances of conditions.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "exec/condition_distance.h"
#include "exec/guide.h"
#include "exec/interpreter.h"
#include "exec/machine.h"
#include "promela/compile.h"
#include "promela/parse.h"

namespace spoor::exec {
namespace {

std::shared_ptr<const promela::Program> program_of_text(const std::string& text, bool with_claim = false) {
  promela::ParseResult parsed = promela::parse_text("test.pml", text, {});
  EXPECT_FALSE(parsed.diagnostics.has_errors()) << parsed.diagnostics.all().front().message;
  promela::ClaimChoice claim;
  if (with_claim) claim.kind = promela::ClaimCode::Kind::kFormula;
  auto program = std::make_shared<promela::Program>(
      promela::compile(parsed.model, parsed.sources, parsed.diagnostics, claim));
  EXPECT_FALSE(parsed.diagnostics.has_errors()) << parsed.diagnostics.all().front().message;
  return program;
}

// Of the initial state: until the condition holds, and until it does not.
struct Missing {
  explicit Missing(const std::string& condition) {
    const auto program = program_of_text(
        "mtype = { red, green, blue }; mtype light = blue; byte x = 3; bool b; byte a[3] = 7;"
        "chan q = [4] of { byte }; chan r = [0] of { byte };"
        "active proctype P() { x = 3; x = 3; here: x = 3 }"
        "active proctype A() { q!1; (" +
        condition + ") }");
    const Interpreter interpreter(program);
    const Machine machine(*program, {}, nullptr);
    ConditionDistance distance(machine);
    // After q!1, which leaves one message in the channel.
    Expansion expansion;
    interpreter.expand(interpreter.initial_state(), expansion);
    const StateBytes after = expansion.state(expansion.successors[0]);
    distance.load(after);
    for (const promela::Statement& statement : program->statements) {
      if (statement.op != promela::StatementOp::kCondition) continue;
      yes = distance.until(statement.expr, true, 1);
      no = distance.until(statement.expr, false, 1);
    }
  }
  std::uint32_t yes = 77, no = 77;
};

#define EXPECT_MISSING(condition, if_true, if_false) \
  do {                                               \
    const Missing missing(condition);                \
    EXPECT_EQ(missing.yes, if_true) << condition;    \
    EXPECT_EQ(missing.no, if_false) << condition;    \
  } while (false)

TEST(Guidance, ADistanceFollowsTheStructureOfTheCondition) {
  EXPECT_MISSING("x == 3", 0u, 1u);
  EXPECT_MISSING("x == 10", 7u, 0u);
  EXPECT_MISSING("x > 5", 3u, 0u);
  EXPECT_MISSING("x >= 5", 2u, 0u);
  EXPECT_MISSING("x < 3", 1u, 0u);
  EXPECT_MISSING("x < 10", 0u, 7u);
  EXPECT_MISSING("x <= 1", 2u, 0u);
  EXPECT_MISSING("x != 3", 1u, 0u);
  EXPECT_MISSING("b", 1u, 0u);
  EXPECT_MISSING("!b", 0u, 1u);
  EXPECT_MISSING("x == 10 && b", 8u, 0u);
  EXPECT_MISSING("x == 10 || b", 1u, 0u);
  EXPECT_MISSING("!(x == 10 || b)", 0u, 1u);
  EXPECT_MISSING("x == 3 && !b", 0u, 1u);
  EXPECT_MISSING("(x == 3 -> b : x == 4)", 1u, 0u);
  EXPECT_MISSING("light == red", 1u, 0u);  // not the difference of their numbers
  EXPECT_MISSING("x + 4", 0u, 1u);
}

TEST(Guidance, ADistanceCountsMessagesAndStatements) {
  EXPECT_MISSING("empty(q)", 1u, 0u);
  EXPECT_MISSING("full(q)", 3u, 0u);
  EXPECT_MISSING("nempty(q)", 0u, 1u);
  EXPECT_MISSING("nfull(q)", 0u, 3u);
  EXPECT_MISSING("len(q) == 3", 2u, 0u);
  EXPECT_MISSING("P@here", 2u, 0u);
  EXPECT_MISSING("P[0]@here && x == 5", 4u, 0u);
}

TEST(Guidance, WhatCannotBeEvaluatedIsOneAway) {
  EXPECT_MISSING("a[x] == 7", 1u, 1u);
  EXPECT_MISSING("10 / (x - 3) == 5", 1u, 1u);
}

TEST(Guidance, PlacesAreThoseOfTheProcesses) {
  const auto program = program_of_text(
      "byte g; proctype P(byte n) { byte k; k = n; g = k } active proctype Q() { chan q = [3] of { int }; q!1; skip }"
      "init { run P(1); run P(2); (g == 2) }");
  const Interpreter interpreter(program);
  const Guidance& guidance = *interpreter.guidance();
  std::vector<std::vector<std::byte>> states = {interpreter.initial_state()};
  std::size_t compared = 0;
  StateView view(*program);
  for (std::size_t i = 0; i < states.size() && i < 500; ++i) {
    const std::vector<std::byte> state = states[i];
    std::vector<ProcessPlace> places;
    guidance.places(state, places);
    view.load(state);
    ASSERT_EQ(places.size(), static_cast<std::size_t>(view.process_count()));
    for (int pid = 0; pid < view.process_count(); ++pid, ++compared) {
      EXPECT_EQ(places[static_cast<std::size_t>(pid)],
                (ProcessPlace{view.process_type(pid), view.location(pid)}));
    }
    Expansion expansion;
    expansion.asked.columns.movers = true;
    interpreter.expand(state, expansion);
    for (std::size_t k = 0; k < expansion.successors.size(); ++k) {
      const Successor& successor = expansion.successors[k];
      const std::uint32_t process = guidance.process_of(state, successor.step);
      EXPECT_NE(expansion.movers[k] & mover_bit(static_cast<int>(process)), 0u);
      EXPECT_EQ(guidance.group_of(state, process), successor.step.group());
      const StateBytes target = expansion.state(successor);
      states.emplace_back(target.begin(), target.end());
    }
  }
  EXPECT_GT(compared, 1000u);
}

TEST(Guidance, AssertionsAreFarUntilAProcessIsNearAndTheConditionIsNearlyFalse) {
  const auto program = program_of_text(
      "byte x = 2; active proctype P() { x = 1; x = 0; assert(x == 0); do :: d_step { x = 1; assert(x == 1) } od }");
  const Interpreter interpreter(program);
  const auto distance = interpreter.guidance()->distance_to_assertions();
  ASSERT_NE(distance, nullptr);
  EXPECT_FALSE(distance->needs_steps());
  std::vector<std::uint32_t> met;
  std::vector<std::byte> state = interpreter.initial_state();
  Expansion expansion;
  for (int i = 0; i < 4; ++i) {
    met.push_back(distance->estimate(state, expansion));
    expansion.clear();
    interpreter.expand(state, expansion);
    const StateBytes next = expansion.state(expansion.successors[0]);
    state.assign(next.begin(), next.end());
  }
  // x is not 0 until the second step, then it has to change; from the d_step on nothing is known of it.
  EXPECT_EQ(met, (std::vector<std::uint32_t>{2, 1, 1, 0}));
  EXPECT_EQ(Interpreter(program_of_text("active proctype P() { skip }")).guidance()->distance_to_assertions(),
            nullptr);
}

TEST(Guidance, AtomsOfAClaimHaveADistance) {
  const auto program =
      program_of_text("byte x = 2; bool b; active proctype P() { x = 1 } ltl p { [] (x < 5 || b) }", true);
  const Interpreter interpreter(program);
  ASSERT_EQ(program->claim.atoms.size(), 2u);
  const WantedAtoms both_false[] = {{3, 0}}, either[] = {{1, 0}, {2, 2}}, none[] = {{3, 2}};
  Expansion unused;
  const auto until = [&](std::span<const WantedAtoms> wanted) {
    return interpreter.guidance()->distance_to_atoms(wanted)->estimate(interpreter.initial_state(), unused);
  };
  EXPECT_EQ(until(both_false), 3u);  // x >= 5, b is false
  EXPECT_EQ(until(either), 1u);      // b is nearer
  EXPECT_EQ(until(none), 4u);
  EXPECT_EQ(
      Interpreter(program_of_text("active proctype P() { skip }")).guidance()->distance_to_atoms(either),
      nullptr);
}

}  // namespace
}  // namespace spoor::exec
