// The answer of `spoor check` as a value, and its two forms: text for people, JSON for machines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "model/system.h"
#include "report/coverage.h"
#include "report/model_options.h"
#include "report/shown.h"
#include "search/search.h"
#include "search/swarm.h"

namespace spoor {

// Everything that decides what a check looks at. With the model and the version this is enough to
// repeat the run.
struct CheckOptions {
  Order order = Order::kBreadthFirst;
  StoreKind store = StoreKind::kExact;
  FilterOptions filter;  // of the bitstate store
  unsigned swarm = 0;    // this many diversified searches with filters; 0: one that is not
  unsigned repeat = 0;  // up to this many searches, one after another, each with other hash functions; 0: one
  Limits limits;
  unsigned threads = 0;  // 0: not chosen
  bool all_errors = false;
  std::string property;  // as asked for; empty: safety and all formulas
  std::string formula;   // given beside the model; or empty
  std::string exec = "auto";
  bool end_states = true;  // invalid end states are errors
  CoverageEffort coverage = CoverageEffort::kQuick;
  bool check_reduction = false;  // try out what partial-order reduction claims
  ModelOptions model;
};

struct ShownViolation {
  ShownFinding finding;
  ShownTrace trace;
};

// Who executed the model.
struct Execution {
  enum class Tier : std::uint8_t {
    kNobody /* a graph has nothing to execute */,
    kInterpreter,
    kNative,
    kBoth
  };
  Tier tier = Tier::kNobody;
  std::string no_native_code;  // why there can be none; empty: there can
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

// What stands before an implication.
struct ShownPremise {
  std::string text;
  Position position;
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
  std::vector<ShownPremise> vacuous;
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

// "holds", "violated", "probably-holds", "unknown": the words of the machine interface.
const char* verdict_name(const Outcome& outcome);

// The statements whose flag is not set. A system may hold statements that no user wrote: they have
// neither a key nor a text and are passed over.
std::vector<Element> unreached_statements(const TransitionSystem& system,
                                          const std::vector<std::uint8_t>& executed);

struct TextOptions {
  bool colour = false;
  bool ascii = false;
  bool full_trace = false;     // otherwise long traces are cut in the middle
  bool all_unreached = false;  // otherwise only where a complete search makes the list meaningful
  bool quiet = false;          // the verdict line only
};
// REQUIRES, here and below: at least one report; all are of one run.
std::string text_report(const std::vector<CheckReport>& reports, const SourceSet& sources,
                        const TextOptions& options);

// The one with the worst outcome.
const CheckReport& worst(const std::vector<CheckReport>& reports);

// One object, one line per member, ending in a newline.
std::string json_report(const std::vector<CheckReport>& reports, const SourceSet& sources);

// The object that stands for a report when the input is wrong.
std::string json_error(const std::string& error, const std::vector<Diagnostic>& diagnostics,
                       const SourceSet& sources);

}  // namespace spoor
