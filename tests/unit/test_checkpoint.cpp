// Checkpoint files, and searches that go on from them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "search/checkpoint.h"
#include "search/search.h"
#include "unit/counters.h"
#include "unit/state_text.h"
#include "unit/step_names.h"

namespace spoor {
namespace {

class CheckpointFile : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = std::filesystem::temp_directory_path() /
              ("spoor-" + name + "-" + std::to_string(std::random_device()()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name = "checkpoint") const { return folder_ / name; }
  std::string contents() const {
    std::ostringstream text;
    text << std::ifstream(path(), std::ios::binary).rdbuf();
    return text.str();
  }
  void write(const std::string& text) const { std::ofstream(path(), std::ios::binary) << text; }

  std::filesystem::path folder_;
};

struct Entry {
  std::uint64_t parent;
  std::string state;
  bool operator==(const Entry&) const = default;
};

std::vector<Entry> entries_of(CheckpointReader& reader) {
  std::vector<Entry> entries;
  reader.each_state([&](std::uint64_t parent, std::span<const std::byte> state) {
    entries.push_back({parent, text_of(state)});
  });
  return entries;
}

CheckpointMark mark_with(std::uint64_t depth) {
  CheckpointMark mark;
  mark.depth = depth;
  mark.level_begin = depth;
  mark.figures.states = 7 * depth;
  mark.figures.elapsed_s = 1.5;
  mark.executed = {1, 0, 1};
  mark.violations = {{{FindingKind::kDeadlock, 3, Finding::kStateItself}, step_names({4, 0, 300})}};
  return mark;
}

TEST_F(CheckpointFile, GivesBackWhatWasWritten) {
  std::vector<Entry> entries;
  std::mt19937_64 random(3);
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    entries.push_back({i == 0 ? 0 : random() % i, std::string(random() % 90, 'a')});
  }
  {
    CheckpointWriter writer(path(), "who");
    for (const Entry& entry : entries) writer.add(entry.parent, bytes_of(entry.state));
    EXPECT_FALSE(std::filesystem::exists(path())) << "it has a name before it is worth one";
    writer.commit(mark_with(9));
  }
  CheckpointReader reader(path());
  EXPECT_TRUE(reader.is_of("who"));
  EXPECT_FALSE(reader.is_of("what"));
  EXPECT_EQ(entries_of(reader), entries);
  const CheckpointMark& mark = reader.mark();
  EXPECT_EQ(mark.states, entries.size());
  EXPECT_EQ(mark.depth, 9u);
  EXPECT_EQ(mark.figures.states, 63u);
  EXPECT_EQ(mark.figures.elapsed_s, 1.5);
  EXPECT_EQ(mark.executed, (std::vector<std::uint8_t>{1, 0, 1}));
  ASSERT_EQ(mark.violations.size(), 1u);
  EXPECT_EQ(mark.violations[0].steps, step_names({4, 0, 300}));
  EXPECT_EQ(mark.violations[0].finding.step, Finding::kStateItself);
}

TEST_F(CheckpointFile, CountsUpToItsLastMarkWhereverItIsCut) {
  std::vector<Entry> first = {{0, "initial"}, {0, "a"}, {1, "b"}};
  std::vector<Entry> both = first;
  both.push_back({2, "c"});
  std::size_t first_end = 0;
  {
    CheckpointWriter writer(path(), "who");
    for (const Entry& entry : first) writer.add(entry.parent, bytes_of(entry.state));
    writer.commit(mark_with(1));
    first_end = contents().size();
    writer.add(2, bytes_of("c"));
    writer.commit(mark_with(2));
  }
  const std::string whole = contents();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write(whole.substr(0, size));
    if (size < first_end) {
      EXPECT_THROW(CheckpointReader{path()}, CheckpointError);
      continue;
    }
    // And one can go on from there.
    {
      CheckpointReader reader(path());
      EXPECT_EQ(entries_of(reader), first) << size;
      CheckpointWriter writer(path(), reader);
      EXPECT_EQ(writer.states(), 3u);
      writer.add(2, bytes_of("c"));
      writer.commit(mark_with(2));
    }
    EXPECT_EQ(contents(), whole);
  }
}

TEST_F(CheckpointFile, IsNotBelievedWhereABitHasChanged) {
  {
    CheckpointWriter writer(path(), "who");
    for (int i = 0; i < 20; ++i) writer.add(0, bytes_of("state" + std::to_string(i)));
    writer.commit(mark_with(1));
  }
  const std::string whole = contents();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    write(changed);
    EXPECT_THROW(CheckpointReader{path()}, CheckpointError) << at;
  }
}

// The mark of a later checkpoint may be on the disk before its states are.
TEST_F(CheckpointFile, AMarkBehindStatesThatAreNotThereDoesNotCount) {
  const std::vector<Entry> first = {{0, "initial"}, {0, "a"}};
  std::size_t first_end = 0;
  {
    CheckpointWriter writer(path(), "who");
    for (const Entry& entry : first) writer.add(entry.parent, bytes_of(entry.state));
    writer.commit(mark_with(1));
    first_end = contents().size();
    writer.add(1, bytes_of("b"));
    writer.commit(mark_with(2));
  }
  std::string torn = contents();
  torn[first_end + 12] = 0;
  write(torn);
  CheckpointReader reader(path());
  EXPECT_EQ(entries_of(reader), first);
}

TEST_F(CheckpointFile, OneOfAnOlderVersionIsRefusedByName) {
  write("spoor-c1i\3\0\0\0\0\0\0\0who");
  try {
    CheckpointReader reader(path());
    ADD_FAILURE() << "it was read";
  } catch (const CheckpointError& error) {
    EXPECT_EQ(error.reason(), CheckpointError::Reason::kVersion);
    EXPECT_NE(std::string(error.what()).find("in format 1"), std::string::npos) << error.what();
  }
}

TEST_F(CheckpointFile, AStateCannotBeFoundFromALaterOne) {
  for (const std::uint64_t at : {0, 1, 2}) {
    {
      CheckpointWriter writer(path(), "who");
      for (std::uint64_t i = 0; i < 3; ++i) writer.add(i == at ? i + 1 : 0, bytes_of("state"));
      writer.commit(mark_with(1));
    }
    CheckpointReader reader(path());
    EXPECT_THROW(entries_of(reader), CheckpointError) << at;
  }
}

TEST_F(CheckpointFile, AFileThatCannotBeWrittenIsAnError) {
  EXPECT_THROW(CheckpointWriter(path("no/such/folder"), "who"), CheckpointError);
}

// Stops after so many expansions, as if the process were interrupted then.
class Interrupting : public FaultyCounters {
 public:
  Interrupting() : FaultyCounters(6, 6, 500) {}
  void expand(StateBytes state, Expansion& out) const override {
    if (left_-- == 0) interrupt_ = true;
    FaultyCounters::expand(state, out);
  }
  mutable std::atomic<std::int64_t> left_ = INT64_MAX;
  mutable std::atomic<bool> interrupt_ = false;
};

TEST_F(CheckpointFile, ASearchThatIsInterruptedAgainAndAgainGivesTheSameAnswer) {
  const Interrupting system;
  SearchOptions options = options_for(Order::kBreadthFirst, true);
  const SearchResult whole = search(system, options);
  ASSERT_FALSE(whole.violations.empty());

  options.limits.interrupt = &system.interrupt_;
  options.checkpoint = {path(), "", "id", 1e-9};
  std::mt19937_64 random(11);
  for (int round = 0;; ++round) {
    ASSERT_LT(round, 1000);
    system.interrupt_ = false;
    system.left_ = static_cast<std::int64_t>(random() % 20'000 + 8'000);
    options.threads = 1 + random() % 4;
    options.store = random() % 2 == 0 ? StoreKind::kExact : StoreKind::kTree;
    const SearchResult result = search(system, options);
    EXPECT_EQ(result.checkpoint_error, "");
    options.checkpoint.resume = options.checkpoint.save;
    if (result.limit) continue;
    EXPECT_GT(round, 2);
    EXPECT_EQ(result.statistics.states, whole.statistics.states);
    EXPECT_EQ(result.statistics.transitions, whole.statistics.transitions);
    EXPECT_EQ(result.statistics.matched, whole.statistics.matched);
    EXPECT_EQ(result.statistics.inner_steps, whole.statistics.inner_steps);
    EXPECT_EQ(result.statistics.findings, whole.statistics.findings);
    EXPECT_EQ(result.statistics.depth, whole.statistics.depth);
    ASSERT_EQ(result.violations.size(), whole.violations.size());
    for (const Violation& violation : result.violations) EXPECT_TRUE(shows(system, violation));
    return;
  }
}

TEST_F(CheckpointFile, ASearchGoesOnOnlyWithItsOwnCheckpoint) {
  SearchOptions options = options_for(Order::kBreadthFirst, true);
  options.limits.depth = 5;
  options.checkpoint = {path(), "", "mine", 300};
  search(Counters(4, 4), options);
  options.checkpoint.resume = path();
  options.limits.depth = 0;
  EXPECT_EQ(search(Counters(4, 4), options).statistics.states, 256u);
  options.checkpoint.identity = "yours";
  EXPECT_THROW(search(Counters(4, 4), options), CheckpointError);
  options.checkpoint.identity = "mine";
  EXPECT_THROW(search(Counters(5, 4), options), CheckpointError);
}

TEST_F(CheckpointFile, AFullDiskDoesNotEndTheSearch) {
  SearchOptions options = options_for(Order::kBreadthFirst, true);
  options.checkpoint = {path("no/such/folder"), "", "mine", 1e-9};
  const SearchResult result = search(Counters(4, 4), options);
  EXPECT_TRUE(std::holds_alternative<Holds>(result.outcome));
  EXPECT_NE(result.checkpoint_error, "");
}

}  // namespace
}  // namespace spoor
