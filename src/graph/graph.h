// A labelled graph: states, and labelled transitions between them.
//
// States are numbered 0 .. state_count() - 1 without gaps; the numbers of a file are kept as names.
// Transitions are sorted by their source, those of one source in the given order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/source.h"

namespace spoor {

struct Edge {
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  std::uint32_t label = 0;  // index into Graph::labels()
  Position position;        // unknown where the graph does not come from a file
};

class Graph {
 public:
  // States are those that `initial` and the edges mention, in ascending order of their numbers.
  // So the memory of a graph is proportional to its number of edges, for any numbers.
  // REQUIRES: fewer than 2^32 edges, labels in range.
  Graph(std::uint32_t initial, std::vector<Edge> edges, std::vector<std::string> labels);

  std::uint32_t initial() const { return initial_; }
  std::uint32_t state_count() const { return static_cast<std::uint32_t>(numbers_.size()); }
  // The number of the state in the input.
  std::uint32_t number(std::uint32_t state) const { return numbers_[state]; }

  const std::vector<Edge>& edges() const { return edges_; }
  // Where the edges that leave the state begin in edges(), and those edges.
  std::uint32_t first_edge(std::uint32_t state) const { return first_edge_[state]; }
  std::span<const Edge> edges_of(std::uint32_t state) const {
    return std::span(edges_).subspan(first_edge_[state], first_edge_[state + 1] - first_edge_[state]);
  }

  const std::vector<std::string>& labels() const { return labels_; }
  const std::string& label(const Edge& edge) const { return labels_[edge.label]; }

 private:
  std::uint32_t initial_ = 0;
  std::vector<std::uint32_t> numbers_;  // ascending
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> first_edge_;  // state_count() + 1 entries
  std::vector<std::string> labels_;
};

}  // namespace spoor
