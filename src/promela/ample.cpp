// Ample locations: where it is enough to let one process move.
//
// The idea (Peled; Holzmann and Peled 1994, as in SPIN). At a location where everything that a
// process can do is local, its steps are independent of all that others do, now and later: they
// neither enable, nor disable, nor disturb each other. Then the steps of this process alone are an
// ample set: the steps of the others, left out here, can be taken just as well afterwards.
//
// What can go wrong is that "afterwards" never comes: a process that runs in a circle of local steps
// would shut out the others for ever. So the search looks at where the steps lead, and expands the
// state in full unless at least one of them leads to a state not yet expanded (the proviso; see
// search/bfs.h). Deadlocks, assertions and run-time errors are then all found.
//
// A location is ample when
//   1. it has steps, and all of them are local (reduce.h), those of an unless that may strike there
//      included;
//   2. where a step goes on within an atomic sequence, that sequence stays at ample locations until
//      it ends;
//   3. no expression elsewhere can tell that the process has left it or arrived where its steps lead
//      (P@label), and no atomic sequence, else or unless elsewhere waits for it to take a message
//      there (SPIN overlooks that: tests/models/reduction_atomic_offer.pml);
//   4. the process has no provided clause, and the model has no priorities and nothing that sees
//      where everybody is (pc_value, enabled, _last, np_).
// `timeout` needs no condition: it is true only where nobody can move, and here somebody can.
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
