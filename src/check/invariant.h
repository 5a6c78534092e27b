// The invariant of the command line (--invariant): a condition that is checked along with safety.
//
// It is read as the formula [] (CONDITION), which is in the language of the model: names, macros and labels
// are known, its variables are not taken for dead, and reductions respect it (sound_reductions.h). Then a
// layer checks it (layer/invariant_layer.h).
//
// Tested by: tests/suites/test_invariant.py, tests/unit/test_counter_machine.cpp
#pragma once

#include <string>

#include "check/front_end.h"

namespace spoor {

// The formula that the model is read with: that of the options, or the one that the invariant stands for.
std::string given_formula(const std::string& formula, const std::string& invariant);

// Puts the layer before the systems of a model that was loaded with the claim add_invariant() has chosen.
// `text` empty: there is no invariant, and nothing is done. False, with the reason in `error`: the condition
// is about more than two consecutive states.
bool check_invariant(LoadedModel& model, const std::string& text, InputError& error);

}  // namespace spoor
