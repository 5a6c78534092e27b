// Follows a trustful script (full_script.h): section 3.1.3 of Taleghani's thesis.
//
// Somebody who trusts the producer, and wants to know of a further invariant, need not see all transitions
// again. A trustful script is a spanning tree: the certifier executes one step per state
// (TransitionSystem::step), and asks each state whether it keeps the invariant (model/state_examiner.h). No
// state is expanded, and nothing is stored.
//
// What it says and what not. The states were reached, so one that violates the invariant is an error of the
// model; so is an error on a step of the tree, an assertion for one. If there is none, the invariant holds in
// all states of the script; that these are all states, the producer is believed. Deadlocks are not seen, nor
// errors on steps that lead to known states, nor invariants over two consecutive states, which would need all
// steps: these are refused (check/certification.h).
//
// The script is not believed further than that: a step that does not exist, wrong sizes and figures, a script
// that ends early or goes on are refused.
//
// Cost: a step per state. With t transitions per state an expansion costs about t steps, so this is about
// t times as fast as a search (docs/adr/0026 has the figures). Memory: the states on the path.
// Thread safety and several workers: as for full scripts, without a map. A step to the root of another region
// is executed by the worker of that region only. Tested by: tests/unit/test_full_script_trustful.cpp,
// tests/suites/test_full_script.py
#pragma once

#include "evidence/certifier.h"
#include "evidence/full_script.h"

namespace spoor {

// As certify_full_script. REQUIRES: claim.is_trustful.
CertifierResult certify_trustful_script(const TransitionSystem& system, const FullScriptClaim& claim,
                                        FramedReader& file, const CertifierOptions& options);

}  // namespace spoor
