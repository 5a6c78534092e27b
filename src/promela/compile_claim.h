// Claims about infinite runs, of a model or of the command line, as an automaton of the violating runs.
//
//   a formula      the automaton of its negation (ltl/translate.h). Its atoms are the largest parts without a
//                  temporal or logical operator: `[] (x > 3 -> <> P@done)` has two atoms.
//   a never claim  its control graph. A location is a state of the automaton, accepting where it has an
//                  accept label; a condition is an atom. The rest of the language, as in SPIN:
//                    - skip and printf are always executable; else is when no other option is;
//                    - the end of the claim, and an assertion that fails, is a violation: an edge to a state
//                      that accepts every continuation;
//                    - an atomic sequence or a d_step is one step of the claim: all its conditions are
//                      evaluated in one state of the model. (`spin -f` writes `atomic { p -> assert(!p) }`
//                      and relies on that);
//                    - accept labels of processes count as well.
//                  No state is removed as useless, because a claim also limits the search for other errors
//                  to the runs that it follows. Statements with side effects are refused.
//   accept labels, progress labels
//                  one atom: some process is at an accept label, or no process is at a progress label. For
//                  the latter there is also an automaton (<>[]np_).
//
// The atoms are compiled before the remote labels of the program are resolved, the graph of a never claim is
// read when it is complete: hence two functions.
//
// Tested by: tests/suites/test_liveness.py, tests/unit/test_promela_claim.cpp
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "promela/compile.h"
#include "promela/compile_statements.h"

namespace spoor::promela {

// Compiles the atoms of the chosen claim into program.claim; for a formula, also makes the automaton.
void compile_atoms(const ClaimChoice& choice, const Model& model, CodeBuilder& code, Program& program,
                   Diagnostics& diagnostics);

// Completes the claim, including the atoms and the automaton of a never claim. REQUIRES: the control graphs
// of the program are complete.
void finish_claim(const ClaimChoice& choice, Program& program, Diagnostics& diagnostics);

// Does the error say that a claim, which may well be right, is more than can be compiled?
bool is_limit_of_claims(const std::string& code);

// The labels of processes whose names begin so, in the order of the text.
std::vector<Range> labels_of_processes(const Model& model, const std::string& prefix);

}  // namespace spoor::promela
