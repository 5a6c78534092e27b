// States translated to another version of a Promela model and back, and the statements that correspond. That
// translated states have the translated successors: test_elements.cpp.
#include "exec/state_translation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "exec/interpreter.h"
#include "exec/native.h"
#include "exec/unmatched.h"
#include "version_pair.h"

namespace spoor::exec {
namespace {

using Bytes = std::vector<std::byte>;
constexpr std::uint32_t kNothing = ElementComparison::kNothing;
constexpr VersionReductions kAllReductions = {true, true, true};

// In the order in which they are found, at most so many.
std::vector<Bytes> states_of(const TransitionSystem& system, std::size_t most = 1000) {
  std::vector<Bytes> found = {system.initial_state()};
  std::set<Bytes> known = {found.front()};
  Expansion out;
  for (std::size_t i = 0; i < found.size() && found.size() < most; ++i) {
    out.clear();
    system.expand(found[i], out);
    for (const Successor& successor : out.successors) {
      const StateBytes bytes = out.state(successor);
      if (known.emplace(bytes.begin(), bytes.end()).second) found.emplace_back(bytes.begin(), bytes.end());
    }
  }
  return found;
}

// "x = 3": how the state shows x.
std::string shown(const Interpreter& system, const Bytes& state, const std::string& name) {
  for (const std::string& line : system.describe(state)) {
    if (line.starts_with(name + " = ")) return line;
  }
  return "no " + name;
}

class Versions {
 public:
  Versions(const std::string& before, const std::string& after, VersionReductions reductions = {})
      : old_(version_of(before, reductions)), new_(version_of(after, reductions)) {
    if (old_ == nullptr || new_ == nullptr)
      throw std::invalid_argument("not a model: " + (old_ == nullptr ? before : after));
    forth_ = compare_elements(old_->elements(), new_->elements());
    const ElementComparison back = compare_elements(new_->elements(), old_->elements());
    to_new_ = old_->layout()->translator_to(*new_->layout(), forth_);
    to_old_ = new_->layout()->translator_to(*old_->layout(), back);
  }

  const Interpreter& old_version() const { return *old_; }
  const Interpreter& new_version() const { return *new_; }
  bool are_related() const {
    EXPECT_EQ(to_new_ == nullptr, to_old_ == nullptr);
    return to_new_ != nullptr;
  }
  bool is_identity() const {
    EXPECT_EQ(to_new_->is_identity(), to_old_->is_identity());
    return to_new_->is_identity();
  }
  // Is every state that the new version can express certain to come back?
  bool are_old_states_kept() const { return to_new_->is_undone_by(*to_old_); }
  bool are_new_states_kept() const { return to_old_->is_undone_by(*to_new_); }
  std::optional<Bytes> to_new(const Bytes& state) const { return translated(*to_new_, state); }
  std::optional<Bytes> to_old(const Bytes& state) const { return translated(*to_old_, state); }

  // Of the states of the old version, how many the new one can express, as states of its own that are
  // translated back to the same bytes.
  std::size_t there_and_back() const {
    std::size_t expressible = 0;
    for (const Bytes& state : states_of(*old_)) {
      const std::optional<Bytes> there = to_new(state);
      if (!there) continue;
      ++expressible;
      EXPECT_TRUE(new_->is_well_formed(*there));
      EXPECT_EQ(to_old(*there), state);
    }
    return expressible;
  }

  std::vector<std::uint32_t> statements() const {
    return old_->layout()->statements_in(*new_->layout(), forth_);
  }

 private:
  static std::optional<Bytes> translated(StateTranslator& translator, const Bytes& state) {
    Bytes out = {std::byte{77}};  // is replaced
    if (translator.translate(state, out)) return out;
    EXPECT_TRUE(out.empty());
    return std::nullopt;
  }

  std::unique_ptr<Interpreter> old_, new_;
  ElementComparison forth_;
  std::unique_ptr<StateTranslator> to_new_, to_old_;
};

// The first state of the version that shows this.
Bytes state_with(const Interpreter& system, const std::string& name, const std::string& line) {
  for (const Bytes& state : states_of(system)) {
    if (shown(system, state, name) == line) return state;
  }
  ADD_FAILURE() << "no state with " << line;
  return system.initial_state();
}

TEST(StateTranslation, IsTheIdentityWhereNothingMoves) {
  const std::string model =
      "byte x; chan q = [2] of { byte, int }; active proctype A() { int v; v = 1; q!v,2; x = 3 }";
  EXPECT_TRUE(Versions(model, model).is_identity());
  // Other statements at the same locations.
  const Versions edited(
      model, "byte x; chan q = [2] of { byte, int }; active proctype A() { int v; v = 7; q!v,2; x = 4 }");
  EXPECT_TRUE(edited.is_identity());
  for (const Bytes& state : states_of(edited.old_version())) EXPECT_EQ(edited.to_new(state), state);
}

TEST(StateTranslation, IsNotTheIdentityWhereSomethingMoves) {
  const std::string model =
      "byte x, y; chan q = [2] of { byte }; chan r = [0] of { byte }; proctype B(byte p) { x = p }"
      "active proctype A() { byte v; short w; v = 1; q!v; x = 3 }";
  const auto edit = [&](const std::string& from, const std::string& to) {
    std::string text = model;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  for (const std::string& other :
       {edit("byte x, y", "byte y, x"), edit("byte x, y", "byte x, z"), edit("byte x, y", "byte x, y, z"),
        edit("byte x, y", "bit x, y"), edit("[2]", "[3]"), edit("[2] of { byte }", "[2] of { bit, bit }"),
        edit("[0]", "[1]"), edit("[0] of { byte }", "[0] of { int }"),
        edit("byte v; short w", "short w; byte v"), edit("byte p", "bool p"),
        edit("proctype B(", "proctype C("), edit("q!v; ", ""), edit("q!v; ", "q!v; y = 1; "),
        edit("v = 1; q!v", "q!v; v = 1"), edit("proctype B", "proctype C() { x = 1 } proctype B"),
        model + " proctype C() { x = 1 }", model + " init { x = 1 }"}) {
    const Versions versions(model, other);
    EXPECT_FALSE(versions.is_identity()) << other;
    versions.there_and_back();
  }
}

TEST(StateTranslation, GivesAnAddedVariableItsInitialValue) {
  const Versions versions(
      "byte x; active proctype A() { byte v = 2; x = 1; x = v }",
      "int a[2] = 7; byte added = 3; byte x; active proctype A() { short w = -4; byte v = 2; x = 1; x = v }");
  const std::vector<Bytes> states = states_of(versions.old_version());
  EXPECT_EQ(versions.there_and_back(), states.size());
  const Interpreter& system = versions.new_version();
  EXPECT_EQ(versions.to_new(states[0]), system.initial_state());
  EXPECT_EQ(shown(system, *versions.to_new(states[1]), "added"), "added = 3");
  EXPECT_EQ(shown(system, *versions.to_new(states[1]), "a[1]"), "a[1] = 7");
  EXPECT_EQ(shown(system, *versions.to_new(states[1]), "A[0]:w"), "A[0]:w = -4");
}

TEST(StateTranslation, RefusesAnAddedVariableWhoseInitialValueIsComputed) {
  const std::string rest = " active proctype A() { x = 1 }";
  EXPECT_EQ(Versions("byte x;" + rest, "byte x = 2; byte y = x + 1;" + rest).there_and_back(), 0U);
  EXPECT_EQ(Versions("byte x; active proctype A() { x = 1 }",
                     "byte x; active proctype A() { chan c = [1] of { byte }; x = 1 }")
                .there_and_back(),
            1U);  // the state without the process
}

TEST(StateTranslation, LeavesOutAVariableThatIsGone) {
  const Versions versions("byte gone = 3; byte x; active proctype A() { x = 1; gone = 5; x = 2 }",
                          "byte x; active proctype A() { x = 1; x = 5; x = 2 }");
  const Interpreter& system = versions.old_version();
  const Bytes changed = state_with(system, "gone", "gone = 5");
  const std::optional<Bytes> there = versions.to_new(changed);
  ASSERT_TRUE(there);
  const std::optional<Bytes> back = versions.to_old(*there);
  ASSERT_TRUE(back);
  EXPECT_EQ(shown(system, *back, "gone"), "gone = 3");
  const Bytes initial = system.initial_state();
  EXPECT_EQ(versions.to_old(*versions.to_new(initial)), initial);
}

TEST(StateTranslation, FollowsLocationsWhoseNumbersShift) {
  const Versions versions("byte x; active proctype A() { x = 1; x = 2; x = 3 }",
                          "byte x; active proctype A() { x = 1; x = 77; x = 2; x = 3 }");
  const std::vector<Bytes> states = states_of(versions.old_version());
  EXPECT_EQ(versions.there_and_back(), states.size());
  const Bytes before_last = state_with(versions.old_version(), "x", "x = 2");
  EXPECT_NE(versions.to_new(before_last), before_last);
  EXPECT_EQ(versions.to_new(before_last), state_with(versions.new_version(), "x", "x = 2"));
  // Where nothing corresponds.
  EXPECT_EQ(versions.to_old(state_with(versions.new_version(), "x", "x = 1")), std::nullopt);
}

TEST(StateTranslation, FollowsLocationsWhoseNumbersNeedMoreBytes) {
  const auto model = [](int statements) {
    std::string text = "byte x; active proctype A() {";
    for (int i = 0; i < statements; ++i) text += " x = " + std::to_string(i % 200) + ";";
    return text + " x = 255 }";
  };
  const Versions versions(model(150), model(300));
  EXPECT_NE(versions.old_version().program().location_bytes, versions.new_version().program().location_bytes);
  EXPECT_GT(versions.there_and_back(), 100U);
}

TEST(StateTranslation, FollowsProcessTypesInAnotherOrder) {
  const std::string a = "proctype A() { byte v; v = 1; x = v }", b = " proctype B(short p) { x = p }";
  const std::string init = " init { run A(); run B(300) }";
  const Versions versions("byte x; " + a + b + init, "byte x; " + b + init + a);
  EXPECT_FALSE(versions.is_identity());
  EXPECT_EQ(versions.there_and_back(), states_of(versions.old_version()).size());
}

TEST(StateTranslation, RefusesAProcessWhoseTypeIsGone) {
  const std::string init = " init { run A() }";
  const Versions versions("byte x; proctype A() { x = 1 }" + init,
                          "byte x; proctype B() { x = 1 } init { run B() }");
  const std::vector<Bytes> states = states_of(versions.old_version());
  EXPECT_TRUE(versions.to_new(states[0]));
  EXPECT_FALSE(versions.to_new(states[1]));
}

TEST(StateTranslation, CarriesMessagesOverToALongerChannel) {
  const std::string rest =
      " byte y = 1; active proctype A() { chan c = [2] of { int }; q!1,2; q!3,4; c!5; c!6; q?_,_ }";
  const Versions versions("chan q = [2] of { byte, int };" + rest, "chan q = [300] of { byte, int };" + rest);
  EXPECT_EQ(versions.there_and_back(), states_of(versions.old_version()).size());
  const Bytes full = state_with(versions.old_version(), "q", "q = [1,2][3,4]");
  EXPECT_EQ(shown(versions.new_version(), *versions.to_new(full), "q"), "q = [1,2][3,4]");
}

TEST(StateTranslation, RefusesMessagesThatHaveNoRoom) {
  const std::string old_version = "chan q = [2] of { byte }; active proctype A() { q!1; q!3 }";
  const auto count = [&](const std::string& new_version) {
    const Versions versions(old_version, new_version);
    const std::vector<Bytes> states = states_of(versions.old_version());  // the channel gets longer
    EXPECT_EQ(states.size(), 4U);
    EXPECT_FALSE(versions.to_new(states[2]));
    return versions.there_and_back();
  };
  EXPECT_EQ(count("chan q = [1] of { byte }; active proctype A() { q!1; q!3 }"), 2U);
  EXPECT_EQ(count("chan q = [0] of { byte }; active proctype A() { q!1; q!3 }"), 1U);
  EXPECT_EQ(count("chan q = [2] of { byte, byte }; active proctype A() { q!1,0; q!3,0 }"), 1U);
  const Versions gone("chan q = [1] of { byte }; chan r = [1] of { byte }; active proctype A() { r!1 }",
                      "chan q = [1] of { byte }; active proctype A() { q!1 }");
  EXPECT_TRUE(gone.to_new(gone.old_version().initial_state()));
  EXPECT_FALSE(gone.to_new(states_of(gone.old_version())[1]));
}

TEST(StateTranslation, ConvertsValuesThatFit) {
  const std::string rest = " active proctype A() { short v; v = -1; x = 200; q!9; v = 3; x = 5; x = 300 }";
  const Versions wider("byte x; chan q = [2] of { byte };" + rest, "int x; chan q = [2] of { int };" + rest);
  EXPECT_EQ(wider.there_and_back(), states_of(wider.old_version()).size());
  EXPECT_EQ(shown(wider.new_version(), *wider.to_new(state_with(wider.old_version(), "x", "x = 200")), "x"),
            "x = 200");
  EXPECT_FALSE(wider.to_old(state_with(wider.new_version(), "x", "x = 300")));
}

TEST(StateTranslation, RefusesValuesThatDoNotFit) {
  const Versions local("active proctype A() { int v; v = 255; v = 256; v = -1 }",
                       "active proctype A() { byte v; v = 255; v = 256; v = -1 }");
  const Interpreter& system = local.old_version();
  EXPECT_TRUE(local.to_new(state_with(system, "A[0]:v", "A[0]:v = 255")));
  EXPECT_FALSE(local.to_new(state_with(system, "A[0]:v", "A[0]:v = 256")));
  EXPECT_FALSE(local.to_new(state_with(system, "A[0]:v", "A[0]:v = -1")));
  const std::string rest = " active proctype A() { q!1; q!1000 }";
  const Versions message("chan q = [2] of { int };" + rest, "chan q = [2] of { short };" + rest);
  EXPECT_EQ(message.there_and_back(), states_of(message.old_version()).size());
  const Versions field("chan q = [2] of { int };" + rest, "chan q = [2] of { byte };" + rest);
  EXPECT_FALSE(field.to_new(states_of(field.old_version())[2]));
}

TEST(StateTranslation, RefusesMoreChannelsThanThereCanBe) {
  const std::string rest =
      " of { bit }; proctype A() { chan l = [1] of { bit }; false }"
      "init { byte n; do :: n < 10 -> n++; run A() :: else -> break od }";
  const Versions versions("chan c[100] = [1]" + rest, "chan c[250] = [1]" + rest);
  const std::vector<Bytes> states = states_of(versions.old_version());
  const auto with_processes = [&](int count) {
    return *std::find_if(states.begin(), states.end(),
                         [&](const Bytes& state) { return state[0] == static_cast<std::byte>(count); });
  };
  EXPECT_TRUE(versions.to_new(with_processes(1 + 5)));
  EXPECT_FALSE(versions.to_new(with_processes(1 + 6)));
}

TEST(StateTranslation, CarriesNumbersOfChannelsAndMtypesOverAsNumbers) {
  const std::string rest = " mtype m; active proctype A() { m = red; q!1; m = green }";
  const Versions versions(
      "mtype = { red, green }; chan q = [1] of { byte };" + rest,
      "mtype = { red, green, blue }; chan p = [1] of { byte }; chan q = [1] of { byte };" + rest);
  EXPECT_EQ(versions.there_and_back(), states_of(versions.old_version()).size());
  const Bytes state = state_with(versions.old_version(), "m", "m = red");
  EXPECT_EQ(shown(versions.new_version(), *versions.to_new(state), "m"), "m = green");  // both 2
}

TEST(StateTranslation, KeepsLastPrioritiesAndTheTraceAssertion) {
  const std::string last = "byte x; active proctype A() { x = 1; x = _last } active proctype B() { x = 2 }";
  const std::string priority =
      "byte x; active proctype A() priority 3 { x = 1; set_priority(1, 4) } active proctype B() { x = 2 }";
  const std::string traced =
      "chan q = [1] of { byte }; trace { q!1; q?1; q!2 } active proctype A() { q!1; q?_; q!2; q?_ }";
  const std::string longer =
      "chan q = [1] of { byte }; trace { do :: q!9 :: q!1 -> break od; q?1; q!2 }"
      "active proctype A() { q!1; q?_; q!2; q?_ }";
  for (const std::string& model : {last, priority, traced}) {
    SCOPED_TRACE(model);
    const Versions versions(model, "int added = 1; " + model);
    EXPECT_FALSE(versions.is_identity());
    EXPECT_EQ(versions.there_and_back(), states_of(versions.old_version()).size());
  }
  const Versions assertion(traced, longer);
  EXPECT_FALSE(assertion.is_identity());
  EXPECT_GT(assertion.there_and_back(), 0U);
}

TEST(StateTranslation, RelatesNoVersionsThatKeepOtherRecords) {
  const std::string model = "byte x; chan q = [1] of { byte }; active proctype A() { x = 1; q!1 }";
  for (const char* more :
       {"active proctype B() { x = _last }", "trace { q!1 }", "active proctype B() { set_priority(0, 2) }"}) {
    EXPECT_FALSE(Versions(model, model + more).are_related()) << more;
  }
  EXPECT_TRUE(Versions(model, model + "active proctype B() { x = 1 }").are_related());
}

TEST(StateTranslation, IsUndoneWhereOnlyPlacesAndNumbersDiffer) {
  const std::string model =
      "byte x; short y; chan q = [2] of { byte, int }; chan r = [0] of { byte };"
      "proctype B(byte p) { chan c = [1] of { bit }; c!1; x = p }"
      "proctype A() { bit b; int v; v = 1; q!v,2; b = 1; x = 3 }"
      "init { run A(); run B(7); y = -1; y = 2 }";
  const auto edit = [&](const std::string& from, const std::string& to) {
    std::string text = model;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  const auto is_undone = [&](const std::string& other) {
    for (const VersionReductions reductions : {VersionReductions{}, kAllReductions}) {
      const Versions versions(model, other, reductions);
      EXPECT_FALSE(versions.is_identity());
      EXPECT_TRUE(versions.are_old_states_kept());
      EXPECT_TRUE(versions.are_new_states_kept());
      EXPECT_GT(versions.there_and_back(), 10U);
    }
  };
  is_undone(edit("q!v,2;", "printf(\"sent\"); q!v,2;"));
  is_undone(edit("q!v,2;", ""));
  is_undone(edit("byte x; short y;", "short y; byte x;"));
  is_undone(edit("bit b; int v;", "int v; bit b;"));
  is_undone(edit("proctype B", "proctype C() { x = 1 } proctype B"));
}

TEST(StateTranslation, IsNotUndoneWhereSomethingMayBeLost) {
  const std::string rest = " active proctype A() { x = 1; if :: q?_ :: else fi; x = 2 }";
  const std::string x = "byte x;", q = " chan q = [2] of { byte };";
  const auto keeps = [&](const std::string& before, const std::string& after) {
    const Versions versions(before + rest, after + rest);
    return std::pair(versions.are_old_states_kept(), versions.are_new_states_kept());
  };
  using Kept = std::pair<bool, bool>;
  EXPECT_EQ(keeps(x + q, x + q), Kept(true, true));
  // What the old version does not have is lost on the way there; what is added there is removed again.
  EXPECT_EQ(keeps(x + q, "byte z = 3;" + x + q), Kept(true, false));
  EXPECT_EQ(keeps("byte z = 3;" + x + q, x + q), Kept(false, true));
  EXPECT_EQ(keeps("byte z;" + x + q, "byte w;" + x + q), Kept(false, false));
  EXPECT_EQ(keeps(x + q, "int x;" + q), Kept(false, false));
  EXPECT_EQ(keeps(x + q, "bit x;" + q), Kept(false, false));
  EXPECT_EQ(keeps(x + q, x + " chan q = [3] of { byte };"), Kept(false, false));
  EXPECT_EQ(keeps(x + q, x + " chan q = [2] of { bit };"), Kept(false, false));
  // The initial value is computed, so no state has a translation that could be translated back.
  EXPECT_EQ(keeps(x + q, x + q + "byte z = x;"), Kept(false, false));
}

// Whatever the models use: all offsets shift, and all states find their places again.
TEST(StateTranslation, FollowsEverythingThatShifts) {
  int models = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(SPOOR_SOURCE_DIR) / "tests" / "models")) {
    if (file.path().extension() != ".pml") continue;
    std::ifstream in(file.path());
    std::stringstream text;
    text << in.rdbuf();
    for (const VersionReductions reductions : {VersionReductions{}, kAllReductions}) {
      if (version_of(text.str(), reductions) == nullptr) continue;
      SCOPED_TRACE(file.path());
      const std::string shifted = "int added_variable = -3; proctype added_type() { skip }\n" + text.str();
      if (version_of(shifted, reductions) == nullptr) continue;
      ++models;
      EXPECT_TRUE(Versions(text.str(), text.str(), reductions).is_identity());
      const Versions versions(text.str(), shifted, reductions);
      ASSERT_TRUE(versions.are_related());
      EXPECT_FALSE(versions.is_identity());
      EXPECT_TRUE(versions.are_old_states_kept());
      EXPECT_FALSE(versions.are_new_states_kept());
      for (const Bytes& state : states_of(versions.old_version(), 50)) {
        const std::optional<Bytes> there = versions.to_new(state);
        ASSERT_TRUE(there);
        EXPECT_EQ(versions.to_old(*there), state);
        EXPECT_TRUE(versions.new_version().is_well_formed(*there));
      }
    }
  }
  EXPECT_GT(models, 200);
}

// ---- Statements ------------------------------------------------------------------------------------

using Place = std::pair<int, std::string>;  // line and text

// Line and text of a statement; it has a key.
Place place_of(const Interpreter& system, std::uint32_t statement) {
  const Element& element = system.statements().at(statement);
  return {static_cast<int>(element.position.line), element.text};
}

constexpr int kSeveralLines = -1;

// Where the statement on this line is in the new version, by line; 0: nowhere.
int line_of_counterpart(const Versions& versions, int line) {
  const std::vector<std::uint32_t> statements = versions.statements();
  EXPECT_EQ(statements.size(), versions.old_version().statements().size());
  for (std::uint32_t i = 0; i < statements.size(); ++i) {
    const Place place = place_of(versions.old_version(), i);
    if (place.first != line || place.second.empty()) continue;
    if (statements[i] == kNothing) return 0;
    if (statements[i] == StateLayout::kSeveral) return kSeveralLines;
    const Place other = place_of(versions.new_version(), statements[i]);
    EXPECT_EQ(place.second, other.second);
    return other.first;
  }
  ADD_FAILURE() << "no statement on line " << line;
  return 0;
}

TEST(StatementsInAnotherVersion, AreFoundByStructure) {
  const std::string rest = "y = 0;\nif\n:: y == 0 ->\nx = 1\n:: else\nfi;\nx = 3 }";
  const Versions versions("byte x, y; active proctype A() {\n" + rest,
                          "byte x, y; active proctype A() {\nx = 1;\n" + rest);
  for (const int line : {2, 4, 5, 8}) EXPECT_EQ(line_of_counterpart(versions, line), line + 1);
  // Not so where the element is changed.
  const Versions edited("byte x; active proctype A() {\nx = 1;\nx = 2;\nx = 3 }",
                        "byte x; active proctype A() {\nx = 1;\nx = 7;\nx = 3 }");
  EXPECT_EQ(line_of_counterpart(edited, 2), 2);
  EXPECT_EQ(line_of_counterpart(edited, 3), 0);
  EXPECT_EQ(line_of_counterpart(edited, 4), 4);
}

// Statements of the old version that a step from an untouched state executes are, in the new version, the
// ones that are executed there.
TEST(StatementsInAnotherVersion, AreTheOnesThatAreExecuted) {
  const std::string head = "byte x, y; chan q = [0] of { byte };\nproctype B() { x = 1; q!1; x = 1 }\n";
  const std::string init =
      "init { run B();\n atomic { q?_; x = 1; x = 1 };\n d_step { y = 1; if :: x > 0 -> y = 1 :: else fi };\n"
      " { y = 1; y = 2 } unless { x == 9 }; x = 1 }\n";
  std::string edited = init;
  edited.replace(edited.find("run B();"), 8, "x = 1; x = 1; run B(); x = 1;");
  edited.insert(0, "proctype C() { x = 1 }\n").insert(0, head).insert(0, "byte z;");
  for (const VersionReductions reductions : {VersionReductions{}, kAllReductions}) {
    const Versions versions(head + init, edited, reductions);
    const VersionPair pair(versions.old_version(), versions.new_version());
    const std::vector<std::uint32_t> statements = versions.statements();
    std::size_t untouched = 0;
    for (const Bytes& state : states_of(versions.old_version())) {
      const std::optional<Bytes> there = versions.to_new(state);
      if (!there || pair.is_touched(state)) continue;
      ++untouched;
      Expansion was, is;
      was.asked.columns.executed = is.asked.columns.executed = true;
      versions.old_version().expand(state, was);
      versions.new_version().expand(*there, is);
      std::vector<std::uint8_t> expected(is.executed.size());
      for (std::size_t i = 0; i < was.executed.size(); ++i) {
        if (was.executed[i] == 0) continue;
        ASSERT_TRUE(StateLayout::is_one(statements[i]));
        expected[statements[i]] = 1;
      }
      EXPECT_EQ(is.executed, expected);
    }
    EXPECT_GT(untouched, 5U);
  }
}

TEST(StatementsInAnotherVersion, SayWhereTheyStandForSeveral) {
  const std::string escape = "unless {\nx == 7 -> goto done }; ";
  const Versions versions(
      "byte x; active proctype A() {\n{ x = 1; x = 2 } " + escape + "done: x = 3 }",
      "byte x; active proctype A() {\n{ x = 1 } " + escape + "{ x = 2 } " + escape + "done: x = 3 }");
  EXPECT_EQ(line_of_counterpart(versions, 3), kSeveralLines);
}

// ---- Which systems have a layout ----------------------------------------------------------------------

TEST(StateLayout, IsOfferedBySystemsWhoseStatesItDescribes) {
  const auto program = [] {
    const auto system = version_of("byte x; active proctype A() { x = 1 }", {});
    return std::make_shared<const promela::Program>(system->program());
  }();
  auto interpreter = std::make_unique<const Interpreter>(program);
  const StateLayout* const layout = interpreter->layout();
  EXPECT_NE(layout, nullptr);
  const NativeSystem native(std::move(interpreter), {}, Tier::kAuto);
  EXPECT_EQ(native.layout(), layout);
  const UnmatchedLayer layer(std::make_shared<const Interpreter>(program), 0, 0, make_unmatched_data());
  EXPECT_EQ(layer.layout(), nullptr);
}

}  // namespace
}  // namespace spoor::exec
