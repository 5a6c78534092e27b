// Confirms a full search script (full_script.h): Algorithm 3.1 of Taleghani's thesis, and what it does not
// mention.
//
// The certifier executes the model along the script: it has a stack of states, expands each state that is
// new, takes the steps that the script names, and returns where the script says so. It sees the errors of all
// states itself. It refuses the script at
//
//   1. a step that the state does not have (or whose statement has another key),
//   2. a return from a state before all of its steps were taken,
//   3. a target that is not the state with this number: its fingerprint is another one,
//
// which are the three deviations of the thesis; and also at a step that is taken twice (where two steps lead
// to the same state, the three overlook that the second one is not taken), a number that is not known yet, a
// script that ends early or goes on after the initial state was left, sizes and uses that are wrong, and
// other figures than those that it claims.
//
// Why nothing is overlooked. The states that are entered have all of their steps taken (2), each of which
// leads to a state that is entered, or to one with a number whose fingerprint is that of a state that was
// entered (3). So these are all states that can be reached, unless two different states have equal
// fingerprints (full_script_fingerprints.h). The key of the fingerprints is drawn when the file is complete.
//
// All states are computed, from the initial state on; so an error of a state is one of the model, and no
// bytes of the file are ever expanded.
//
// Reductions. Where steps may be left out, the certifier expands with the same reductions. A state of which
// steps were left out must have a step to a new state; the tree is finite, so a path down from it ends
// at a state that was expanded in full, and no step is left out for ever.
//
// Cost: expanding all states; a hash per step to a known state, and per state with uses. Memory: the
// successors of the states on the path, and the fingerprints of states that have yet to be used.
// Several workers: full_script_partition.h. Tested by: tests/unit/test_full_script.cpp,
// tests/unit/test_full_script_attacks.cpp, tests/suites/test_full_script.py
#pragma once

#include "evidence/certifier.h"
#include "evidence/full_script.h"

namespace spoor {

// Reads the steps and parts of a file of which the claim was read. Throws FramedFileError where it is not
// readable. REQUIRES: !claim.is_trustful.
CertifierResult certify_full_script(const TransitionSystem& system, const FullScriptClaim& claim,
                                    FramedReader& file, const CertifierOptions& options);

}  // namespace spoor
