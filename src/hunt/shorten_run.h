// Ways to make the known trace of an infinite run shorter: a lasso, or a finite one.
//
// Tested by: tests/unit/test_hunt_runs.cpp
#pragma once

#include <cstdint>
#include <optional>

#include "hunt/hunter.h"
#include "hunt/portfolio.h"

namespace spoor {

// Leaves out steps of single processes (eliminate_run.cpp). The system has a Guidance.
std::optional<Violation> eliminate_run_steps(Hunter& hunter, const Violation& known);

// All of them, and the methods with a bound on the length, until the hunt is over (shorten_run.cpp).
void make_run_shorter(Portfolio& portfolio);

}  // namespace spoor
