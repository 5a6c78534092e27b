// Estimators of coverage: they find the numbers that made the statistics up, and say so where there is
// nothing to find.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "estimate/estimator.h"
#include "estimate/growth_curve.h"
#include "estimate/probes.h"
#include "estimate/simple_formula.h"
#include "search/probe.h"
#include "search/search.h"
#include "unit/counters.h"

namespace spoor {
namespace {

FilterRun run(unsigned log_bits, unsigned hashes, double states) {
  FilterRun run;
  run.filter = {std::uint64_t{1} << log_bits, hashes, FilterKind::kClassic, 1, false};
  run.states = static_cast<std::uint64_t>(std::llround(states));
  run.bits_set = run.states;
  return run;
}

// Six runs on a growth curve that ends at `total`, the largest with this coverage.
Evidence on_curve(double total, double rate, unsigned hashes, double coverage) {
  Evidence evidence;
  const double constant = std::pow(1 / coverage, hashes) - 1;
  for (int t = -5; t <= 0; ++t) {
    const GrowthCurve::Fit curve{total, constant, rate, 0, false};
    evidence.runs.push_back(run(static_cast<unsigned>(20 + t), hashes, GrowthCurve::value(curve, hashes, t)));
  }
  return evidence;
}

const Estimator& named(const std::string& name) {
  for (const EstimatorRow& row : estimators()) {
    if (row.name == name) return *row.estimator;
  }
  throw std::logic_error("no such estimator");
}

TEST(Estimate, EveryEstimatorIsInTheManual) {
  std::ifstream file(SPOOR_SOURCE_DIR "/docs/estimate.md");
  const std::string manual(std::istreambuf_iterator<char>(file), {});
  for (const EstimatorRow& row : estimators()) {
    std::string name = row.name;
    std::ranges::replace(name, '_', ' ');
    const std::string line = "\n| " + name + " | " + row.needs + " | " + row.idea + " |\n";
    EXPECT_NE(manual.find(line), std::string::npos) << line;
  }
}

double coverage(const std::string& name, const Evidence& evidence) {
  const Answer answer = named(name).estimate(evidence);
  EXPECT_TRUE(answer.estimate) << name << ": " << answer.why_not;
  return answer.estimate ? answer.estimate->coverage : -1;
}

TEST(Estimate, AGrowthCurveIsFoundAgain) {
  for (const unsigned hashes : {1u, 2u, 3u}) {
    for (const double rate : {0.6, 0.693, 0.85}) {
      for (const double seen : {0.3, 0.6, 0.9, 0.99}) {
        EXPECT_NEAR(coverage("growth_curve", on_curve(1e6, rate, hashes, seen)), seen, 0.002)
            << hashes << ' ' << rate;
      }
    }
  }
}

TEST(Estimate, AGrowthCurveSaysHowWellItFits) {
  const Evidence evidence = on_curve(5e5, 0.7, 2, 0.8);
  const auto fit = GrowthCurve::fit(evidence.runs);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->rate, 0.7, 0.01);
  EXPECT_NEAR(fit->total, 5e5, 1e3);
  EXPECT_GT(fit->determination, 0.9999);
  EXPECT_FALSE(fit->has_fixed_rate);
}

TEST(Estimate, TheSimpleFormulaIsTheCurveWithTheRateOfFullFilters) {
  for (const unsigned hashes : {1u, 2u, 3u}) {
    for (const double seen : {0.1, 0.5, 0.95}) {
      EXPECT_NEAR(coverage("simple_formula", on_curve(1e6, std::log(2), hashes, seen)), seen, 0.001);
    }
  }
}

TEST(Estimate, TheSimpleFormulaGoesBackUntilItHasAValue) {
  Evidence evidence;
  evidence.runs = {run(10, 1, 500), run(11, 1, 700), run(12, 1, 1500)};
  // 1500/700 > 2; 1500/500 = 3 < 4.
  EXPECT_NEAR(coverage("simple_formula", evidence), (4.0 - 3) / (4 - 1), 1e-12);
}

TEST(Estimate, NobodyMakesANumberUp) {
  Evidence filled;
  for (unsigned i = 10; i < 16; ++i) filled.runs.push_back(run(i, 1, std::exp2(i)));
  Evidence alone;
  alone.runs = {run(20, 1, 5000)};
  Evidence shrinking;
  shrinking.runs = {run(20, 1, 5000), run(19, 1, 4000)};
  Evidence mixed;
  mixed.runs = {run(19, 1, 5000), run(20, 2, 6000)};
  Evidence blocked = alone;
  blocked.runs[0].filter.kind = FilterKind::kBlocked;
  Evidence without_hashes = alone;
  without_hashes.runs[0].filter.hashes = 0;
  Evidence ended_at_once = on_curve(1e6, 0.7, 1, 0.5);
  ended_at_once.runs[2].states = 0;
  for (const auto& [name, needs, idea, estimator] : estimators()) {
    for (const Evidence* evidence :
         {&filled, &alone, &shrinking, &mixed, &blocked, &without_hashes, &ended_at_once}) {
      const Answer answer = estimator->estimate(*evidence);
      ASSERT_NE(answer.estimate.has_value(), !answer.why_not.empty()) << name;
      if (answer.estimate) {
        EXPECT_TRUE(answer.estimate->coverage >= 0 && answer.estimate->coverage <= 1) << name;
      }
    }
    EXPECT_FALSE(estimator->estimate({}).estimate) << name;
    EXPECT_FALSE(estimator->estimate(shrinking).estimate) << name;
    EXPECT_FALSE(estimator->estimate(mixed).estimate) << name;
    EXPECT_FALSE(estimator->estimate(blocked).estimate) << name;
    EXPECT_FALSE(estimator->estimate(without_hashes).estimate) << name;
    EXPECT_FALSE(estimator->estimate(ended_at_once).estimate) << name;
  }
  EXPECT_FALSE(named("growth_curve").estimate(filled).estimate);
  EXPECT_FALSE(named("simple_formula").estimate(filled).estimate);
  EXPECT_FALSE(named("stern").estimate(filled).estimate);
  EXPECT_FALSE(named("growth_curve").estimate(alone).estimate);
  EXPECT_FALSE(named("simple_formula").estimate(alone).estimate);
}

// A model that ends at once, with filters of every size: all of it was seen.
TEST(Estimate, ASmallModelIsSeenInFull) {
  Evidence evidence;
  for (unsigned i = 15; i <= 20; ++i) evidence.runs.push_back(run(i, 1, 3));
  for (const char* name : {"stern", "dillinger", "growth_curve", "simple_formula"})
    EXPECT_NEAR(coverage(name, evidence), 1, 1e-3) << name;
}

ProbeFigures figures(double search, double larger, double smaller, double all, double shared) {
  const SharedPart part{shared, 4000};
  return {larger, smaller, all, part, ProbeFigures::Search{search, part, part}};
}

Evidence limited(std::uint64_t states, std::vector<std::uint64_t> levels, std::uint64_t samples,
                 std::uint64_t found, std::uint64_t left) {
  Evidence evidence;
  evidence.limited = LimitedSearch{states, 0, {}, samples, found, left};
  for (const std::uint64_t size : levels) evidence.limited->levels.push_back({size});
  return evidence;
}

TEST(Estimate, ProbesThatShareEverythingHaveMetEverything) {
  Evidence evidence;
  evidence.runs = {run(22, 1, 95'000)};
  evidence.probes = figures(1e5, 1e5, 1e5, 1e5, 0.9999);
  const Answer answer = named("probes").estimate(evidence);
  ASSERT_TRUE(answer.estimate && answer.estimate->interval);
  EXPECT_NEAR(answer.estimate->coverage, 0.95, 0.01);
  EXPECT_LE(answer.estimate->interval->low, answer.estimate->coverage);
  EXPECT_GE(answer.estimate->interval->high, answer.estimate->coverage);
  EXPECT_GT(answer.estimate->interval->low, 0.9);
}

TEST(Estimate, ProbesThatShareLittleLeaveMuchUnmet) {
  Evidence evidence;
  evidence.runs = {run(16, 1, 60'000)};
  evidence.probes = figures(1e5, 1e5, 5e4, 2.4e5, 0.05);
  const Answer answer = named("probes").estimate(evidence);
  ASSERT_TRUE(answer.estimate);
  // z = -0.8222 + 1.5826 ln 2 + (0.5893 + 0.0766 + 0.2948) ln 19
  const double z = -0.8222 + 1.5826 * std::log(2) + (0.5893 + 0.0766 + 0.2948) * std::log(19);
  EXPECT_NEAR(answer.estimate->coverage, 60'000 / (2.4e5 * (1 + std::exp(z))), 1e-6);
  EXPECT_GT(answer.estimate->interval->high - answer.estimate->interval->low, 0.005);
}

// At the same figures: what smaller probes have met is a worse sample, and what larger ones have met is a
// better one.
TEST(Estimate, TheSmallerTheProbesTheWiderTheInterval) {
  Evidence evidence;
  evidence.runs = {run(22, 1, 95'000)};
  evidence.probes = figures(1e5, 1.1e5, 1e5, 1.2e5, 0.93);
  const auto width_at = [&](double log_size_ratio) {
    evidence.probes->search->log_size_ratio = log_size_ratio;
    const Interval interval = *named("probes").estimate(evidence).estimate->interval;
    return interval.high - interval.low;
  };
  EXPECT_DOUBLE_EQ(width_at(-1), width_at(0));
  EXPECT_LT(width_at(0), width_at(-2));
  evidence.probes = figures(1e5, 1.1e5, 1e5, 1.3e5, 0.7);
  EXPECT_LT(width_at(1), width_at(0));
  evidence.probes = figures(1e5, 1e5, 1e5, 1e5, 0.9999);
  EXPECT_LT(width_at(0), 0.04);
  EXPECT_GT(width_at(-5), 0.5);
}

// In a model with many levels one confused state hides many, and small probes do not see that.
TEST(Estimate, SmallProbesBesideALongSearchHaveAWideInterval) {
  Evidence evidence;
  evidence.runs = {run(22, 3, 95'000)};
  evidence.probes = figures(1e5, 1e4, 9e3, 1e5, 0.99);
  const auto width_at = [&](double log_size_ratio, std::uint64_t depth) {
    evidence.runs.back().depth = depth;
    evidence.probes->search->log_size_ratio = log_size_ratio;
    const Interval interval = *named("probes").estimate(evidence).estimate->interval;
    return interval.high - interval.low;
  };
  for (const double ratio : {-2.0, -5.0}) EXPECT_GT(width_at(ratio, 2'000), 2 * width_at(ratio, 40)) << ratio;
  EXPECT_EQ(width_at(0, 40), width_at(0, 2'000));
  evidence.runs.back().depth = 2'000;
  EXPECT_TRUE(is_long(evidence.runs.back()));
  evidence.runs.back().depth = 40;
  EXPECT_FALSE(is_long(evidence.runs.back()));
}

TEST(Estimate, ALineThatEndsWhereAFilterConfusesStatesMayGoOn) {
  Evidence evidence;
  evidence.runs = {run(16, 3, 10'000)};
  evidence.runs.back().bits_set = 25'000;
  evidence.probes = figures(1e4, 1e4, 1e4, 1e4, 0.9999);
  EXPECT_GT(named("probes").estimate(evidence).estimate->interval->low, 0.9);
  evidence.runs.back().depth = 100;  // wide
  EXPECT_GT(named("probes").estimate(evidence).estimate->interval->low, 0.9);
  evidence.runs.back().depth = 9'000;
  EXPECT_EQ(named("probes").estimate(evidence).estimate->interval->low, 0);
  EXPECT_LE(named("probes").estimate(evidence).estimate->coverage, 0.5);
  evidence.runs.back().bits_set = 100;  // hardly any state was confused
  EXPECT_GT(named("probes").estimate(evidence).estimate->interval->low, 0.9);
}

TEST(Estimate, AProbeThatGoesFurtherShowsAThinPart) {
  EXPECT_TRUE(is_structural(figures(1e4, 1e5, 1e5, 1e5, 0.95)));
  EXPECT_FALSE(is_structural(figures(1e5, 1.1e5, 1e5, 1.2e5, 0.95)));
  EXPECT_FALSE(is_structural(figures(1e4, 1e5, 1e5, 1e5, 0.5)));
  Evidence evidence;
  evidence.runs = {run(22, 1, 9'900)};
  evidence.probes = figures(1e4, 1e5, 1e5, 1e5, 0.9999);
  EXPECT_NEAR(coverage("probes", evidence), 0.099, 0.005);
}

TEST(Estimate, ThereAreNotFewerStatesThanWereSeen) {
  Evidence evidence;
  evidence.runs = {run(16, 1, 1'000)};
  evidence.probes = figures(1e3, 2e3, 2e3, 2e3, 0.9999);
  EXPECT_NEAR(coverage("probes", evidence), 0.5, 0.02);
  evidence.at_least = 4'000;
  const Answer answer = estimate_by(named("probes"), evidence);
  ASSERT_TRUE(answer.estimate && answer.estimate->interval);
  EXPECT_DOUBLE_EQ(answer.estimate->coverage, 0.25);
  EXPECT_LE(answer.estimate->interval->high, 0.25);
  for (const char* name : {"overlap", "stern"})
    EXPECT_DOUBLE_EQ(estimate_by(named(name), evidence).estimate->coverage, 0.25) << name;
}

// They have looked elsewhere: that is no proof that everything was seen.
TEST(Estimate, ProbesThatMeetLessThanTheSearchHasSeenSayNothing) {
  Evidence evidence = limited(5'000'000, {}, 0, 0, 0);
  evidence.probes = figures(1, 1e5, 1e5, 1e5, 0.9999);
  evidence.probes->search.reset();
  EXPECT_FALSE(named("probes").estimate(evidence).estimate);
  EXPECT_FALSE(named("overlap").estimate(evidence).estimate);
}

TEST(Estimate, ProbesThatShareNothingKnowNoEnd) {
  Evidence evidence;
  evidence.runs = {run(16, 1, 60'000)};
  evidence.probes = figures(1e5, 1e5, 5e4, 2.4e5, 0);
  const Answer answer = named("probes").estimate(evidence);
  ASSERT_TRUE(answer.estimate && answer.estimate->interval);
  EXPECT_EQ(answer.estimate->interval->low, 0);
}

TEST(Estimate, ProbesAreNeverAtALossForANumber) {
  for (const double larger : {1.0, 1e3, 1e9}) {
    for (const double smaller : {1.0, 1e3, 1e9}) {
      for (const double shared : {0.0, 0.5, 1.0}) {
        Evidence evidence;
        evidence.runs = {run(20, 1, 1000)};
        evidence.probes = figures(1e3, larger, smaller, 1e3, shared);
        const Answer answer = named("probes").estimate(evidence);
        ASSERT_TRUE(answer.estimate && answer.estimate->interval) << answer.why_not;
        const Interval& interval = *answer.estimate->interval;
        EXPECT_TRUE(0 <= interval.low && interval.low <= answer.estimate->coverage);
        EXPECT_TRUE(answer.estimate->coverage <= interval.high && interval.high <= 1);
      }
    }
  }
  Evidence nothing;
  nothing.runs = {run(20, 1, 1000)};
  EXPECT_FALSE(named("probes").estimate(nothing).estimate);
  nothing.probes = figures(0, 0, 0, 0, 0);
  EXPECT_FALSE(named("probes").estimate(nothing).estimate);
}

// The example of section 5.1: ten states seen, six of them by two samples, two steps are left.
TEST(Estimate, SamplesStandForWhatIsLeft) {
  EXPECT_DOUBLE_EQ(coverage("monte_carlo", limited(10, {}, 2, 6, 2)), 10.0 / 16);
  EXPECT_FALSE(named("monte_carlo").estimate(limited(10, {}, 2, 6, 0)).estimate);
  EXPECT_EQ(named("monte_carlo").estimate(limited(10, {}, 0, 0, 7)).why_not,
            "no unexplored step was followed");
  EXPECT_FALSE(named("monte_carlo").estimate({}).estimate);
}

// The estimate of a limited search says something about a search with a filter, too.
TEST(Estimate, WhatIsAskedForIsTheLastRun) {
  Evidence evidence = limited(1000, {}, 10, 100, 100);  // 2000 states in all
  EXPECT_DOUBLE_EQ(coverage("monte_carlo", evidence), 0.5);
  evidence.runs = {run(14, 1, 1500)};
  EXPECT_DOUBLE_EQ(coverage("monte_carlo", evidence), 0.75);
}

std::vector<std::uint64_t> bell(double height, double centre, double width, std::size_t levels) {
  std::vector<std::uint64_t> sizes;
  for (std::size_t i = 0; i < levels; ++i) {
    sizes.push_back(static_cast<std::uint64_t>(
        std::llround(1 + height * std::exp(-std::pow((static_cast<double>(i) - centre) / width, 2) / 2))));
  }
  return sizes;
}

TEST(Estimate, ABellOfLevelsIsFoundAgain) {
  for (const std::size_t levels : {25u, 32u, 45u}) {
    const std::vector<std::uint64_t> all = bell(1e5, 30, 8, 80), part = bell(1e5, 30, 8, levels);
    const auto sum = [](const std::vector<std::uint64_t>& sizes) {
      std::uint64_t total = 0;
      for (const std::uint64_t size : sizes) total += size;
      return total;
    };
    const double actual = static_cast<double>(sum(part)) / static_cast<double>(sum(all));
    EXPECT_NEAR(coverage("level_curve", limited(sum(part), part, 0, 0, 0)), actual, 0.02) << levels;
  }
}

TEST(Estimate, LevelsWithoutABellSayNothing) {
  std::vector<std::uint64_t> doubling;
  for (unsigned i = 0; i < 20; ++i) doubling.push_back(std::uint64_t{1} << i);
  for (const auto& levels : {std::vector<std::uint64_t>{}, {1, 2, 3}, {0, 0, 0, 0, 0, 0}, doubling}) {
    const Answer answer = named("level_curve").estimate(limited(1000, levels, 0, 0, 0));
    EXPECT_FALSE(answer.estimate) << levels.size();
    EXPECT_FALSE(answer.why_not.empty());
  }
}

// Beside a search that keeps the states there are only the probes.
TEST(Estimate, ProbesJudgeASearchWithoutAFilter) {
  Evidence evidence = limited(30'000, {}, 0, 0, 0);
  evidence.probes = figures(1, 1e5, 1e5, 1e5, 0.9999);
  evidence.probes->search.reset();
  const Answer answer = named("probes").estimate(evidence);
  ASSERT_TRUE(answer.estimate && answer.estimate->interval) << answer.why_not;
  EXPECT_NEAR(answer.estimate->coverage, 0.3, 0.01);
  EXPECT_LE(answer.estimate->interval->high, 0.31);
  EXPECT_GE(answer.estimate->interval->low, 0.29);
}

// A real search, cut at several depths: while its levels grow there is nothing to be said, then a rough
// guess that grows with what was seen.
TEST(Estimate, TheFrontierOfASearchTellsALittle) {
  const Counters system(6, 9);  // 531,441 states, 49 levels, the largest in the middle
  double last = 0;
  for (const std::uint64_t depth : {8u, 16u, 24u, 30u, 36u, 42u, 46u}) {
    SearchOptions options;
    options.limits.depth = depth;
    const SearchResult result = search(system, options);
    ASSERT_EQ(result.limit, LimitHit::kDepth);
    ASSERT_EQ(result.levels.size(), depth + 1);
    Evidence evidence;
    evidence.limited = LimitedSearch{result.statistics.states, result.statistics.transitions, result.levels};
    const Answer answer = named("frontier").estimate(evidence);
    ASSERT_EQ(answer.estimate.has_value(), depth > 24) << depth;
    if (!answer.estimate) continue;
    const double actual = static_cast<double>(result.statistics.states) / 531'441;
    EXPECT_NEAR(answer.estimate->coverage, actual, 0.35) << depth;
    EXPECT_FALSE(answer.estimate->interval);
    EXPECT_GE(answer.estimate->coverage, last) << depth;
    last = answer.estimate->coverage;
  }
  EXPECT_GT(last, 0.95);
}

TEST(Estimate, TheFrontierNeedsABreadthFirstSearch) {
  EXPECT_FALSE(named("frontier").estimate({}).estimate);
  EXPECT_FALSE(named("frontier").estimate(limited(1000, {}, 0, 0, 0)).estimate);
  EXPECT_FALSE(named("frontier").estimate(limited(1000, {1, 2, 4, 8, 16}, 0, 0, 0)).estimate);
  EXPECT_FALSE(named("frontier").estimate(limited(1000, {1, 2, 4, 8, 16}, 3, 9, 9)).estimate);
  Evidence growing = limited(31, {1, 2, 4, 8, 16}, 0, 0, 0);
  growing.limited->transitions = 100;
  for (Level& level : growing.limited->levels) level.transitions = 2 * level.states;
  EXPECT_EQ(named("frontier").estimate(growing).why_not,
            "the levels still grow, so their number cannot be predicted");
}

TEST(Estimate, TwoRandomSearchesAreCaptureAndRecapture) {
  Evidence evidence;
  evidence.runs = {run(16, 1, 30'000)};
  evidence.probes = figures(5e4, 4e4, 2e4, 8e4, 0.4);
  EXPECT_DOUBLE_EQ(coverage("overlap", evidence), 0.3);  // 4e4 / 0.4 states in all
  evidence.probes->smaller_in_larger.share = 0;
  EXPECT_FALSE(named("overlap").estimate(evidence).estimate);
}

// Real searches. Counters hang together well, so everybody should be near the truth when most is seen.
TEST(Estimate, SearchesWithGrowingFiltersTellHowMuchThereIs) {
  const Counters system(6, 9);  // 531,441 states
  constexpr double kStates = 531'441;
  Evidence evidence;
  std::shared_ptr<const StateSketch> met;
  for (unsigned log_bits = 16; log_bits <= 21; ++log_bits) {
    SearchOptions options;
    options.store = StoreKind::kBitstate;
    options.filter = {std::uint64_t{1} << log_bits, 1, FilterKind::kClassic, 1, true};
    options.counted = FindingKinds::none();
    const SearchResult result = search(system, options);
    const auto one = run_of(*result.filter, result.statistics.transitions);
    ASSERT_TRUE(one);
    EXPECT_EQ(one->states, result.statistics.states);
    ASSERT_TRUE(one->met);
    EXPECT_GE(*one->met, 0.97 * static_cast<double>(one->states));
    EXPECT_LE(*one->met, 1.03 * kStates);
    evidence.runs.push_back(*one);
    met = result.filter->met_sketch;
  }
  SearchOptions options;
  options.filter = {std::uint64_t{1} << 21, 1, FilterKind::kClassic, 100, false};
  const ProbeResult larger = probe(system, options);
  options.filter = {std::uint64_t{1} << 20, 1, FilterKind::kClassic, 101, false};
  evidence.probes = probe_figures(met.get(), larger.met, probe(system, options).met);
  const double actual = static_cast<double>(evidence.runs.back().states) / kStates;
  EXPECT_GT(actual, 0.8);
  EXPECT_LT(actual, 0.999);
  for (const char* name : {"stern", "dillinger", "growth_curve", "simple_formula"})
    EXPECT_NEAR(coverage(name, evidence), actual, 0.15) << name;
  EXPECT_NEAR(coverage("probes", evidence), actual, 0.05);
  const Interval interval = named("probes").estimate(evidence).estimate->interval.value();
  EXPECT_LE(interval.low, actual);
  EXPECT_GE(interval.high, actual);
}

}  // namespace
}  // namespace spoor
