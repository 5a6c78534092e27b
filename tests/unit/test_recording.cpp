// Recordings: made by every search, kept in a file, and used by a system that executes nothing again.
#include "evidence/recording.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/packed_numbers.h"
#include "base/temporary_folder.h"
#include "evidence/recorded_system.h"
#include "evidence/recorder.h"
#include "model/trace.h"
#include "search/search.h"
#include "version_pair.h"

namespace spoor {
namespace {

constexpr const char* kModel = R"(
byte x; chan q = [2] of { byte };
active proctype P() { do :: x < 4 -> x++ :: q!x :: atomic { x > 2 -> x = 0 } od }
active [2] proctype Q() { byte y; do :: q?y :: y > 2 -> y = 0; assert(x < 20) od }
)";

std::unique_ptr<exec::Interpreter> version(const std::string& text, bool reduced = false) {
  return exec::version_of(text, {reduced, reduced, reduced});
}

Recording record(const TransitionSystem& system, SearchOptions options, SearchResult* result = nullptr) {
  Recorder recorder;
  options.observer = &recorder;
  const SearchResult found = search(system, options);
  if (result != nullptr) *result = found;
  Recording recording;
  EXPECT_TRUE(recorder.take(recording));
  require_consistent(recording);
  return recording;
}

SearchOptions options_of(Order order, StoreKind store, unsigned threads, bool reduce) {
  SearchOptions options;
  options.order = order;
  options.store = store;
  options.threads = threads;
  options.reduce = reduce;
  return options;
}

template <class Use>
void for_each_search(const Use& use) {
  for (const Order order : {Order::kBreadthFirst, Order::kDepthFirst}) {
    for (const StoreKind store : {StoreKind::kExact, StoreKind::kTree}) {
      for (const unsigned threads : {1u, 3u}) {
        for (const bool reduce : {false, true}) {
          SCOPED_TRACE(std::string(to_string(order)) + " " + to_string(store) + " threads " +
                       std::to_string(threads) + (reduce ? " reduced" : ""));
          use(options_of(order, store, threads, reduce), reduce);
        }
      }
    }
  }
}

void expect_same(const SearchResult& full, const SearchResult& again) {
  EXPECT_EQ(full.outcome.index(), again.outcome.index());
  EXPECT_EQ(full.statistics.states, again.statistics.states);
  EXPECT_EQ(full.statistics.transitions, again.statistics.transitions);
  EXPECT_EQ(full.statistics.inner_steps, again.statistics.inner_steps);
  EXPECT_EQ(full.statistics.depth, again.statistics.depth);
  EXPECT_EQ(full.executed, again.executed);
}

TEST(Recording, HasEveryStateAndStepOfTheSearch) {
  const auto system = version(kModel);
  SearchResult result;
  const Recording recording = record(*system, {}, &result);
  EXPECT_EQ(recording.states, result.statistics.states);
  RecordReader reader(recording.steps);
  std::uint64_t steps = 0;
  RecordedState state;
  for (std::uint32_t i = 0; i < recording.states; ++i) {
    read(reader, i, recording.states, state);
    EXPECT_EQ(state.flags, RecordedState::kExpanded);
    steps += state.targets.size();
  }
  EXPECT_TRUE(reader.is_at_end());
  EXPECT_EQ(steps + 1, result.statistics.transitions);
}

TEST(Recording, OfTheSameModelAnswersWithoutExecutingIt) {
  for_each_search([](const SearchOptions& options, bool reduce) {
    const auto system = version(kModel, reduce);
    SearchResult full;
    const Recording recording = record(*system, options, &full);
    std::string why_not;
    const auto recorded = RecordedSystem::make(recording, *system, *system, {options.threads}, why_not);
    ASSERT_NE(recorded, nullptr) << why_not;
    expect_same(full, search(*recorded, options));
    // A depth-first search does not have the first attempt any more when the proviso fails.
    if (!reduce || options.order == Order::kBreadthFirst) {
      EXPECT_EQ(recorded->figures().expanded, 0u);
    }
  });
}

TEST(Recording, OfTheVersionBeforeAnswersForTheNextAndTheOneAfterThat) {
  const std::string first = kModel;
  std::string second = first, third = first;
  second.replace(second.find("y > 2"), 5, "y > 3");
  third.replace(third.find("x < 4"), 5, "x < 3").insert(0, "byte added = 3;\n");
  for_each_search([&](const SearchOptions& options, bool reduce) {
    const auto a = version(first, reduce), b = version(second, reduce), c = version(third, reduce);
    const Recording of_a = record(*a, options);
    std::string why_not;
    const auto b_after_a = RecordedSystem::make(of_a, *a, *b, {options.threads}, why_not);
    ASSERT_NE(b_after_a, nullptr) << why_not;
    Recorder recorder(b_after_a->bytes_reader());
    SearchOptions observed = options;
    observed.observer = &recorder;
    const SearchResult of_b = search(*b_after_a, observed);
    expect_same(search(*b, options), of_b);
    EXPECT_GT(b_after_a->figures().expanded, 0u);
    EXPECT_LT(b_after_a->figures().expanded, of_b.statistics.states);
    Recording made;
    ASSERT_TRUE(recorder.take(made));
    require_consistent(made);
    const auto c_after_b = RecordedSystem::make(made, *b, *c, {options.threads}, why_not);
    ASSERT_NE(c_after_b, nullptr) << why_not;
    expect_same(search(*c, options), search(*c_after_b, options));
  });
}

TEST(Recording, GivesTracesOfTheNewVersion) {
  std::string edited = kModel;
  edited.replace(edited.find("x < 20"), 6, "x < 3");
  for_each_search([&](const SearchOptions& options, bool reduce) {
    const auto before = version(kModel, reduce), after = version(edited, reduce);
    const Recording recording = record(*before, options);
    std::string why_not;
    const auto recorded = RecordedSystem::make(recording, *before, *after, {options.threads}, why_not);
    ASSERT_NE(recorded, nullptr) << why_not;
    const SearchResult result = search(*recorded, options);
    ASSERT_EQ(result.violations.size(), 1u);
    const std::vector<StepId> steps = recorded->steps_below(result.violations[0].steps);
    const ReplayResult replayed = replay(*after, {steps, result.violations[0].finding});
    EXPECT_EQ(std::get_if<ReplayError>(&replayed), nullptr);
  });
}

TEST(Recording, OfASearchThatWasCutShortIsUsedAsFarAsItGoes) {
  const auto system = version(kModel);
  SearchOptions cut;
  cut.limits.depth = 8;
  const Recording recording = record(*system, cut);
  std::string why_not;
  const auto recorded = RecordedSystem::make(recording, *system, *system, {}, why_not);
  ASSERT_NE(recorded, nullptr) << why_not;
  const SearchResult full = search(*system, {});
  expect_same(full, search(*recorded, {}));
  EXPECT_GT(recorded->figures().usable, 0u);
  EXPECT_EQ(recorded->figures().expanded, full.statistics.states - recorded->figures().usable);
}

TEST(Recording, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/r";
  Recording recording = record(*version(kModel), {});
  recording.text = kModel;
  recording.model_sha256 = "abc";
  recording.options = "some";
  recording.answer = RecordedAnswer{1, 2, 3, 4, 5, 6, {0, 7, 300}};
  save(recording, path);
  const Recording read = load_recording(path);
  EXPECT_EQ(read.text, recording.text);
  EXPECT_EQ(read.model_sha256, recording.model_sha256);
  EXPECT_EQ(read.options, recording.options);
  EXPECT_EQ(read.answer, recording.answer);
  EXPECT_EQ(load_recording_head(path).answer, recording.answer);
  EXPECT_EQ(read.states, recording.states);
  EXPECT_EQ(read.bytes, recording.bytes);
  EXPECT_EQ(read.steps, recording.steps);
  EXPECT_EQ(read.executed, recording.executed);
}

TEST(Recording, IsRefusedWhereItContradictsItself) {
  const Recording good = record(*version(kModel), {});
  const auto expect_damage = [&](const auto& damage) {
    Recording bad = good;
    damage(bad);
    EXPECT_THROW(require_consistent(bad), FramedFileError);
  };
  expect_damage([](Recording& r) { ++r.states; });
  expect_damage([](Recording& r) { --r.states; });
  expect_damage([](Recording& r) { r.bytes.pop_back(); });
  expect_damage([](Recording& r) { r.steps.pop_back(); });
  expect_damage([](Recording& r) { r.executed.clear(); });
  const auto system = version(kModel);
  Recording foreign = good;
  foreign.bytes.clear();
  for (std::uint32_t i = 0; i < good.states; ++i) put_bytes(foreign.bytes, "no state");
  std::string why_not;
  EXPECT_EQ(RecordedSystem::make(foreign, *system, *system, {}, why_not), nullptr);
  EXPECT_FALSE(why_not.empty());
}

}  // namespace
}  // namespace spoor
