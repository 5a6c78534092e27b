#include "graph/graph.h"

#include <algorithm>
#include <utility>

namespace spoor {
namespace {

std::vector<std::uint32_t> mentioned_states(std::uint32_t initial, const std::vector<Edge>& edges) {
  std::vector<std::uint32_t> numbers{initial};
  numbers.reserve(1 + 2 * edges.size());
  for (const Edge& edge : edges) {
    numbers.push_back(edge.source);
    numbers.push_back(edge.target);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  numbers.shrink_to_fit();
  return numbers;
}

}  // namespace

Graph::Graph(std::uint32_t initial, std::vector<Edge> edges, std::vector<std::string> labels)
    : numbers_(mentioned_states(initial, edges)), edges_(std::move(edges)), labels_(std::move(labels)) {
  const auto state_of = [&](std::uint32_t number) {
    const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), number);
    return static_cast<std::uint32_t>(found - numbers_.begin());
  };
  initial_ = state_of(initial);
  for (Edge& edge : edges_) {
    edge.source = state_of(edge.source);
    edge.target = state_of(edge.target);
  }
  std::stable_sort(edges_.begin(), edges_.end(),
                   [](const Edge& a, const Edge& b) { return a.source < b.source; });
  first_edge_.assign(numbers_.size() + 1, 0);
  for (const Edge& edge : edges_) ++first_edge_[edge.source + 1];
  for (std::size_t i = 1; i < first_edge_.size(); ++i) first_edge_[i] += first_edge_[i - 1];
}

}  // namespace spoor
