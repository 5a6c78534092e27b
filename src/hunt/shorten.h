// Ways to make a known trace shorter. Each returns a shorter one, or nothing.
//
// REQUIRES: the trace ends in a counted finding of the hunter's system.
// Tested by: tests/unit/test_shorten.cpp
#pragma once

#include <cstdint>
#include <optional>

#include "hunt/hunter.h"
#include "hunt/portfolio.h"

namespace spoor {

// Leaves out the way from a state to itself (cut_cycles.cpp).
std::optional<Violation> cut_cycles(Hunter& hunter, const Violation& known);

// Leaves out steps of single processes (eliminate.cpp). The system has a Guidance.
std::optional<Violation> eliminate_steps(Hunter& hunter, const Violation& known);

// Looks at what lies near the trace (neighbourhood.cpp).
std::optional<Violation> search_neighbourhood(Hunter& hunter, const Violation& known);

// All of them, and the methods with a bound on the length, until the hunt is over (shorten.cpp).
void make_shorter(Portfolio& portfolio);

}  // namespace spoor
