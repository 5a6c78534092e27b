// Columns of an expansion: there when asked for and only then, one entry per successor, the same from the
// interpreter and from native code, and kept in step with the successors by every layer.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "exec/emit.h"
#include "exec/interpreter.h"
#include "exec/native.h"
#include "graph/fixed.h"
#include "layer/claim_product.h"
#include "layer/labelled_cycles.h"
#include "layer/reduction_check.h"
#include "ltl/automaton.h"
#include "search/one_mark.h"
#include "search/reduction_plan.h"
#include "unit/golden_programs.h"

namespace spoor {
namespace {

using exec::Interpreter;
using exec::NativeSystem;
using exec::Tier;
using Bytes = std::vector<std::byte>;

constexpr Columns kAll{.movers = true, .labels = true, .executed = true};
constexpr Columns kOfSteps{.movers = true, .labels = true, .executed = false};

Bytes bytes_of(const Expansion& expansion, const Successor& successor) {
  const StateBytes bytes = expansion.state(successor);
  return {bytes.begin(), bytes.end()};
}

Expansion expand(const TransitionSystem& system, StateBytes state, Columns columns, bool may_reduce = false) {
  Expansion out;
  out.asked.columns = columns;
  out.asked.may_reduce = may_reduce;
  system.expand(state, out);
  return out;
}

bool has_room_for_movers(const Bytes& state) {  // of a Promela model
  return std::to_integer<std::uint32_t>(state[0]) <= exec::kMostMovers;
}

// The first states that are found, in the order of a breadth-first search.
std::vector<Bytes> states_of(const TransitionSystem& system, std::size_t limit) {
  std::vector<Bytes> found = {system.initial_state()};
  std::set<Bytes> known = {found.front()};
  for (std::size_t at = 0; at < found.size() && found.size() < limit; ++at) {
    const Expansion out = expand(system, found[at], {});
    for (const Successor& successor : out.successors) {
      if (known.insert(bytes_of(out, successor)).second) found.push_back(bytes_of(out, successor));
    }
  }
  return found;
}

// What the columns say of each step, by its name.
struct Row {
  std::uint64_t movers = 0;
  std::uint32_t label = 0;
  bool operator==(const Row&) const = default;
};
using Rows = std::map<StepId, Row>;

Rows rows_of(const Expansion& out) {
  EXPECT_EQ(out.movers.size(), out.successors.size());
  EXPECT_EQ(out.labels.size(), out.successors.size());
  Rows rows;
  for (std::size_t i = 0; i < out.successors.size() && i < out.labels.size(); ++i)
    rows[out.successors[i].step] = {out.movers[i], out.labels[i]};
  return rows;
}

// Of one state: the columns of a reduced expansion and of steps executed alone are those of the expansion in
// full, and without being asked for there are none.
Rows check_state(const TransitionSystem& system, StateBytes state) {
  const Expansion all = expand(system, state, kAll);
  Rows rows = rows_of(all);
  EXPECT_EQ(all.executed.size(), system.statements().size());
  for (const auto& [step, row] : rows) EXPECT_NE(all.executed[row.label], 0);

  const Expansion some = expand(system, state, kAll, true);
  std::uint64_t begin = 0;
  for (const auto& [step, row] : rows_of(some)) {
    EXPECT_EQ(row, rows[step]) << "of a reduced expansion";
    begin |= row.movers;
  }
  EXPECT_EQ(some.enabled & ~all.enabled, 0u);
  if (some.is_reduced) {
    EXPECT_EQ(some.enabled & ~begin, 0u);
  } else {
    EXPECT_EQ(some.enabled, all.enabled);
  }

  for (const auto& [step, row] : rows) {
    Expansion one;
    one.asked.columns = kOfSteps;
    EXPECT_TRUE(system.step(state, step, one));
    EXPECT_EQ(rows_of(one), (Rows{{step, row}})) << "of a step executed alone";
  }
  const Expansion none = expand(system, state, {}, true);
  EXPECT_TRUE(none.movers.empty() && none.labels.empty() && none.executed.empty());
  EXPECT_EQ(none.enabled, 0u);
  return rows;
}

TEST(Columns, LabelsAreTheStatementsThatExplanationsBeginWith) {
  std::size_t programs = 0, steps = 0;
  for_each_golden_program([&](const std::string& name, const auto& program) {
    SCOPED_TRACE(name);
    ++programs;
    const Interpreter system(program);
    for (const Bytes& state : states_of(system, 300)) {
      if (!has_room_for_movers(state)) continue;
      for (const auto& [step, row] : check_state(system, state)) {
        ++steps;
        const Explanation explanation = system.explain(state, step);
        const Action& first = explanation.actions.front();
        ASSERT_LT(row.label, system.statements().size());
        EXPECT_EQ(program->statements[row.label].position, first.position);
        EXPECT_EQ(program->statements[row.label].text, first.statement);
        const Element& statement = system.statements()[row.label];
        EXPECT_TRUE(statement.text.empty() || statement.text == first.statement);
        std::uint64_t movers = 0;
        for (const Action& action : explanation.actions) movers |= std::uint64_t{1} << action.process;
        EXPECT_EQ(row.movers & ~Expansion::kPassesAccepting, movers);
      }
      if (testing::Test::HasFailure()) return;
    }
  });
  EXPECT_GT(programs, 300u);
  EXPECT_GT(steps, 4000u);
}

// The tier that runs both compares every expansion, columns and all, and throws where they differ. Here are
// some of the models, because each is compiled; tests/suites/test_native.py has that tier run all of them,
// with labels.
TEST(Columns, AreTheSameInNativeCode) {
  exec::Options options;
  options.native_columns = kOfSteps;
  constexpr std::size_t kOneIn = 8;
  std::size_t models = 0, programs = 0, states = 0;
  for_each_golden_program([&](const std::string& name, const auto& program) {
    // What reductions change in a program is a superset: one compilation per model is enough.
    if (!program->uses_stubborn_sets || exec::why_not_native(*program) || models++ % kOneIn != 0) return;
    SCOPED_TRACE(name);
    const NativeSystem system(std::make_unique<Interpreter>(program, options), options, Tier::kBoth);
    if (!system.is_native()) return;
    ++programs;
    const Interpreter reference(program);
    for (const Bytes& state : states_of(system, 60)) {
      if (!has_room_for_movers(state)) continue;
      ++states;
      EXPECT_EQ(check_state(system, state), rows_of(expand(reference, state, kAll)));
      if (testing::Test::HasFailure()) return;
    }
  });
  if (programs == 0) GTEST_SKIP() << "there is no C compiler";
  EXPECT_GT(programs, 15u);
  EXPECT_GT(states, 100u);
}

// Handshakes inside and outside of atomic sequences, an accept label that no state shows, a timeout.
constexpr const char* kMoversModel = R"(
chan q = [0] of { byte }; byte x;
active proctype A() {
  do
  :: atomic { x == 0 -> x = 1; accept_in: q!1; x = 2 }
  :: q!2
  :: timeout -> x = 0
  od
}
active [2] proctype B() {
  byte v;
  end: do :: q?v :: atomic { q?v; x = 0 } od
}
)";

std::shared_ptr<promela::Program> shared_program(const std::string& text, bool reduce = false) {
  return program_of(promela::parse_text("columns.pml", text, {}), reduce);
}

TEST(Columns, OfAHandshakeAreTheSendersLabelAndBothMovers) {
  const auto program = shared_program(kMoversModel);
  const Interpreter system(program);
  const Bytes initial = system.initial_state();
  const auto text = [&](const Row& row) { return program->statements[row.label].text; };
  std::map<std::string, std::set<std::uint64_t>> movers;
  for (const auto& [step, row] : check_state(system, initial)) movers[text(row)].insert(row.movers);
  const std::map<std::string, std::set<std::uint64_t>> expected = {
      // The sequence begins with its guard, whatever follows in it.
      {"((x==0))", {Expansion::kPassesAccepting | 3, Expansion::kPassesAccepting | 5}},
      {"q!2", {3, 5}}};
  EXPECT_EQ(movers, expected);
}

// A column that native code was not made to write is written all the same.
TEST(Columns, AreThereWhenNativeCodeDoesNotHaveThem) {
  const auto program = shared_program(kMoversModel, true);
  const Interpreter reference(program);
  for (const Columns made : {Columns{}, Columns{.movers = true}, Columns{.labels = true}}) {
    exec::Options options;
    options.native_columns = made;
    const NativeSystem system(std::make_unique<Interpreter>(program, options), options, Tier::kNative);
    if (!system.is_native()) GTEST_SKIP() << system.failure();
    for (const Bytes& state : states_of(reference, 100))
      EXPECT_EQ(check_state(system, state), check_state(reference, state));
  }
}

TEST(Columns, OfManyProcessesAreRefusedWhereTheyHaveNoRoom) {
  const auto program = shared_program("active [61] proctype P() { skip }");
  const Interpreter system(program);
  const Bytes state = system.initial_state();
  EXPECT_THROW(expand(system, state, {.movers = true}), NotSupported);
  EXPECT_EQ(expand(system, state, {.labels = true}).labels.size(), 61u);
  exec::Options options;
  options.native_columns = kOfSteps;
  const NativeSystem native(std::make_unique<Interpreter>(program, options), options, Tier::kNative);
  EXPECT_THROW(expand(native, state, {.movers = true}), NotSupported);
  EXPECT_EQ(expand(native, state, {.labels = true}).labels.size(), 61u);
}

// Attempts of a reduction that come to nothing leave no entries behind: here the first process fails.
TEST(Columns, AreTakenBackWithAReductionThatFails) {
  const auto program = shared_program(R"(
byte x;
active proctype A() { x = 1 }
active proctype B() { byte i; do :: i = 1 :: assert(i != 0); i = 2 od })",
                                      true);
  const Interpreter system(program);
  for (const Bytes& state : states_of(system, 100)) check_state(system, state);
}

TEST(Columns, FollowTheSuccessorsThatAreKept) {
  const auto program = shared_program(kMoversModel);
  const Interpreter system(program);
  Expansion out;
  out.asked.columns = kAll;
  system.expand(system.initial_state(), out);
  const Rows first = rows_of(out);
  const Successor last = out.successors.back();
  out.begin_next();
  system.expand(system.initial_state(), out);
  ASSERT_EQ(out.successors.size(), 2 * first.size());
  EXPECT_TRUE(keep_only(last.step, out));
  ASSERT_EQ(out.labels.size(), first.size() + 1);
  EXPECT_EQ(out.labels.back(), first.at(last.step).label);
  EXPECT_EQ(out.movers.back(), first.at(last.step).movers);
  out.forget_last();
  EXPECT_EQ(rows_of(out), first);
  out.clear();
  EXPECT_TRUE(out.labels.empty() && out.movers.empty());
}

TEST(Columns, OfAGraphAreItsLabelsAndOneMover) {
  FixedGraphOptions options;
  options.edges = {{0, 1}, {0, 2}, {0, 0}, {1, 0}};
  options.planted.push_back({0, {FindingKind::kAssertion, 7, StepId(1)}, true});
  const FixedGraph graph(options);
  const Rows rows = check_state(graph, graph.initial_state());
  EXPECT_EQ(rows, (Rows{{StepId(0), {1, 0}}, {StepId(2), {1, 2}}})) << "the second step has no successor";
  EXPECT_EQ(expand(graph, graph.initial_state(), kAll).executed, (std::vector<std::uint8_t>{1, 1, 1, 0}));
}

// Atom 0: is the first variable, x, odd?
class XIsOdd : public Propositions {
 public:
  AtomValues atom_values(StateBytes state, std::shared_ptr<void>&, std::vector<Finding>&) const override {
    return {std::to_integer<std::uint64_t>(state[1]) & 1, 0};
  }
};

constexpr const char* kEnding = R"(
byte x;
active proctype A() { if :: x = 1 :: x = 2 fi; atomic { x = 3; accept_in: x = 5 } }
active proctype B() { do :: x > 2 -> break :: x < 3 -> skip od }
)";

// The columns of a layer's steps are those of the steps below them. `own_bytes`: what the layer adds to a
// state.
void check_layer(const OmegaSystem& layer, const TransitionSystem& system, std::ptrdiff_t own_bytes) {
  std::size_t stutters = 0, steps = 0;
  for (const Bytes& state : states_of(layer, 200)) {
    const Bytes below(state.begin(), state.end() - own_bytes);
    const Rows known = rows_of(expand(system, below, kAll));
    for (const auto& [step, row] : rows_of(expand(layer, state, kAll))) {
      const std::optional<StepId> step_below = layer.step_below(state, step);
      ++(step_below ? steps : stutters);
      EXPECT_EQ(row, step_below ? known.at(*step_below) : (Row{0, Expansion::kStutterLabel}));
      Expansion one;
      one.asked.columns = kOfSteps;
      EXPECT_TRUE(layer.step(state, step, one));
      EXPECT_EQ(rows_of(one), (Rows{{step, row}}));
    }
  }
  EXPECT_GT(steps, 10u);
  EXPECT_GT(stutters, 0u);
}

// What a layer needs for itself changes no marks, and is gone afterwards.
void check_own_columns(const OmegaSystem& layer) {
  Expansion with, without;
  with.asked.columns = kAll;
  for (const Bytes& state : states_of(layer, 50)) {  // one behind the other
    with.begin_next();
    layer.expand(state, with);
    without.begin_next();
    layer.expand(state, without);
    EXPECT_TRUE(std::ranges::equal(with.marks, without.marks));
    EXPECT_EQ(with.labels.size(), with.successors.size());
    EXPECT_EQ(with.movers.size(), with.successors.size());
    EXPECT_TRUE(without.movers.empty() && without.labels.empty());
    EXPECT_EQ(without.enabled, 0u);
  }
}

TEST(Columns, OfAProductAreThoseOfTheModel) {
  const auto program = shared_program(kEnding);
  const Interpreter system(program);
  const XIsOdd propositions;
  ltl::Automaton claim;
  claim.sets = 1;
  claim.states.resize(2);
  claim.states[0].edges = {{0, {}, 0}, {1, {1, 1}, 1}};
  claim.states[1].edges = {{1, {1, 1}, 1}, {0, {1, 0}, 0}};
  for (const bool is_fair : {false, true}) {
    for (const bool counts_passed_labels : {false, true}) {
      ClaimOptions options;
      options.is_fair = is_fair;
      options.counts_passed_labels = counts_passed_labels;
      const ClaimProduct product(system, propositions, claim, options);
      check_layer(product, system, 1);
      check_own_columns(product);
      const OneMark one_mark(product);
      check_layer(one_mark, system, 2);
      check_own_columns(one_mark);
    }
  }
}

TEST(Columns, OfLabelledCyclesAreThoseOfTheModel) {
  const auto program = shared_program(kEnding);
  const Interpreter system(program);
  const XIsOdd propositions;
  for (const bool is_fair : {false, true}) {
    for (const bool counts_passed_labels : {false, true}) {
      const LabelledCycles cycles(system, propositions, LabelledCycles::Labels::kAccept,
                                  {is_fair, counts_passed_labels});
      check_layer(cycles, system, 0);
      check_own_columns(cycles);
    }
  }
}

TEST(Columns, AreNeededByFairness) {
  class Silent : public Interpreter {
   public:
    using Interpreter::Interpreter;
    std::uint32_t most_movers() const override { return 0; }
  };
  const Silent system(shared_program(kEnding));
  const XIsOdd propositions;
  EXPECT_THROW(LabelledCycles(system, propositions, LabelledCycles::Labels::kAccept, {true, false}),
               NotSupported);
  EXPECT_THROW(LabelledCycles(system, propositions, LabelledCycles::Labels::kAccept, {false, true}),
               NotSupported);
}

// A plan keeps names and targets of steps only.
TEST(Columns, OfAPlannedReductionAreThoseOfTheModel) {
  const auto program = shared_program(R"(
byte x;
active [2] proctype A() { byte i; do :: i < 2 -> i++; x = i od }
active proctype B() { byte j; j = 1; j = 2; x = j })",
                                      true);
  const Interpreter system(program);
  const XIsOdd propositions;
  ReductionPlan plan;
  plan.begin(system, propositions, {});
  ASSERT_FALSE(plan.advance().has_value());
  std::size_t reduced = 0;
  std::vector<Bytes> found = {plan.system().initial_state()};
  for (std::size_t at = 0; at < found.size(); ++at) {
    const Rows known = rows_of(expand(system, plan.state_of(found[at]), kAll));
    for (const bool may_reduce : {false, true}) {
      const Expansion out = expand(plan.system(), found[at], kAll, may_reduce);
      reduced += out.is_reduced_for_deadlocks ? 1 : 0;
      for (const auto& [step, row] : rows_of(out)) EXPECT_EQ(row, known.at(step));
      for (const Successor& successor : out.successors) {
        const Bytes target = bytes_of(out, successor);
        if (std::ranges::find(found, target) == found.end()) found.push_back(target);
      }
    }
  }
  EXPECT_GT(reduced, 5u);
}

TEST(Columns, PassThroughTheCheckOfTheReduction) {
  const auto program = shared_program(kMoversModel, true);
  const Interpreter system(program);
  const ReductionCheck check(system);
  for (const Bytes& state : states_of(system, 50))
    EXPECT_EQ(check_state(check, state), check_state(system, state));
  EXPECT_FALSE(check.fault().has_value());
}

}  // namespace
}  // namespace spoor
