// The options of a check as a value.
#pragma once

#include <cstdint>
#include <string>

#include "check/coverage.h"
#include "check/execution.h"
#include "check/model_options.h"
#include "search/search.h"

namespace spoor {

// How a check uses the recording of an earlier version (check/regression.h).
enum class ReuseTechnique : std::uint8_t {
  kAuto,     // kClosure where a full check takes long, and kWalk where steps are recorded
  kClosure,  // look at the states that the edit touches and what is new (evidence/closure_check.h)
  kWalk,     // follow its steps where the edit has no influence (evidence/walk.h)
  kPrune,    // leave out what cannot reach the edit (evidence/pruned_system.h)
};
// Does it follow recorded steps?
inline bool needs_steps(ReuseTechnique technique) {
  return technique == ReuseTechnique::kWalk || technique == ReuseTechnique::kPrune;
}
inline const char* to_string(ReuseTechnique technique) {
  switch (technique) {
    case ReuseTechnique::kAuto: return "auto";
    case ReuseTechnique::kClosure: return "closure";
    case ReuseTechnique::kWalk: return "walk";
    case ReuseTechnique::kPrune: return "prune";
  }
  return "";
}

// Everything that determines what a check searches. With the model and the version this is enough to
// repeat the run.
struct CheckOptions {
  Order order = Order::kBreadthFirst;
  StoreKind store = StoreKind::kExact;
  FilterOptions filter;  // of the bitstate store
  CacheOptions cache;    // of the store that forgets states
  unsigned swarm = 0;    // so many diversified searches with filters; 0: one search, not diversified
  unsigned repeat = 0;   // up to so many searches, one after another, each with other hash functions; 0: one
  Limits limits;
  unsigned threads = 0;        // 0 means 1
  unsigned cycle_threads = 1;  // of a search for cycles; with several, which cycle is found is not determined
  bool all_errors = false;
  std::string property;   // as in --property; empty: safety and all formulas
  std::string formula;    // of the command line; or empty
  std::string invariant;  // of the command line, to be checked along with safety; or empty
  ExecutionChoice exec = ExecutionChoice::kAuto;
  bool end_states = true;  // invalid end states are errors
  CoverageEffort coverage = CoverageEffort::kQuick;
  unsigned coverage_threads = 1;  // of the count and the probes after the search
  // Of a complete search that may have missed states: the verdict is HoldsProbably only where the lower end
  // of the coverage's interval is at least this (check_coverage.h).
  double accept_coverage = 0.95;
  ReuseTechnique reuse = ReuseTechnique::kAuto;
  bool check_reduction = false;  // verify the assumptions of partial-order reduction
  ModelOptions model;
};

}  // namespace spoor
