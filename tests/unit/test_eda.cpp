// Estimation of distribution over paths: what a generation learns, when it ends, what it begins with.
#include "hunt/eda.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "hunt/active_processes.h"
#include "model/trace.h"
#include "unit/counters.h"
#include "unit/quiet_system.h"

namespace spoor {
namespace {

// A word of `kLength` letters is spelled, one per step; a wrong letter begins the word anew, and the whole
// word is an error. A walk spells it in one of 3^12 attempts. The estimate is what is missing.
class Speller : public QuietSystem {
 public:
  static constexpr unsigned kLength = 12, kLetters = 3;

  static unsigned letter(unsigned at) { return (at * at + 1) % kLetters; }
  std::vector<std::byte> initial_state() const override { return std::vector<std::byte>(2); }
  void expand(StateBytes state, Expansion& out) const override {
    const auto spelled = std::to_integer<unsigned>(state[0]), wrong = std::to_integer<unsigned>(state[1]);
    if (spelled == kLength) out.findings.push_back({FindingKind::kDeadlock, 0, Finding::kStateItself});
    if (spelled == kLength || wrong == 5) return;
    for (unsigned i = 0; i < kLetters; ++i) {
      const bool is_right = i == letter(spelled);
      const std::byte target[] = {static_cast<std::byte>(is_right ? spelled + 1 : 0),
                                  static_cast<std::byte>(is_right ? wrong : wrong + 1)};
      const auto offset = static_cast<std::uint32_t>(out.arena.size());
      out.arena.append(target);
      out.successors.push_back({StepId(i), offset, 2});
      if (out.asked.columns.labels) out.labels.push_back(i);
    }
  }
};

class Missing : public Heuristic {
 public:
  std::uint32_t estimate(StateBytes state, const Expansion&) override {
    return Speller::kLength - std::to_integer<std::uint32_t>(state[0]);
  }
};

struct Hunted {
  MethodResult result;
  std::vector<std::size_t> lengths;  // as they were found
  std::uint64_t expansions = 0;
  Ngrams learned;
};

Hunted hunted(const TransitionSystem& system, const EdaOptions& eda, std::uint64_t seed,
              std::uint64_t most_expansions) {
  Hunted hunted;
  Hunter hunter(system, {}, most_expansions, FindingKinds::all());
  Missing heuristic;
  MethodOptions options;
  options.seed = seed;
  options.heuristic = &heuristic;
  options.on_found = [&](const Violation& violation) {
    EXPECT_TRUE(shows(system, violation));
    hunted.lengths.push_back(violation.steps.size());
  };
  hunter.begin(0);
  Eda search(eda);
  hunted.result = search.run(hunter, options);
  hunted.learned = search.ngrams();
  hunted.expansions = hunter.counts().expansions;
  return hunted;
}

TEST(Eda, FindsWhatAWalkDoesNot) {
  constexpr std::uint64_t kMost = 200'000;
  EdaOptions eda;
  eda.goes_on = true;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Hunted found = hunted(Speller(), eda, seed, kMost);
    ASSERT_FALSE(found.lengths.empty()) << seed;
    EXPECT_TRUE(std::ranges::is_sorted(found.lengths, std::greater()));
    EXPECT_EQ(found.result.found->steps.size(), found.lengths.back());
    EXPECT_EQ(found.lengths.back(), Speller::kLength);
    EdaOptions random = eda;
    random.mutation = 1;
    EXPECT_GT(hunted(Speller(), random, seed, kMost).result.states, kMost - 100);
  }
}

TEST(Eda, WithoutMutationAndWithOnePathToLearnFromItRepeatsThatPath) {
  EdaOptions eda;
  eda.chosen = 1;
  eda.mutation = 0;
  eda.generations = 3;
  eda.goes_on = true;
  Ngrams before;
  std::vector<Ngrams::Action> word;
  for (unsigned i = 0; i < Speller::kLength; ++i) word.push_back(Speller::letter(i));
  // The contexts of three letters of this word say what follows, but for the beginning.
  before.learn(word);
  eda.before = &before;
  const Hunted found = hunted(Speller(), eda, 1, 100'000);
  ASSERT_FALSE(found.lengths.empty());
  EXPECT_LE(found.lengths.back(), Speller::kLength + 20);
  EXPECT_LT(found.expansions, 3u * 150u * 40u);
}

TEST(Eda, TheGenerationsAreOverWhenTheyHaveFoundAnError) {
  EdaOptions eda;
  eda.goes_on = true;
  eda.generations = 4;
  const FaultyCounters system(3, 5, 3);
  const Hunted found = hunted(system, eda, 1, 0);
  ASSERT_TRUE(found.result.found);
  EXPECT_GE(found.expansions, 4u * 149u);
  eda.goes_on = false;
  EXPECT_LT(hunted(system, eda, 1, 0).expansions, 150u);
}

TEST(Eda, ASearchInPartsFindsWhatItFindsInOne) {
  EdaOptions eda;
  eda.goes_on = true;
  eda.generations = 12;
  const Speller system;
  const Hunted whole = hunted(system, eda, 3, 0);
  ASSERT_TRUE(whole.result.found);
  Hunter hunter(system, {}, 0, FindingKinds::all());
  Missing heuristic;
  Eda search(eda);
  MethodOptions options;
  options.seed = 3;
  options.heuristic = &heuristic;
  std::vector<std::size_t> lengths;
  options.on_found = [&](const Violation& violation) { lengths.push_back(violation.steps.size()); };
  std::size_t parts = 0;
  do {
    hunter.begin(700);  // within a generation, and within a path
    search.run(hunter, options);
    ++parts;
  } while (hunter.is_over());
  EXPECT_GT(parts, 5u);
  EXPECT_EQ(lengths, whole.lengths);
  EXPECT_EQ(search.ngrams().contexts(), whole.learned.contexts());
}

TEST(Eda, ATraceFromElsewhereIsLearnedFrom) {
  const Speller system;
  Violation known{{FindingKind::kDeadlock, 0, Finding::kStateItself}, {}};
  for (unsigned i = 0; i < 3; ++i) known.steps.emplace_back(i == 2 ? 0u : Speller::letter(i));
  for (unsigned i = 0; i < Speller::kLength; ++i) known.steps.emplace_back(Speller::letter(i));
  ASSERT_TRUE(shows(system, known));
  EdaOptions how;  // without an estimate: only paths with an error are better than others
  how.goes_on = how.begins_again = true;
  std::uint64_t expansions[2] = {};
  for (const bool is_told : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      Hunter hunter(system, {}, 0, FindingKinds::all());
      Eda search(how);
      if (is_told) search.add(system, known);
      MethodOptions options;
      options.seed = seed;
      // Until there is one with fewer steps.
      options.on_found = [&](const Violation& violation) {
        EXPECT_TRUE(shows(system, violation));
        if (violation.steps.size() >= known.steps.size()) return;
        hunter.begin(1);
      };
      hunter.begin(20'000);
      search.run(hunter, options);
      expansions[is_told] += hunter.counts().expansions;
    }
  }
  EXPECT_LT(2 * expansions[1], expansions[0]) << expansions[1];
}

TEST(Eda, TheSameSeedDrawsTheSamePaths) {
  EdaOptions eda;
  eda.goes_on = true;
  const Hunted one = hunted(Speller(), eda, 7, 20'000), again = hunted(Speller(), eda, 7, 20'000);
  EXPECT_EQ(one.lengths, again.lengths);
  EXPECT_EQ(one.learned.contexts(), again.learned.contexts());
  EXPECT_NE(one.learned.contexts(), hunted(Speller(), eda, 8, 300).learned.contexts());
}

TEST(Eda, TheActionsOfATraceAreThoseOfItsSteps) {
  std::vector<StepId> steps;
  std::vector<Ngrams::Action> letters;
  for (unsigned i = 0; i < 6; ++i) {
    steps.push_back(StepId((i * 5) % Speller::kLetters));
    letters.push_back((i * 5) % Speller::kLetters);
  }
  const std::vector<Ngrams::Action> actions = actions_of(Speller(), steps);
  ASSERT_FALSE(actions.empty());
  EXPECT_TRUE(std::equal(actions.begin(), actions.end(), letters.begin()));
  // Steps without labels have their ordinals.
  EXPECT_EQ(actions_of(Counters(3, 4), std::vector{StepId(2), StepId(0)}),
            (std::vector<Ngrams::Action>{2, 0}));
}

}  // namespace
}  // namespace spoor
