// Estimation of distribution over paths: what good paths have in common is learned, and better ones are
// drawn.
//
// The search of Staunton and Clark ("Finding Short Counterexamples in Promela Models Using Estimation of
// Distribution Algorithms", GECCO 2011). A generation has 150 paths; the best fifth of them is read by
// n-grams (ngrams.h), which replace those of the generation before; from these the next 149 paths are
// drawn, and the best path is kept as it is. One choice of a thousand is made at random. After 200
// generations the search ends.
//
// Which of two paths is better: one with an error; of two with an error the shorter; of two without, the
// one whose states have the smaller estimate, on average (Heuristic).
//
// What the paper leaves open, and what is done here:
//   - A path ends at an error, at a state without steps, at a state that is on it already (for infinite runs
//     that is an error if the cycle is bad), and at the length of the trace that is to be beaten
//     (MethodOptions::most_steps). The state where it ends counts for the average.
//   - The paper counts statements, also within atomic sequences. A path here has steps, its actions are
//     the labels of steps (Expansion::labels), and the length is the number of steps.
//   - When the generations are over and no error was found, the search begins again with nothing learned:
//     a distribution that has run into a corner does not leave it.
//   - Paths of a generation do not depend on one another: each has random numbers of its own, by the seed,
//     the generation and its number. So the same seed gives the same hunt, however the work is divided.
//
// A search goes on where it has ended when its part of a hunt was over, within a generation, too; and a trace
// that was found elsewhere can be one of its paths. The default makes traces shorter with it (shorten.cpp).
//
// Cost: an expansion per step of a path; no set of states. Memory: the paths of one generation, and the
// n-grams.
// Tested by: tests/unit/test_eda.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hunt/hunter.h"
#include "hunt/ngrams.h"

namespace spoor {

struct EdaOptions {
  std::uint32_t paths = 150;  // of a generation
  std::uint32_t chosen = 30;  // that are learned from
  std::uint32_t kept = 1;     // that are in the next generation as they are
  std::uint32_t generations = 200;
  double mutation = 0.001;         // choices that are made at random
  const Ngrams* before = nullptr;  // from which the first generation is drawn; null: at random
  // Generations go on after the first error, as long as the hunt does; otherwise it ends the search.
  bool goes_on = false;
  // When the generations are over, the search begins again with nothing learned, also after an error.
  bool begins_again = false;
};

class Eda {
 public:
  explicit Eda(const EdaOptions& options) : how_(options) {}

  // Begins, or goes on where the call before has ended.
  MethodResult run(Hunter& hunter, const MethodOptions& options);
  // A trace from elsewhere is learned from, as if it had been drawn. REQUIRES: it ends in the finding.
  void add(const TransitionSystem& system, const Violation& violation);
  // What was learned last.
  const Ngrams& ngrams() const { return ngrams_; }
  std::uint64_t memory_bytes() const;

 private:
  struct Path {
    std::vector<Ngrams::Action> actions;
    std::vector<StepId> steps;
    std::optional<Finding> finding;
    std::optional<std::size_t> loop;  // where its bad cycle begins
    double estimate = 0;              // of its states, on average
    bool is_all = false;              // the initial state is all there is
  };
  class Sampler;
  static bool is_better(const Path& a, const Path& b);

  void begin_generation();
  bool draw(Sampler& sampler, const MethodOptions& options, MethodResult& result);
  void learn();

  const EdaOptions how_;
  Ngrams ngrams_;
  std::vector<Path> paths_;          // of this generation, so far; first those that were kept
  std::optional<std::size_t> best_;  // the length of the shortest trace
  std::uint64_t generation_ = 0;     // the number of this one
  bool is_drawing_ = false;          // it has begun, and is not complete
};

// The actions of a trace, up to a last step that fails without a successor.
std::vector<Ngrams::Action> actions_of(const TransitionSystem& system, std::span<const StepId> steps);

}  // namespace spoor
