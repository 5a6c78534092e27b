// A known trace is made shorter until the hunt is over, or nothing shorter is left.
//
//   repeat with a growing budget:
//     eliminate_steps         after every new trace
//     search_neighbourhood    what lies near the trace
//     the methods             each for a trace with one step less than the best: bfs, beam, tuple, A*,
//                             greedy, and a beam and weighted A* towards the state at the end of the trace
//
// The methods look everywhere, so they find traces to other errors, too, and other ways that no change of the
// known trace leads to. The bound makes each of them better the shorter the best trace is: what lies deeper
// is not looked at. Breadth-first search ends the hunt when it has seen all states within the bound: the
// trace is then the shortest.
//
// Tested by: tests/unit/test_shorten.cpp
#include "hunt/shorten.h"

#include <algorithm>

#include "hunt/hamming.h"

namespace spoor {
namespace {

constexpr std::uint64_t kFirstBudget = 2000;
constexpr std::uint64_t kBudgetGrowth = 4;
constexpr std::uint64_t kBudgetPerStep = 8;  // a neighbourhood is larger than its trace

struct Attempt {
  const char* name;
  Method method;
  std::uint64_t width;  // times that of the round; 0: it has none
  bool is_eager;
  bool goes_to_known_error;
};

constexpr Attempt kAttempts[] = {
    {"bfs", hunt_bfs, 0, false, false},
    {"beam", hunt_beam, 1, false, false},
    {"tuple", hunt_tuple, 0, false, false},
    {"beam, eager", hunt_beam, 4, true, false},
    {"tuple, eager", hunt_tuple, 0, true, false},
    {"astar, eager", hunt_astar, 0, true, false},
    {"greedy, eager", hunt_greedy, 0, true, false},
    {"beam to the known error", hunt_beam, 4, false, true},
    {"wastar to the known error", hunt_weighted_astar, 0, false, true},
};

void eliminate_until_nothing_goes(Portfolio& portfolio) {
  if (portfolio.hunter().guidance() == nullptr) return;
  while (!portfolio.is_over() && portfolio.improve("elimination", eliminate_steps, 0)) {
  }
}

void attempt(Portfolio& portfolio, const Attempt& how, std::uint64_t budget, std::uint64_t width) {
  MethodOptions options;
  options.expansions = budget;
  options.most_steps = static_cast<std::uint32_t>(portfolio.result().best.length - 1);
  options.seed = portfolio.next_seed();
  options.width = how.width * width;
  options.is_eager = how.is_eager;
  options.heuristic = portfolio.heuristic();
  HammingDistance distance(portfolio.last_state());
  if (how.goes_to_known_error) options.heuristic = &distance;
  if (portfolio.run(how.name, how.method, options).found) eliminate_until_nothing_goes(portfolio);
}

}  // namespace

void make_shorter(Portfolio& portfolio) {
  eliminate_until_nothing_goes(portfolio);
  std::uint64_t width = 4;
  for (std::uint64_t budget = kFirstBudget; !portfolio.is_over(); budget *= kBudgetGrowth, width *= 2) {
    const std::uint64_t near = std::max(budget, kBudgetPerStep * portfolio.result().best.length);
    while (!portfolio.is_over() && portfolio.improve("neighbourhood", search_neighbourhood, near))
      eliminate_until_nothing_goes(portfolio);
    for (const Attempt& how : kAttempts) {
      if (portfolio.is_over()) return;
      attempt(portfolio, how, budget, width);
    }
  }
}

}  // namespace spoor
