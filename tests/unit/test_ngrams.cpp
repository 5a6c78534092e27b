#include "hunt/ngrams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "exec/interpreter.h"
#include "hunt/ngram_file.h"
#include "unit/golden_programs.h"

namespace spoor {
namespace {

using Named = Ngrams::Action;

Ngrams::Context context_of(std::initializer_list<Named> actions) {
  Ngrams::Context context;
  for (const Named action : actions) context.add(action);
  return context;
}

// How often each position is drawn.
std::vector<int> drawn(const Ngrams& ngrams, const Ngrams::Context& context, std::vector<Named> actions,
                       int times = 6000) {
  NgramSampler sampler(ngrams);
  std::mt19937_64 random(3);
  std::vector<int> count(actions.size());
  for (int i = 0; i < times; ++i) ++count[sampler.choose(context, actions, random)];
  return count;
}

TEST(Ngrams, CountsWhatFollows) {
  Ngrams ngrams;
  EXPECT_TRUE(ngrams.is_empty());
  // The example of the paper: B A B A B B.
  ngrams.learn(std::array<Named, 6>{1, 0, 1, 0, 1, 1});
  using Followers = std::vector<Ngrams::Follower>;
  const auto after = [&](std::initializer_list<Named> actions, unsigned length) {
    const auto seen = ngrams.after(context_of(actions), length);
    return Followers(seen.begin(), seen.end());
  };
  EXPECT_EQ(after({0, 1}, 2), (Followers{{0, 1}, {1, 1}}));
  EXPECT_EQ(after({1, 0}, 2), (Followers{{1, 2}}));
  EXPECT_EQ(after({}, 0), (Followers{{1, 4}, {0, 2}}));
  EXPECT_EQ(after({}, 3), (Followers{{1, 1}}));  // the beginning
  EXPECT_EQ(after({0, 0}, 2), Followers());
  EXPECT_EQ(ngrams.contexts().size(), 5u);
}

TEST(Ngrams, AShorterContextIsTheSumOfLongerOnes) {
  std::mt19937_64 random(5);
  Ngrams ngrams, again;
  for (int round = 0; round < 20; ++round) {
    std::vector<Named> path(random() % 60);
    for (Named& action : path) action = static_cast<Named>(random() % 5);
    ngrams.learn(path);
  }
  for (const std::uint64_t context : ngrams.contexts()) {
    for (const auto& follower : ngrams.after(context)) again.add(context, follower.action, follower.count);
  }
  const auto counts = [](const Ngrams& all, const Ngrams::Context& context, unsigned length) {
    std::map<Named, std::uint64_t> found;
    for (const auto& follower : all.after(context, length)) found[follower.action] = follower.count;
    return found;
  };
  for (Named a = 0; a < 5; ++a) {
    for (Named b = 0; b < 5; ++b) {
      for (unsigned length = 0; length <= Ngrams::kLongest; ++length) {
        const Ngrams::Context context = context_of({a, b, a});
        EXPECT_EQ(counts(ngrams, context, length), counts(again, context, length));
      }
    }
  }
  again.clear();
  EXPECT_TRUE(again.is_empty());
  EXPECT_EQ(again.contexts().size(), 0u);
}

TEST(Ngrams, NothingLearnedIsAUniformChoice) {
  for (const int count : drawn(Ngrams(), {}, {7, 7, 8})) EXPECT_NEAR(count, 2000, 200);
}

TEST(Ngrams, AnActionIsDrawnByItsFrequencyAndThenAStep) {
  Ngrams ngrams;
  ngrams.add(context_of({1, 2, 3}).last(Ngrams::kLongest), 7, 3);
  ngrams.add(context_of({1, 2, 3}).last(Ngrams::kLongest), 8, 1);
  // Three processes offer 7, one 8.
  const std::vector<int> count = drawn(ngrams, context_of({1, 2, 3}), {7, 8, 7, 7});
  EXPECT_NEAR(count[1], 1500, 150);
  for (const int i : {0, 2, 3}) EXPECT_NEAR(count[static_cast<std::size_t>(i)], 1500, 150);
}

TEST(Ngrams, WhatIsNotOfferedLeavesItsShareToTheRest) {
  Ngrams ngrams;
  for (const auto& [action, count] : std::map<Named, int>{{7, 3}, {8, 1}, {9, 96}})
    ngrams.add(context_of({1, 2, 3}).last(Ngrams::kLongest), action, static_cast<std::uint64_t>(count));
  const std::vector<int> count = drawn(ngrams, context_of({1, 2, 3}), {8, 7, 5});
  EXPECT_NEAR(count[0], 1500, 150);
  EXPECT_NEAR(count[1], 4500, 150);
  EXPECT_EQ(count[2], 0);  // it was never seen here
}

TEST(Ngrams, AContextThatSaysNothingBacksOff) {
  Ngrams ngrams;
  ngrams.add(context_of({1, 2, 3}).last(Ngrams::kLongest), 7, 1);  // offered nowhere below
  ngrams.add(context_of({5, 2, 3}).last(Ngrams::kLongest), 8, 1);
  ngrams.add(context_of({5, 5, 3}).last(Ngrams::kLongest), 9, 1);
  ngrams.add(context_of({5, 5, 5}).last(Ngrams::kLongest), 6, 1);
  const Ngrams::Context context = context_of({1, 2, 3});
  EXPECT_EQ(drawn(ngrams, context, {6, 9, 8}, 50), (std::vector<int>{0, 0, 50}));  // 2, 3
  EXPECT_EQ(drawn(ngrams, context, {6, 9, 4}, 50), (std::vector<int>{0, 50, 0}));  // 3
  EXPECT_EQ(drawn(ngrams, context, {4, 6, 4}, 50), (std::vector<int>{0, 50, 0}));  // none
  for (const int count : drawn(ngrams, context, {4, 3, 4})) EXPECT_NEAR(count, 2000, 200);
}

// ---- on disk -----------------------------------------------------------------------------------------

std::vector<std::string> names_of(std::initializer_list<const char*> names) {
  return {names.begin(), names.end()};
}

Ngrams learned(std::vector<Named> path) {
  Ngrams ngrams;
  ngrams.learn(path);
  return ngrams;
}

std::map<std::uint64_t, std::map<Named, std::uint64_t>> content(const Ngrams& ngrams) {
  std::map<std::uint64_t, std::map<Named, std::uint64_t>> all;
  for (const std::uint64_t context : ngrams.contexts()) {
    for (const auto& [action, count] : ngrams.after(context)) all[context][action] = count;
  }
  return all;
}

TEST(NgramFile, WhatIsWrittenIsRead) {
  std::mt19937_64 random(9);
  const auto names = names_of({"a", "b", "c", "d"});
  for (int round = 0; round < 30; ++round) {
    std::vector<Named> path(random() % 40);
    for (Named& action : path) action = static_cast<Named>(random() % names.size());
    const Ngrams ngrams = learned(path);
    EXPECT_EQ(content(decoded_ngrams(encoded_ngrams(ngrams, names), names)), content(ngrams));
  }
}

TEST(NgramFile, ActionsAreKnownByTheirNames) {
  const std::string record = encoded_ngrams(learned({0, 1, 2, 0, 1, 3}), names_of({"a", "b", "c", "d"}));
  // In another order; `c` is gone, and there is one more.
  const Ngrams read = decoded_ngrams(record, names_of({"d", "x", "b", "a"}));
  using Followers = std::vector<Ngrams::Follower>;
  const auto after = [&](std::initializer_list<Named> actions, unsigned length) {
    const auto seen = read.after(context_of(actions), length);
    return Followers(seen.begin(), seen.end());
  };
  EXPECT_EQ(after({3}, 1), (Followers{{2, 2}}));     // a: b, b
  EXPECT_EQ(after({3, 2}, 2), (Followers{{0, 1}}));  // a b: d; c is forgotten
  EXPECT_EQ(after({Ngrams::kUnknown}, 1), (Followers{{3, 1}}));
  EXPECT_EQ(drawn(read, context_of({3, 2}), {1, 0, 1}, 20), (std::vector<int>{0, 20, 0}));
}

TEST(NgramFile, DamageIsFound) {
  const auto names = names_of({"a", "b", "c", "d"});
  const std::string good = encoded_ngrams(learned({0, 1, 2, 0, 1, 3}), names);
  for (std::size_t cut = 0; cut < good.size(); ++cut)
    EXPECT_THROW(decoded_ngrams(good.substr(0, cut), names), FramedFileError) << cut;
  EXPECT_THROW(decoded_ngrams(good + '\0', names), FramedFileError);
}

TEST(NgramFile, NamesOfActionsDoNotDependOnNumbersNorOnOtherProcesses) {
  const auto names = [](const std::string& text) {
    return action_names(exec::Interpreter(program_of(promela::parse_text("m.pml", text, {}), false)));
  };
  const std::string ring =
      "byte x[N];\nactive [2] proctype P() { x[(_pid + 1) % N] = 1; x[0] = 2; x[1] = 2; assert(x[0] == 12) }\n";
  const auto with = [&](const char* number, const std::string& more) {
    std::string text = more + ring;
    for (std::size_t at = text.find('N'); at != text.npos; at = text.find('N')) text.replace(at, 1, number);
    return names(text);
  };
  const auto is_among = [](const std::vector<std::string>& some, const std::vector<std::string>& all) {
    return std::ranges::all_of(
        some, [&](const std::string& name) { return std::ranges::find(all, name) != all.end(); });
  };
  const std::vector<std::string> small = with("4", "");
  std::vector<std::string> sorted = small;
  std::ranges::sort(sorted);
  EXPECT_EQ(std::ranges::adjacent_find(sorted), sorted.end());
  EXPECT_EQ(with("128", ""), small);
  const std::vector<std::string> edited = with("128", "active proctype A() { skip; printf(\"x = 2\") }\n");
  EXPECT_NE(edited, small);
  EXPECT_TRUE(is_among(small, edited));
}

}  // namespace
}  // namespace spoor
