// A graph defined in code, with planted findings: the model that tests of searches use.
//
// In addition to a GraphSystem, a step or a state can have a finding, a step can fail without a
// successor, and states can differ in length.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "graph/graph_system.h"
#include "model/system.h"

namespace spoor {

struct PlantedFinding {
  std::uint32_t state = 0;  // number of the state, as in the edges
  Finding finding;          // its step: the ordinal of the edge among those of the state
  bool blocks = false;      // the step has no successor
};

struct FixedGraphOptions {
  std::uint32_t initial = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // source, target
  std::vector<PlantedFinding> planted;
  bool has_deadlocks = true;  // false: a state without edges is a valid end state
  bool is_ragged = false;     // states have 4 to 40 bytes
};

class FixedGraph : public TransitionSystem {
 public:
  explicit FixedGraph(FixedGraphOptions options);

  const Graph& graph() const { return base_.graph(); }

  std::vector<std::byte> initial_state() const override;
  void expand(StateBytes state, Expansion& out) const override;
  bool is_well_formed(StateBytes state) const override;
  Explanation explain(StateBytes state, StepId step) const override;
  std::vector<std::string> describe(StateBytes state) const override;
  std::string message(const Finding& finding) const override;
  Position place(const Finding& finding) const override { return base_.place(finding); }
  const std::vector<Element>& elements() const override { return base_.elements(); }
  void element_sets_of(StateBytes state, std::vector<std::uint32_t>& out) const override;
  std::span<const std::uint32_t> element_set(std::uint32_t set) const override {
    return base_.element_set(set);
  }
  std::uint32_t element_set_count() const override { return base_.element_set_count(); }
  const std::vector<Element>& statements() const override { return base_.statements(); }
  std::uint32_t most_movers() const override { return base_.most_movers(); }
  const SourceSet& sources() const override { return base_.sources(); }

 private:
  std::vector<std::byte> encode(StateBytes base_state) const;

  FixedGraphOptions options_;
  GraphSystem base_;
};

}  // namespace spoor
