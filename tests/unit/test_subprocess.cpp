#include "base/subprocess.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>

namespace spoor {
namespace {

using namespace std::chrono_literals;

TEST(RunChild, HandsOverInputAndCollectsBothStreams) {
  const ChildResult r = run_child({"sh", "-c", "cat; echo oops >&2; exit 3"}, "text\n", "", {});
  EXPECT_EQ(r.end, ChildResult::End::kExited);
  EXPECT_EQ(r.exit_code, 3);
  EXPECT_EQ(r.output, "text\n");
  EXPECT_EQ(r.errors, "oops\n");
}

TEST(RunChild, PassesArgumentsUntouchedByAnyShell) {
  const ChildResult r = run_child({"printf", "%s|", "a b", "$HOME;*", ""}, "", "", {});
  EXPECT_EQ(r.output, "a b|$HOME;*||");
}

TEST(RunChild, MovesMoreThanAPipeHolds) {
  const std::string input(5'000'000, 'x');
  EXPECT_EQ(run_child({"cat"}, input, "", {}).output, input);
  // Not reading the input at all must not hurt either.
  EXPECT_EQ(run_child({"true"}, input, "", {}).exit_code, 0);
}

TEST(RunChild, WorksInTheGivenFolder) { EXPECT_EQ(run_child({"pwd"}, "", "/", {}).output, "/\n"); }

TEST(RunChild, TellsThatAProgramIsMissing) {
  const ChildResult r = run_child({"no-such-program-here"}, "", "", {});
  EXPECT_EQ(r.end, ChildResult::End::kNotStarted);
  EXPECT_EQ(r.start_error, ENOENT);
}

TEST(RunChild, StopsAProgramThatTakesTooLongWithAllThatItStarted) {
  const auto begin = std::chrono::steady_clock::now();
  const ChildResult r = run_child({"sh", "-c", "sleep 60 & sleep 60"}, "", "", {200ms, 1000, 0});
  EXPECT_EQ(r.end, ChildResult::End::kOutOfTime);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
}

TEST(RunChild, StopsAProgramThatClosesItsStreamsAndStays) {
  const ChildResult r = run_child({"sh", "-c", "exec >&- 2>&-; sleep 60"}, "", "", {200ms, 1000, 0});
  EXPECT_EQ(r.end, ChildResult::End::kOutOfTime);
}

TEST(RunChild, StopsAProgramThatPrintsTooMuch) {
  const ChildResult r = run_child({"yes"}, "", "", {60s, 100'000, 0});
  EXPECT_EQ(r.end, ChildResult::End::kTooMuchOutput);
  EXPECT_LT(r.output.size(), 300'000u);
}

TEST(RunChild, ReportsDeathBySignal) {
  EXPECT_EQ(run_child({"sh", "-c", "kill -9 $$"}, "", "", {}).exit_code, 128 + 9);
}

TEST(RunChild, AsksForEnglishMessages) {
  EXPECT_EQ(run_child({"sh", "-c", "echo $LC_ALL"}, "", "", {}).output, "C\n");
}

}  // namespace
}  // namespace spoor
