// What a check has found out, as a value; report/ turns it into words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "check/claim.h"
#include "check/coverage.h"
#include "check/execution.h"
#include "check/model_options.h"
#include "check/options.h"
#include "check/shown.h"
#include "model/system.h"
#include "search/search.h"
#include "search/swarm.h"

namespace spoor {

struct ShownViolation {
  ShownFinding finding;
  ShownTrace trace;
};

// What --check-reduction has tried out (layer/reduction_check.h).
struct ReductionTrials {
  std::uint64_t states = 0;
  std::uint64_t pairs = 0;  // of steps, in both orders
};

// Several searches with filters (search/swarm.h).
struct SwarmFigures {
  std::vector<SwarmMember> members;
  double seen = 0;  // different states
  bool has_stopped_growing = false;
};

// The automaton of a claim.
struct ShownClaim {
  std::size_t states = 0;
  std::string strength;  // "terminal", "weak", "strong"
};

// Of one property.
struct CheckReport {
  std::string model;  // as named on the command line
  std::string model_sha256;
  CheckOptions options;
  std::string property = "safety";  // "ltl:p"
  Position property_position;       // where the model states it
  std::optional<ShownClaim> claim;
  // Of a formula that holds: the premises that never happen where they are asked for.
  std::vector<Premise> vacuous;
  Reductions reductions;             // those that were made
  std::string why_fewer_reductions;  // why not all that were wanted; or empty
  Execution execution;
  // Of several searches with filters; `result` is then that of all of them, and counts a state as often as
  // it was seen.
  std::optional<SwarmFigures> swarm;
  SearchResult result;  // its violations are shown, with their traces, in `violations`
  std::vector<ShownViolation> violations;
  std::vector<Element> unreached;  // statements that were never executed, in source order
  bool with_unreached = true;      // false: the user does not want to know
  std::vector<Diagnostic> warnings;
  std::optional<ReductionTrials> reduction_trials;
  std::optional<Coverage> coverage;     // nothing where the question does not arise
  std::uint64_t peak_memory_bytes = 0;  // of the whole process
};

// The statements whose flag is not set. A system may hold statements that no user wrote: they have
// neither a key nor a text and are passed over.
std::vector<Element> unreached_statements(const TransitionSystem& system,
                                          const std::vector<std::uint8_t>& executed);

// The one with the worst outcome. REQUIRES: there is one.
const CheckReport& worst(const std::vector<CheckReport>& reports);

}  // namespace spoor
