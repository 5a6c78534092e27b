// What must be the same for a search to go on where another one has left off.
//
// A checkpoint (search/checkpoint.h) holds states and figures, and both mean something only beside the model
// and the options that decide which states there are and which findings count. Limits, threads, the store and
// the way the model is executed change none of that, so a search may be resumed with others.
//
// Tested by: tests/unit/test_check.cpp, tests/suites/test_checkpoint.py
#pragma once

#include <string>

#include "check/options.h"

namespace spoor {

std::string checkpoint_identity(const CheckOptions& options, const std::string& model_sha256);

}  // namespace spoor
