// The error of an estimate, as a table of quantiles.
//
// Our own estimators have the form: states met, times e^y. For some values of y the table has the 5 % and the
// 95 % quantile of ln(actual / estimated number of states), on graphs that the coefficients were not fitted
// to; between them it is interpolated.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace spoor {

struct Quantiles {
  double y, low, high;
};

// Linear between the nodes, constant outside. REQUIRES: at least one node, by ascending y.
inline Quantiles quantiles_at(std::span<const Quantiles> nodes, double y) {
  if (y <= nodes.front().y) return nodes.front();
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const Quantiles &left = nodes[i - 1], &right = nodes[i];
    if (y > right.y) continue;
    const double share = (y - left.y) / (right.y - left.y);
    return {y, std::lerp(left.low, right.low, share), std::lerp(left.high, right.high, share)};
  }
  return nodes.back();
}

// y of z: the part that was not met, as an exponent, limited.
inline double softplus(double z) { return std::fmin(8.0, std::log1p(std::exp(z))); }

}  // namespace spoor
