#include "estimate/probes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace spoor {
namespace {

// The quantiles of ln(actual / estimated), by y.
struct Node {
  double y, low, high;
};
using Nodes = std::array<Node, 8>;
constexpr Nodes kUsual = {{{0.003, -0.0144, 0.0099},
                           {0.018, -0.0274, 0.0248},
                           {0.053, -0.0613, 0.1242},
                           {0.133, -0.1387, 0.9489},
                           {0.336, -0.2857, 3.1852},
                           {0.741, -0.5173, 1.9295},
                           {1.481, -0.8820, 1.8507},
                           {2.697, -1.7091, 0.6705}}};
constexpr Nodes kStructural = {{{0.003, -0.0152, 0.0122},
                                {0.019, -0.0316, 0.5350},
                                {0.051, -0.0703, 3.3301},
                                {0.140, -0.0856, 3.0482},
                                {0.351, -0.3798, 2.1044},
                                {0.699, -0.4209, 1.7466},
                                {1.160, 0.0, 1.9969},
                                {2.798, -2.5250, 0.4889}}};

// Linear between the nodes, constant outside.
Node at(const Nodes& nodes, double y) {
  if (y <= nodes.front().y) return nodes.front();
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    if (y > nodes[i].y) continue;
    const double share = (y - nodes[i - 1].y) / (nodes[i].y - nodes[i - 1].y);
    return {y, std::lerp(nodes[i - 1].low, nodes[i].low, share), std::lerp(nodes[i - 1].high, nodes[i].high, share)};
  }
  return nodes.back();
}

// A sample of n cannot tell a share of 0 from one of half an n-th.
double logit(const SharedPart& part) {
  const double judged = std::max<double>(8, static_cast<double>(part.judged));
  double share = std::clamp(part.share, 0.5 / judged, 1 - 0.2 / judged);
  share = std::clamp(share, 2e-4, 1 - 2e-4);
  return std::log(share / (1 - share));
}

}  // namespace

ProbeFigures probe_figures(const StateSketch& search, const StateSketch& larger, const StateSketch& smaller) {
  StateSketch all = search;
  all.add(larger);
  all.add(smaller);
  return {search.count.estimate(), larger.count.estimate(), smaller.count.estimate(), all.count.estimate(),
          shared_part(search.sample, larger.sample), shared_part(larger.sample, search.sample),
          shared_part(smaller.sample, larger.sample)};
}

bool is_structural(const ProbeFigures& figures) {
  return figures.met_by_larger >= 1.6 * figures.met_by_search && figures.search_in_larger.share >= 0.9;
}

Answer Probes::estimate(const Evidence& evidence) const {
  if (evidence.runs.empty()) return cannot_say("there is no search to judge by");
  if (!evidence.probes) return cannot_say("there are no probes: two more searches, in another order");
  const ProbeFigures& figures = *evidence.probes;
  const bool is_positive = figures.met_by_search > 0 && figures.met_by_larger > 0 && figures.met_by_smaller > 0 && figures.met_by_all > 0;
  if (!is_positive) return cannot_say("a probe has met no state");
  const auto seen = static_cast<double>(evidence.runs.back().states);
  if (seen == 0) return cannot_say("a search has seen no state");
  const double growth = std::log(figures.met_by_larger / figures.met_by_smaller);
  const double overlap = logit(figures.smaller_in_larger);
  const bool is_thin = is_structural(figures);
  const double z = is_thin ? -1.7393 + 4.4878 * std::clamp(growth, -0.61, 1.46) - 0.6555 * overlap
                           : -0.8222 + 1.5826 * std::clamp(growth, -0.57, 1.44) - 0.5893 * logit(figures.larger_in_search) -
                                 0.0766 * logit(figures.search_in_larger) - 0.2948 * overlap;
  const double y = std::min(8.0, std::log1p(std::exp(z)));
  const double total = std::max(seen, figures.met_by_all * std::exp(y));
  const Node node = at(is_thin ? kStructural : kUsual, y);
  const double fewest = std::max({0.985 * figures.met_by_all, seen, total * std::exp(node.low)});
  const double most = std::max({1.015 * figures.met_by_all, total * std::exp(node.high), fewest});
  Answer answer = share(seen / total);
  answer.estimate->interval = Interval{std::min(seen / most, answer.estimate->coverage), std::min(1.0, std::max(seen / fewest, answer.estimate->coverage))};
  return answer;
}

}  // namespace spoor
