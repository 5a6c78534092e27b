// The ledger: a folder in which checks leave their recordings for later checks.
//
// It is a cache: it may be deleted at any time, and nothing in it is ever taken for the truth. A recording is
// found by the model's path and by what kind of check it was made by, so that each kind of check of each
// model has one, that of its last run.
//
// Tested by: tests/suites/test_regression.py
#pragma once

#include <string>

namespace spoor {

// The file for the recording of this kind of check of this model; the folder is made if need be. Empty, with
// the reason in `error`: there is no such folder, and it cannot be made.
std::string ledger_file(const std::string& folder, const std::string& model, const std::string& kind,
                        std::string& error);

}  // namespace spoor
