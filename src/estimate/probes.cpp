#include "estimate/probes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "estimate/calibration.h"

namespace spoor {
namespace {

using Nodes = std::array<Quantiles, 8>;
using Table = std::span<const Quantiles>;
constexpr double kLargestKnown = 4;  // y
constexpr double kNarrow = 4.5;      // states per level
constexpr double kLong = 0.47;       // ln(levels) / ln(states)
constexpr double kSameSize = -1.5;   // log2 of the ratio of the sizes: down to half of the size
constexpr double kQuarter = -2.5;    // the same: down to a quarter
constexpr double kLikelyCut = 0.05;  // confused states on a path from the first state to the last
constexpr Nodes kUsual = {{{0.003, -0.0144, 0.0099},
                           {0.018, -0.0274, 0.0248},
                           {0.053, -0.0613, 0.1242},
                           {0.133, -0.1387, 0.9489},
                           {0.336, -0.2857, 3.1852},
                           {0.741, -0.5173, 1.9295},
                           {1.481, -0.8820, 1.8507},
                           {2.697, -1.7091, 0.6705}}};
// The same, where the filters of the probes have another size than the search's: larger, a quarter, smaller.
constexpr Nodes kWithLarger = {{{0.0007, -0.0222, 0.0107},
                                {0.0074, -0.0185, 0.0078},
                                {0.0226, -0.0404, 0.0421},
                                {0.0645, -0.0957, 0.1575},
                                {0.2172, -0.2335, 0.2031},
                                {0.4870, -0.4054, 0.3980},
                                {0.8016, -0.6325, 0.7286},
                                {1.3617, -1.8939, 0.3023}}};
constexpr Nodes kWithQuarter = {{{0.0013, -0.0220, 0.0099},
                                 {0.0089, -0.0233, 0.0660},
                                 {0.0457, -0.0544, 1.1569},
                                 {0.1288, -0.1526, 2.5432},
                                 {0.3365, -0.2513, 2.1294},
                                 {0.6134, -0.4840, 1.5719},
                                 {0.9355, -0.7265, 1.0616},
                                 {1.5954, -2.0014, 0.5737}}};
constexpr Nodes kWithSmaller = {{{0.0043, -0.0225, 1.1932},
                                 {0.0120, -0.0258, 1.2506},
                                 {0.0318, -0.0489, 1.1819},
                                 {0.0932, -0.1145, 1.1439},
                                 {0.2192, -0.2286, 1.6513},
                                 {0.4456, -0.4188, 1.2979},
                                 {0.8890, -0.7301, 1.1405},
                                 {1.7969, -1.8975, 0.3954}}};
// The same, where the number of levels of the search is known: of wide models and of long ones (kLong).
constexpr Nodes kWideQuarter = {{{0.0010, -0.0150, 0.0099},
                                 {0.0034, -0.0171, 0.0123},
                                 {0.0159, -0.0392, 0.0927},
                                 {0.0806, -0.1002, 0.3529},
                                 {0.2519, -0.2206, 0.6024},
                                 {0.5234, -0.3197, 0.6539},
                                 {0.8644, -0.6207, 0.6747},
                                 {1.1966, -1.5718, 0.3607}}};
constexpr Nodes kWideSmaller = {{{0.0046, -0.0238, 0.0108},
                                 {0.0096, -0.0235, 0.1808},
                                 {0.0218, -0.0396, 0.9057},
                                 {0.0858, -0.1265, 0.8300},
                                 {0.2634, -0.2599, 0.9883},
                                 {0.5249, -0.4894, 1.0065},
                                 {0.9282, -0.7454, 0.7160},
                                 {1.4845, -1.3394, 0.2842}}};
constexpr std::array<Quantiles, 2> kLongQuarter = {{{0.0159, -0.0162, 2.9336}, {0.1410, -0.3211, 1.8223}}};
constexpr Nodes kLongSmaller = {{{0.0032, -0.0069, 5.4728},
                                 {0.0081, -0.0137, 5.4728},
                                 {0.0163, -0.0134, 5.5949},
                                 {0.0254, -0.0235, 3.0163},
                                 {0.0524, -0.0399, 2.2956},
                                 {0.1165, -0.1091, 2.2998},
                                 {0.3387, -0.3593, 2.2998},
                                 {0.8164, -1.6142, 1.3790}}};
constexpr Nodes kStructural = {{{0.003, -0.0152, 0.0122},
                                {0.019, -0.0316, 0.5350},
                                {0.051, -0.0703, 3.3301},
                                {0.140, -0.0856, 3.0482},
                                {0.351, -0.3798, 2.1044},
                                {0.699, -0.4209, 1.7466},
                                {1.160, 0.0, 1.9969},
                                {2.798, -2.5250, 0.4889}}};

constexpr Nodes kWithoutSearch = {{{0.004, -0.0154, 0.0116},
                                   {0.018, -0.0247, 0.0507},
                                   {0.050, -0.0487, 0.6312},
                                   {0.137, -0.1251, 1.0137},
                                   {0.330, -0.2611, 1.3807},
                                   {0.771, -0.6379, 2.9597},
                                   {1.482, -1.0514, 2.0683},
                                   {2.953, -2.3591, 1.1123}}};

// A sample of n states cannot distinguish a share of 0 from one of 1/(2n).
double logit(const SharedPart& part) {
  const double sampled = std::max<double>(8, static_cast<double>(part.sampled));
  double share = std::clamp(part.share, 0.5 / sampled, 1 - 0.2 / sampled);
  share = std::clamp(share, 2e-4, 1 - 2e-4);
  return std::log(share / (1 - share));
}

}  // namespace

ProbeFigures probe_figures(const StateSketch* search, const StateSketch& larger, const StateSketch& smaller) {
  StateSketch all = larger;
  all.add(smaller);
  ProbeFigures figures{larger.count.estimate(), smaller.count.estimate(), 0,
                       shared_part(smaller.sample, larger.sample)};
  if (search != nullptr) {
    all.add(*search);
    figures.search = {search->count.estimate(), shared_part(search->sample, larger.sample),
                      shared_part(larger.sample, search->sample)};
  }
  figures.met_by_all = all.count.estimate();
  return figures;
}

namespace {

// ln(levels) / ln(states); 0 for a search that has no levels.
double length_of(const FilterRun& run) {
  if (run.depth < 2 || run.states < 3) return 0;
  return std::log(static_cast<double>(run.depth)) / std::log(static_cast<double>(run.states));
}

// The table for a search, and probes that are no sign of a long thin part. `length`: of the search.
Table nodes_for(double log_size_ratio, double length) {
  if (log_size_ratio >= 0.5) return kWithLarger;
  if (log_size_ratio >= kSameSize) return kUsual;
  const bool is_quarter = log_size_ratio >= kQuarter;
  if (length == 0) return is_quarter ? kWithQuarter : kWithSmaller;
  if (length < kLong) return is_quarter ? kWideQuarter : kWideSmaller;
  return is_quarter ? Table(kLongQuarter) : Table(kLongSmaller);
}

struct Prediction {
  double z = 0;
  Table nodes;
};

// Beside a search with a filter.
Prediction predict(const Evidence& evidence, const ProbeFigures& figures, double growth, double overlap) {
  const ProbeFigures::Search& search = *figures.search;
  const double ratio = search.log_size_ratio;
  const double length = evidence.runs.empty() ? 0 : length_of(evidence.runs.back());
  const Table nodes = nodes_for(ratio, length);
  if (is_structural(figures)) {
    const bool has_own_table = ratio < 0.5 && (ratio >= kSameSize || length == 0);
    return {-1.7393 + 4.4878 * std::clamp(growth, -0.61, 1.46) - 0.6555 * overlap,
            has_own_table ? Table(kStructural) : nodes};
  }
  return {-0.8222 + 1.5826 * std::clamp(growth, -0.57, 1.44) - 0.5893 * logit(search.larger_in) -
              0.0766 * logit(search.in_larger) - 0.2948 * overlap,
          nodes};
}

// A line of states, or a few beside each other, on which a filter as full as this is expected to confuse a
// state: what lies behind the end of the search is unknown.
bool may_end_in_line(const Evidence& evidence) {
  if (evidence.runs.empty()) return false;
  const FilterRun& run = evidence.runs.back();
  if (run.depth == 0 || run.filter.bits == 0) return false;
  const auto depth = static_cast<double>(run.depth);
  const double fraction_set = static_cast<double>(run.bits_set) / static_cast<double>(run.filter.bits);
  return static_cast<double>(run.states) < kNarrow * depth &&
         depth * std::pow(fraction_set, run.filter.hashes) > kLikelyCut;
}

}  // namespace

bool is_structural(const ProbeFigures& figures) {
  const auto& search = figures.search;
  return search && figures.met_by_larger >= 1.6 * search->met && search->in_larger.share >= 0.9;
}

bool is_long(const FilterRun& run) { return length_of(run) >= kLong; }

Answer Probes::estimate(const Evidence& evidence) const {
  if (evidence.runs.empty() && !evidence.limited) return no_estimate("there is no search");
  if (!evidence.probes) return no_estimate("there are no probes: two more searches, in another order");
  const ProbeFigures& figures = *evidence.probes;
  const auto& search = figures.search;
  const bool is_positive = figures.met_by_larger > 0 && figures.met_by_smaller > 0 &&
                           figures.met_by_all > 0 && (!search || search->met > 0);
  if (!is_positive) return no_estimate("a probe has met no state");
  const double seen = evidence.seen();
  if (seen == 0) return no_estimate("a search has seen no state");
  const double growth = std::log(figures.met_by_larger / figures.met_by_smaller);
  const double overlap = logit(figures.smaller_in_larger);
  Prediction prediction{-1.2650 + 4.9512 * std::clamp(growth, -0.61, 1.46) - 0.6084 * overlap,
                        kWithoutSearch};
  if (search) prediction = predict(evidence, figures, growth, overlap);
  const double y = softplus(prediction.z);
  const Quantiles off = quantiles_at(prediction.nodes, y);
  // The search has seen more states than the probes allow, by more than the error of their sketches: the
  // probes are in another part of the model, and the rest is unknown.
  const double raw = figures.met_by_all * std::exp(y);
  if (raw * std::exp(std::max(off.high, 0.03)) < seen)
    return no_estimate("the probes have met far fewer states than the search has seen");
  const double total = std::max(seen, raw);
  const double fewest = std::max({0.985 * figures.met_by_all, seen, total * std::exp(off.low)});
  const double most = std::max({1.015 * figures.met_by_all, total * std::exp(off.high), fewest});
  Answer answer = within(evidence, total, fewest, most);
  // Two probes without a state in common, or far more states than in any case of the table: the interval has
  // no upper end.
  const bool share_nothing =
      figures.smaller_in_larger.share * static_cast<double>(figures.smaller_in_larger.sampled) < 1;
  if (share_nothing || y > kLargestKnown) answer.estimate->interval->low = 0;
  if (may_end_in_line(evidence)) {
    Interval& interval = *answer.estimate->interval;
    interval = {0, std::min(interval.high, seen / std::max(seen, evidence.at_least))};
    answer.estimate->coverage = interval.high / 2;
  }
  return answer;
}

}  // namespace spoor
