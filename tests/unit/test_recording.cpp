// Recordings: made by every search, kept in a file, and used by a system that executes nothing again.
#include "evidence/recording.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/packed_numbers.h"
#include "base/temporary_folder.h"
#include "evidence/chunks.h"
#include "evidence/known_graph.h"
#include "evidence/packed_states.h"
#include "evidence/recorded_system.h"
#include "evidence/recorder.h"
#include "evidence/step_code.h"
#include "evidence/walk.h"
#include "model/trace.h"
#include "recorded.h"
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

void save(const Recording& recording, const Chunks& steps, const std::string& path) {
  save(recording,
       {recording.executed, recording.states.shapes_text(), {{}, &recording.states.codes()}, {{}, &steps}},
       path);
}

// What is known of a version, and the system that uses it.
struct Known {
  Known(const Recording& recording, const TransitionSystem& before, const TransitionSystem& after,
        unsigned threads = 1)
      : graph(KnownGraph::make(recording, before, after, {threads}, why_not)) {
    if (graph == nullptr) return;
    graph->require_states();
    system.emplace(*graph, after, false);
  }
  std::string why_not;
  std::unique_ptr<const KnownGraph> graph;
  std::optional<RecordedSystem> system;
};

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
  for (const unsigned threads : {1u, 3u}) {
    SearchResult result;
    const Recording recording =
        record(*system, options_of(Order::kBreadthFirst, StoreKind::kExact, threads, false), &result);
    EXPECT_EQ(recording.state_count, result.statistics.states);
    EXPECT_EQ(recording.states.size(), result.statistics.states);
    std::uint64_t steps = 0, states = 0;
    RecordedState state;
    PackedStates::Cursor cursor;
    for (std::uint32_t i = 0; i < recording.states.bound(); ++i) {
      if (recording.states.get(i, cursor).empty()) {
        EXPECT_EQ(recording.steps[i], RecordedSteps::kNowhere);
        continue;
      }
      ++states;
      ASSERT_NE(recording.steps[i], RecordedSteps::kNowhere);
      recording.steps.read(i, state);
      EXPECT_EQ(state.flags, RecordedState::kExpanded);
      steps += state.targets.size();
    }
    EXPECT_EQ(states, result.statistics.states);
    EXPECT_EQ(steps + 1, result.statistics.transitions);
  }
}

TEST(Recording, NamesTheElementsThatItsStatesCanHave) {
  // Q is never started.
  const auto system = version(
      "byte x; active proctype P() { do :: x < 4 -> x++ :: x == 4 -> x = 0 od }\n"
      "proctype Q() { x = 7; x = 8 }");
  const Recording recording = record(*system, {});
  ASSERT_FALSE(recording.elements.empty());
  EXPECT_LT(recording.elements.size(), system->elements().size());
  std::vector<std::uint32_t> expected;
  PackedStates::Cursor cursor;
  for (std::uint32_t i = 0; i < recording.states.bound(); ++i) {
    std::vector<std::uint32_t> sets;
    system->element_sets_of(recording.states.get(i, cursor), sets);
    for (const std::uint32_t set : sets) {
      for (const std::uint32_t element : system->element_set(set)) expected.push_back(element);
    }
  }
  std::ranges::sort(expected);
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  EXPECT_TRUE(std::ranges::includes(recording.elements, expected));
}

TEST(Recording, OfTheSameModelAnswersWithoutExecutingIt) {
  for_each_search([](const SearchOptions& options, bool reduce) {
    const auto system = version(kModel, reduce);
    SearchResult full;
    const Recording recording = record(*system, options, &full);
    const Known known(recording, *system, *system, options.threads);
    ASSERT_TRUE(known.system) << known.why_not;
    expect_same(full, search(*known.system, options));
    // A depth-first search does not have the first attempt any more when the proviso fails.
    if (!reduce || options.order == Order::kBreadthFirst) {
      EXPECT_EQ(known.system->expanded(), 0u);
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
    const Known b_after_a(of_a, *a, *b, options.threads);
    ASSERT_TRUE(b_after_a.system) << b_after_a.why_not;
    const TemporaryFolder folder;
    Recorder recorder(*b_after_a.system, folder.path(), true, b_after_a.system->bytes_reader());
    SearchOptions observed = options;
    observed.observer = &recorder;
    const SearchResult of_b = search(*b_after_a.system, observed);
    expect_same(search(*b, options), of_b);
    EXPECT_GT(b_after_a.system->expanded(), 0u);
    EXPECT_LT(b_after_a.system->expanded(), of_b.statistics.states);
    const Recording made = recording_of(recorder);
    const Known c_after_b(made, *b, *c, options.threads);
    ASSERT_TRUE(c_after_b.system) << c_after_b.why_not;
    expect_same(search(*c, options), search(*c_after_b.system, options));
  });
}

TEST(Recording, GivesTracesOfTheNewVersion) {
  std::string edited = kModel;
  edited.replace(edited.find("x < 20"), 6, "x < 3");
  for_each_search([&](const SearchOptions& options, bool reduce) {
    const auto before = version(kModel, reduce), after = version(edited, reduce);
    const Recording recording = record(*before, options);
    const Known known(recording, *before, *after, options.threads);
    ASSERT_TRUE(known.system) << known.why_not;
    const SearchResult result = search(*known.system, options);
    ASSERT_EQ(result.violations.size(), 1u);
    const std::vector<StepId> steps = known.system->steps_below(result.violations[0].steps);
    const ReplayResult replayed = replay(*after, {steps, result.violations[0].finding});
    EXPECT_EQ(std::get_if<ReplayError>(&replayed), nullptr);
  });
}

TEST(Recording, OfASearchThatWasCutShortIsUsedAsFarAsItGoes) {
  const auto system = version(kModel);
  SearchOptions cut;
  cut.limits.depth = 8;
  const Recording recording = record(*system, cut);
  const Known known(recording, *system, *system);
  ASSERT_TRUE(known.system) << known.why_not;
  const SearchResult full = search(*system, {});
  expect_same(full, search(*known.system, {}));
  EXPECT_GT(known.graph->figures().usable, 0u);
  EXPECT_EQ(known.system->expanded(), full.statistics.states - known.graph->figures().usable);
}

// A walk of what is known, against a search of the new version; then the next version after it.
void expect_walk(const std::vector<std::string>& versions, bool reduce) {
  SCOPED_TRACE(reduce ? "reduced" : "in full");
  const SearchOptions options = options_of(Order::kBreadthFirst, StoreKind::kExact, 1, reduce);
  auto before = version(versions[0], reduce);
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/r";
  record_to(path, *before, options);
  for (std::size_t i = 1; i < versions.size(); ++i) {
    SCOPED_TRACE(versions[i]);
    auto after = version(versions[i], reduce);
    FramedReader file(path, kRecordingFormat);
    Recording recording = load_recording(file);
    std::string why_not;
    const auto graph = KnownGraph::make(recording, *before, *after, {}, why_not);
    ASSERT_NE(graph, nullptr) << why_not;
    WalkOptions how;
    how.reduces = reduce;
    Walk walk(*graph, *after, how);
    const SearchResult full = search(*after, options);
    const std::optional<SearchResult> walked = walk.run();
    ASSERT_EQ(walked.has_value(), std::holds_alternative<Holds>(full.outcome));
    if (!walked) return;
    expect_same(full, *walked);
    EXPECT_EQ(full.statistics.matched, walked->statistics.matched);
    EXPECT_LE(walk.expanded(), full.statistics.states);
    how.records = false;
    const std::optional<SearchResult> not_recorded = Walk(*graph, *after, how).run();
    ASSERT_TRUE(not_recorded);
    expect_same(full, *not_recorded);
    walk.save({}, std::move(recording.states), file, path);
    before = std::move(after);
  }
}

TEST(Walk, GivesTheFiguresOfASearchAndARecordingForTheNextVersion) {
  const auto edited = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  const std::string first = kModel;
  for (const bool reduce : {false, true}) {
    const std::string second = edited(first, "y > 2", "y > 3");      // states go
    const std::string third = edited(second, "x < 4", "x < 7");      // states come
    const std::string fourth = "byte added = 3;\n" + third;          // another layout
    const std::string fifth = edited(fourth, "x = 0", "added = 1");  // and it matters
    const std::string sixth = edited(first, "q!x", "skip");          // back, and no messages
    expect_walk({first, second, third, fourth, fifth, sixth, first, first}, reduce);
  }
}

TEST(Walk, LeavesAnErrorToTheSearch) {
  std::string edited = kModel;
  edited.replace(edited.find("x < 20"), 6, "x < 3");
  for (const bool reduce : {false, true}) expect_walk({kModel, edited}, reduce);
}

TEST(Walk, EndsAtALimit) {
  const auto system = version(kModel);
  const Recording recording = record(*system, {});
  std::string why_not;
  const auto graph = KnownGraph::make(recording, *system, *system, {}, why_not);
  ASSERT_NE(graph, nullptr) << why_not;
  const std::atomic<bool> interrupted = true;
  WalkOptions how;
  how.limits.interrupt = &interrupted;
  EXPECT_FALSE(Walk(*graph, *system, how).run());

  how = {};
  std::string edited = kModel;
  edited.replace(edited.find("x < 4"), 5, "x < 9");
  const auto after = version(edited);
  const auto touched = KnownGraph::make(recording, *system, *after, {}, why_not);
  ASSERT_NE(touched, nullptr) << why_not;
  how.most_executed = 0.01;
  Walk walk(*touched, *after, how);
  EXPECT_FALSE(walk.run());
  EXPECT_TRUE(walk.has_executed_too_many());
}

// All successors of the first states of a version, in one expansion.
void expand_all(const TransitionSystem& system, Expansion& out) {
  std::set<std::vector<std::byte>> known = {system.initial_state()};
  std::vector<std::vector<std::byte>> todo(known.begin(), known.end());
  out.clear();
  for (std::size_t i = 0; i < std::min<std::size_t>(todo.size(), 2000); ++i) {
    out.begin_next();
    system.expand(todo[i], out);
    for (const Successor& successor : out.last_successors()) {
      const StateBytes bytes = out.state(successor);
      if (known.emplace(bytes.begin(), bytes.end()).second) todo.emplace_back(bytes.begin(), bytes.end());
    }
  }
}

TEST(KnownGraph, LooksUpSeveralStatesAsItDoesOne) {
  const std::string model = kModel;
  const auto edited = [&](const std::string& from, const std::string& to) {
    std::string text = model;
    return text.replace(text.find(from), from.size(), to);
  };
  const auto before = version(model);
  const Recording recording = record(*before, {});
  for (const std::string& text : {model, edited("x < 4", "x < 7"), edited("x++", "x++; printf(\"more\")"),
                                  "byte added = 3;\n" + edited("x = 0", "added = 1 - added; x = 0")}) {
    SCOPED_TRACE(text);
    const auto after = version(text);
    const Known one_by_one(recording, *before, *after), at_once(recording, *before, *after);
    ASSERT_NE(at_once.graph, nullptr) << at_once.why_not;
    const LookingUp looking_up(*one_by_one.graph), looking_up_too(*at_once.graph);
    Expansion out;
    expand_all(*after, out);
    std::vector<StateIndex> numbers = {77};  // is replaced
    const auto own = at_once.graph->make_workspace(), single = one_by_one.graph->make_workspace();
    at_once.graph->numbers_of(out, numbers, *own);
    ASSERT_EQ(numbers.size(), out.successors.size());
    EXPECT_GT(numbers.size(), 3 * KnownGraph::kBatch);
    std::uint64_t recorded = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const StateBytes bytes = out.state(out.successors[i]);
      EXPECT_EQ(numbers[i], one_by_one.graph->number_of(bytes, *single));
      EXPECT_TRUE(std::ranges::equal(at_once.graph->bytes_of(numbers[i], *own), bytes));
      recorded += numbers[i] < at_once.graph->bound() ? 1 : 0;
    }
    EXPECT_GT(recorded, 0u);
    EXPECT_EQ(recorded < numbers.size(), text != model);  // there are new ones
  }
}

TEST(KnownGraph, IsNotMadeWhereTooLittleIsOfUse) {
  const std::string model = kModel;
  const auto share_is_over = [&](double least, const char* from, const char* to, bool has_answer) {
    std::string text = model;
    text.replace(text.find(from), std::string(from).size(), to);
    const auto before = version(model), after = version(text);
    SearchResult result;
    Recording recording = record(*before, {}, &result);
    if (has_answer) {
      recording.answer.emplace();
      recording.answer->states = result.statistics.states;
      recording.answer->transitions = result.statistics.transitions;
    }
    std::string why_not;
    const auto graph = KnownGraph::make(recording, *before, *after, {1, true, least}, why_not);
    EXPECT_EQ(graph == nullptr, !why_not.empty());
    return graph != nullptr;
  };
  for (const bool has_answer : {false, true}) {
    EXPECT_TRUE(share_is_over(0.97, "x < 20", "x < 20", has_answer));   // nothing is changed
    EXPECT_FALSE(share_is_over(0.9, "x < 4", "x < 3", has_answer));     // P is there in most states
    EXPECT_FALSE(share_is_over(0.95, "x < 20", "x < 30", has_answer));  // Q is there in some
    EXPECT_TRUE(share_is_over(0.05, "x < 20", "x < 30", has_answer));
  }
}

TEST(Recording, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/r";
  const auto system = version(kModel);
  Recorder recorder(*system, folder.path(), true);
  SearchOptions options;
  options.observer = &recorder;
  const SearchResult result = search(*system, options);
  RecordingHead head;
  head.text = kModel;
  head.model_sha256 = "abc";
  head.options = "some";
  head.answer = RecordedAnswer{true, 1, false, 2, 3, 4, 5, 6, {0, 7, 300}};
  recorder.save(head, path);
  FramedReader file(path, kRecordingFormat);
  EXPECT_EQ(load_recording_head(file).answer, head.answer);
  const Recording read = load_recording(file);
  EXPECT_EQ(read.text, head.text);
  EXPECT_EQ(read.model_sha256, head.model_sha256);
  EXPECT_EQ(read.options, head.options);
  EXPECT_EQ(read.answer, head.answer);
  EXPECT_EQ(read.state_count, result.statistics.states);
  EXPECT_EQ(read.states.size(), result.statistics.states);
  EXPECT_FALSE(read.elements.empty());
  EXPECT_FALSE(read.executed.empty());
  // Nothing but the recording is left in the folder.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(Recording, SaysWhyItCouldNotBeMade) {
  const auto system = version(kModel);
  Recorder recorder(*system, "no/such/folder", true);
  SearchOptions options;
  options.observer = &recorder;
  EXPECT_EQ(search(*system, options).statistics.states, search(*system, {}).statistics.states);
  EXPECT_NE(recorder.why_not().find("cannot be written"), std::string::npos) << recorder.why_not();
}

// What was there is copied as it is stored, also when another file has taken its place meanwhile.
TEST(Recording, ContinuesTheFileOfTheVersionBefore) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/r";
  const auto system = version(kModel);
  record_to(path, *system, {});
  FramedReader file(path, kRecordingFormat);
  Recording recording = load_recording(file);
  ASSERT_NE(recording.steps[0], RecordedSteps::kNowhere);
  save(Recording(), Chunks(), path);
  Chunks steps;
  StepEncoder(steps).add(0, RecordedState());
  const std::size_t old_chunks = recording.states.codes().size();
  recording.states.add(std::as_bytes(std::span("added")));
  go_to_states(file);
  save(recording,
       {recording.executed,
        recording.states.shapes_text(),
        {{&file}, &recording.states.codes(), old_chunks},
        {{&file}, &steps}},
       path);
  const Recording read = load_from(path);
  ASSERT_EQ(read.states.bound(), recording.states.bound());
  EXPECT_EQ(read.steps[0], RecordedSteps::kNowhere);
  RecordedState here, there;
  PackedStates::Cursor cursor, old_cursor;
  for (std::uint32_t i = 0; i < read.states.bound(); ++i) {
    EXPECT_TRUE(std::ranges::equal(read.states.get(i, cursor), recording.states.get(i, old_cursor)));
    if (read.steps[i] == RecordedSteps::kNowhere) continue;
    read.steps.read(i, here);
    recording.steps.read(i, there);
    EXPECT_EQ(here.targets, there.targets);
  }
}

// Entries of every kind, in any order of numbers, in more than one chunk.
TEST(StepCode, GivesBackEveryEntry) {
  constexpr std::uint32_t kStates = 200'000, kSets = 300;
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); };
  std::vector<std::pair<std::uint32_t, RecordedState>> entries;
  std::vector<std::string> given;
  Chunks kept, given_away([&](std::string_view chunk) { given.emplace_back(chunk); });
  StepEncoder encoder(kept), other(given_away);
  std::uint32_t newest = 0;
  for (std::uint32_t i = 0; i < kStates; ++i) {
    RecordedState state;
    const std::uint32_t number = i % 10 == 9 ? below(kStates) : i;
    state.flags = RecordedState::kExpanded;
    if (below(5) == 0) state.flags |= RecordedState::kReduced;
    if (below(50) == 0) state.flags = RecordedState::kExpanded | RecordedState::kSpecial;
    state.executed = below(kSets);
    if (below(3) == 0) state.inner_steps = below(1000);
    for (std::uint32_t left = below(i % 1000 == 0 ? 200 : 5); left > 0; --left) {
      newest = std::min(newest + 1, kStates - 1);
      state.targets.push_back(below(2) == 0 ? newest : below(kStates));
    }
    if (below(4) == 0) {
      state.flags |= RecordedState::kTwice;
      for (std::uint32_t step = 0; step < state.targets.size(); ++step) {
        if (below(2) == 0) state.tried.push_back(step);
      }
      state.tried_executed = below(kSets);
      state.tried_inner_steps = below(20);
    } else {
      state.tried_executed = state.executed;
      state.tried_inner_steps = state.inner_steps;
    }
    encoder.add(number, state);
    other.add(number, state);
    entries.emplace_back(number, std::move(state));
  }
  given_away.give_rest();
  ASSERT_EQ(given.size(), kept.size());
  ASSERT_GT(kept.size(), 1u);
  RecordedSteps steps;
  std::size_t next = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(given[i], kept.chunk(i));
    StepDecoder decoder(kept.chunk(i), kStates, kSets);
    std::uint32_t number = 0;
    for (RecordedState read; decoder.next(number, read); ++next) {
      const auto& [expected_number, expected] = entries[next];
      ASSERT_EQ(number, expected_number);
      EXPECT_EQ(read.flags, expected.flags);
      EXPECT_EQ(read.executed, expected.executed);
      EXPECT_EQ(read.inner_steps, expected.inner_steps);
      EXPECT_EQ(read.targets, expected.targets);
      EXPECT_EQ(read.tried, expected.tried);
      EXPECT_EQ(read.tried_executed, expected.tried_executed);
      EXPECT_EQ(read.tried_inner_steps, expected.tried_inner_steps);
      steps.add(number, read);
      ASSERT_EQ(steps[number] != RecordedSteps::kNowhere, expected.is_of_use());
      if (!expected.is_of_use()) continue;
      RecordedState again;
      steps.read(number, again);
      EXPECT_EQ(again.flags, expected.flags);
      EXPECT_EQ(again.executed, expected.executed);
      EXPECT_EQ(again.inner_steps, expected.inner_steps);
      EXPECT_EQ(again.targets, expected.targets);
      EXPECT_EQ(again.tried, expected.tried);
      EXPECT_EQ(again.tried_executed, expected.tried_executed);
      EXPECT_EQ(again.tried_inner_steps, expected.tried_inner_steps);
      std::vector<bool> sets(kSets, true);
      EXPECT_TRUE(steps.executes_only(number, sets));
      sets[expected.tried_executed] = false;
      EXPECT_FALSE(steps.executes_only(number, sets));
    }
  }
  EXPECT_EQ(next, entries.size());
}

TEST(Recording, IsRefusedWhereItContradictsItself) {
  const auto system = version(kModel);
  const Recording good = record(*system, {});
  const auto expect_damage = [&](const std::string& chunk, std::uint32_t sets = 1) {
    Recording bad;
    bad.executed.resize(sets);
    for (std::uint32_t i = 0; i < 5; ++i) bad.states.add_gap();
    EXPECT_THROW(read_steps(chunk, bad), FramedFileError);
  };
  using namespace std::string_literals;
  expect_damage("\x18\0\0"s);                    // the first entry follows none
  expect_damage("\x10\x01\0\0"s);                // state -1
  expect_damage("\x10\x0a\0\0"s);                // state 5
  expect_damage("\x10\0\0\x02"s);                // a step to state -1
  expect_damage("\x10\x08\0\0"s);                // a step to state 5, which is behind the newest
  expect_damage("\x10\0\x01\0"s);                // set 1
  expect_damage("\x10\0\0\0"s, 0);               // there are no sets
  expect_damage("\x10\0\0"s);                    // the step is missing
  expect_damage("\xf0\x7f\0\0"s);                // a thousand steps in two bytes
  expect_damage("\x14\0\x09\0\0\0\0\x01\x01"s);  // tried: the second of one step
  Recording right;
  right.executed.resize(1);
  for (std::uint32_t i = 0; i < 5; ++i) right.states.add_gap();
  read_steps("\x14\0\x09\0\0\0\0\x01\0"s, right);
  EXPECT_NE(right.steps[0], RecordedSteps::kNowhere);

  Recording foreign = record(*system, {});
  const std::uint32_t bound = good.states.bound();
  foreign.states = {};
  for (std::uint32_t i = 0; i < bound; ++i) foreign.states.add(std::as_bytes(std::span("no state")));
  std::string why_not;
  const auto graph = KnownGraph::make(foreign, *system, *system, {}, why_not);
  ASSERT_NE(graph, nullptr);
  EXPECT_THROW(graph->require_states(), FramedFileError);
}

// Of several lengths, with bits that vary and codes that are learned late; every seventh number is a gap.
TEST(PackedStates, GiveBackEveryState) {
  std::vector<std::vector<std::byte>> states;
  PackedStates packed;
  for (std::uint32_t i = 0; i < 6000; ++i) {
    std::vector<std::byte> state(i % 5 == 0 ? 40 : i % 3 == 0 ? 12 : 70, std::byte{9});
    for (std::size_t at = 0; at < 4; ++at) state[5 + at] = static_cast<std::byte>(i >> (8 * at));
    if (i > 5000) state[11] = static_cast<std::byte>(i);
    if (i % 7 == 6) {
      state.clear();
      packed.add_gap();
    } else {
      packed.add(state);
    }
    states.push_back(std::move(state));
  }
  EXPECT_EQ(packed.bound(), states.size());
  PackedStates read;
  read.read_shapes(packed.shapes_text());
  for (std::size_t i = 0; i < packed.codes().size(); ++i) read.read_codes(packed.codes().chunk(i));
  ASSERT_EQ(read.bound(), states.size());
  EXPECT_EQ(read.size(), packed.size());
  PackedStates::Cursor cursor;
  for (std::uint32_t i = 0; i < states.size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(read.get(i, cursor), states[i])) << i;
  }
  for (std::uint32_t i = 0; i < states.size(); i += 111) {
    EXPECT_TRUE(std::ranges::equal(packed.get(static_cast<std::uint32_t>(states.size()) - 1 - i, cursor),
                                   states[states.size() - 1 - i]));
  }
  if (Shape::can_be_used()) {
    EXPECT_LT(packed.memory_bytes(), 6000u * 40);
  }
}

TEST(PackedStates, RefuseWhatTheyDidNotWrite) {
  PackedStates packed;
  const auto expect_refusal = [](const std::string& shapes, const std::string& codes) {
    PackedStates read;
    EXPECT_THROW(
        {
          read.read_shapes(shapes);
          read.read_codes(codes);
        },
        FramedFileError);
  };
  expect_refusal("", "\x02");  // a shape that is not there
  expect_refusal("",
                 "\x01\x05"
                 "abc");  // the end is missing
  expect_refusal(
      "\x01"
      "a"
      "\x01"
      "b",
      "");  // a shape of one byte
}

TEST(Chunks, KeepEntriesWhereTheyAre) {
  Chunks chunks;
  std::vector<Chunks::Place> places;
  const std::vector<std::size_t> sizes = {10, 700'000, 700'000, 3, 2'500'000, 1, 1};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::uint8_t* const at = chunks.begin_entry(sizes[i] + 5);
    places.push_back(chunks.place_of(at));
    std::fill(at, at + sizes[i], static_cast<std::uint8_t>(i + 1));
    chunks.end_entry(at + sizes[i]);
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_EQ(*chunks.at(places[i]), i + 1);
    EXPECT_EQ(chunks.at(places[i])[sizes[i] - 1], i + 1);
  }
  EXPECT_EQ(chunks.memory_bytes(), 3'900'015u);
}

}  // namespace
}  // namespace spoor
