// Random walks through an edited model: the share of new states that they estimate.
#include "evidence/edit_walks.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "version_pair.h"

namespace spoor {
namespace {

using WalkedBytes = std::vector<std::byte>;

std::vector<WalkedBytes> states_of_walked(const TransitionSystem& system) {
  std::vector<WalkedBytes> states = {system.initial_state()};
  std::set<WalkedBytes> known(states.begin(), states.end());
  Expansion out;
  for (std::size_t i = 0; i < states.size(); ++i) {
    out.clear();
    system.expand(states[i], out);
    for (const Successor& successor : out.successors) {
      const StateBytes bytes = out.state(successor);
      WalkedBytes state(bytes.begin(), bytes.end());
      if (known.insert(state).second) states.push_back(std::move(state));
    }
  }
  return states;
}

// As a later check reads it.
StateSample sample_of_walked(const TransitionSystem& system) {
  const std::vector<WalkedBytes> states = states_of_walked(system);
  StateSample sample(states.size());
  while (sample.next() < states.size()) sample.add(system, states[sample.next()]);
  std::string text;
  sample.put(text);
  RecordReader reader(text);
  StateSample read;
  read.read(reader);
  return read;
}

// Translates nothing and gives no more than a state back, as between versions of one layout.
class SameLayout : public StateTranslator {
 public:
  bool translate(StateBytes state, std::vector<std::byte>& out) override {
    out.assign(state.begin(), state.end());
    return true;
  }
  bool is_identity() const override { return true; }
  bool is_undone_by(const StateTranslator&) const override { return true; }
};

// Three counters below 12, in any order; `z` is only counted where `x` is below `bound`.
std::string counters_with_bound(int bound) {
  return "byte x, y, z;\n"
         "active proctype X() { end: do :: x = (x + 1) % 12 od }\n"
         "active proctype Y() { end: do :: y = (y + 1) % 12 od }\n"
         "active proctype Z() { end: do :: x < " +
         std::to_string(bound) + " -> z = z + 1; if :: z == 12 -> z = 0 :: else fi od }\n";
}

EditWalks walks_through(const std::string& before, const std::string& after, std::uint64_t steps = 4000) {
  const auto old_version = exec::version_of(before, {}), new_version = exec::version_of(after, {});
  SameLayout same;
  return walk_edited(*new_version, sample_of_walked(*old_version), &same, {.steps = steps});
}

TEST(EditWalks, FindNoNewStatesWhereNothingIsChanged) {
  const std::string model = counters_with_bound(12);
  const StateSample sample = sample_of_walked(*exec::version_of(model, {}));
  const EditWalks walks = walks_through(model, model);
  EXPECT_EQ(walks.steps, 4000U);
  EXPECT_EQ(walks.known, walks.different);  // the sample has all states of so small a model
  EXPECT_GT(walks.different, 1000U);
  EXPECT_EQ(walks.share_of_new(sample), 0);
  EXPECT_FALSE(walks.has_error);
}

TEST(EditWalks, EstimateTheShareOfNewStates) {
  // The old version has the states with x below 6 and y at will; the new one has all.
  const auto version = [](int bound) {
    return "byte x, y, z;\nactive proctype X() { end: do :: x < " + std::to_string(bound) +
           " -> x++ :: x > 0 -> x-- od }\n"
           "active proctype Y() { end: do :: y = (y + 1) % 12 od }\n"
           "active proctype Z() { end: do :: z = (z + 1) % 12 od }\n";
  };
  const auto before = exec::version_of(version(6), {});
  const StateSample sample = sample_of_walked(*before);
  const EditWalks walks = walks_through(version(6), version(13));
  EXPECT_NEAR(walks.share_of_new(sample), 0.5, 0.25);
  // And where nothing of the new version was recorded.
  const auto after = exec::version_of(version(13), {});
  EXPECT_EQ(walk_edited(*after, sample, nullptr, {.steps = 1000}).share_of_new(sample), 1);
}

TEST(EditWalks, EndAtAnErrorThatCounts) {
  const std::string model =
      "byte x;\nactive proctype P() { do :: x < 100 -> x++ :: x > 90 -> assert(false) :: x > 0 -> x-- od }";
  const auto version = exec::version_of(model, {});
  SameLayout same;
  const EditWalks walks = walk_edited(*version, StateSample(), &same, {.steps = 100'000});
  EXPECT_TRUE(walks.has_error);
  EXPECT_LT(walks.steps, 100'000U);
  const FindingKinds others = FindingKinds::all().without(FindingKind::kAssertion);
  EXPECT_FALSE(walk_edited(*version, StateSample(), &same, {.steps = 10'000, .counted = others}).has_error);
}

TEST(EditWalks, SayNothingOfFewStates) {
  const std::string model = counters_with_bound(12);
  const auto version = exec::version_of(model, {});
  const StateSample sample = sample_of_walked(*version);
  EXPECT_EQ(walk_edited(*version, sample, nullptr, {.steps = 20}).share_of_new(sample), 0);
  EXPECT_EQ(walk_edited(*version, StateSample(), nullptr, {.steps = 5000}).share_of_new(StateSample()), 0);
}

TEST(EditWalks, AreTheSameAtEachCall) {
  const std::string before = counters_with_bound(6), after = counters_with_bound(9);
  const EditWalks first = walks_through(before, after), second = walks_through(before, after);
  EXPECT_EQ(first.different, second.different);
  EXPECT_EQ(first.known, second.known);
}

}  // namespace
}  // namespace spoor
