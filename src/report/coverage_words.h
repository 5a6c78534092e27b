// How much was seen, for people. (As JSON: report/json.h.)
#pragma once

#include <string>

#include "estimate/estimator.h"

namespace spoor {

// "34 % (20 % to 60 %)", or why there is no number.
std::string to_text(const Answer& answer);
// For people: "growth curve".
std::string method_in_words(std::string name);

}  // namespace spoor
