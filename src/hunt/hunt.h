// A hunt: one error, soon, with little memory, and a short trace to it.
//
// A search of all states (src/search) answers whether there is an error. A hunt looks where an error is
// likely, and gives up when its time is over; it says nothing of a model in which it finds none, unless a
// method has seen every state. The methods are in methods.inc, one file each. Without a choice, all of them
// take turns (dovetail.cpp), and then the trace is made shorter.
//
// Infinite runs. Of an OmegaSystem (model/omega.h) a hunt looks for a bad lasso as well: a stem, and a cycle.
// The length of a lasso is the number of steps of both together.
//
// A trace is as good as its steps: the caller replays it on the reference system before it is shown.
//
// Invariants:
//   1. The same system, options and seed give the same traces after the same numbers of expansions, in either
//      tier and on every machine; time and memory only say where the hunt ends.
//   2. HuntResult::is_shortest only where every state within a smaller number of steps was expanded, and no
//      shorter lasso is among them.
//
// Thread safety: hunts share nothing. Tested by: tests/unit/test_hunt.cpp, tests/suites/test_hunt.py
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hunt/hunter.h"
#include "hunt/method.h"
#include "model/guidance.h"
#include "model/omega.h"
#include "model/system.h"
#include "search/search.h"

namespace spoor {

// What leads the methods that use an estimate.
enum class HeuristicKind : std::uint8_t {
  kAuto,        // of infinite runs kClaim; kInvariant where one is given; otherwise kActive
  kActive,      // processes that can move (active_processes.h)
  kEnabled,     // steps that are possible
  kAssertions,  // Guidance::distance_to_assertions
  kInvariant,   // Guidance::distance_to_atoms
  kClaim,       // Guidance::distance_to_acceptance
};
inline constexpr HeuristicKind kHeuristicKinds[] = {HeuristicKind::kAuto,      HeuristicKind::kActive,
                                                    HeuristicKind::kEnabled,   HeuristicKind::kAssertions,
                                                    HeuristicKind::kInvariant, HeuristicKind::kClaim};
const char* to_string(HeuristicKind kind);

// When a trace was found, and how.
struct FoundTrace {
  std::string method;
  std::uint64_t length = 0;  // steps
  HuntCounts counts;         // until then
  double elapsed_s = 0;
};

class HuntListener {
 public:
  virtual ~HuntListener() = default;
  // The first trace, then each one that is shorter.
  virtual void on_trace(const Violation&, const FoundTrace&) {}
  // A method begins. `best`: the length of the best trace, or 0.
  virtual void on_method(const std::string& /*method*/, const HuntCounts&, std::uint64_t /*best*/) {}
};

struct HuntOptions {
  const MethodRow* method = nullptr;  // null: all of them, in turns
  HeuristicKind heuristic = HeuristicKind::kAuto;
  std::vector<WantedAtoms> violations;  // of the invariant, if there is one
  Limits limits;
  std::uint64_t expansions = 0;  // at most so many; 0: any number
  std::uint64_t seed = 1;
  bool ends_at_first = false;  // the trace is not made shorter
  // A trace to be made shorter, which ends in a counted finding. Null: the hunt begins with finding one.
  const Violation* known = nullptr;
  bool can_reduce = false;  // the system knows a partial-order reduction
  FindingKinds counted = FindingKinds::all();
  // What another hunt has learned: paths like these are tried first. Null: nothing.
  const Ngrams* learned = nullptr;
  // What this hunt learns: how the best trace goes, or without one what `eda` has learned last. Null: it is
  // not wanted.
  Ngrams* learn_into = nullptr;
  HuntListener* listener = nullptr;
};

struct HuntResult {
  std::optional<Violation> found;
  FoundTrace first, best;
  bool is_shortest = false;   // no trace has fewer steps
  bool has_seen_all = false;  // every state was expanded
  std::uint64_t states = 0;  // distinct ones, where all were seen; else the largest number that one call kept
  std::uint64_t depth = 0;   // of the deepest state of all calls
  double seen = 0;           // distinct states that were expanded by all methods together, about
  std::optional<LimitHit> limit;
  HuntCounts counts;
  std::uint64_t peak_bytes = 0;  // of the states of one method
  double elapsed_s = 0;
};

// Throws NotSupported where the system cannot give the wanted estimate.
HuntResult hunt(const TransitionSystem& system, const HuntOptions& options);
// The same, and bad cycles.
HuntResult hunt_runs(const OmegaSystem& runs, const HuntOptions& options);

}  // namespace spoor
