// What must be equal for a search to resume from the checkpoint of another.
//
// A checkpoint (search/checkpoint.h) holds states and figures. Both are valid only for the model and the
// options that decide which states there are and which findings count. Limits, threads, the store and the
// execution of the model change none of that, so they may differ in the resumed search.
//
// Tested by: tests/unit/test_check.cpp, tests/suites/test_checkpoint.py
#pragma once

#include <string>

#include "check/check_options.h"

namespace spoor {

std::string checkpoint_identity(const CheckOptions& options, const std::string& model_sha256);

}  // namespace spoor
