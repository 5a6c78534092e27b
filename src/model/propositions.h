// What a claim can ask of a state.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/system.h"

namespace spoor {

// The truth of all atoms in a state, a bit each.
struct AtomValues {
  std::uint64_t truth = 0;
  std::uint64_t failed = 0;  // those that have none: evaluating them is an error, should their value matter
};

class Propositions {
 public:
  virtual ~Propositions() = default;
  // For each atom that failed, what went wrong is added to the findings, as of the state itself.
  // `workspace`: empty, or what the same object left there. Thread safety: as for TransitionSystem::expand.
  virtual AtomValues atom_values(StateBytes state, std::shared_ptr<void>& workspace,
                                 std::vector<Finding>& findings) const = 0;
  // The elements of the system (TransitionSystem::elements) that the truth of the atoms depends on, beside
  // the state. Nothing: that is not known.
  virtual std::optional<std::vector<std::uint32_t>> elements_of_atoms() const { return std::nullopt; }
};

}  // namespace spoor
