// The invariant of the command line (--invariant): a condition that is checked along with safety.
//
// It is read as the formula [] (CONDITION), which is in the language of the model: names, macros and labels
// are known, its variables are not taken for dead, and reductions respect it (sound_reductions.h). Then a
// layer checks it (layer/invariant_layer.h).
//
// Tested by: tests/suites/test_invariant.py, tests/unit/test_counter_machine.cpp
#pragma once

#include <optional>
#include <string>

#include "check/front_end.h"

namespace spoor {

// The formula that the model is read with: that of the options, or the one that the invariant stands for.
std::string given_formula(const std::string& formula, const std::string& invariant);

// The claim that the invariant is for a front end. Nothing: the model was read without one.
std::optional<ClaimChoice> invariant_claim(const SourceModel& source);

// Loads a model that was read with given_formula(), to be searched for errors; where there is an invariant,
// its violations are errors, too. Nothing, with the reason in `error`, when the model cannot be used, or the
// condition is about more than two consecutive states.
std::optional<LoadedModel> load_for_safety(const SourceModel& source, const ModelOptions& options,
                                           ExecutionChoice execution, const std::string& invariant,
                                           InputError& error);

}  // namespace spoor
