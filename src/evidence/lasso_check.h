// Is a given run a bad one? The certificate of a violation is a trace, and this confirms it.
//
// A trace says what the system does: some steps, and those of a cycle. It says nothing of the claim, which
// whoever has made the trace may have read in another way. So the claim is walked along the run here: the
// states of a small graph are pairs of a place in the trace and a state of the product with the claim, and a
// step of the product counts where the system takes the step of the trace. The end of the cycle is its
// beginning. The run is bad if that graph has a bad cycle, or a state in which the claim is violated whatever
// follows. Whether it has a bad cycle is found out as for certificates: exactly if there are no ranks
// (run_graph.h). So a cycle without a mark, or one that is not weakly fair, is no violation.
//
// Example: the run (p q)^w and the claim "infinitely often p, for ever r". The automaton may wait as long as
// it likes before it guesses that r is true from now on; the graph has all of its choices.
//
// Cost: as many expansions as the trace has steps, times the states of the claim, at most. Tested by:
// tests/unit/test_rank_certificate.cpp, tests/suites/test_rank_certificates.py
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/omega.h"

namespace spoor {

// Steps of the system that the runs are about (OmegaSystem::step_below).
struct SystemRun {
  std::vector<StepId> steps;
  // So many of them lead to a cycle, which consists of the others; if there are none, the system stutters.
  // Nothing: the run is finite, and anything may follow.
  std::optional<std::size_t> loop;
};

// REQUIRES: the steps exist, and the cycle leads to the state where it began.
bool is_bad_run(const OmegaSystem& runs, const SystemRun& run);

}  // namespace spoor
