// How a claim about infinite runs is decided: which system is searched, by which search, with which
// reduction.
//
// First a look at 500 states without reduction, because many violations are near the beginning. Then, where
// the claim allows reductions, a plan for them (search/reduction_plan.h). Where that grows beyond 20,000
// states there is a second look, at 10,000, before it goes on. A plan may take half of the time and memory
// that there is, and then comes the search that follows it; where the plan is not finished by then, the
// search goes on without.
//
// Tested by: tests/suites/test_liveness.py, tests/suites/test_reduction.py
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "check/loaded_model.h"
#include "model/omega.h"
#include "model/propositions.h"
#include "search/search.h"

namespace spoor {

// The system whose cycles decide the claim. What it is made of must live as long as it does.
std::unique_ptr<OmegaSystem> runs_of(const TransitionSystem& system, const Propositions& propositions,
                                     const Claim& claim, bool is_fair);

struct RunsOptions {
  bool is_fair = false;
  bool check_reduction = false;  // search with and without, and compare
  unsigned threads = 1;          // that look for cycles; which one they find is a matter of luck
};

// A verdict that hangs on the reduction is a bug of ours.
class ReductionDisagrees : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// `why_not`: why the reduction was not made after all, if it was wanted. Throws ReductionDisagrees where
// that was looked for.
SearchResult search_runs(const LoadedModel& model, const RunsOptions& how, const SearchOptions& wanted,
                         std::string& why_not);

}  // namespace spoor
