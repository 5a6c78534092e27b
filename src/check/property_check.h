// One property of a loaded model: search, replay, coverage.
//
// Safety is a search of all states (search/search.h); with CheckOptions::check_reduction a layer checks the
// reduction. The results of several searches (--swarm, --repeat) are joined. A claim about infinite runs is a
// search for cycles (claim_search.h).
//
// Every violation is replayed on the reference system, or on its product with the claim, before it is shown.
//
// Tested by: tests/unit/test_check.cpp, tests/suites/test_cli.py
#pragma once

#include <variant>

#include "check/check_report.h"
#include "check/claim_answer.h"
#include "check/claim_search.h"
#include "check/control.h"
#include "check/loaded_model.h"
#include "check/property.h"
#include "check/regression.h"
#include "layer/reduction_check.h"
#include "search/search.h"

namespace spoor {

// A fault means that the reduction is disproved and there is no verdict. Throws std::logic_error for a trace
// that does not replay, CheckpointError for a checkpoint that cannot be resumed and NotSupported for a
// property that cannot be checked on the model.
// Where an earlier check may be of use: `regression` for safety, `known` for a claim; or null.
std::variant<CheckReport, ReductionFault> check_property(const LoadedModel& model, const Property& property,
                                                         const CheckContext& context,
                                                         Regression* regression = nullptr,
                                                         ClaimAnswer* known = nullptr);

// Replays a violation of safety on the reference system, and shows it. Throws as check_property.
ShownViolation show_violation(const TransitionSystem& reference, const Violation& violation,
                              const Reductions& reductions);

// The same for a violation of an infinite run, on the product of the reference system with the claim. The
// first round of a cycle can become part of the way to it (property_check.cpp); then the trace has more steps
// than `violation`.
ShownViolation show_run_violation(const OmegaSystem& reference, Violation violation,
                                  const Reductions& reductions);

// The options of a search in this context.
SearchOptions search_options(const LoadedModel& model, const CheckContext& context);
RunsOptions runs_options(const CheckOptions& options);

}  // namespace spoor
