// What embedded C sees of a model, and the layer that keeps uncounted bytes out of states.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "exec/unmatched.h"
#include "promela/compile.h"
#include "promela/parse.h"
#include "search/search.h"
#include "unit/quiet_system.h"
#include "unit/step_names.h"

namespace spoor {
namespace {

promela::Program compiled(const std::string& text) {
  promela::ParseResult parsed = promela::parse_text("test.pml", text, {});
  promela::Program program = promela::compile(parsed.model, parsed.sources, parsed.diagnostics);
  EXPECT_FALSE(parsed.diagnostics.has_errors()) << parsed.diagnostics.all().front().message;
  return program;
}

std::string declarations(const std::vector<promela::ForeignVariable>& variables) {
  std::string out;
  for (const auto& variable : variables)
    out += (out.empty() ? "" : ", ") + variable.declaration + (variable.is_hidden ? " (hidden)" : "");
  return out;
}

TEST(Foreign, VariablesHaveTheTypesOfSpin) {
  const promela::Program program = compiled(
      "typedef R { bit b; short s[2] }\n"
      "bit b; bool f; bool fs[3]; byte y; pid p; short s; int i[2]; unsigned u : 3; mtype = { one }; mtype m; chan q; R r[2];\n"
      "hidden byte h;\n"
      "active proctype P() { c_code { ; } }\n");
  EXPECT_EQ(
      declarations(program.foreign.globals),
      "unsigned b : 1, unsigned f : 1, uchar fs[3], uchar y, uchar p, short s, int i[2], unsigned u : 3, uchar m, uchar q, "
      "struct R r[2], uchar h (hidden)");
  EXPECT_EQ(program.foreign.records, std::vector<std::string>{"struct R { unsigned b : 1; short s[2]; };"});
}

TEST(Foreign, ALocalNameThatStandsForTwoVariablesIsNotSeen) {
  const promela::Program program = compiled(
      "proctype P(byte a) { int x; { int y; y = 1 }; { int z; z = 1 }; { int z; z = 2 }; c_code { ; } } init { run P(1) }");
  EXPECT_EQ(declarations(program.foreign.locals[0]), "uchar a, int x, int y");
}

TEST(Foreign, DataAreSortedWithTheUncountedLast) {
  const promela::Program program = compiled(
      "c_track \"&a\" \"4\" \"UnMatched\" c_track \"&b\" \"4\" c_state \"int c\" \"Global\" \"3\" c_state \"int *d[2]\" \"Local P\" \"0\"\n"
      "active proctype P() { skip }");
  std::string order;
  for (const auto& data : program.foreign.data) order += data.text + " ";
  EXPECT_EQ(order, "int c &b &a int *d[2] ");
  EXPECT_EQ(program.foreign.fragments[program.foreign.initial].code, "now.c = 3; ");
  EXPECT_EQ(program.foreign.fragments[program.foreign.at_start[0]].code, "((P0 *)_this)->d = 0; ");
}

TEST(Foreign, PreconditionsBelongToTheStatement) {
  const promela::Program program = compiled(
      "byte x; active proctype P() { c_expr [now.x < 3] { now.x } && x > 0; c_code [now.x] { ; }; x = 1 }");
  std::vector<std::size_t> counts;
  for (const promela::Statement& s : program.statements) {
    if (s.op == promela::StatementOp::kCondition || s.op == promela::StatementOp::kEmbedded ||
        s.op == promela::StatementOp::kAssign)
      counts.push_back(s.preconditions.size());
  }
  EXPECT_EQ(counts, (std::vector<std::size_t>{1, 1, 0}));
}

// Four bytes: a digit, two that count the steps to here (and are to be cut out), a digit. Either digit
// can be increased.
class Steps : public QuietSystem {
 public:
  std::vector<std::byte> initial_state() const override { return std::vector<std::byte>(4); }
  void expand(StateBytes state, Expansion& out) const override {
    for (std::uint32_t i = 0; i < 2; ++i) {
      const auto offset = static_cast<std::uint32_t>(out.arena.size());
      out.arena.append(state);
      increase(out.arena[offset + 3 * i], 4);
      increase(out.arena[offset + 1], 256);
      increase(out.arena[offset + 2], 256);
      out.successors.push_back({StepId(i), offset, 4});
    }
  }
  Explanation explain(StateBytes state, StepId step) const override {
    Expansion expansion;
    expand(state, expansion);
    const StateBytes target = expansion.state(expansion.successors[step.ordinal()]);
    Explanation result;
    result.target.assign(target.begin(), target.end());
    return result;
  }
  std::vector<std::string> describe(StateBytes state) const override {
    std::string text;
    for (const std::byte b : state) text += std::to_string(std::to_integer<int>(b));
    return {text};
  }

 private:
  static void increase(std::byte& digit, int base) {
    digit = static_cast<std::byte>((std::to_integer<int>(digit) + 1) % base);
  }
};

TEST(Unmatched, BytesThatAreCutOutDoNotTellStatesApart) {
  for (const Order order : {Order::kBreadthFirst, Order::kDepthFirst}) {
    const exec::UnmatchedLayer layer(std::make_shared<Steps>(), 1, 2, exec::make_unmatched_data());
    SearchOptions options;
    options.order = order;
    const SearchResult result = search(layer, options);
    EXPECT_EQ(result.statistics.states, 16u);
    EXPECT_EQ(layer.initial_state().size(), 2u);
  }
}

TEST(Unmatched, AStateKeepsTheBytesOfItsFirstArrival) {
  const auto data = exec::make_unmatched_data();
  const exec::UnmatchedLayer layer(std::make_shared<Steps>(), 1, 2, data);
  const exec::UnmatchedLayer other(std::make_shared<Steps>(), 1, 2, data);
  std::vector<std::byte> state = layer.initial_state();
  for (const StepId step : step_names({0, 1, 1, 1})) state = layer.explain(state, step).target;
  EXPECT_EQ(layer.describe(state), std::vector<std::string>{"1443"});
  EXPECT_EQ(other.describe(state), std::vector<std::string>{"1443"}) << "layers share what they remember";
  for (const StepId step : step_names({1, 0, 1, 0, 0, 0, 1, 1})) state = layer.explain(state, step).target;
  EXPECT_EQ(layer.describe(state), std::vector<std::string>{"1443"}) << "a later arrival changes nothing";
  EXPECT_THROW(layer.describe(std::vector<std::byte>{std::byte{3}, std::byte{3}}), std::logic_error);
}

}  // namespace
}  // namespace spoor
