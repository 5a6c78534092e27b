// Coverage as text. (As JSON: report/json.h.)
#pragma once

#include <string>

#include "estimate/estimator.h"

namespace spoor {

// "34 % (20 % to 60 %)", or why there is no estimate.
std::string to_text(const Answer& answer);
// The name of an estimator as text: "growth curve".
std::string method_in_words(std::string name);

}  // namespace spoor
