// Ample locations: where it is enough to explore the steps of one process.
//
// The idea (Peled; Holzmann and Peled 1994, as in SPIN). At a location where all steps of a process
// are local, they are independent of all steps of other processes, now and later: they neither
// enable, nor disable, nor change each other. Then the steps of this process alone are an ample set:
// the steps of the others, left out here, can be executed afterwards with the same result.
//
// The exception is a cycle of local steps of one process, which would postpone the others
// infinitely. So the search expands a state in full unless at least one of the steps leads to a state
// not yet expanded (the proviso; see search/bfs.h). Deadlocks, assertions and run-time errors are
// then all found.
//
// A location is ample when
//   1. it has steps, and all of them are local (reduce.h), including those of an unless around it;
//   2. where a step continues in an atomic sequence, that sequence stays at ample locations until it
//      ends;
//   3. no expression of another process depends on whether the process is at this location or at a
//      target of its steps (P@label), and no atomic sequence, else or unless of another process
//      depends on a rendezvous there (SPIN misses that: tests/models/reduction_atomic_offer.pml);
//   4. the process has no provided clause, and the model has no priorities and no expression that
//      depends on the locations of all processes (pc_value, enabled, _last, np_).
// `timeout` needs no condition: it is true only where no process can move, and here one can.
//
// Tested by: tests/suites/test_reduction.py
#include <algorithm>

#include "promela/reduce.h"

namespace spoor::promela {
namespace {

bool is_watched_step(const Locality& locality, std::uint32_t type, std::uint32_t from, const Transition& t) {
  return locality.is_watched(type, from) || locality.is_watched(type, t.target) ||
         locality.is_noticed_arrival(type, t.target);
}

}  // namespace

void find_ample_locations(Program& program) {
  const Locality locality(program);
  if (locality.everything_is_visible()) return;
  for (std::uint32_t index = 0; index < program.processes.size(); ++index) {
    ProcessType& type = program.processes[index];
    const bool is_process = type.kind == BodyKind::kProctype || type.kind == BodyKind::kInit;
    if (!is_process || type.provided != kNone) continue;
    for (std::uint32_t i = 0; i < type.locations.size(); ++i) {
      const auto& transitions = type.locations[i].transitions;
      type.locations[i].is_ample =
          !transitions.empty() &&
          std::all_of(transitions.begin(), transitions.end(), [&](const Transition& t) {
            return locality.is_local(index, t.statement) && !is_watched_step(locality, index, i, t);
          });
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (Location& location : type.locations) {
        const auto leads_out = [&](const Transition& t) {
          return t.stays_atomic && !type.locations[t.target].is_ample;
        };
        if (!location.is_ample ||
            std::none_of(location.transitions.begin(), location.transitions.end(), leads_out))
          continue;
        location.is_ample = false;
        changed = true;
      }
    }
  }
}

}  // namespace spoor::promela
