#include "base/distinct_counter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace spoor {
namespace {

// x + sum over k >= 1 of x^(2^k) 2^(k-1): the contribution of empty registers.
double sigma(double x) {
  if (x == 1) return std::numeric_limits<double>::infinity();
  double sum = x;
  for (double factor = 1, before = -1; sum != before; factor *= 2) {
    x *= x;
    before = sum;
    sum += x * factor;
  }
  return sum;
}

// (1 - x - sum over k >= 1 of (1 - x^(2^-k))^2 2^-k) / 3: the contribution of full registers.
double tau(double x) {
  if (x == 0 || x == 1) return 0;
  double sum = 1 - x;
  for (double factor = 0.5, before = -1; sum != before; factor /= 2) {
    x = std::sqrt(x);
    before = sum;
    sum -= (1 - x) * (1 - x) * factor;
  }
  return sum / 3;
}

}  // namespace

void DistinctCounter::add(const DistinctCounter& other) {
  for (std::size_t i = 0; i < registers_.size(); ++i)
    registers_[i] = std::max(registers_[i], other.registers_[i]);
}

double DistinctCounter::estimate() const {
  std::array<double, kLongest + 2> count{};  // of the registers with each value
  for (const std::uint8_t longest : registers_) ++count[longest];
  const auto all = static_cast<double>(registers_.size());
  double sum = all * tau(1 - count[kLongest + 1] / all);
  for (unsigned run = kLongest; run >= 1; --run) sum = 0.5 * (sum + count[run]);
  sum += all * sigma(count[0] / all);
  return all * all / (2 * std::log(2.0) * sum);
}

}  // namespace spoor
