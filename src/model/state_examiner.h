// What can be said of a state without its steps.
//
// A layer that checks invariants (layer/invariant_layer.h) can be asked about a state alone; a certifier of
// trustful scripts asks about every state, and expands none (evidence/full_script_trustful.h).
#pragma once

#include "model/expansion.h"

namespace spoor {

class StateExaminer {
 public:
  virtual ~StateExaminer() = default;

  // Appends to `out.findings` what is wrong with the state itself. REQUIRES: as for TransitionSystem::expand.
  virtual void examine(StateBytes state, Expansion& out) const = 0;
};

}  // namespace spoor
