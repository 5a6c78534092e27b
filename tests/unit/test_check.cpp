// The library between search and report: a whole check, without the program around it.
#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/temporary_folder.h"
#include "check/check.h"
#include "check/checkpoint_identity.h"
#include "check/control.h"
#include "check/front_end.h"
#include "check/property.h"
#include "check/property_check.h"
#include "check/sound_reductions.h"
#include "model/trace.h"
#include "quiet_system.h"

namespace spoor {
namespace {

// Models as files, because a front end reads files.
class Check : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    const std::string path = folder_.path() + "/" + name;
    EXPECT_EQ(write_file_atomically(path, text), "");
    return path;
  }
  std::string model(const std::string& text) { return file("model.pml", text); }

  // Interpreted, with one thread.
  static CheckOptions plain() {
    CheckOptions options;
    options.threads = 1;
    options.exec = ExecutionChoice::kInterpreter;
    options.model.reduce = "default";
    return options;
  }

  static std::vector<CheckReport> reports_of(const CheckAnswer& answer) {
    if (const auto* error = std::get_if<InputError>(&answer)) {
      ADD_FAILURE() << error->message;
      for (const Diagnostic& one : error->diagnostics.all())
        ADD_FAILURE() << render(one, error->sources, false);
    }
    const auto* checked = std::get_if<CheckedModel>(&answer);
    return checked != nullptr ? checked->reports : std::vector<CheckReport>(1);
  }
  static CheckReport only_report(const CheckAnswer& answer) {
    const std::vector<CheckReport> reports = reports_of(answer);
    EXPECT_EQ(reports.size(), 1u);
    return reports.front();
  }
  static std::string message_of(const CheckAnswer& answer) {
    const auto* error = std::get_if<InputError>(&answer);
    return error != nullptr ? error->message : "it was checked";
  }

 private:
  TemporaryFolder folder_;
};

constexpr char kCounter[] = "byte x; active proctype P() { do :: x < 5 -> x++ :: else -> break od }\n";
// One state more per step, in two dimensions.
constexpr char kGrid[] =
    "byte x, y; active proctype X() { end: do :: x < 200 -> x++ od }\n"
    "active proctype Y() { end: do :: y < 200 -> y++ od }\n";

TEST_F(Check, OfAModelWithoutErrorsHoldsAndHasSeenAll) {
  CheckOptions options = plain();
  options.model.reduce = "none";
  const CheckReport report = only_report(check_model(model(kCounter), options, {}));
  EXPECT_TRUE(std::holds_alternative<Holds>(report.result.outcome));
  EXPECT_EQ(report.property, "safety");
  EXPECT_EQ(report.result.statistics.states, 13u);
  EXPECT_TRUE(report.violations.empty());
  EXPECT_TRUE(report.unreached.empty());
  EXPECT_EQ(report.execution.tier, Execution::Tier::kInterpreter);
  ASSERT_TRUE(report.coverage.has_value());
  EXPECT_EQ(report.coverage->method, "exhaustive");
}

TEST_F(Check, WithoutOptionsIsOneOfSafety) {
  const CheckReport report = only_report(check_model(model(kCounter), {}, {}));
  EXPECT_TRUE(std::holds_alternative<Holds>(report.result.outcome));
}

TEST_F(Check, ShowsAViolationWithATraceThatReplays) {
  const std::string path = model("byte x; active proctype P() { x = 1; x = 2; assert(x != 2) }\n");
  const CheckReport report = only_report(check_model(path, plain(), {}));
  EXPECT_TRUE(std::holds_alternative<Violated>(report.result.outcome));
  ASSERT_EQ(report.violations.size(), 1u);
  EXPECT_EQ(report.violations[0].finding.kind, FindingKind::kAssertion);
  EXPECT_FALSE(report.violations[0].trace.actions.empty());
  EXPECT_FALSE(report.coverage.has_value()) << "a check that ended at an error was not after the rest";

  InputError error;
  const auto again = load_model(path, plain().model, ExecutionChoice::kInterpreter, error);
  ASSERT_TRUE(again.has_value());
  const Violation& violation = report.result.violations.at(0);
  EXPECT_TRUE(
      std::holds_alternative<ReplayedTrace>(replay(*again->reference, {violation.steps, violation.finding})));
}

// One state, in which something is wrong or not.
class OneState : public QuietSystem {
 public:
  explicit OneState(bool is_wrong) : is_wrong_(is_wrong) {}
  std::vector<std::byte> initial_state() const override { return {std::byte{0}}; }
  void expand(StateBytes, Expansion& out) const override {
    if (is_wrong_) out.findings.push_back({FindingKind::kDeadlock, 0, Finding::kStateItself});
  }

 private:
  const bool is_wrong_;
};

TEST_F(Check, NeverReportsAViolationThatTheReferenceDoesNotHave) {
  for (const bool is_wrong : {true, false}) {
    LoadedModel model;
    model.system = std::make_shared<OneState>(true);
    model.reference_owner = std::make_shared<OneState>(is_wrong);
    model.reference = model.reference_owner.get();
    model.execution = [] { return Execution{}; };
    const CheckOptions options = plain();
    const CheckControl control;
    const auto check = [&] { return check_property(model, {"safety", {}}, {options, control}); };
    if (is_wrong) {
      EXPECT_EQ(std::get<CheckReport>(check()).violations.size(), 1u);
    } else {
      EXPECT_THROW(check(), std::logic_error);
    }
  }
}

TEST_F(Check, ThatALimitHasEndedSaysHowMuchItHasSeen) {
  // Few states: they are counted in the time that is left for it also where other programs run.
  const std::string grid =
      "byte x, y; active proctype X() { end: do :: x < 30 -> x++ od }\n"
      "active proctype Y() { end: do :: y < 30 -> y++ od }\n";
  CheckOptions options = plain();
  options.model.reduce = "none";
  options.limits.depth = 30;  // 496 of 3,721 states
  options.coverage = CoverageEffort::kFull;
  const CheckReport report = only_report(check_model(model(grid), options, {}));
  ASSERT_TRUE(std::holds_alternative<Unknown>(report.result.outcome));
  EXPECT_EQ(report.result.limit, LimitHit::kDepth);
  EXPECT_EQ(report.result.statistics.states, 496u);
  ASSERT_TRUE(report.coverage.has_value() && report.coverage->chosen.has_value());
  EXPECT_EQ(report.coverage->method, "count");
  EXPECT_DOUBLE_EQ(report.coverage->chosen->coverage, 496.0 / 3721);
  ASSERT_TRUE(report.coverage->chosen->interval.has_value());

  options.coverage = CoverageEffort::kOff;
  EXPECT_FALSE(only_report(check_model(model(grid), options, {})).coverage.has_value());
}

TEST_F(Check, OfAFormulaThatHoldsNamesThePremisesThatNeverHappen) {
  const std::string text =
      "bool asked, answered; active proctype P() { asked = true; answered = true }\n"
      "ltl useful { [] (asked -> <> answered) }\n"
      "ltl idle { [] ((answered && !asked) -> <> !answered) }\n"
      "ltl wrong { [] (asked -> <> !asked) }\n";
  const std::vector<CheckReport> reports = reports_of(check_model(model(text), plain(), {}));
  ASSERT_EQ(reports.size(), 4u);
  EXPECT_EQ(reports[0].property, "safety");
  EXPECT_EQ(reports[1].property, "ltl:useful");
  EXPECT_TRUE(std::holds_alternative<Holds>(reports[1].result.outcome));
  EXPECT_TRUE(reports[1].vacuous.empty());
  EXPECT_EQ(reports[2].property, "ltl:idle");
  EXPECT_TRUE(std::holds_alternative<Holds>(reports[2].result.outcome));
  ASSERT_EQ(reports[2].vacuous.size(), 1u);
  EXPECT_EQ(reports[2].vacuous[0].position.line, 3u);
  EXPECT_TRUE(std::holds_alternative<Violated>(reports[3].result.outcome));
  EXPECT_TRUE(reports[3].vacuous.empty());
  EXPECT_EQ(&worst(reports), &reports[3]);
}

TEST_F(Check, OfAViolatedFormulaShowsARunThatEndsInACycle) {
  const std::string path =
      model("byte x; active proctype P() { do :: x = 1 - x od } ltl p { <>[] (x == 1) }\n");
  CheckOptions options = plain();
  options.property = "ltl:p";
  const CheckReport report = only_report(check_model(path, options, {}));
  ASSERT_EQ(report.violations.size(), 1u);
  EXPECT_TRUE(report.violations[0].trace.loop.has_value());
  EXPECT_FALSE(report.with_unreached);
  ASSERT_TRUE(report.claim.has_value());
}

TEST_F(Check, OfDeadlocksPassesOverOtherErrors) {
  const std::string path = model("active proctype P() { do :: assert(false) :: break od; false }\n");
  CheckOptions options = plain();
  options.all_errors = true;
  EXPECT_EQ(only_report(check_model(path, options, {})).violations.size(), 2u);
  options.property = "deadlock";
  const CheckReport report = only_report(check_model(path, options, {}));
  ASSERT_EQ(report.violations.size(), 1u);
  EXPECT_EQ(report.violations[0].finding.kind, FindingKind::kDeadlock);
  options.end_states = false;
  EXPECT_TRUE(only_report(check_model(path, options, {})).violations.empty());
}

// Writes down what it is told.
class CallRecorder : public CheckListener {
 public:
  void on_model(const LoadedModel&) override { calls += "model "; }
  void on_search_begin() override {
    calls += "begin ";
    if (interrupts) interrupt = true;
  }
  void on_coverage_begin() override { calls += "coverage "; }
  void on_search_end() override { calls += "end "; }

  std::string calls;
  bool interrupts = false;
  std::atomic<bool> interrupt = false;
};

TEST_F(Check, TellsItsListenerWhatItDoes) {
  const std::string path = model(std::string(kCounter) + "ltl p { [] ((x == 3) -> <> (x == 5)) }\n");
  CallRecorder recorder;
  CheckControl control;
  control.listener = &recorder;
  reports_of(check_model(path, plain(), control));
  EXPECT_EQ(recorder.calls, "model begin coverage end begin end begin end ") << "the last is about vacuity";
}

TEST_F(Check, ThatIsInterruptedLooksAtNoFurtherProperty) {
  const std::string path = model(std::string(kGrid) + "ltl p { [] (x < 201) }\n");
  CallRecorder recorder;
  recorder.interrupts = true;
  CheckControl control;
  control.listener = &recorder;
  control.interrupt = &recorder.interrupt;
  const CheckReport report = only_report(check_model(path, plain(), control));
  EXPECT_EQ(report.result.limit, LimitHit::kInterrupted);
  EXPECT_EQ(report.property, "safety");
  EXPECT_EQ(recorder.calls, "model begin coverage end ");
}

TEST_F(Check, RefusesOptionsThatDoNotGoWithTheProperties) {
  const std::string with_formula = model(std::string(kCounter) + "ltl p { <> (x == 5) }\n");
  const std::string safe = file("safe.pml", kCounter);
  CheckOptions options = plain();
  options.model.is_fair = true;
  EXPECT_EQ(message_of(check_model(safe, options, {})),
            "--fair needs a property of infinite runs, and none is checked here");
  EXPECT_EQ(message_of(check_model(with_formula, options, {})), "it was checked");
  CheckControl control;
  control.checkpoint.save = safe + ".checkpoint";
  EXPECT_EQ(
      message_of(check_model(with_formula, plain(), control)),
      "a search for infinite runs cannot be saved in a checkpoint; --property safety leaves the claims out");
  options = plain();
  options.store = StoreKind::kBitstate;
  options.swarm = 2;
  EXPECT_EQ(message_of(check_model(with_formula, options, {})),
            "--swarm and --repeat do not search for infinite runs; --property safety leaves the claims out");
}

TEST_F(Check, SaysWhichPropertiesThereAre) {
  const std::string path = model(std::string(kCounter) + "ltl p { <> (x == 5) } ltl q { [] (x < 9) }\n");
  CheckOptions options = plain();
  options.property = "safty";
  EXPECT_NE(message_of(check_model(path, options, {})).find("expected one of safety, deadlock"),
            std::string::npos);
  options.property = "ltl:r";
  EXPECT_EQ(message_of(check_model(path, options, {})), "the model has no formula called 'r'; it has p, q");
  options.property = "ltl";
  EXPECT_EQ(reports_of(check_model(path, options, {})).size(), 2u);
}

TEST_F(Check, SaysWhatIsWrongWithAnyFormulaBeforeItSearches) {
  const std::string path = model(std::string(kCounter) + "ltl p { [] (x < 9) }\n");
  CallRecorder recorder;
  CheckControl control;
  control.listener = &recorder;
  CheckOptions options = plain();
  options.formula = "[] (nothing_like_that > 1)";
  const CheckAnswer answer = check_model(path, options, control);
  ASSERT_TRUE(std::holds_alternative<InputError>(answer));
  EXPECT_TRUE(std::get<InputError>(answer).diagnostics.has_errors());
  EXPECT_EQ(recorder.calls, "");
}

TEST_F(Check, GoesOnFromACheckpointOfTheSameSearchOnly) {
  const std::string path = model(kGrid);
  CheckControl control;
  control.checkpoint.save = path + ".checkpoint";
  CheckOptions options = plain();
  options.model.reduce = "none";
  options.limits.memory_bytes = 500'000;
  options.coverage = CoverageEffort::kOff;
  const CheckReport first = only_report(check_model(path, options, control));
  ASSERT_TRUE(first.result.limit.has_value());

  control.checkpoint.resume = control.checkpoint.save;
  options.limits.memory_bytes = 0;
  options.store = StoreKind::kTree;
  const CheckReport rest = only_report(check_model(path, options, control));
  EXPECT_TRUE(std::holds_alternative<Holds>(rest.result.outcome));
  EXPECT_EQ(rest.result.statistics.states, 160801u);

  options.all_errors = true;
  EXPECT_NE(message_of(check_model(path, options, control)).find("cannot resume"), std::string::npos);
}

TEST(CheckpointIdentity, DiffersWithWhatDecidesTheStatesAndFindings) {
  const CheckOptions options;
  const std::string identity = checkpoint_identity(options, "abc");
  const auto differs = [&](auto change) {
    CheckOptions other;
    change(other);
    return checkpoint_identity(other, "abc") != identity;
  };
  EXPECT_NE(checkpoint_identity(options, "abd"), identity);
  EXPECT_TRUE(differs([](CheckOptions& o) { o.property = "deadlock"; }));
  EXPECT_TRUE(differs([](CheckOptions& o) { o.all_errors = true; }));
  EXPECT_TRUE(differs([](CheckOptions& o) { o.end_states = false; }));
  EXPECT_TRUE(differs([](CheckOptions& o) { o.model.reduce = "merge"; }));
  EXPECT_TRUE(differs([](CheckOptions& o) { o.model.strict = true; }));
  EXPECT_TRUE(differs([](CheckOptions& o) { o.model.lose_messages = true; }));
  EXPECT_TRUE(differs([](CheckOptions& o) { o.model.defines = {"N=2"}; }));

  EXPECT_FALSE(differs([](CheckOptions& o) { o.property = "safety"; }))
      << "which is what is meant without it";
  EXPECT_FALSE(differs([](CheckOptions& o) { o.limits = {1, 2, 0}; }));
  EXPECT_FALSE(differs([](CheckOptions& o) { o.threads = 7; }));
  EXPECT_FALSE(differs([](CheckOptions& o) { o.store = StoreKind::kTree; }));
  EXPECT_FALSE(differs([](CheckOptions& o) { o.exec = ExecutionChoice::kNative; }));
}

// ---- Reductions

Claim claim_of(ClaimKind kind, std::optional<bool> is_invariant = std::nullopt) {
  Claim claim;
  claim.kind = kind;
  claim.automaton.is_stutter_invariant = is_invariant;
  return claim;
}

std::string sound(const Claim& claim, const std::string& reduce, bool is_fair = false) {
  ModelOptions options;
  options.reduce = reduce;
  options.is_fair = is_fair;
  const SoundReductions result = sound_reductions(claim, options);
  return to_text(result.reductions) + (result.why_fewer.empty() ? "" : "; fewer");
}

TEST(SoundReductions, AreAllForSafety) {
  EXPECT_EQ(sound({}, "default"), "merge,dead,order");
  EXPECT_EQ(sound({}, "none"), "none");
  EXPECT_EQ(sound({}, "merge,stubborn"), "merge,stubborn");
}

TEST(SoundReductions, AreAllForClaimsThatCannotTellRepetitions) {
  for (const Claim& claim : {claim_of(ClaimKind::kFormula, true), claim_of(ClaimKind::kNever, true),
                             claim_of(ClaimKind::kAccept), claim_of(ClaimKind::kProgress)}) {
    EXPECT_EQ(sound(claim, "default"), "merge,dead,stubborn");
    EXPECT_EQ(sound(claim, "merge,order"), "merge,order");
  }
}

TEST(SoundReductions, AreClearedVariablesAloneForOthers) {
  for (const Claim& claim : {claim_of(ClaimKind::kFormula, false), claim_of(ClaimKind::kFormula),
                             claim_of(ClaimKind::kNever, false), claim_of(ClaimKind::kNever)}) {
    EXPECT_EQ(sound(claim, "default"), "dead; fewer");
    EXPECT_EQ(sound(claim, "merge"), "none; fewer");
    EXPECT_EQ(sound(claim, "dead"), "dead") << "that is all that was wanted";
  }
  Claim with_inner_labels = claim_of(ClaimKind::kAccept);
  with_inner_labels.has_inner_labels = true;
  EXPECT_EQ(sound(with_inner_labels, "default"), "dead; fewer");
}

TEST(SoundReductions, AreClearedVariablesAloneUnderFairness) {
  EXPECT_EQ(sound(claim_of(ClaimKind::kFormula, true), "default", true), "dead; fewer");
  EXPECT_EQ(sound(claim_of(ClaimKind::kProgress), "default", true), "dead; fewer");
  EXPECT_EQ(sound({}, "default", true), "merge,dead,order") << "safety has no fairness";
}

TEST_F(Check, ReducesForEachPropertyByWhatIsSoundForIt) {
  const std::string path =
      model(std::string(kGrid) + "ltl always { [] (x < 201) } ltl next { [] (x == 0 -> X (x < 2)) }\n");
  CheckOptions options = plain();
  options.limits.seconds = 60;
  const std::vector<CheckReport> reports = reports_of(check_model(path, options, {}));
  ASSERT_EQ(reports.size(), 3u);
  EXPECT_EQ(to_text(reports[0].reductions), "merge,dead,order");
  EXPECT_EQ(to_text(reports[1].reductions), "merge,dead,stubborn");
  EXPECT_EQ(to_text(reports[2].reductions), "dead");
  EXPECT_EQ(reports[2].why_fewer_reductions, "the formula is not stutter-invariant (X)");
}

// ---- Front ends

TEST_F(Check, ListsTheClaimsOfAModel) {
  const std::string path =
      model(std::string(kCounter) + "ltl p { [] (x < 9) } never n { do :: x > 9 -> break :: else od }\n");
  InputError error;
  const auto source = read_model(path, {}, "<> (x > 1)", error);
  ASSERT_NE(source, nullptr) << error.message;
  const std::vector<StatedClaim> claims = source->claims();
  ASSERT_EQ(claims.size(), 3u);
  EXPECT_EQ(claims[0].name, "p");
  EXPECT_EQ(claims[1].name, "given");
  EXPECT_EQ(claims[1].kind, ClaimKind::kFormula);
  EXPECT_EQ(claims[2].name, "n");
  EXPECT_EQ(claims[2].kind, ClaimKind::kNever);
  EXPECT_EQ(claims[2].range.begin.line, 2u);
}

TEST_F(Check, ChecksAllThatAModelStates) {
  const std::string path = model(std::string(kCounter) +
                                 "never bad { do :: x == 2 -> break :: else od }\n"
                                 "never good { do :: x > 90 -> break :: else od }\n"
                                 "ltl p { [] (x < 90) }\n");
  const std::vector<CheckReport> reports = reports_of(check_model(path, plain(), {}));
  ASSERT_EQ(reports.size(), 4u);
  const char* const names[] = {"safety", "ltl:p", "never:bad", "never:good"};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(reports[i].property, names[i]);
    EXPECT_EQ(std::holds_alternative<Violated>(reports[i].result.outcome), i == 2) << names[i];
    EXPECT_TRUE(reports[i].not_checked.empty());
  }
}

TEST_F(Check, SaysWhichClaimsItLeavesOut) {
  const std::string path = model(
      "byte x;\n"
      "active proctype P() { accept_one: progress: x = 1; accept_two: x = 2 }\n"
      "never { accept: do :: x > 9 -> break :: else od }\n");
  CheckOptions options = plain();
  const auto left_out = [&] {
    std::vector<std::pair<std::string, std::size_t>> left;
    const std::vector<CheckReport> reports = reports_of(check_model(path, options, {}));
    for (const NotChecked& claim : reports.front().not_checked)
      left.emplace_back(claim.property, claim.labels);
    return left;
  };
  using Left = std::vector<std::pair<std::string, std::size_t>>;
  EXPECT_EQ(left_out(), (Left{{"accept", 2}, {"progress", 1}}));
  options.property = "accept";
  EXPECT_EQ(left_out(), (Left{{"never", 0}, {"progress", 1}}));
}

TEST_F(Check, IsUndecidedAboutAClaimThatCannotBeChecked) {
  const std::string path = model(std::string(kCounter) +
                                 "never { do :: x > 9 -> x = 0 :: else od }\n"
                                 "ltl p { [] (x < 9) }\n");
  CheckOptions options = plain();
  const std::vector<CheckReport> reports = reports_of(check_model(path, options, {}));
  ASSERT_EQ(reports.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<Holds>(reports[1].result.outcome)) << "the formula";
  EXPECT_EQ(reports[2].property, "never");
  ASSERT_TRUE(std::holds_alternative<Unknown>(reports[2].result.outcome));
  EXPECT_EQ(std::get<Unknown>(reports[2].result.outcome).limit, LimitHit::kNotPossible);
  EXPECT_NE(reports[2].why_not_checked.find("x = 0"), std::string::npos) << reports[2].why_not_checked;
  EXPECT_TRUE(std::ranges::any_of(reports[0].warnings, [](const Diagnostic& warning) {
    return warning.code == "P346" && warning.severity == Severity::kWarning;
  }));
  // On its own it is a mistake of the command line.
  options.property = "never";
  EXPECT_TRUE(std::holds_alternative<InputError>(check_model(path, options, {})));
}

TEST_F(Check, TakesAGraphForASystemWithoutClaims) {
  const std::string path = file("graph.aut", "des (0, 2, 3)\n(0, \"a\", 1)\n(1, \"b\", 2)\n");
  CheckOptions options = plain();
  const CheckReport report = only_report(check_model(path, options, {}));
  EXPECT_TRUE(std::holds_alternative<Violated>(report.result.outcome)) << "state 2 has no step";
  EXPECT_EQ(report.execution.tier, Execution::Tier::kNone);
  options.property = "ltl";
  EXPECT_EQ(message_of(check_model(path, options, {})), "a graph has no formula");
  options.property = "never";
  EXPECT_EQ(message_of(check_model(path, options, {})), "a graph has no never claim");
  options.property = "progress";
  EXPECT_EQ(message_of(check_model(path, options, {})), "a graph has no accept or progress labels");
  options.property = "";
  options.formula = "[] p";
  EXPECT_EQ(message_of(check_model(path, options, {})),
            "a graph has no variables, so a formula cannot be checked on it");
}

TEST_F(Check, LoadsAModelTwiceWithTheSameStatesInTheSameOrder) {
  InputError error;
  for (const std::string& path :
       {model(kGrid), file("g.aut", "des (0, 2, 2)\n(0, \"a\", 1)\n(1, \"b\", 0)\n")}) {
    const auto source = read_model(path, {}, "", error);
    ASSERT_NE(source, nullptr) << error.message;
    const auto one = source->load({}, ExecutionChoice::kInterpreter, {}, error);
    const auto other = source->load({}, ExecutionChoice::kInterpreter, {}, error);
    ASSERT_TRUE(one && other);
    Expansion of_one, of_other;
    one->system->expand(one->system->initial_state(), of_one);
    other->system->expand(other->system->initial_state(), of_other);
    EXPECT_EQ(one->system->initial_state(), other->system->initial_state());
    EXPECT_TRUE(std::ranges::equal(of_one.arena, of_other.arena));
    EXPECT_FALSE(of_one.successors.empty());
  }
}

TEST(FrontEnds, RecogniseEveryFile) {
  ASSERT_EQ(front_ends().size(), 2u);
  EXPECT_TRUE(front_ends()[0]->recognises("a.aut"));
  EXPECT_FALSE(front_ends()[0]->recognises("a.pml"));
  EXPECT_TRUE(front_ends().back()->recognises("a.pml"));
  EXPECT_TRUE(front_ends().back()->recognises("model"));
}

TEST(FrontEnds, SayWhatTheyCannotRead) {
  for (const char* path : {"/no/such/model.pml", "/no/such/graph.aut"}) {
    InputError error;
    EXPECT_EQ(read_model(path, {}, "", error), nullptr);
    EXPECT_TRUE(!error.message.empty() || error.diagnostics.has_errors()) << path;
  }
}

}  // namespace
}  // namespace spoor
