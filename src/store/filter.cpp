#include "store/filter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace spoor {
namespace {

double power(double base, unsigned exponent) {
  double result = 1;
  for (; exponent > 0; --exponent) result *= base;
  return result;
}

// A classic filter's chance.
double classic_rate(const FilterOptions& options, double states) {
  const double throws = states * options.hashes;
  return power(-std::expm1(throws * std::log1p(-1 / static_cast<double>(options.bits))), options.hashes);
}

// The sum of the classic chances for 0, 1, ..., count - 1 states. Where there are many of them, by
// Simpson's rule, because the chance is a smooth function of the states.
double classic_sum(const FilterOptions& options, std::uint64_t count) {
  constexpr std::uint64_t kFew = 1 << 14;
  constexpr unsigned kIntervals = 1 << 12;
  double sum = 0;
  if (count <= kFew) {
    for (std::uint64_t i = 0; i < count; ++i) sum += classic_rate(options, static_cast<double>(i));
    return sum;
  }
  const double end = static_cast<double>(count);
  const double width = end / kIntervals;
  for (unsigned i = 0; i <= kIntervals; ++i) {
    const double weight = i == 0 || i == kIntervals ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * classic_rate(options, i * width);
  }
  return sum * width / 3 - classic_rate(options, end) / 2;  // the sum's last half is outside
}

// The chance that a state finds all its bits set in a line that this many states share, for 0, 1,
// ...: the mean of (set/512)^k over how many bits are set, whose distribution is followed throw by
// throw.
class LineRates {
 public:
  explicit LineRates(unsigned hashes) : hashes_(hashes), chance_(kLineBits + 1, 0.0) { chance_[0] = 1; }

  double next() {
    double rate = 0;
    for (unsigned set = 1; set <= kLineBits; ++set) {
      rate += chance_[set] * power(static_cast<double>(set) / kLineBits, hashes_);
    }
    for (unsigned i = 0; i < hashes_; ++i) throw_once();
    return rate;
  }

 private:
  void throw_once() {
    for (unsigned set = kLineBits; set > 0; --set) {
      chance_[set] = (chance_[set] * set + chance_[set - 1] * (kLineBits - set + 1)) / kLineBits;
    }
    chance_[0] = 0;
  }

  unsigned hashes_;
  std::vector<double> chance_;  // that so many bits are set
};

// Calls use(j, P(X = j)) with X Poisson distributed, for all j that matter.
template <class Use>
void each_poisson(double mean, const Use& use) {
  const double spread = 12 * std::sqrt(mean) + 30;
  const double last = mean + spread;
  for (double j = 0; j <= last; ++j) {
    use(j, mean == 0 ? (j == 0 ? 1.0 : 0.0) : std::exp(j * std::log(mean) - mean - std::lgamma(j + 1)));
  }
}

double states_per_line(const FilterOptions& options, double states) {
  return states * kLineBits / static_cast<double>(options.bits);
}

double blocked_rate(const FilterOptions& options, double states) {
  LineRates rates(options.hashes);
  double sum = 0;
  each_poisson(states_per_line(options, states),
               [&](double, double chance) { sum += chance * rates.next(); });
  return std::min(1.0, sum);
}

double blocked_sum(const FilterOptions& options, std::uint64_t count) {
  LineRates rates(options.hashes);
  double sum = 0;
  double more = 1;  // P(X > j), and before that P(X >= j)
  each_poisson(states_per_line(options, static_cast<double>(count)), [&](double, double chance) {
    more = std::max(0.0, more - chance);
    sum += rates.next() * more;
  });
  return sum * static_cast<double>(options.bits) / kLineBits;
}

}  // namespace

const char* to_string(FilterKind kind) { return kind == FilterKind::kClassic ? "classic" : "blocked"; }

std::string mistake_in(const FilterOptions& options) {
  const unsigned least = options.kind == FilterKind::kClassic ? FilterOptions::kLeastLogBits
                                                              : FilterOptions::kLeastLogBitsBlocked;
  if (!std::has_single_bit(options.bits) || options.bits < std::uint64_t{1} << least ||
      options.bits > std::uint64_t{1} << FilterOptions::kMostLogBits) {
    return "the size must be a power of two from 2^" + std::to_string(least) + " to 2^" +
           std::to_string(FilterOptions::kMostLogBits) + " bits";
  }
  if (options.hashes < 1 || options.hashes > FilterOptions::kMostHashes) {
    return "there must be 1 to " + std::to_string(FilterOptions::kMostHashes) + " hash functions";
  }
  return "";
}
bool is_valid(const FilterOptions& options) { return mistake_in(options).empty(); }

std::uint64_t filter_bits_within(std::uint64_t bytes) {
  const std::uint64_t most = std::uint64_t{1} << FilterOptions::kMostLogBits;
  const std::uint64_t least = std::uint64_t{1} << FilterOptions::kLeastLogBitsBlocked;
  return std::max(least, std::bit_floor(std::min(bytes, most / 8) * 8));
}

double false_positive_rate(const FilterOptions& options, double states) {
  return options.kind == FilterKind::kClassic ? classic_rate(options, states) : blocked_rate(options, states);
}

double omission_bound(const FilterOptions& options, std::uint64_t states) {
  const auto count = static_cast<double>(states);
  const double same_key = count * (count + 1) / 0x1p65;
  // No line is followed further than it can be filled: from there on the bound is 1 in any case.
  if (states >= options.bits) return 1;
  const double sum = options.kind == FilterKind::kClassic ? classic_sum(options, states + 1)
                                                          : blocked_sum(options, states + 1);
  return std::min(1.0, sum + same_key);
}

double expected_omissions(const FilterOptions& options, std::uint64_t states) {
  return classic_sum(options, states);
}

}  // namespace spoor
