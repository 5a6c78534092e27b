// A graph as a transition system: no language, no processes, no variables.
//
// It is an input format of its own (.aut files), and a test of the core's independence: all that a
// search uses of a model must be expressible for a plain graph as well. A state is its index in
// four bytes; the steps of a state are its edges in their order; a state without outgoing edges is
// a deadlock. The statements are the labels, the elements the states with all their edges. One mover takes
// all steps.
//
// Tested by: tests/unit/test_graph.cpp
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "model/system.h"

namespace spoor {

class GraphSystem : public TransitionSystem {
 public:
  // `sources` holds the files that the positions of the edges point into, if there are any.
  explicit GraphSystem(Graph graph, SourceSet sources = {});

  const Graph& graph() const { return graph_; }

  std::vector<std::byte> initial_state() const override;
  void expand(StateBytes state, Expansion& out) const override;
  bool is_well_formed(StateBytes state) const override;
  Explanation explain(StateBytes state, StepId step) const override;
  std::vector<std::string> describe(StateBytes state) const override;
  std::string message(const Finding& finding) const override;
  Position place(const Finding& finding) const override;
  const std::vector<Element>& elements() const override;
  void element_sets_of(StateBytes state, std::vector<std::uint32_t>& out) const override;
  std::span<const std::uint32_t> element_set(std::uint32_t set) const override;
  std::uint32_t element_set_count() const override;
  const std::vector<Element>& statements() const override { return statements_; }
  std::uint32_t most_movers() const override { return 1; }
  const SourceSet& sources() const override { return sources_; }

 private:
  static constexpr std::uint64_t kMover = 1;
  std::string show(const Edge& edge) const;

  Graph graph_;
  SourceSet sources_;
  std::vector<Element> statements_;
  // Made on first use: a large graph has many states and most uses do not need their text.
  mutable std::once_flag elements_made_;
  mutable std::vector<Element> elements_;
  mutable std::vector<std::uint32_t> numbers_;  // of the elements: set i is element i alone
};

// The index that the bytes of a GraphSystem's state stand for.
std::uint32_t graph_state(StateBytes state);
std::vector<std::byte> graph_state_bytes(std::uint32_t index);

}  // namespace spoor
