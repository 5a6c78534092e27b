#include "estimate/frontier.h"

#include <algorithm>
#include <cmath>

#include "estimate/calibration.h"

namespace spoor {
namespace {

// The levels, with the states and steps of the whole search.
class Growth {
 public:
  explicit Growth(const LimitedSearch& search)
      : search_(search),
        states_(static_cast<double>(search.states)),
        steps_(static_cast<double>(search.transitions)) {}

  // States in the frontier: found and not expanded.
  double waiting() const {
    double found = 0;
    for (const Level& level : search_.levels) found += static_cast<double>(level.states);
    const Level& last = search_.levels.back();
    const double expanded_before = found - static_cast<double>(last.states);
    const double steps_each = static_cast<double>(last.transitions) / expanded_before;
    const double expanded = (steps_ - static_cast<double>(last.transitions)) / steps_each;
    return std::max(0.0, states_ - found) + std::max(0.0, static_cast<double>(last.states) - expanded);
  }

  // New states per step, in the last part of the steps, of this share.
  double rate_in_last(double share) const {
    const double begin = (1 - share) * steps_;
    return std::max(1e-4, (states_ - found_after(begin)) / (share * steps_));
  }

 private:
  // Linear within a level.
  double found_after(double steps) const {
    double last_steps = 0, last_found = 1, found = 0;
    for (const Level& level : search_.levels) {
      found += static_cast<double>(level.states);
      const auto at = static_cast<double>(level.transitions);
      if (at >= steps) return between(last_steps, last_found, at, found, steps);
      last_steps = at;
      last_found = found;
    }
    return between(last_steps, last_found, steps_, states_, steps);
  }
  static double between(double from, double low, double to, double high, double at) {
    return to > from ? std::lerp(low, high, (at - from) / (to - from)) : high;
  }

  const LimitedSearch& search_;
  double states_, steps_;
};

}  // namespace

Answer Frontier::estimate(const Evidence& evidence) const {
  if (!evidence.limited) return no_estimate("there is no incomplete breadth-first search");
  const LimitedSearch& search = *evidence.limited;
  if (search.samples != 0) return no_estimate("the search was not breadth-first throughout");
  const std::vector<Level>& levels = search.levels;
  const bool is_cut_short = levels.size() >= kFewestLevels && levels.back().transitions > 0 &&
                            search.transitions >= levels.back().transitions;
  if (!is_cut_short) return no_estimate("the search has too few complete levels");
  const auto size = [](const Level& level) { return static_cast<double>(level.states); };
  const Growth growth(search);
  const auto states = static_cast<double>(search.states);
  const auto largest_level = std::ranges::max_element(levels, {}, size);
  if (levels.end() - largest_level <= 3)
    return no_estimate("the levels still grow, so their number cannot be predicted");
  const double largest = size(*largest_level);
  const double last =
      (size(levels.back()) + size(levels[levels.size() - 2]) + size(levels[levels.size() - 3])) / 3;
  if (!(last > 0) || states == 0) return no_estimate("the levels are empty");
  const double f = std::clamp(std::log((growth.waiting() + 1) / states), -8.49, 2.01);
  const double a = std::clamp(std::log(growth.rate_in_last(0.1) / growth.rate_in_last(0.5)), -0.62, 0.60);
  const double l = std::clamp(std::log(largest / last), 0.0, 3.31);
  const double y = softplus(4.6507 + 1.2100 * f + 6.9628 * a - 2.4653 * l);
  return share_of(evidence, states * std::exp(y));
}

}  // namespace spoor
