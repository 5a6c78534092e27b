// What recorded states can reach, and the system that leaves out what lies below them.
#include "evidence/reachable_sets.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/packed_numbers.h"
#include "base/temporary_folder.h"
#include "evidence/pruned_system.h"
#include "evidence/recorder.h"
#include "evidence/recording.h"
#include "graph/fixed.h"
#include "random_fixed_graph.h"
#include "recorded.h"
#include "search/search.h"
#include "version_pair.h"

namespace spoor {
namespace {

Recording record_all(const TransitionSystem& system, SearchOptions options = {},
                     SearchResult* result = nullptr) {
  options.all_errors = true;
  return record(system, options, result);
}

// What a state has itself, and everything below it, by repeating until nothing is added.
struct NaiveSets {
  NaiveSets(const Recording& recording, const TransitionSystem& system)
      : locations(recording.states.bound()),
        statements(recording.states.bound()),
        is_open(recording.states.bound()) {
    std::vector<std::vector<std::uint32_t>> targets(recording.states.bound());
    PackedStates::Cursor cursor;
    RecordedState stored;
    for (std::uint32_t state = 0; state < targets.size(); ++state) {
      is_open[state] = recording.steps[state] == RecordedSteps::kNowhere;
      if (is_open[state]) continue;
      std::vector<std::uint32_t> own;
      system.element_sets_of(recording.states.get(state, cursor), own);
      locations[state].insert(own.begin(), own.end());
      recording.steps.read(state, stored);
      targets[state] = stored.targets;
      const std::vector<std::uint32_t>& executed = recording.executed[stored.executed];
      statements[state].insert(executed.begin(), executed.end());
    }
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (std::uint32_t state = 0; state < targets.size(); ++state) {
        const auto before = size(state);
        for (const std::uint32_t target : targets[state]) {
          locations[state].insert(locations[target].begin(), locations[target].end());
          statements[state].insert(statements[target].begin(), statements[target].end());
          is_open[state] = is_open[state] || is_open[target];
        }
        is_changed |= size(state) != before;
      }
    }
  }
  std::size_t size(std::uint32_t state) const {
    return locations[state].size() + statements[state].size() + is_open[state];
  }

  std::vector<std::set<std::uint32_t>> locations, statements;
  std::vector<bool> is_open;
};

void expect_naive(const Recording& recording, const TransitionSystem& system, const ReachableSets& sets) {
  const NaiveSets naive(recording, system);
  ASSERT_EQ(sets.number_of.size(), recording.states.bound());
  for (std::uint32_t state = 0; state < sets.number_of.size(); ++state) {
    ASSERT_EQ(sets.number_of[state] == ReachableSets::kOpen, naive.is_open[state]) << state;
    if (naive.is_open[state]) continue;
    const ReachableSets::Set& set = sets.sets.at(sets.number_of[state]);
    const std::vector<std::uint32_t> locations(naive.locations[state].begin(), naive.locations[state].end());
    const std::vector<std::uint32_t> statements(naive.statements[state].begin(),
                                                naive.statements[state].end());
    ASSERT_EQ(set.locations, locations) << state;
    ASSERT_EQ(set.statements, statements) << state;
  }
}

TEST(ReachableSets, OfRandomGraphsAreThoseOfAFixpoint) {
  std::uint64_t closed = 0, open = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    FixedGraphOptions graph = random_fixed_graph(seed, 60);
    if (seed % 2 == 0) {
      graph.planted.clear();
      graph.has_deadlocks = false;
    }
    const FixedGraph system(graph);
    for (const Order order : {Order::kBreadthFirst, Order::kDepthFirst}) {
      SearchOptions options;
      options.order = order;
      const Recording recording = record_all(system, options);
      const ReachableSets sets = reachable_sets(recording, system);
      expect_naive(recording, system, sets);
      for (const std::uint32_t number : sets.number_of) ++(number == ReachableSets::kOpen ? open : closed);
    }
  }
  EXPECT_GT(open, 1000u);
  EXPECT_GT(closed, 1000u);
}

TEST(ReachableSets, AreKeptOnceAndAreThoseOfTheWholeComponent) {
  // 0 -> 1 -> 2 -> 0, and 2 -> 3, 3 -> 4, 4 -> 3, 5 as another way to 3.
  FixedGraphOptions graph;
  graph.edges = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 3}, {0, 5}, {5, 3}};
  graph.has_deadlocks = false;
  const FixedGraph system(graph);
  const Recording recording = record_all(system);
  const ReachableSets sets = reachable_sets(recording, system);
  EXPECT_EQ(sets.sets.size(), 1u + 3u);  // open; {3, 4}; {3, 4, 5}; all
  expect_naive(recording, system, sets);
}

// The depth-first search of the published algorithm enters L0, L1, L2, which closes a cycle with L0; then L3
// from L1, which copies the set of L2 before L0 has its second step, to the assertion.
TEST(ReachableSets, AreCompleteWhereAComponentIsEnteredTwice) {
  FixedGraphOptions graph;
  graph.edges = {{0, 1}, {1, 2}, {2, 0}, {1, 3}, {3, 2}, {0, 4}};
  graph.has_deadlocks = false;
  const FixedGraph system(graph);
  SearchOptions options;
  options.order = Order::kDepthFirst;
  const Recording recording = record_all(system, options);
  const ReachableSets sets = reachable_sets(recording, system);
  expect_naive(recording, system, sets);
  const auto complete = std::ranges::count_if(
      sets.number_of, [&](std::uint32_t number) { return sets.sets[number].locations.size() == 5; });
  EXPECT_EQ(complete, 4);
}

TEST(ReachableSets, OfAModelAreThoseOfAFixpoint) {
  const auto system = exec::version_of(R"(
byte x, y;
active proctype P() {
  do :: x < 5 -> x++ :: y < 3 -> y++ :: x == 5 -> break od;
  do :: x > 0 -> x-- :: x == 0 -> break od
}
active proctype Q() { byte z; do :: z < 4 -> z++ :: z == 4 -> break od; y = 0 }
)",
                                       {});
  for (const unsigned threads : {1u, 3u}) {
    SearchOptions options;
    options.threads = threads;
    const Recording recording = record_all(*system, options);
    const ReachableSets sets = reachable_sets(recording, *system);
    expect_naive(recording, *system, sets);
    EXPECT_GT(sets.sets.size(), 3u);
  }
}

TEST(ReachableSets, AreReadAsTheyWereWritten) {
  const FixedGraph system(random_fixed_graph(6));
  Recording recording = record_all(system);
  recording.reachable = reachable_sets(recording, system);
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/recording";
  save(recording,
       {recording.executed,
        recording.states.shapes_text(),
        {{}, &recording.states.codes()},
        {},
        &*recording.reachable},
       path);
  FramedReader file(path, kRecordingFormat);
  const Recording again = load_recording(file);
  EXPECT_EQ(again.reachable, recording.reachable);
  file.rewind();
  EXPECT_FALSE(load_recording(file, {.reachable = true}).reachable);
  file.rewind();
  const Recording without_steps = load_recording(file, {.steps = true});
  EXPECT_EQ(without_steps.reachable, recording.reachable);
  EXPECT_EQ(without_steps.steps[0], RecordedSteps::kNowhere);
}

TEST(ReachableSets, ThatContradictThemselvesAreRefused) {
  ReachableSets sets;
  EXPECT_THROW(sets.read_numbers(std::string(1, '\0')), FramedFileError);  // before there are sets
  sets.read_sets("");
  sets.read_numbers(std::string(2, '\0'));
  EXPECT_NO_THROW(sets.require_complete(2));
  EXPECT_THROW(sets.require_complete(3), FramedFileError);
  EXPECT_THROW(sets.read_numbers("\1"), FramedFileError);
  EXPECT_THROW(sets.read_sets("\1"), FramedFileError);      // a set without its member
  EXPECT_THROW(sets.read_sets("\1\1"), FramedFileError);    // without its statements
  EXPECT_THROW(sets.read_sets("\x7f\1"), FramedFileError);  // more members than bytes
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string text(random() % 24, '\0');
    for (char& byte : text) byte = static_cast<char>(random() % 3 == 0 ? random() : random() % 4);
    try {
      sets.read_sets(text);
      sets.read_numbers(text);
    } catch (const FramedFileError&) {
    }
  }
}

struct Pruned {
  SearchResult full, result;
  std::uint64_t pruned = 0;
};

Pruned prune(const std::string& before_text, const std::string& after_text, const SearchOptions& options,
             bool reduced) {
  const exec::VersionReductions reductions = {reduced, reduced, reduced};
  const auto before = exec::version_of(before_text, reductions);
  const auto after = exec::version_of(after_text, reductions);
  Recording recording = record_all(*before, options);
  recording.reachable = reachable_sets(recording, *before);
  Pruned found;
  found.full = search(*after, options);
  std::string why_not;
  const auto system = PrunedSystem::make(recording, *before, *after, why_not);
  EXPECT_EQ(system == nullptr, !why_not.empty());
  if (system == nullptr) return found;
  found.result = search(*system, options);
  found.pruned = system->pruned();
  return found;
}

std::string phases(const std::string& first, const std::string& second) {
  return "byte x, y; active proctype P() { do :: x < 9 -> " + first +
         " :: y < 3 -> y++ :: x == 9 -> break od; x = 0; do :: x < 30 -> x++ :: x == 30 -> " + second +
         " od }\nactive proctype Q() { byte z; do :: z < 5 -> z++ :: z == 5 -> z = 0 :: x > 20 -> z = 1 od }";
}

TEST(PrunedSystem, HasTheVerdictOfAFullCheckAndTheSameStatements) {
  const std::string before = phases("x++", "x = 0");
  for (const std::string& after : {phases("x = 1 + x", "x = 0"), phases("x++; skip", "x = 0")}) {
    for (const Order order : {Order::kBreadthFirst, Order::kDepthFirst}) {
      for (const StoreKind store : {StoreKind::kExact, StoreKind::kTree}) {
        for (const unsigned threads : {1u, 3u}) {
          for (const bool reduced : {false, true}) {
            SearchOptions options;
            options.order = order;
            options.store = store;
            options.threads = threads;
            options.reduce = reduced;
            const Pruned found = prune(before, after, options, reduced);
            if (reduced && order == Order::kDepthFirst && found.pruned == 0)
              continue;  // most states are open
            EXPECT_EQ(found.result.outcome.index(), found.full.outcome.index());
            EXPECT_EQ(found.result.executed, found.full.executed);
            EXPECT_GT(found.pruned, 0u);
            EXPECT_LT(found.result.statistics.states, found.full.statistics.states);
          }
        }
      }
    }
  }
}

TEST(PrunedSystem, FindsAViolationWithTheTraceOfAFullCheck) {
  // In the second phase, which the edit of the first cannot change, and where nothing is pruned because of
  // it.
  const Pruned old =
      prune(phases("x++", "x = 0; assert(y < 3)"), phases("x = 1 + x", "x = 0; assert(y < 3)"), {}, false);
  ASSERT_EQ(old.full.violations.size(), 1u);
  ASSERT_EQ(old.result.violations.size(), 1u);
  EXPECT_EQ(old.result.violations[0].steps, old.full.violations[0].steps);
  // Behind the edit.
  const Pruned added = prune(phases("x++", "x = 0"), phases("x++; assert(y < 3)", "x = 0"), {}, false);
  ASSERT_EQ(added.result.violations.size(), 1u);
  EXPECT_EQ(added.result.violations[0].steps, added.full.violations[0].steps);
}

TEST(PrunedSystem, IsNotMadeWhereEverythingReachesTheEdit) {
  const auto before = exec::version_of(phases("x++", "x = 0"), {});
  const auto after = exec::version_of(phases("x++", "x = 1"), {});
  Recording recording = record_all(*before);
  std::string why_not;
  EXPECT_EQ(PrunedSystem::make(recording, *before, *after, why_not), nullptr);
  EXPECT_NE(why_not.find("does not say"), std::string::npos);
  recording.reachable = reachable_sets(recording, *before);
  EXPECT_EQ(PrunedSystem::make(recording, *before, *after, why_not), nullptr);
  EXPECT_NE(why_not.find("every recorded state"), std::string::npos);
  // Numbers of another model.
  recording.reachable->sets.back().locations = {before->element_set_count()};
  EXPECT_EQ(PrunedSystem::make(recording, *before, *after, why_not), nullptr);
  EXPECT_NE(why_not.find("another model"), std::string::npos);
}

}  // namespace
}  // namespace spoor
