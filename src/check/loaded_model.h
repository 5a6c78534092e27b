// A model of any language that is ready to be searched.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "check/claim_types.h"
#include "check/execution.h"
#include "check/model_options.h"
#include "model/propositions.h"
#include "model/state_examiner.h"
#include "model/system.h"

namespace spoor {

// Why an input cannot be used: a sentence, or diagnostics, or both.
struct InputError {
  std::string message;
  Diagnostics diagnostics;
  SourceSet sources;
};

struct LoadedModel {
  std::shared_ptr<const TransitionSystem> system;
  // The reference system: replays and explains traces. Its steps have the same names as those of `system`,
  // but its states keep the values of dead variables, which `system` may clear: a trace is shown as the model
  // runs. Is a part of `system` or of `reference_owner`, or is one of them.
  const TransitionSystem* reference = nullptr;
  std::shared_ptr<const TransitionSystem> reference_owner;
  // The atoms of the claim, evaluated by `system` and by the reference system. May be null where there is no
  // claim.
  const Propositions* propositions = nullptr;
  const Propositions* reference_propositions = nullptr;
  // The layer of `system` that checks an invariant; null: there is none.
  const StateExaminer* examiner = nullptr;
  Claim claim;
  Reductions reductions;             // of those requested, the ones that the claim allows
  std::string why_fewer_reductions;  // why not all of them; or empty
  // C code may have state of its own: one thread runs it, and no second process.
  bool has_embedded_code = false;
  // Some of its data travel with a state and are no part of it (c_track "UnMatched").
  bool has_unmatched_data = false;
  std::vector<Diagnostic> warnings;
  std::string sha256;
  // How `system` was executed so far; the default: there is nothing to execute. May be called as long as the
  // system lives.
  std::function<Execution()> execution = [] { return Execution{}; };
};

}  // namespace spoor
