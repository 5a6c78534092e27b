// A hunt: from the name of a file to a report, as check.h for `spoor check`.
//
//   1. read the model, choose its properties, load it: as a check does;
//   2. hunt (hunt/hunt.h), for one property after the other, until one is violated. For a claim about
//      infinite runs the product with the claim is hunted (claim_search.h). The properties share the time;
//      each has the number of expansions that is wanted;
//   3. replay each trace on the reference system before anybody is told.
//
// The reports are those of a check, with HuntFigures. Its outcome: violated; holds, where some method has
// seen every state; otherwise unknown, and then it has the share of the states that was seen
// (check_coverage.h): the distinct states of all methods together, beside the number of states that two
// probes estimate.
//
// That the hunt has chosen its states otherwise than a check makes no difference: the probes are made alone.
// Hunts in 28 models of the lab, with 5 to 300 % as many expansions as there are states (112): the estimate
// was off by 1.2 points on average, 14 at most, the interval right in 104 of 108; four times there was none.
//
// The default reduction is `dead` alone: with it a state has the same steps as without any, so the length of
// a trace is the same, and a shortest one is the shortest. Merged statements would be fewer, longer steps.
// The default method also has partial-order reduction, for those of its searches that ask for it
// (hunt/shorten.cpp).
//
// Invariants: as in check.h, 1. Tested by: tests/suites/test_hunt.py, tests/suites/test_hunt_runs.py
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "hunt/hunt.h"

namespace spoor {

inline constexpr const char* kHuntReductions = "dead";

class HuntingListener {
 public:
  virtual ~HuntingListener() = default;
  virtual void on_model(const LoadedModel&) {}
  virtual void on_method(const std::string& /*method*/, const HuntCounts&, std::uint64_t /*best*/) {}
  // The first trace, then each one that is shorter; it was replayed.
  virtual void on_trace(const LoadedModel&, const ShownViolation&, const FoundTrace&) {}
};

struct HuntingOptions {
  CheckOptions check;  // model, property, invariant, execution, end states, limits; the rest is not used
  const MethodRow* method = nullptr;  // null: all of them
  HeuristicKind heuristic = HeuristicKind::kAuto;
  std::uint64_t expansions = 0;  // at most so many; 0: any number
  std::uint64_t seed = 1;
  bool ends_at_first = false;
  std::string learn_from;  // a file of n-grams that another hunt has written; or empty
  std::string save_model;  // where to write what this one learns; or empty
  // The steps of a trace to be made shorter, in the model; or nothing, with the reason. Empty: the hunt
  // begins with finding one.
  std::function<std::optional<std::vector<StepId>>(const LoadedModel&, InputError&)> known_trace;
  HuntingListener* listener = nullptr;
};

CheckAnswer hunt_model(const std::string& path, const HuntingOptions& options,
                       FrontEnds languages = front_ends());

}  // namespace spoor
