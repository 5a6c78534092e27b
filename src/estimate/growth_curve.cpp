#include "estimate/growth_curve.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "estimate/least_squares.h"

namespace spoor {
namespace {

constexpr double kRateOfFullFilters = std::numbers::ln2;

// The residuals, relative to the N of the largest run.
struct GrowthResiduals {
  std::span<const FilterRun> runs;
  bool has_fixed_rate = false;

  GrowthCurve::Fit fit(const Eigen::VectorXd& x) const {
    return {std::exp(x[0]) * scale(), std::exp(x[1]), has_fixed_rate ? kRateOfFullFilters : x[2], 0,
            has_fixed_rate};
  }
  double scale() const { return static_cast<double>(runs.back().states); }
  double t(std::size_t run) const { return log_size(runs[run]) - log_size(runs.back()); }

  void at(const Eigen::VectorXd& x, Eigen::VectorXd& out) const {
    const GrowthCurve::Fit curve = fit(x);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const double expected = GrowthCurve::value(curve, runs[i].filter.hashes, t(i));
      out[static_cast<Eigen::Index>(i)] = (expected - static_cast<double>(runs[i].states)) / scale();
    }
  }
};

double determination(const GrowthResiduals& residuals, const Eigen::VectorXd& left) {
  double mean = 0, all = 0;
  for (const FilterRun& run : residuals.runs)
    mean += static_cast<double>(run.states) / static_cast<double>(residuals.runs.size());
  for (const FilterRun& run : residuals.runs)
    all += std::pow((static_cast<double>(run.states) - mean) / residuals.scale(), 2);
  return all == 0 ? 1 : 1 - left.squaredNorm() / all;
}

std::optional<GrowthCurve::Fit> fit_with(const GrowthResiduals& residuals) {
  const unsigned hashes = residuals.runs.back().filter.hashes;
  constexpr double kFirstGuess = 1.5;  // of M, in terms of the states of the largest run
  Eigen::VectorXd x(residuals.has_fixed_rate ? 2 : 3);
  x[0] = std::log(kFirstGuess);
  x[1] = std::log(std::pow(kFirstGuess, hashes) - 1);
  if (!residuals.has_fixed_rate) x[2] = kRateOfFullFilters;
  const auto points = static_cast<Eigen::Index>(residuals.runs.size());
  const std::optional<Eigen::VectorXd> found = least_squares(residuals, x, points);
  if (!found) return std::nullopt;
  GrowthCurve::Fit fit = residuals.fit(*found);
  if (!std::isfinite(fit.total) || fit.total > kMostTimesSeen * residuals.scale() || fit.rate <= 0)
    return std::nullopt;
  Eigen::VectorXd left(points);
  residuals.at(*found, left);
  fit.determination = determination(residuals, left);
  return fit;
}

}  // namespace

double GrowthCurve::value(const Fit& fit, unsigned hashes, double t) {
  const double k = hashes;
  return fit.total / std::pow(1 + fit.constant * std::exp(-k * fit.rate * t), 1 / k);
}

std::optional<GrowthCurve::Fit> GrowthCurve::fit(std::span<const FilterRun> runs) {
  if (runs.size() < 3) return std::nullopt;
  std::optional<Fit> found = fit_with({runs, false});
  return found ? found : fit_with({runs, true});
}

Answer GrowthCurve::estimate(const Evidence& evidence) const {
  if (std::string why = objection(evidence); !why.empty()) return no_estimate(std::move(why));
  if (evidence.runs.size() < kRuns) return no_estimate("the curve needs runs with six sizes of the filter");
  const std::span<const FilterRun> last = std::span(evidence.runs).last(kRuns);
  if (last.front().states == last.back().states) return share(1);  // a flat curve has no constant
  const std::optional<Fit> found = fit(last);
  if (!found) return no_estimate("no growth curve fits the runs: the growth does not slow down yet");
  return share(static_cast<double>(evidence.runs.back().states) / found->total);
}

}  // namespace spoor
