// Products of systems with claims: random graphs against random formulas.
//
// The verdict is compared with that of the whole product graph and a textbook search for components. Every
// counterexample is judged by the semantics of the formula, which knows nothing of automata.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "graph/fixed.h"
#include "layer/claim_product.h"
#include "ltl/translate.h"
#include "model/trace.h"
#include "search/search.h"
#include "test_ltl_words.h"

namespace spoor {
namespace {

constexpr std::uint32_t kAtoms = 3;

struct LabelledGraph {
  FixedGraphOptions options;
  std::vector<std::uint64_t> letters;               // by state
  std::vector<std::vector<std::uint32_t>> targets;  // by state

  std::uint32_t states() const { return static_cast<std::uint32_t>(letters.size()); }
  // Where nothing can happen any more the same happens for ever.
  std::vector<std::uint32_t> next(std::uint32_t state) const {
    return targets[state].empty() ? std::vector<std::uint32_t>{state} : targets[state];
  }
};

LabelledGraph random_graph(std::mt19937& random) {
  LabelledGraph graph;
  const auto states = static_cast<std::uint32_t>(1 + random() % 6);
  graph.targets.resize(states);
  for (std::uint32_t state = 0; state < states; ++state) {
    graph.letters.push_back(random() % (1u << kAtoms));
    for (std::uint64_t i = random() % 3; i > 0; --i) {
      graph.targets[state].push_back(static_cast<std::uint32_t>(random() % states));
      graph.options.edges.emplace_back(state, graph.targets[state].back());
    }
  }
  return graph;
}

// States that no edge names do not count, so the number of a state is not what its bytes say.
std::uint32_t number_of(const FixedGraph& system, StateBytes state) {
  return system.graph().number(graph_state(state));
}

class GraphPropositions : public Propositions {
 public:
  GraphPropositions(const LabelledGraph& graph, const FixedGraph& system) : graph_(graph), system_(system) {}
  AtomValues atom_values(StateBytes state, std::shared_ptr<void>&, std::vector<Finding>&) const override {
    return {graph_.letters[number_of(system_, state)], 0};
  }

 private:
  const LabelledGraph& graph_;
  const FixedGraph& system_;
};

bool product_accepts(const LabelledGraph& graph, const ltl::Automaton& claim) {
  ltl::WordGraph product;
  const std::size_t n = graph.states();
  product.steps.resize(claim.states.size() * n);
  product.all_marks = claim.all_marks();
  product.initial = claim.initial * n;
  for (std::size_t q = 0; q < claim.states.size(); ++q) {
    for (std::uint32_t s = 0; s < n; ++s) {
      for (const ltl::Edge& edge : claim.states[q].edges) {
        if (!edge.label.matches(graph.letters[s])) continue;
        const Marks marks =
            claim.is_state_based ? (claim.states[q].accepting ? claim.all_marks() : 0) : edge.marks;
        for (const std::uint32_t target : graph.next(s))
          product.steps[q * n + s].push_back({edge.target * n + target, marks});
      }
    }
  }
  return product.accepts();
}

// The word of a counterexample; one that ends is gone on with in some way.
ltl::Lasso word_of(const LabelledGraph& graph, const FixedGraph& system, const ReplayedTrace& trace,
                   std::optional<std::size_t> loop, std::mt19937& random) {
  ltl::Lasso word;
  for (const std::vector<std::byte>& state : trace.states)
    word.letters.push_back(graph.letters[number_of(system, state)]);
  if (loop) {
    word.letters.pop_back();
    word.loop = *loop;
    return word;
  }
  std::uint32_t at = number_of(system, trace.states.back());
  std::map<std::uint32_t, std::size_t> met{{at, word.letters.size() - 1}};
  for (;;) {
    const std::vector<std::uint32_t> next = graph.next(at);
    at = next[random() % next.size()];
    const auto [known, is_new] = met.try_emplace(at, word.letters.size());
    if (!is_new) {
      word.loop = known->second;
      return word;
    }
    word.letters.push_back(graph.letters[at]);
  }
}

struct Case {
  const LabelledGraph& graph;
  const ltl::Formulas& formulas;
  ltl::Formula formula = 0;
  std::string text;
};

void expect_counterexample(const Case& c, const FixedGraph& system, const ClaimProduct& product,
                           const SearchResult& result, std::mt19937& random) {
  ASSERT_TRUE(std::holds_alternative<Violated>(result.outcome)) << c.text;
  const Violation& violation = result.violations.front();
  const ReplayResult replayed = replay(product, {violation.steps, violation.finding, violation.loop});
  const auto* error = std::get_if<ReplayError>(&replayed);
  ASSERT_EQ(error, nullptr) << c.text << ": " << error->message();
  for (int i = 0; i < 3; ++i) {
    const ltl::Lasso word =
        word_of(c.graph, system, std::get<ReplayedTrace>(replayed), violation.loop, random);
    EXPECT_FALSE(ltl::holds(c.formulas, c.formula, word)) << c.text;
  }
}

void check(const Case& c, const ltl::Automaton& claim, std::mt19937& random) {
  const FixedGraph system(c.graph.options);
  const GraphPropositions propositions(c.graph, system);
  if (claim.is_empty()) return;
  const ClaimProduct product(system, propositions, claim, {"f"});
  const bool is_violated = product_accepts(c.graph, claim);
  std::vector<SearchResult> results{search_cycles(product, {})};
  SearchOptions options;
  options.store = StoreKind::kTree;
  results.push_back(search_cycles(product, options));
  if (!product.has_cycles()) {
    results.push_back(search(product, {}));
    options.store = StoreKind::kCompact;
    results.push_back(search(product, options));
  }
  for (const SearchResult& result : results) {
    if (is_violated) {
      expect_counterexample(c, system, product, result, random);
    } else {
      EXPECT_FALSE(std::holds_alternative<Violated>(result.outcome)) << c.text;
      EXPECT_FALSE(result.limit.has_value());
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(ClaimProduct, DecidesRandomFormulasOnRandomGraphs) {
  ltl::Formulas formulas;
  ltl::RandomFormulas make(formulas, kAtoms, 11);
  std::mt19937 random(5);
  int violated = 0, terminal = 0, strong = 0;
  for (int round = 0; round < 400; ++round) {
    const LabelledGraph graph = random_graph(random);
    const ltl::Formula formula = make.make(1 + round % 6);
    const Case c{graph, formulas, formula,
                 "round " + std::to_string(round) + ": " + ltl::to_text(formulas, formula)};
    Diagnostics diagnostics;
    for (const ltl::Target target : {ltl::Target::kBuchi, ltl::Target::kGeneralized}) {
      const auto claim =
          ltl::translate(formulas, formulas.negation(formula), {target, false}, {}, diagnostics);
      ASSERT_TRUE(claim.has_value());
      check(c, *claim, random);
      if (testing::Test::HasFailure()) return;
      if (claim->is_empty()) continue;
      violated += product_accepts(graph, *claim) ? 1 : 0;
      terminal += claim->strength == ltl::Strength::kTerminal ? 1 : 0;
      strong += claim->strength == ltl::Strength::kStrong ? 1 : 0;
    }
  }
  // All ways of deciding have been taken, and both verdicts given.
  EXPECT_GT(violated, 100);
  EXPECT_LT(violated, 700);
  EXPECT_GT(terminal, 50);
  EXPECT_GT(strong, 20);
}

ltl::Automaton claim_against(ltl::Formulas& formulas, ltl::Formula formula) {
  Diagnostics diagnostics;
  return *ltl::translate(formulas, formulas.negation(formula), {}, {}, diagnostics);
}

TEST(ClaimProduct, LetsAFiniteRunStutterAtItsEnd) {
  LabelledGraph graph;  // a, then b, then nothing
  graph.letters = {1, 2};
  graph.targets = {{1}, {}};
  graph.options.edges = {{0, 1}};
  const FixedGraph system(graph.options);
  const GraphPropositions propositions(graph, system);
  ltl::Formulas formulas;
  const ltl::Formula a = *formulas.atom("a"), b = *formulas.atom("b");
  const auto verdict = [&](ltl::Formula formula) {
    const ltl::Automaton claim = claim_against(formulas, formula);
    return std::holds_alternative<Violated>(
        search_cycles(ClaimProduct(system, propositions, claim, {"f"}), {}).outcome);
  };
  EXPECT_FALSE(verdict(formulas.finally(formulas.globally(b))));
  EXPECT_TRUE(verdict(formulas.globally(formulas.finally(a))));
  EXPECT_TRUE(verdict(formulas.finally(formulas.globally(a))));
}

TEST(ClaimProduct, ReportsWhatIsWrongWithTheSystemButNoDeadlocks) {
  LabelledGraph graph;
  graph.letters = {0, 0, 0};
  graph.targets = {{1, 2}, {}, {}};
  graph.options.edges = {{0, 1}, {0, 2}};
  graph.options.planted = {{0, {FindingKind::kAssertion, 4, StepId(1)}, false}};
  const FixedGraph system(graph.options);
  const GraphPropositions propositions(graph, system);
  ltl::Formulas formulas;
  const ltl::Automaton claim =
      claim_against(formulas, formulas.globally(formulas.finally(formulas.negation(*formulas.atom("a")))));
  const ClaimProduct product(system, propositions, claim, {"f"});
  SearchOptions options;
  options.all_errors = true;
  const SearchResult result = search_cycles(product, options);
  ASSERT_EQ(result.violations.size(), 1u);
  EXPECT_EQ(result.violations[0].finding.kind, FindingKind::kAssertion);
  const ReplayResult replayed = replay(product, {result.violations[0].steps, result.violations[0].finding});
  EXPECT_TRUE(std::holds_alternative<ReplayedTrace>(replayed));
}

// What a claim accepts does not depend on how its edges are written down.
TEST(ClaimProduct, KnowsTheEndOfATerminalClaimInAnyForm) {
  LabelledGraph graph;
  graph.letters = {1, 1, 0};
  graph.targets = {{1}, {2, 0}, {2}};
  graph.options.edges = {{0, 1}, {1, 2}, {1, 0}, {2, 2}};
  const FixedGraph system(graph.options);
  const GraphPropositions propositions(graph, system);
  ltl::Automaton claim;  // the first atom is false once; then anything, in two states and with two edges each
  claim.sets = 1;
  claim.strength = ltl::Strength::kTerminal;
  const ltl::Cube yes{1, 1}, no{1, 0};
  claim.states.resize(3);
  claim.states[0].edges = {{0, yes, 0}, {1, no, 0}};
  claim.states[1].edges = {{2, yes, 1}, {2, no, 0}};
  claim.states[2].edges = {{1, yes, 1}, {1, no, 1}};
  const ClaimProduct product(system, propositions, claim, {"f"});
  EXPECT_FALSE(product.has_cycles());
  const SearchResult result = search(product, {});
  ASSERT_EQ(result.violations.size(), 1u);
  EXPECT_EQ(result.violations[0].finding.kind, FindingKind::kClaim);
  EXPECT_EQ(result.violations[0].steps.size(), 2u);
}

TEST(ClaimProduct, FindsCyclesOfAWeakClaimWhereverItsMarksAre) {
  LabelledGraph graph;
  graph.letters = {0};
  graph.targets = {{0}};
  graph.options.edges = {{0, 0}};
  const FixedGraph system(graph.options);
  const GraphPropositions propositions(graph, system);
  ltl::Automaton claim;
  claim.sets = 1;
  claim.strength = ltl::Strength::kWeak;
  claim.states.resize(2);
  claim.states[0].edges = {{1, {1, 0}, 1}};
  claim.states[1].edges = {{0, {1, 0}, 0}};
  const SearchResult result = search_cycles(ClaimProduct(system, propositions, claim, {"f"}), {});
  EXPECT_TRUE(std::holds_alternative<Violated>(result.outcome));
}

TEST(ClaimProduct, IsNoProductWithAClaimWithoutStates) {
  const FixedGraph system({});
  const LabelledGraph graph;
  const GraphPropositions propositions(graph, system);
  EXPECT_THROW(ClaimProduct(system, propositions, ltl::Automaton(), {"f"}), std::invalid_argument);
}

}  // namespace
}  // namespace spoor
