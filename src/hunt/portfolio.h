// A running hunt: the calls of its methods, and what came of them.
//
// Tested by: tests/unit/test_hunt.cpp
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hunt/hunt.h"

namespace spoor {

class Portfolio {
 public:
  // `runs`: the same system where its infinite runs are hunted, or null.
  Portfolio(const TransitionSystem& system, const HuntOptions& options, const OmegaSystem* runs = nullptr);

  Hunter& hunter() { return hunter_; }
  Heuristic* heuristic() { return heuristic_.get(); }
  // Another one in every call, the same in every run.
  std::uint64_t next_seed();
  bool can_reduce() const { return options_.can_reduce; }
  // Is there nothing left to do?
  bool is_over() const;
  const HuntResult& result() const { return result_; }

  // Runs a method, and keeps the trace that it finds if it is shorter than the best. A lack of memory ends
  // the call.
  using Call = std::function<MethodResult(Hunter&, const MethodOptions&)>;
  MethodResult run(const char* name, const Call& method, const MethodOptions& options);
  // The same with what makes a known trace shorter. False: it did not.
  using Shortener = std::optional<Violation> (*)(Hunter&, const Violation& known);
  bool improve(const char* name, Shortener shorten, std::uint64_t expansions);
  bool is_about_runs() const { return is_about_runs_; }
  // The state at the end of the best trace; before its last step, where that leads nowhere.
  std::vector<std::byte> last_state();
  // Keeps a trace if it is shorter than the best. REQUIRES: it ends in a counted finding.
  void offer(const char* name, const Violation& violation);
  HuntResult take_result();

 private:
  void add_lasso(MethodResult& answer);

  const HuntOptions& options_;
  const bool is_about_runs_;
  Hunter hunter_;
  std::unique_ptr<Heuristic> heuristic_;
  std::uint64_t calls_ = 0;
  HuntResult result_;
};

// Paths like those of another hunt, before anything else.
void hunt_like_learned(Portfolio& portfolio, const Ngrams& learned);

// The default: every method in turns, each with a part of the expansions (dovetail.cpp).
void hunt_in_turns(Portfolio& portfolio);

}  // namespace spoor
