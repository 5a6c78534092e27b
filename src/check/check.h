// A check: from the name of a file to one report per property.
//
// This is the table of contents of `spoor check`; hunting, certifying and checking again share its steps:
//
//   1. read the model (front_end.h) and choose its properties (property.h);
//   2. refuse options that do not go with them, and claims with something wrong in them, before any search;
//   3. for each property: load the model with the reductions that are sound for it (sound_reductions.h),
//      search (property_check.h, claim_search.h), replay every trace on the judge, say how much was seen
//      where that was not all (check_coverage.h), and whether a formula that holds says anything (vacuity.h).
//
// Nothing here prints, reads options of a command line or knows exit codes. A listener (control.h) is told
// how far the check is.
//
// Invariants:
//   1. A violation in a report was replayed by the reference system, without reductions of the search.
//      A trace that does not replay is a bug of ours: std::logic_error, and no report.
//   2. Reports stand in the order of the properties. There is one for each, unless an interrupt has ended
//      the check; then the last one is about the property that was interrupted.
//   3. The time limit is for the searches of all properties together.
//
// Tested by: tests/unit/test_check.cpp, tests/suites/test_cli.py and others that run the program
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/source.h"
#include "check/check_report.h"
#include "check/control.h"
#include "check/front_end.h"
#include "check/loaded_model.h"
#include "check/options.h"
#include "layer/reduction_check.h"

namespace spoor {

struct CheckedModel {
  std::vector<CheckReport> reports;  // at least one
  SourceSet sources;
};

// The model does not go with an option, as a sentence.
struct OptionError {
  std::string message;
};

// The reduction is disproved (CheckOptions::check_reduction): a bug of ours.
struct WrongReduction {
  ReductionFault fault;
  SourceSet sources;
};

using CheckAnswer = std::variant<CheckedModel, InputError, OptionError, WrongReduction>;

CheckAnswer check_model(const std::string& path, const CheckOptions& options, const CheckControl& control,
                        FrontEnds languages = front_ends());

}  // namespace spoor
