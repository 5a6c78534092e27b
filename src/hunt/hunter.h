// What all methods of a hunt share: the system, the counts, and when to stop.
//
// Counts. An expansion is a call of TransitionSystem::expand, also one that is made for an estimate only. A
// state is taken when a method chooses it to go on from; the published figures of A* count those only.
//
// Limits. Time, an interrupt and the number of expansions end the hunt. Memory ends one call of a method: the
// next one begins with an empty set of states.
//
// States seen. Methods forget states, and meet those of each other again; a sketch counts the distinct ones
// that were expanded (base/distinct_counter.h).
//
// Infinite runs. Where they are hunted, what a method expands is noted (expanded_graph.h), and a bad lasso in
// it ends the call of the method, which need not know of cycles. A method that looks for cycles itself says
// so.
//
// Thread safety: none. Tested by: tests/unit/test_hunt.cpp, tests/unit/test_hunt_runs.cpp
#pragma once

#include <cstdint>
#include <optional>

#include "base/distinct_counter.h"
#include "hunt/expanded_graph.h"
#include "hunt/method.h"
#include "model/budget.h"
#include "model/system.h"
#include "search/search.h"

namespace spoor {

struct HuntCounts {
  std::uint64_t expansions = 0;  // calls of expand
  std::uint64_t taken = 0;       // states that a method has chosen
  std::uint64_t arrivals = 0;    // successors that were generated
  std::uint64_t steps = 0;       // calls of step, of traces that are replayed
};

class Hunter {
 public:
  // `limits.depth` is not used. `expansions`: at most so many; 0: any number. `runs`: the same system where
  // its infinite runs are hunted, or null.
  Hunter(const TransitionSystem& system, const Limits& limits, std::uint64_t expansions, FindingKinds counted,
         const OmegaSystem* runs = nullptr);

  const TransitionSystem& system() const { return system_; }
  // Null: bad cycles are not hunted, or there can be none.
  const OmegaSystem* runs() const { return runs_; }
  // Null: nothing is known of the states.
  const Guidance* guidance() const { return system_.guidance(); }
  const HuntCounts& counts() const { return counts_; }
  // The number of distinct states that were expanded, by a sketch.
  double seen() const { return seen_.estimate(); }
  std::uint64_t peak_bytes() const { return peak_bytes_; }
  double elapsed_s() const { return budget_.elapsed_s(); }

  // A method begins. `expansions`: at most so many; 0: any number. `most_steps`: of the lassos that count.
  // `may_reduce`: the system may leave out steps in expansions (partial-order reduction); then it is not
  // known that all states were seen.
  void begin(std::uint64_t expansions, std::uint32_t most_steps = MethodOptions::kAnyLength,
             bool may_reduce = false);
  // The method that has begun looks for cycles itself: what it expands is not noted.
  void watch_no_cycles() { graph_.reset(); }
  // Notes the states of a known lasso, so that a shorter way to its cycle makes a shorter one.
  void note_lasso(const Violation& known);
  // The shortest lasso in what was noted since `begin`.
  ExpandedGraph::Answer lasso_at_end();
  // Is the call of the method over?
  bool is_over() const { return is_call_over_; }
  // Did memory end it?
  bool has_hit_memory() const { return has_hit_memory_; }
  // Is the hunt? Then `limit` says why.
  bool is_hunt_over() const { return limit().has_value(); }
  std::optional<LimitHit> limit() const;

  // Expands a state into `out`, which is cleared. False: the call of the method is over, and `out` has no
  // answer. `memory`: what the method occupies.
  template <class Memory>
  bool expand(StateBytes state, Expansion& out, const Memory& memory) {
    if (is_poll_due()) poll(memory.memory_bytes());
    out.asked.may_reduce = may_reduce_;
    return expand(state, out);
  }
  // Executes one step into `out`, which is cleared. False: there is no such step, or the call is over.
  bool step(StateBytes state, StepId step, Expansion& out);
  void note_taken() { ++counts_.taken; }

  // The finding in the last expansion with the shortest trace that is of a counted kind: of the state itself,
  // or of a step. Null: there is none.
  const Finding* finding_of(const Expansion& out) const;

 private:
  bool is_poll_due() const { return (counts_.expansions + counts_.steps) % kExpansionsPerPoll == 0; }
  void poll(std::uint64_t bytes);
  bool expand(StateBytes state, Expansion& out);
  void look_for_lasso();

  static constexpr std::uint64_t kExpansionsPerPoll = 16;

  const TransitionSystem& system_;
  const OmegaSystem* const runs_;
  const std::uint64_t most_expansions_;
  const std::uint64_t most_bytes_;
  const FindingKinds counted_;
  Budget budget_;
  HuntCounts counts_;
  DistinctCounter seen_;
  std::uint64_t end_of_call_ = 0;  // the number of expansions at which it is over
  std::uint64_t peak_bytes_ = 0;
  bool may_reduce_ = false;
  bool is_call_over_ = false;
  bool has_hit_memory_ = false;
  std::optional<ExpandedGraph> graph_;  // of this call
  std::uint64_t next_look_ = 0;         // at so many steps in the graph
  std::uint32_t most_steps_ = MethodOptions::kAnyLength;
  std::optional<Violation> lasso_;  // that has ended the call
};

}  // namespace spoor
