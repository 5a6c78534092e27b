// The result of a check as a value; report/ turns it into text and JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "check/check_options.h"
#include "check/claim_types.h"
#include "check/coverage.h"
#include "check/execution.h"
#include "check/model_options.h"
#include "check/shown.h"
#include "evidence/certificate.h"
#include "hunt/hunt.h"
#include "model/system.h"
#include "search/search.h"
#include "search/swarm.h"

namespace spoor {

struct ShownViolation {
  ShownFinding finding;
  ShownTrace trace;
  Reductions reductions = {};  // those with which the names of its steps are to be understood
  bool is_shortest = false;    // no trace to an error (with all errors: to this one) has fewer steps
};

// The figures of --check-reduction (layer/reduction_check.h).
struct ReductionCheckFigures {
  std::uint64_t states = 0;
  std::uint64_t pairs = 0;  // of steps, executed in both orders
};

// What became of the recording of an earlier check (regression.h).
// What random walks have seen of the new version before a recording was read (evidence/edit_walks.h).
struct WalkFigures {
  std::uint64_t steps = 0;
  std::uint64_t different = 0;  // states
  std::uint64_t known = 0;      // of these, in the sample of the recorded ones
  double share_of_new = 0;      // of the states: an estimate
  bool has_error = false;       // was met, and ended the walks
};

struct ReuseFigures {
  bool is_used = false;
  bool is_recorded = false;      // this check has left a recording
  std::string why_not;           // a recording was there, and could not be used; or empty
  std::string why_not_recorded;  // this check could not be recorded; or empty
  std::string file;              // of the recording that is used, or was left
  // Where it is used.
  std::uint64_t locations = 0;  // of the version that was recorded
  std::uint64_t changed = 0;    // of these
  std::uint64_t recorded = 0;   // states
  std::uint64_t expanded = 0;   // states that were expanded by this check
  // States that can be reached, and statements that are executed, are at most those of the result; its other
  // figures are not known (ReuseTechnique::kClosure).
  bool is_bound = false;
  // Recorded states that stand for all that is below them, which was not searched (ReuseTechnique::kPrune).
  std::uint64_t pruned = 0;
  std::optional<WalkFigures> walks;  // nothing: there were none
};

// The certificate that was wanted (certification.h).
struct CertificateFigures {
  std::string file;
  CertificateKind kind = CertificateKind::kCompact;
  std::uint64_t bytes = 0;
  std::string why_not;    // there is none: a sentence; or empty
  std::string signed_by;  // a public key; empty: it is not signed
};

// Several searches with filters (search/swarm.h).
struct SwarmFigures {
  std::vector<SwarmMember> members;
  double seen = 0;  // distinct states of all searches
  bool has_stopped_growing = false;
};

// The figures of a hunt (hunting.h).
struct HuntFigures {
  std::string method;     // "auto", or as in hunt/methods.inc
  std::string heuristic;  // as asked for
  std::uint64_t seed = 1;
  FoundTrace first, best;  // without a violation: empty
  HuntCounts counts;
  std::uint64_t most_expansions = 0;  // 0: any number
  double seen = 0;                    // distinct states that were expanded, about
};

// The automaton of a claim.
struct ShownClaim {
  std::size_t states = 0;
  std::string strength;  // "terminal", "weak", "strong"
};

// The report of one property.
struct CheckReport {
  std::string model;  // as named on the command line
  std::string model_sha256;
  CheckOptions options;
  std::string property = "safety";  // "ltl:p"
  Position property_position;       // in the model
  std::optional<ShownClaim> claim;
  std::string why_not_checked;  // the claim cannot be checked: the reason. The outcome is Unknown
  bool is_trivial = false;      // a formula that is true in every model: it holds, without a search
  // For a formula that holds: its vacuous premises.
  std::vector<Premise> vacuous;
  Reductions reductions;             // those in use
  std::string why_fewer_reductions;  // why not all requested ones; or empty
  Execution execution;
  // Several searches with filters. `result` then joins all of them, and counts a state once per search that
  // saw it.
  std::optional<SwarmFigures> swarm;
  SearchResult result;  // `violations` has its violations with their traces
  std::vector<ShownViolation> violations;
  std::vector<Element> unreached;  // statements that were never executed, in source order
  bool with_unreached = true;      // false: the list is not meaningful, or the user does not want it
  std::vector<Diagnostic> warnings;
  std::vector<NotChecked> not_checked;  // claims of the model that no report is about
  std::optional<ReductionCheckFigures> reduction_check;
  std::optional<Coverage> coverage;               // nothing: not applicable (check_coverage.h)
  std::optional<ReuseFigures> reuse;              // nothing: no ledger (regression.h, claim_answer.h)
  std::optional<CertificateFigures> certificate;  // nothing: none was wanted
  std::optional<HuntFigures> hunt;                // nothing: the report is of a check
  std::uint64_t peak_memory_bytes = 0;            // of the whole process
};

// The statements whose flag is not set. A system may have statements that are not in the source: they have
// neither a key nor a text and are left out.
std::vector<Element> unreached_statements(const TransitionSystem& system,
                                          const std::vector<std::uint8_t>& executed);

// The report with the worst outcome. REQUIRES: at least one report.
const CheckReport& worst(const std::vector<CheckReport>& reports);

}  // namespace spoor
