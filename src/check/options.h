// The options of a check as a value.
#pragma once

#include <string>

#include "check/coverage.h"
#include "check/execution.h"
#include "check/model_options.h"
#include "search/search.h"

namespace spoor {

// Everything that decides what a check looks at. With the model and the version this is enough to
// repeat the run.
struct CheckOptions {
  Order order = Order::kBreadthFirst;
  StoreKind store = StoreKind::kExact;
  FilterOptions filter;  // of the bitstate store
  unsigned swarm = 0;    // this many diversified searches with filters; 0: one that is not
  unsigned repeat = 0;  // up to this many searches, one after another, each with other hash functions; 0: one
  Limits limits;
  unsigned threads = 0;        // 0: as 1
  unsigned cycle_threads = 1;  // of a search for infinite runs; which one several find is a matter of luck
  bool all_errors = false;
  std::string property;  // as asked for; empty: safety and all formulas
  std::string formula;   // given beside the model; or empty
  ExecutionChoice exec = ExecutionChoice::kAuto;
  bool end_states = true;  // invalid end states are errors
  CoverageEffort coverage = CoverageEffort::kQuick;
  bool check_reduction = false;  // try out what partial-order reduction claims
  ModelOptions model;
};

}  // namespace spoor
