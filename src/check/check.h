// A check: from the name of a file to one report per property.
//
// The stages of `spoor check`; later commands that hunt, certify or check again share them:
//
//   1. read the model (front_end.h) and choose its properties (property.h);
//   2. refuse options that conflict with the properties, and claims with errors, before any search;
//   3. for each property: load the model with the reductions that are sound for it (sound_reductions.h),
//      search (property_check.h, claim_search.h), replay every trace on the reference system, estimate the
//      coverage where not all states were seen (check_coverage.h), and find vacuous premises of a formula
//      that holds (vacuity.h).
//
// Nothing here prints, reads options of a command line or uses exit codes. A listener (control.h) receives
// the progress.
//
// Invariants:
//   1. Every violation in a report was replayed by the reference system, without reductions of the search.
//      A trace that does not replay is a bug of the program: std::logic_error, and no report.
//   2. Reports are in the order of the properties. There is one per property, unless an interrupt ends the
//      check; then the last report is that of the interrupted property.
//   3. The time limit applies to the searches of all properties together.
//
// Tested by: tests/unit/test_check.cpp, tests/suites/test_cli.py and others that run the program
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/source.h"
#include "check/check_options.h"
#include "check/check_report.h"
#include "check/control.h"
#include "check/front_end.h"
#include "check/loaded_model.h"
#include "layer/reduction_check.h"

namespace spoor {

struct CheckedModel {
  std::vector<CheckReport> reports;  // at least one
  SourceSet sources;
};

// The model cannot be checked with an option; the reason is a sentence.
struct OptionError {
  std::string message;
};

// The reduction is disproved (CheckOptions::check_reduction): a bug of the program.
struct WrongReduction {
  ReductionFault fault;
  SourceSet sources;
};

using CheckAnswer = std::variant<CheckedModel, InputError, OptionError, WrongReduction>;

CheckAnswer check_model(const std::string& path, const CheckOptions& options, const CheckControl& control,
                        FrontEnds languages = front_ends());

}  // namespace spoor
