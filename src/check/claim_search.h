// The decision of a claim about infinite runs: the system that is searched, the search and the reduction.
//
// First a search of 500 states without reduction, because many violations are near the initial state. Then,
// where the claim allows reductions, a plan for them (search/reduction_plan.h). Where the plan grows beyond
// 20,000 states, it is interrupted by a second search of 10,000 states without reduction. A plan may use half
// of the time and memory; then the search with that plan follows. Where the plan is not finished by then, the
// search has no reduction.
//
// Tested by: tests/suites/test_liveness.py, tests/suites/test_reduction.py
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "check/loaded_model.h"
#include "model/omega.h"
#include "model/propositions.h"
#include "search/reduction_plan.h"
#include "search/search.h"

namespace spoor {

// The system whose cycles decide the claim. Its arguments must outlive it.
std::unique_ptr<OmegaSystem> runs_of(const TransitionSystem& system, const Propositions& propositions,
                                     const Claim& claim, bool is_fair);

struct RunsOptions {
  bool is_fair = false;
  bool check_reduction = false;  // search with and without, and compare
  unsigned threads = 1;  // of the search for cycles; with several, which cycle is found is not determined
};

// A verdict that depends on the reduction is a bug of the program.
class ReductionDisagrees : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// `why_not`: why a requested reduction was not used. `plan`: where the plan of a search is left that holds
// and has had one; null: it is not wanted. Throws ReductionDisagrees if `check_reduction` is set and the
// verdicts differ.
SearchResult search_runs(const LoadedModel& model, const RunsOptions& how, const SearchOptions& wanted,
                         std::string& why_not, std::unique_ptr<ReductionPlan>* plan = nullptr);
// Of a system of runs_of; options.reduce as it is.
SearchResult search_runs(const OmegaSystem& runs, const RunsOptions& how, SearchOptions options);

// A violation near the initial state is found at less cost than a plan for the reduction.
inline constexpr std::uint64_t kFirstStates = 500;

}  // namespace spoor
