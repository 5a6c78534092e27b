// The default: all methods in turns, with growing parts of the expansions.
//
// No method is the best on every model, and which one is cannot be seen in the model. So each of them gets
// the same number of expansions, from scratch; when none has found an error, each gets four times as many,
// and so on. The first error comes after a constant times the expansions that the best method needs for this
// model: with eight methods and the factor four at most some 11 rounds' worth, in practice about 6 times as
// many.
//
//   beam (width W), random walk, tuple, beam (width 4 W, eager), tuple (eager), greedy (eager), depth-first,
//   breadth-first
//
// The widths of the beams grow with the rounds, so no round goes deeper than 300 levels: what lies deeper,
// and is no accident, is left to depth-first search. (Measured: an error 1,200 steps deep in a controller
// with long indivisible steps, which the other seven never found.) Breadth-first search is among them
// because it ends: a model without errors whose states fit into the memory is decided, and an error that
// only a search of nearly all states finds is found. A round begins at 300 expansions per method, so that
// nothing is lost where an error is near.
//
// Each method begins anew in every round: what it repeats is a third of the work, and its memory is free when
// the next one begins.
//
// Measured: in a prototype, 84 of 84 hunts on fourteen models found the error, 68 of them by a beam.
// Tested by: tests/unit/test_hunt.cpp
#include "hunt/portfolio.h"
#include "hunt/shorten.h"

namespace spoor {
namespace {

constexpr std::uint64_t kFirstExpansions = 300;
constexpr std::uint64_t kGrowth = 4;

struct Turn {
  const char* name;
  Method method;
  std::uint64_t width;  // times that of the round; 0: it has none
  bool is_eager;
};

constexpr Turn kTurns[] = {
    {"beam", hunt_beam, 1, false},         {"walk", hunt_walk, 0, false},
    {"tuple", hunt_tuple, 0, false},       {"beam, eager", hunt_beam, 4, true},
    {"tuple, eager", hunt_tuple, 0, true}, {"greedy, eager", hunt_greedy, 0, true},
    {"dfs", hunt_random_dfs, 0, false},    {"bfs", hunt_bfs, 0, false},
};

}  // namespace

void hunt_in_turns(Portfolio& portfolio) {
  std::uint64_t expansions = kFirstExpansions, width = 1;
  while (!portfolio.is_over() && !portfolio.result().found) {
    for (const Turn& turn : kTurns) {
      MethodOptions options;
      options.expansions = expansions;
      options.seed = portfolio.next_seed();
      options.width = turn.width * width;
      options.is_eager = turn.is_eager;
      options.heuristic = portfolio.heuristic();
      portfolio.run(turn.name, turn.method, options);
      if (portfolio.is_over()) return;
      if (portfolio.result().found) return make_shorter(portfolio);
    }
    expansions *= kGrowth;
    width *= kGrowth;
  }
}

}  // namespace spoor
