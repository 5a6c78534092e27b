// Sizes of automata beside those of other tools, on the collections of formulas that the literature
// compares on. The collections are not part of this repository; without them the test is skipped.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "ltl/parse_formula.h"
#include "ltl/translate.h"
#include "unit/instrumented.h"

namespace spoor::ltl {
namespace {

struct Totals {
  std::size_t ours = 0, spot = 0, formulas = 0;
  double slowest_s = 0;
};

// Totals of states that ltl3ba needs, and what we must not exceed; for three sets also 5 % above
// Spot.
struct Bound {
  std::size_t ltl3ba;
  bool near_spot;
};
const std::map<std::string, Bound> kBounds = {
    {"etessami-holzmann pos", {48, true}},
    {"etessami-holzmann neg", {57, true}},
    {"somenzi-bloem pos", {116, true}},
    {"somenzi-bloem neg", {107, true}},
    {"dwyer pos", {329, true}},
    {"dwyer neg", {230, true}},
    {"liberouter pos", {255, false}},
    {"liberouter neg", {223, false}},
    {"beem pos", {65, false}},
    {"beem neg", {64, false}},
};

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> result;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) result.push_back(field);
  return result;
}

TEST(LtlSizes, AutomataAreNoLargerThanThoseOfOtherTools) {
  if (kIsInstrumented) GTEST_SKIP() << "sizes do not depend on the build";
  const auto path = std::filesystem::path(SPOOR_SOURCE_DIR).parent_path() / "shared/ltl/reference.tsv";
  std::ifstream file(path);
  if (!file) GTEST_SKIP() << "no collection of formulas (shared/ltl/reference.tsv beside the repository)";
  std::map<std::string, Totals> totals;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const std::vector<std::string> row = fields(line);
    ASSERT_GE(row.size(), 8u) << line;
    Formulas formulas;
    SourceSet sources;
    Diagnostics diagnostics;
    sources.add("f", row[3]);
    const auto f = parse(formulas, sources, 0, diagnostics);
    ASSERT_TRUE(f) << row[3];
    const auto start = std::chrono::steady_clock::now();
    const auto automaton = translate(formulas, *f, {}, {}, diagnostics);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    ASSERT_TRUE(automaton) << row[3];
    Totals& sum = totals[row[0] + " " + row[1]];
    // Others count an automaton of nothing as one state.
    sum.ours += std::max<std::size_t>(1, automaton->states.size());
    sum.spot += row[6] == "-" ? 0 : std::stoul(row[6]);
    sum.slowest_s = std::max(sum.slowest_s, taken.count());
    ++sum.formulas;
  }
  std::printf("%-24s %8s %6s %6s %6s %10s\n", "set", "formulas", "ours", "ltl3ba", "Spot", "slowest");
  for (const auto& [name, bound] : kBounds) {
    const Totals& sum = totals[name];
    std::printf("%-24s %8zu %6zu %6zu %6zu %8.2f s\n", name.c_str(), sum.formulas, sum.ours, bound.ltl3ba,
                sum.spot, sum.slowest_s);
    EXPECT_GT(sum.formulas, 0u) << name;
    EXPECT_LE(sum.ours, bound.ltl3ba) << name;
    if (bound.near_spot) {
      EXPECT_LE(sum.ours * 100, sum.spot * 105) << name;
    }
    EXPECT_LT(sum.slowest_s, 60) << name;  // generous: the machine may be busy, the build instrumented
  }
}

}  // namespace
}  // namespace spoor::ltl
