// Statistics of searches with filters, as JSON: what `spoor estimate --runs` reads.
//
// Either an object with `runs`, as `spoor estimate --json` writes it, and perhaps a `control` and `probes`;
// or a list of reports of `spoor check --store bitstate --json`, in any order. So searches of different
// times and machines can be combined in one estimate.
// Tested by: tests/suites/test_estimate.py, tests/fuzz/readers.cpp
#pragma once

#include <optional>
#include <string>

#include "estimate/estimator.h"

namespace spoor {

// Nothing, with a sentence in `error`, where the text has another form. The estimators decide whether the
// runs can be combined.
std::optional<Evidence> read_runs(const std::string& text, std::string& error);

}  // namespace spoor
