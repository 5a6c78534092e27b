// The shortest trace to an error.
//
// A breadth-first search finds an error at the least depth. With reductions that is the least depth among the
// runs that the reductions leave, in steps that may join several statements: a model of three processes had a
// trace of ten statements where the reduced search found one of thirteen. So after a violation the model is
// searched once more without reductions, no deeper than the trace that is known, by the interpreter, with one
// thread, and with a bound on the number of states: what is reported does not depend on the machine. If it
// reaches an error, no trace is shorter, counted in steps between the states of the model without reductions.
// If not, the known trace stays, and the report says that there may be a shorter one.
//
// With all errors wanted, each of them gets its shortest trace.
//
// Not for depth-first searches, which claim nothing, nor with embedded C, whose code would be compiled again.
//
// Tested by: tests/suites/test_traces.py
#pragma once

#include "check/check_report.h"
#include "check/control.h"
#include "check/front_end.h"

namespace spoor {

// Replaces the traces of a report on safety by shortest ones where that is possible, and sets
// ShownViolation::is_shortest. `searched`: the model as it was searched.
void find_shortest(const SourceModel& source, const LoadedModel& searched, const CheckContext& context,
                   CheckReport& report);

}  // namespace spoor
