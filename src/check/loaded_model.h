// A model that is ready to be searched, whatever language it was written in.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "check/claim.h"
#include "check/execution.h"
#include "check/model_options.h"
#include "model/propositions.h"
#include "model/system.h"

namespace spoor {

// What could not be used, and why: a sentence, or diagnostics, or both.
struct InputError {
  std::string message;
  Diagnostics diagnostics;
  SourceSet sources;
};

struct LoadedModel {
  std::shared_ptr<const TransitionSystem> system;
  // The judge: traces are replayed and explained on it. Lives in `system` or `judge`, or is one of
  // them.
  const TransitionSystem* reference = nullptr;
  std::shared_ptr<const TransitionSystem> judge;
  // What the claim asks, answered by `system` and by the judge. May be null where there is no claim.
  const Propositions* propositions = nullptr;
  const Propositions* reference_propositions = nullptr;
  Claim claim;
  Reductions reductions;             // those that the claim allows, of those wanted
  std::string why_fewer_reductions;  // why they are not all; or empty
  // C code may keep things to itself: it is run by one thread, and not by two processes.
  bool has_embedded_code = false;
  std::vector<Diagnostic> warnings;
  std::string sha256;
  // Who has executed `system` so far. May be called as long as the system lives.
  std::function<Execution()> execution;
};

}  // namespace spoor
