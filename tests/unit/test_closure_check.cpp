// Closure checks: the states that an edit touches are enough for the verdict, and the recording goes on.
#include "evidence/closure_check.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/temporary_folder.h"
#include "evidence/recorder.h"
#include "search/search.h"
#include "version_pair.h"

namespace spoor {
namespace {

using ClosureAnswer = ClosureCheck::Answer;
using States = std::set<std::vector<std::byte>>;

constexpr const char* kModel = R"(
byte x; chan q = [1] of { byte };
active proctype P() { do :: x < 4 -> x++ :: q!x :: atomic { x > 2 -> x = 0 } od }
active proctype Q() { byte y; do :: q?y :: y > 2 -> y = 0; assert(x < 20) od }
)";

std::string edited(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::unique_ptr<exec::Interpreter> version(const std::string& text, bool reduced) {
  return exec::version_of(text, {reduced, reduced, reduced});
}

RecordedAnswer answer_of(const SearchResult& result) {
  RecordedAnswer answer;
  answer.states = result.statistics.states;
  for (std::uint32_t i = 0; i < result.executed.size(); ++i) {
    if (result.executed[i] != 0) answer.executed.push_back(i);
  }
  return answer;
}

// A search of a version, with its recording in a file.
void record(const TransitionSystem& system, SearchOptions options, bool with_steps,
            const std::string& folder) {
  Recorder recorder(system, folder, with_steps);
  options.observer = &recorder;
  const SearchResult result = search(system, options);
  ASSERT_TRUE(std::holds_alternative<Holds>(result.outcome));
  RecordingHead head;
  head.answer = answer_of(result);
  head.elements = elements_after(system, result.executed);
  recorder.save(std::move(head), folder + "/r");
}

States states_in(const Recording& recording) {
  States states;
  PackedStates::Cursor cursor;
  for (std::uint32_t i = 0; i < recording.states.bound(); ++i) {
    const StateBytes bytes = recording.states.get(i, cursor);
    if (!bytes.empty()) states.insert({bytes.begin(), bytes.end()});
  }
  return states;
}

States reachable(const TransitionSystem& system) {
  States known = {system.initial_state()};
  std::vector<std::vector<std::byte>> todo(known.begin(), known.end());
  while (!todo.empty()) {
    const std::vector<std::byte> state = std::move(todo.back());
    todo.pop_back();
    Expansion out;
    system.expand(state, out);
    for (const Successor& successor : out.successors) {
      const StateBytes bytes = out.state(successor);
      const auto [next, is_new] = known.emplace(bytes.begin(), bytes.end());
      if (is_new) todo.push_back(*next);
    }
  }
  return known;
}

struct Kind {
  SearchOptions options;
  bool reduced = false, with_steps = false;
};

// Each version is checked with the recording that the one before has left.
void expect_chain(const std::vector<std::string>& versions, const Kind& kind) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/r";
  auto before = version(versions[0], kind.reduced);
  record(*before, kind.options, kind.with_steps, folder.path());
  for (std::size_t i = 1; i < versions.size(); ++i) {
    SCOPED_TRACE(versions[i]);
    auto after = version(versions[i], kind.reduced);
    FramedReader file(path, kRecordingFormat);
    Recording recording = load_states(file);
    std::string why_not;
    const auto graph = KnownGraph::make(recording, *before, *after, {1, false}, why_not);
    ASSERT_NE(graph, nullptr) << why_not;
    ClosureOptions how;
    how.reduces = kind.reduced && recording.is_ordered;
    ClosureCheck check(*graph, *before, *after, how);
    const ClosureAnswer answer = check.run();
    const SearchResult full = search(*after, kind.options);
    const bool holds = std::holds_alternative<Holds>(full.outcome);
    ASSERT_EQ(answer, holds ? ClosureAnswer::kHolds : ClosureAnswer::kError);
    if (!holds) return;
    const SearchResult bound = check.result();
    for (std::size_t s = 0; s < full.executed.size(); ++s)
      EXPECT_LE(full.executed[s], bound.executed[s]) << s;
    RecordingHead head;
    head.answer = answer_of(bound);
    head.answer->is_bound = true;
    check.save(std::move(head), std::move(recording.states), file, path);
    FramedReader again(path, kRecordingFormat);
    const Recording saved = load_recording(again);
    EXPECT_EQ(saved.has_steps, kind.with_steps);
    const std::vector<std::uint32_t> elements = elements_after(*after, full.executed);
    EXPECT_TRUE(std::ranges::includes(saved.elements, elements));
    if (!kind.reduced) {
      EXPECT_GE(bound.statistics.states, full.statistics.states);
      const States kept = states_in(saved), met = reachable(*after);
      EXPECT_TRUE(std::ranges::includes(kept, met));
    }
    before = std::move(after);
  }
}

template <class Use>
void for_each_kind(const Use& use) {
  const auto one = [&](Order order, unsigned threads, bool reduced, bool with_steps) {
    SCOPED_TRACE(std::string(to_string(order)) + " threads " + std::to_string(threads) +
                 (reduced ? " reduced" : "") + (with_steps ? " with steps" : ""));
    Kind kind;
    kind.options.order = order;
    kind.options.threads = threads;
    kind.options.reduce = reduced;
    kind.reduced = reduced;
    kind.with_steps = with_steps;
    use(kind);
  };
  for (const unsigned threads : {1u, 3u}) {
    for (const bool reduced : {false, true}) one(Order::kBreadthFirst, threads, reduced, false);
  }
  one(Order::kBreadthFirst, 1, false, true);
  one(Order::kBreadthFirst, 1, true, true);
  one(Order::kDepthFirst, 1, true, false);
}

TEST(ClosureCheck, HasTheVerdictOfASearchAndARecordingForTheNextVersion) {
  const std::string first = kModel;
  const std::string second = edited(first, "y > 2", "y > 3");             // states go
  const std::string third = edited(second, "x < 4", "x < 7");             // states come
  const std::string fourth = "byte added = 3;\n" + third;                 // another layout
  const std::string fifth = edited(fourth, "x = 0", "added = 1; x = 0");  // and it matters
  const std::string sixth = edited(first, "q!x", "skip");                 // back, and no messages
  for_each_kind([&](const Kind& kind) {
    expect_chain({first, second, third, fourth, fifth, sixth, first, first}, kind);
  });
}

TEST(ClosureCheck, FindsAnErrorBehindTheEdit) {
  for_each_kind([&](const Kind& kind) { expect_chain({kModel, edited(kModel, "x < 20", "x < 3")}, kind); });
}

// P alone is enough in every state, as long as Q's turn comes some time: it must not be put off forever.
TEST(ClosureCheck, DoesNotPostponeAStepForever) {
  const std::string model = R"(
bool z, bad;
active proctype P() { bit t; do :: t = 1 - t od }
active proctype Q() { if :: z -> bad = true :: bad -> skip fi; assert(!bad) }
)";
  const std::string wrong = edited(model, ":: z -> bad", ":: !z -> bad");
  for_each_kind([&](const Kind& kind) { expect_chain({model, wrong}, kind); });
}

// The workers meet at one variable; everything else is their own, and is put into one order by the reduction.
// P waits for values that the workers leave behind soon.
constexpr const char* kWorkers = R"(
byte g; bit a;
active [3] proctype W() { byte i; do :: g = (g + 1) % 8; i = 1; i = 2; i = 3; i = 0 od }
active proctype P() { do :: g == 3 -> a = 1; g == 1; a = 0 od }
)";
constexpr const char* kTwoWorkers = R"(
byte g; bit a;
active [2] proctype W() { byte i; do :: g = (g + 1) % 8; i = 1; i = 2; i = 3; i = 0 od }
active proctype P() { do :: g == 3 -> a = 1 - a od }
)";

// Several states, which differ in k, lead to the same new one.
constexpr const char* kChoosing = R"(
byte g; bit a;
active [2] proctype W() { byte i; do :: g = (g + 1) % 8; i = 1; i = 2; i = 3; i = 0 od }
active proctype P() { byte k; do :: g == 3 -> if :: k = 4 :: k = 5 :: k = 6 fi; k = k / 4; a = 1 - a; k = 0 od }
)";

// Statements are not merged: an inserted one would be gone.
std::unique_ptr<exec::Interpreter> unmerged_version(const std::string& text, bool stubborn) {
  return exec::version_of(text, {false, true, true, stubborn});
}

std::uint64_t reduced_states(const TransitionSystem& system) {
  SearchOptions options;
  options.order = Order::kBreadthFirst;
  options.reduce = true;
  return search(system, options).statistics.states;
}

bool holds_in_full(const TransitionSystem& system) {
  return std::holds_alternative<Holds>(search(system, {}).outcome);
}

// Each version has a statement more than the one before, and is checked with the recording that this has
// left.
void expect_few_new_states(const std::vector<std::string>& versions, bool stubborn, unsigned threads) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/r";
  auto before = unmerged_version(versions[0], stubborn);
  SearchOptions options;
  options.order = Order::kBreadthFirst;
  options.reduce = true;
  options.threads = threads;
  record(*before, options, false, folder.path());
  for (std::size_t i = 1; i < versions.size(); ++i) {
    SCOPED_TRACE(versions[i]);
    auto after = unmerged_version(versions[i], stubborn);
    FramedReader file(path, kRecordingFormat);
    Recording recording = load_states(file);
    ASSERT_TRUE(recording.is_ordered);
    EXPECT_EQ(recording.ranks.is_empty(), i == 1);
    std::string why_not;
    const auto graph = KnownGraph::make(recording, *before, *after, {1, false}, why_not);
    ASSERT_NE(graph, nullptr) << why_not;
    const std::uint64_t touched = graph->figures().recorded - graph->figures().usable;
    ClosureOptions how;
    how.reduces = true;
    ClosureCheck check(*graph, *before, *after, how);
    const ClosureAnswer answer = check.run();
    ASSERT_EQ(answer, holds_in_full(*after) ? ClosureAnswer::kHolds : ClosureAnswer::kError);
    if (answer == ClosureAnswer::kError) return;
    EXPECT_GT(graph->new_states(), 0U);
    EXPECT_LE(check.expanded(), touched + graph->new_states());
    const std::uint64_t fewer = reduced_states(*before), more = reduced_states(*after);
    ASSERT_GT(more, fewer);
    EXPECT_LE(graph->new_states(), 2 * (more - fewer));
    RecordingHead head;
    head.answer = answer_of(check.result());
    head.answer->is_bound = true;
    check.save(std::move(head), std::move(recording.states), file, path);
    FramedReader again(path, kRecordingFormat);
    const Recording saved = load_recording(again);
    EXPECT_TRUE(saved.is_ordered);
    EXPECT_EQ(saved.ranks.bound(), saved.states.bound());
    before = std::move(after);
  }
}

void expect_few_new_states(const std::vector<std::string>& versions) {
  for (const bool stubborn : {false, true}) {
    for (const unsigned threads : {1u, 3u}) {
      SCOPED_TRACE(std::string(stubborn ? "stubborn sets" : "ample sets") + " threads " +
                   std::to_string(threads));
      expect_few_new_states(versions, stubborn, threads);
    }
  }
}

TEST(ClosureCheck, AnInsertedStatementLeadsToNoMoreStatesThanASearchHas) {
  for (const char* const inserted : {"skip; ", "assert(true); "}) {
    expect_few_new_states({kWorkers, edited(kWorkers, "a = 0", inserted + std::string("a = 0"))});
    expect_few_new_states({kTwoWorkers, edited(kTwoWorkers, "a = 1", inserted + std::string("a = 1"))});
  }
}

TEST(ClosureCheck, AnInsertedStatementBehindSeveralStatesLeadsToNoMoreStatesThanASearchHas) {
  expect_few_new_states({kChoosing, edited(kChoosing, "a = 1", "skip; a = 1")});
}

TEST(ClosureCheck, RanksNewStatesAgainInTheRecordingOfTheVersionBefore) {
  const std::string first = kTwoWorkers;
  const std::string second = edited(first, "a = 1", "skip; a = 1");
  const std::string third = edited(second, "skip;", "skip; assert(true);");
  const std::string fourth = edited(third, "1 - a", "1 - a; assert(a < 2)");
  const std::string wrong = edited(fourth, "true", "g != 3");
  EXPECT_FALSE(holds_in_full(*unmerged_version(wrong, false)));
  expect_few_new_states({first, second, third, fourth, wrong});
  const std::string one = kWorkers;
  const std::string two = edited(one, "a = 0", "skip; a = 0");
  const std::string three = edited(two, "a = 1", "assert(true); a = 1");
  const std::string late = edited(three, "true", "g != 4");
  EXPECT_FALSE(holds_in_full(*unmerged_version(late, false)));
  expect_few_new_states({one, two, three, late});
}

TEST(ClosureCheck, GivesUpAtABound) {
  const TemporaryFolder folder;
  const auto before = version(kModel, false), after = version(edited(kModel, "x < 4", "x < 9"), false);
  record(*before, {}, false, folder.path());
  FramedReader file(folder.path() + "/r", kRecordingFormat);
  const Recording recording = load_states(file);
  const auto answer = [&](const ClosureOptions& how) {
    std::string why_not;
    const auto graph = KnownGraph::make(recording, *before, *after, {1, false}, why_not);
    EXPECT_NE(graph, nullptr) << why_not;
    return ClosureCheck(*graph, *before, *after, how).run();
  };
  EXPECT_EQ(answer({}), ClosureAnswer::kHolds);
  ClosureOptions how;
  how.most_new = 5;
  EXPECT_EQ(answer(how), ClosureAnswer::kTooMany);
  const std::atomic<bool> interrupted = true;
  how = {};
  how.limits.interrupt = &interrupted;
  EXPECT_EQ(answer(how), ClosureAnswer::kLimit);
}

}  // namespace
}  // namespace spoor
