// Which statements a closure check takes for executed: an `else` that is gone says nothing of others.
#include <algorithm>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "base/temporary_folder.h"
#include "evidence/closure_check.h"
#include "evidence/recorder.h"
#include "search/search.h"
#include "version_pair.h"

namespace spoor {
namespace {

constexpr const char* kBeforeTheEdit = R"(
byte x;
active proctype P() { do :: x < 4 -> x++ :: else -> x = 0 od }
active proctype Q() { if :: x < 9 -> skip :: else -> assert(false) fi }
)";

TEST(ClosureCheck, DoesNotTakeStatementsOfTheSameTextForExecuted) {
  const TemporaryFolder folder;
  std::string text = kBeforeTheEdit;
  const auto before = exec::version_of(text, {});
  text.replace(text.find("x < 4"), 5, "x < 3");
  const auto after = exec::version_of(text, {});
  Recorder recorder(*before, folder.path(), false);
  SearchOptions options;
  options.observer = &recorder;
  const SearchResult old = search(*before, options);
  ASSERT_TRUE(std::holds_alternative<Holds>(old.outcome));
  RecordingHead head;
  head.answer.emplace();
  for (std::uint32_t i = 0; i < old.executed.size(); ++i) {
    if (old.executed[i] != 0) head.answer->executed.push_back(i);
  }
  recorder.save(std::move(head), folder.path() + "/r");
  FramedReader file(folder.path() + "/r", kRecordingFormat);
  const Recording recording = load_states(file);
  std::string why_not;
  KnownGraphOptions how;
  how.needs_steps = false;
  const auto graph = KnownGraph::make(recording, *before, *after, how, why_not);
  ASSERT_NE(graph, nullptr) << why_not;
  ClosureCheck check(*graph, *before, *after, {});
  ASSERT_EQ(check.run(), ClosureCheck::Answer::kHolds);
  options.observer = nullptr;
  const SearchResult full = search(*after, options);
  EXPECT_TRUE(std::ranges::count(full.executed, 0) > 0);  // the `else` of Q
  EXPECT_EQ(check.result().executed, full.executed);
}

}  // namespace
}  // namespace spoor
