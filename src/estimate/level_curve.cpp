#include "estimate/level_curve.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <Eigen/Dense>

#include "estimate/least_squares.h"

namespace spoor {
namespace {

struct Bell {
  double height = 0;
  double centre = 0;
  double width = 0;

  double at(double level) const { return height * std::exp(-std::pow((level - centre) / width, 2) / 2); }
  // The area under the bell from this level on.
  double beyond(double level) const {
    return height * width * std::sqrt(std::numbers::pi / 2) *
           std::erfc((level - centre) / (width * std::numbers::sqrt2));
  }
};

// Parameters: the centre and the logarithms of height and width, relative to the largest level, so that no
// number is very large.
struct LevelResiduals {
  std::span<const Level> levels;
  double scale = 1;

  static Bell bell(const Eigen::VectorXd& x) { return {std::exp(x[0]), x[1], std::exp(x[2])}; }
  void at(const Eigen::VectorXd& x, Eigen::VectorXd& out) const {
    const Bell curve = bell(x);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      out[static_cast<Eigen::Index>(i)] =
          curve.at(static_cast<double>(i)) - static_cast<double>(levels[i].states) / scale;
    }
  }
};

// The parabola through the logarithms; nothing where it opens upward.
std::optional<Eigen::VectorXd> first_guess(const LevelResiduals& residuals) {
  const auto count = static_cast<Eigen::Index>(residuals.levels.size());
  Eigen::MatrixXd terms(count, 3);
  Eigen::VectorXd values(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const double size =
        static_cast<double>(residuals.levels[static_cast<std::size_t>(i)].states) / residuals.scale;
    const auto level = static_cast<double>(i);
    terms.row(i) = size * Eigen::RowVector3d(1, level, level * level);
    values[i] = size > 0 ? size * std::log(size) : 0;
  }
  const Eigen::Vector3d parabola = terms.colPivHouseholderQr().solve(values);
  if (!(parabola[2] < 0)) return std::nullopt;
  const double centre = -parabola[1] / (2 * parabola[2]);
  Eigen::VectorXd guess(3);
  guess << parabola[0] - parabola[2] * centre * centre, centre, -std::log(-2 * parabola[2]) / 2;
  return guess.allFinite() ? std::optional(guess) : std::nullopt;
}

}  // namespace

Answer LevelCurve::estimate(const Evidence& evidence) const {
  if (!evidence.limited) return no_estimate("there is no incomplete breadth-first search");
  const std::vector<Level>& levels = evidence.limited->levels;
  if (levels.size() < kFewestLevels) return no_estimate("the search has too few complete levels");
  const auto size = [](const Level& level) { return static_cast<double>(level.states); };
  const LevelResiduals residuals{levels, size(*std::ranges::max_element(levels, {}, size))};
  if (residuals.scale == 0) return no_estimate("the levels are empty");
  const std::optional<Eigen::VectorXd> guess = first_guess(residuals);
  if (!guess) return no_estimate("the levels grow faster and faster, so their number cannot be predicted");
  const std::optional<Eigen::VectorXd> found =
      least_squares(residuals, *guess, static_cast<Eigen::Index>(levels.size()));
  if (!found) return no_estimate("no bell fits the sizes of the levels");
  double seen = 0;
  for (const Level& level : levels) seen += size(level);
  const double rest =
      residuals.scale * LevelResiduals::bell(*found).beyond(static_cast<double>(levels.size()) - 0.5);
  if (!std::isfinite(rest) || rest > kMostTimesSeen * seen)
    return no_estimate("the bell that fits the levels is too large to be reliable");
  return share_of(evidence, std::max(seen + rest, static_cast<double>(evidence.limited->states)));
}

}  // namespace spoor
