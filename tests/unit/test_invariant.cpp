// Formulas that speak of one state or of two, their cases, and the layer that checks them.
#include "ltl/invariant.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "graph/fixed.h"
#include "layer/invariant_layer.h"
#include "ltl/parse_formula.h"
#include "model/trace.h"
#include "search/search.h"
#include "test_ltl_words.h"

namespace spoor {
namespace {

std::optional<ltl::Invariant> read_invariant(const std::string& text) {
  ltl::Formulas formulas;
  SourceSet sources;
  Diagnostics diagnostics;
  const std::uint32_t file = sources.add("formula", text);
  const std::optional<ltl::Formula> formula = ltl::parse(formulas, sources, file, diagnostics);
  EXPECT_TRUE(formula) << text;
  return formula ? ltl::invariant_of(formulas, *formula) : std::nullopt;
}

TEST(Invariant, IsAboutOneStateOrTwo) {
  EXPECT_FALSE(read_invariant("[] p")->looks_ahead());
  EXPECT_TRUE(read_invariant("[] (p -> X q)")->looks_ahead());
  EXPECT_TRUE(read_invariant("[] (X p && X q)")->looks_ahead());
  EXPECT_FALSE(read_invariant("[] (X p || !X p)")->looks_ahead());
  EXPECT_TRUE(read_invariant("[] (p || !p)")->violations.empty());
  EXPECT_EQ(read_invariant("[] false")->violations.size(), 1u);
}

TEST(Invariant, IsNoOtherFormula) {
  for (const char* text : {"p", "<> p", "[] <> p", "[] (p U q)", "[] X X p", "[] (p -> X (q && X p))",
                           "([] p) || q", "X [] p", "[] (p W q)"}) {
    EXPECT_FALSE(read_invariant(text)) << text;
  }
}

// A random condition on a state and the next one.
ltl::Formula random_condition(ltl::Formulas& formulas, std::mt19937& random, int depth, bool is_next) {
  const unsigned kind = random() % (depth == 0 ? 1 : is_next ? 4 : 5);
  const auto part = [&](bool next) { return random_condition(formulas, random, depth - 1, next); };
  switch (kind) {
    case 0: return *formulas.atom(random() % 2 == 0 ? "p" : "q");
    case 1: return formulas.negation(part(is_next));
    case 2: {
      const ltl::Formula left = part(is_next), right = part(is_next);
      return formulas.both(left, right);
    }
    case 3: {
      const ltl::Formula left = part(is_next), right = part(is_next);
      return formulas.either(left, right);
    }
    default: return formulas.next(part(true));
  }
}

TEST(Invariant, HasExactlyTheCasesInWhichItIsFalse) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    ltl::Formulas formulas;
    formulas.atom("p");
    formulas.atom("q");
    const ltl::Formula condition = random_condition(formulas, random, 4, false);
    const std::optional<ltl::Invariant> invariant = ltl::invariant_of(formulas, formulas.globally(condition));
    ASSERT_TRUE(invariant) << to_text(formulas, condition);
    for (std::uint64_t now = 0; now < 4; ++now) {
      for (std::uint64_t next = 0; next < 4; ++next) {
        const auto matches = [&](const ltl::Invariant::Case& each) {
          return each.now.matches(now) && each.next.matches(next);
        };
        const bool is_violated = std::ranges::any_of(invariant->violations, matches);
        EXPECT_EQ(is_violated, !ltl::holds(formulas, condition, {{now, next}, 1}))
            << to_text(formulas, condition) << ": " << now << ", " << next;
      }
    }
  }
}

// State i is the number i, which describe() writes; p, q and r are its bits. In state 7 p cannot be
// evaluated.
class BitsOfStates : public Propositions {
 public:
  explicit BitsOfStates(const FixedGraph& graph) : graph_(graph) {}
  AtomValues atom_values(StateBytes state, std::shared_ptr<void>&,
                         std::vector<Finding>& findings) const override {
    const std::string line = graph_.describe(state).front();
    const std::uint64_t number = std::stoull(line.substr(line.find_first_of("0123456789")));
    if (number != 7) return {number, 0};
    findings.push_back({FindingKind::kRuntimeError, 99});
    return {number & ~std::uint64_t{1}, 1};
  }

 private:
  const FixedGraph& graph_;
};

struct FoundError {
  FindingKind kind;
  std::size_t steps;  // of its trace
  bool is_of_step;
  friend bool operator==(const FoundError&, const FoundError&) = default;
};

// What a search of the circle 0 -> 1 -> ... -> 7 -> 0 finds.
std::vector<FoundError> errors_on_circle(const std::string& text) {
  FixedGraphOptions circle;
  for (std::uint32_t i = 0; i < 8; ++i) circle.edges.emplace_back(i, (i + 1) % 8);
  const FixedGraph graph(circle);
  const BitsOfStates bits(graph);
  const InvariantLayer layer(graph, bits, read_invariant(text).value(), text);
  SearchOptions options;
  options.all_errors = true;
  std::vector<FoundError> found;
  for (const Violation& violation : search(layer, options).violations) {
    const ReplayResult replayed = replay(layer, {violation.steps, violation.finding});
    EXPECT_TRUE(std::holds_alternative<ReplayedTrace>(replayed)) << text;
    const bool is_of_step = violation.finding.step != Finding::kStateItself;
    found.push_back({violation.finding.kind, violation.steps.size(), is_of_step});
  }
  return found;
}

TEST(InvariantLayer, FindsStatesAndSteps) {
  using Errors = std::vector<FoundError>;
  EXPECT_EQ(errors_on_circle("[] (p || !p)"), Errors());
  EXPECT_EQ(errors_on_circle("[] !(p && q && !r)"), (Errors{{FindingKind::kClaim, 3, false}}));
  EXPECT_EQ(errors_on_circle("[] !(p && !q && !r && X !q)"), Errors());
  EXPECT_EQ(errors_on_circle("[] !(p && q && !r && X !q)"), (Errors{{FindingKind::kClaim, 4, true}}));
}

TEST(InvariantLayer, ReportsWhatCannotBeEvaluatedWhereItMatters) {
  using Errors = std::vector<FoundError>;
  EXPECT_EQ(errors_on_circle("[] !(p && q && r)"), (Errors{{FindingKind::kRuntimeError, 7, false}}));
  EXPECT_EQ(errors_on_circle("[] !(!p && q && r && X p)"), (Errors{{FindingKind::kRuntimeError, 7, true}}));
}

}  // namespace
}  // namespace spoor
