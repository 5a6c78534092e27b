// Names of steps: the same in expansions in full and reduced ones, enough to execute a step alone, and in
// the order of the expansion; by the interpreter and by native code.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "exec/interpreter.h"
#include "exec/native.h"
#include "layer/claim_product.h"
#include "ltl/automaton.h"
#include "unit/golden_programs.h"

namespace spoor::exec {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(const Expansion& expansion, const Successor& successor) {
  const StateBytes bytes = expansion.state(successor);
  return {bytes.begin(), bytes.end()};
}

// Each step executed alone, and the steps of a reduced expansion, against the expansion in full. Returns how
// many states were seen, at most `limit`.
std::size_t compare(const TransitionSystem& system, std::size_t limit) {
  std::vector<Bytes> found = {system.initial_state()};
  std::set<Bytes> known = {found.front()};
  Expansion all, some, one;
  std::size_t at = 0;
  for (; at < found.size() && at < limit && !testing::Test::HasFailure(); ++at) {
    all.clear();
    system.expand(found[at], all);
    std::map<StepId, Bytes> targets;
    for (const Successor& successor : all.successors) {
      EXPECT_TRUE(targets.empty() || targets.rbegin()->first < successor.step) << "names ascend";
      targets.emplace(successor.step, bytes_of(all, successor));
    }
    some.clear();
    some.asked.may_reduce = true;
    system.expand(found[at], some);
    for (const Successor& successor : some.successors) {
      EXPECT_TRUE(targets.contains(successor.step) && targets[successor.step] == bytes_of(some, successor));
    }
    std::set<StepId> names;
    for (const auto& [step, target] : targets) names.insert(step);
    for (const Finding& finding : all.findings) {
      if (finding.step != Finding::kStateItself) names.insert(finding.step);
    }
    for (const StepId step : names) {
      one.clear();
      EXPECT_TRUE(system.step(found[at], step, one));
      EXPECT_EQ(one.successors.size(), targets.contains(step) ? 1u : 0u);
      if (one.successors.size() == 1) {
        EXPECT_EQ(one.successors[0].step, step);
        EXPECT_EQ(bytes_of(one, one.successors[0]), targets[step]);
      }
      const auto of_step = [&](const Finding& finding) { return finding.step == step; };
      EXPECT_EQ(std::ranges::count_if(all.findings, of_step), std::ssize(one.findings));
      EXPECT_EQ(system.explain(found[at], step).target, targets.contains(step) ? targets[step] : Bytes());
    }
    one.clear();
    EXPECT_FALSE(system.step(found[at], StepId::first_of(200), one)) << "there is no such process";
    for (const auto& [step, target] : targets) {
      if (known.insert(target).second) found.push_back(target);
    }
  }
  return at;
}

TEST(StepNames, AreEnoughToExecuteAStepAlone) {
  std::size_t models = 0, states = 0;
  for_each_golden_program([&](const std::string& name, const auto& program) {
    SCOPED_TRACE(name);
    ++models;
    states += compare(Interpreter(program), 100);
  });
  EXPECT_GT(models, 300u);
  EXPECT_GT(states, 3000u);
}

// Atomic sequences with choices, a handshake, a timeout and a process that comes and goes.
constexpr const char* kModel = R"(
chan q = [0] of { byte }; chan b = [1] of { byte }; byte x;
proctype Child() { x = 3 }
active proctype A() {
  byte i;
  do
  :: atomic { if :: i = 1 :: i = 2 fi; x = i }
  :: q!i
  :: b!1
  :: timeout -> x = 0
  :: x == 2 -> run Child(); break
  od
}
active [2] proctype B() {
  byte v;
  end: do :: atomic { q?v; if :: x = v :: x = 0 fi } :: b?v od
}
)";

TEST(StepNames, AreTheSameInNativeCode) {
  for (const bool reduce : {false, true}) {
    const auto program = program_of(promela::parse_text("steps.pml", kModel, {}), reduce);
    ASSERT_NE(program, nullptr);
    const NativeSystem system(std::make_unique<Interpreter>(program), {}, Tier::kBoth);
    if (!system.is_native()) GTEST_SKIP() << system.failure();
    EXPECT_GT(compare(system, 1000), 10u);
  }
}

// Atom 0: is the byte of x odd? It is the first variable.
class XIsOdd : public Propositions {
 public:
  AtomValues atom_values(StateBytes state, std::shared_ptr<void>&, std::vector<Finding>&) const override {
    return {std::to_integer<std::uint64_t>(state[1]) & 1, 0};
  }
};

// A step of a product, executed alone, has the marks that it has among all steps, those of fairness included.
TEST(StepNames, AreEnoughBesideAClaim) {
  const auto program = program_of(promela::parse_text("claim.pml", R"(
byte x;
active proctype A() { do :: x < 3 -> x++ :: x > 0 -> x-- od }
active proctype B() { do :: x == 2 -> x = 0 od })",
                                                      {}),
                                  false);
  ltl::Automaton claim;
  claim.sets = 1;
  claim.states.resize(2);
  claim.states[0].edges = {{0, {}, 0}, {1, {1, 1}, 1}};
  claim.states[1].edges = {{1, {1, 1}, 1}, {0, {1, 0}, 0}};
  for (const bool is_fair : {false, true}) {
    const Interpreter system(program);
    const XIsOdd propositions;
    ClaimOptions how;
    how.is_fair = is_fair;
    const ClaimProduct product(system, propositions, claim, how);
    std::vector<Bytes> found = {product.initial_state()};
    std::size_t steps = 0;
    for (std::size_t at = 0; at < found.size(); ++at) {
      Expansion all;
      product.expand(found[at], all);
      for (std::size_t i = 0; i < all.successors.size(); ++i) {
        ++steps;
        Expansion one;
        ASSERT_TRUE(product.step(found[at], all.successors[i].step, one));
        ASSERT_EQ(one.successors.size(), 1u);
        EXPECT_EQ(one.successors[0].step, all.successors[i].step);
        EXPECT_EQ(one.marks[0], all.marks[i]) << is_fair;
        const Bytes target = bytes_of(all, all.successors[i]);
        EXPECT_EQ(bytes_of(one, one.successors[0]), target);
        if (std::ranges::find(found, target) == found.end()) found.push_back(target);
      }
    }
    EXPECT_GT(steps, 10u);
  }
}

// What can only be done because nothing else can has names of its own.
TEST(StepNames, TellRetriesApart) {
  const auto program = program_of(
      promela::parse_text("t.pml", "byte x; active proctype P() { if :: x == 1 :: timeout fi }", {}), false);
  const Interpreter system(program);
  Expansion out;
  system.expand(system.initial_state(), out);
  ASSERT_EQ(out.successors.size(), 1u);
  EXPECT_EQ(out.successors[0].step, StepId::first_of(0, true));
}

TEST(StepNames, HaveParts) {
  const StepId step = StepId::first_of(5, true).next().next().with_choice(9);
  EXPECT_EQ(step.group(), 5u);
  EXPECT_EQ(step.ordinal(), 2u);
  EXPECT_TRUE(step.is_retry());
  EXPECT_EQ(step.choice(), 9u);
  EXPECT_EQ(step.below(), StepId::first_of(5, true).next().next());
  EXPECT_EQ(StepId::stutter().with_choice(3).below(), StepId::stutter());
  EXPECT_NE(StepId::stutter().with_choice(StepId::kMostChoices - 1), StepId::none());
}

}  // namespace
}  // namespace spoor::exec
