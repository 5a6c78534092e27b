// Statement merging: no state between a step and the local step that must follow it.
//
// The idea. Consider a location with a single step that is always executable and local (such as an
// assignment to a local variable). Whether other processes move before or after that step makes no
// difference, so it is executed at once: the step that leads to the location includes it, and the
// state in between does not exist. Example:
//
//     q?x; y = x + 1; r!y       3 states instead of 4: the assignment joins the receive
//
// How. After a step that "stays atomic" its process continues at once; merging sets that flag on the
// steps into such a location. Executing, explaining and replaying need no other change.
//
// A cycle of such locations must keep one state, or the step would not end. Locations that other
// processes can test (P@label), those from which a step leads to where other processes wait to
// complete a rendezvous (Locality::is_noticed_arrival), and those labelled as end, progress or accept
// states, stay. So do those of processes with a provided clause, because such a process can be stopped
// anywhere. SPIN merges under the same conditions (its option -o3 disables it); Kurshan, Levin, Minea,
// Peled, Yenigün, "Static partial order reduction", TACAS 1998, is the theory.
//
// Tested by: tests/suites/test_reduction.py
#include <algorithm>

#include "promela/liveness.h"
#include "promela/reduce.h"

namespace spoor::promela {
namespace {

// For each location: may the state there be left out?
std::vector<bool> mergeable_locations(const Program& program, const Locality& locality, std::uint32_t index) {
  const ProcessType& type = program.processes[index];
  const std::size_t n = type.locations.size();
  std::vector<bool> mergeable(n, false);
  for (std::uint32_t i = 0; i < n; ++i) {
    const Location& location = type.locations[i];
    if (location.transitions.size() != 1 || location.is_end || location.is_progress || location.is_accept ||
        locality.is_watched(index, i))
      continue;
    const Transition& only = location.transitions.front();
    const Statement& s = program.statements[only.statement];
    // Not at the beginning of an atomic sequence: the step would include all of it.
    mergeable[i] = !only.stays_atomic && !locality.is_noticed_arrival(index, only.target) &&
                   s.op != StatementOp::kElse && never_blocks(program, s) &&
                   locality.is_local(index, only.statement);
  }
  // One location of every cycle is not merged. Each location has one successor, so following it from every
  // location finds every cycle.
  std::vector<std::uint32_t> seen_from(n, kNone);
  for (std::uint32_t first = 0; first < n; ++first) {
    std::uint32_t at = first;
    while (at < n && mergeable[at] && seen_from[at] == kNone) {
      seen_from[at] = first;
      at = type.locations[at].transitions.front().target;
    }
    if (at < n && mergeable[at] && seen_from[at] == first) mergeable[at] = false;
  }
  return mergeable;
}

}  // namespace

void merge_statements(Program& program) {
  const Locality locality(program);
  if (locality.everything_is_visible()) return;
  for (std::uint32_t index = 0; index < program.processes.size(); ++index) {
    ProcessType& type = program.processes[index];
    const bool is_process = type.kind == BodyKind::kProctype || type.kind == BodyKind::kInit;
    if (!is_process || type.provided != kNone || type.deterministic) continue;
    const std::vector<bool> mergeable = mergeable_locations(program, locality, index);
    for (Location& location : type.locations) {
      for (Transition& t : location.transitions) {
        if (program.statements[t.statement].op != StatementOp::kEnd && mergeable[t.target])
          t.stays_atomic = true;
      }
    }
  }
}

}  // namespace spoor::promela
