// Claims: what a model, or its user, says about infinite runs, as an automaton of what must not happen.
//
//   a formula      the automaton of its negation (ltl/translate.h). Its atoms are the largest parts without a
//                  temporal or logical operator: `[] (x > 3 -> <> P@done)` asks two questions of a state.
//   a never claim  its control graph. A location is a state of the automaton, accepting where it has an
//                  accept label; a condition is an atom. What SPIN does with the rest of the language:
//                    - skip and printf are always possible; else is when nothing beside it is;
//                    - the end of the claim, and an assertion that fails, is a violation: an edge to a state
//                      that accepts whatever follows;
//                    - an atomic sequence or a d_step is one step of the claim: what it says, it says of
//                      one state of the model. (`spin -f` writes `atomic { p -> assert(!p) }` and relies on
//                      that);
//                    - accept labels of processes count as well, as they do in SPIN.
//                  No state is left out as useless, because a claim also limits the search for other errors
//                  to the runs that it follows. Statements that change something are refused.
//   accept labels, progress labels
//                  one question: is some process at an accept label, is none at a progress label. An
//                  automaton for the latter (<>[]np_) is there for who needs one.
//
// The questions are compiled before the remote labels of the program are resolved, the graph of a never claim
// is read when it is complete: hence two functions.
//
// Tested by: tests/suites/test_liveness.py, tests/unit/test_promela_claim.cpp
#pragma once

#include "base/diagnostic.h"
#include "promela/compile.h"
#include "promela/compile_statements.h"

namespace spoor::promela {

// Compiles the questions of the chosen claim into program.claim and, of a formula, makes the automaton.
void compile_questions(const ClaimChoice& choice, const Model& model, CodeBuilder& code, Program& program,
                       Diagnostics& diagnostics);

// What remains, questions and automaton of a never claim among it. REQUIRES: the control graphs of the
// program are complete.
void finish_claim(const ClaimChoice& choice, Program& program, Diagnostics& diagnostics);

}  // namespace spoor::promela
