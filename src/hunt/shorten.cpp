// A known trace is made shorter until the hunt is over, or nothing shorter is left.
//
//   cut_cycles              of a trace from elsewhere
//   repeat with a growing budget:
//     eliminate_steps         after every new trace
//     search_neighbourhood    what lies near the trace
//     eda                     paths like the best that were drawn, among them the trace
//     the other methods       each for a trace with one step less than the best: narrow, bfs, beam, tuple,
//                             A*, greedy, and a beam and weighted A* towards the end of the trace
//
// Some of these take the steps of independent processes in one order only, where the system knows a
// partial-order reduction ("reduced"). A shortest trace may be lost with that, but they get deeper: of users
// who each prepare a request, all orders are one.
//
// The methods look everywhere, so they find traces to other errors, too, and other ways that no change of the
// known trace leads to. The bound makes each of them better the shorter the best trace is: what lies deeper
// is not looked at. Breadth-first search ends the hunt when it has seen all states within the bound: the
// trace is then the shortest.
//
// Tested by: tests/unit/test_shorten.cpp
#include "hunt/shorten.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "hunt/eda.h"
#include "hunt/hamming.h"
#include "hunt/shorten_run.h"

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
  bool may_reduce = false;
  std::uint64_t share = 1;  // times the budget of the round
};

constexpr Attempt kAttempts[] = {
    {"narrow, reduced", hunt_narrow, 0, false, false, true, 4},
    {"bfs", hunt_bfs, 0, false, false},
    {"narrow", hunt_narrow, 0, false, false},
    {"beam", hunt_beam, 1, false, false},
    {"tuple", hunt_tuple, 0, false, false},
    {"beam, eager", hunt_beam, 4, true, false},
    {"tuple, eager", hunt_tuple, 0, true, false},
    {"astar, eager", hunt_astar, 0, true, false},
    {"astar, eager, reduced", hunt_astar, 0, true, false, true},
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
  options.expansions = how.share * budget;
  options.most_steps = static_cast<std::uint32_t>(portfolio.result().best.length - 1);
  options.seed = portfolio.next_seed();
  options.width = how.width * width;
  options.is_eager = how.is_eager;
  options.may_reduce = how.may_reduce;
  options.heuristic = portfolio.heuristic();
  HammingDistance distance(portfolio.last_state());
  if (how.goes_to_known_error) options.heuristic = &distance;
  if (portfolio.run(how.name, how.method, options).found) eliminate_until_nothing_goes(portfolio);
}

// Estimation of distribution (eda.h), a part of it in every round: generations are far larger than the budget
// of the first rounds. The first paths are random walks, the best trace is one of them, and so is each better
// one that is found elsewhere. It is not what the first generation is drawn from: a population of its
// variations finds what is near it, as elimination does, and never a trace of another kind. Measured: GIOP
// with 20 users stays at 60 steps then, and gets to 38 like this.
class Evolution {
 public:
  void attempt(Portfolio& portfolio, std::uint64_t budget) {
    const std::uint64_t before = portfolio.result().best.length;
    if (!eda_) {
      EdaOptions how;
      how.generations = kGenerations;
      how.goes_on = how.begins_again = true;
      eda_.emplace(how);
      seed_ = portfolio.next_seed();
      known_ = UINT64_MAX;
    }
    if (before < known_) eda_->add(portfolio.hunter().system(), *portfolio.result().found);
    MethodOptions options;
    options.expansions = budget;
    options.most_steps = static_cast<std::uint32_t>(kLongest * before);
    options.seed = seed_;
    options.heuristic = portfolio.heuristic();
    options.on_found = [&](const Violation& violation) { portfolio.offer(kName, violation); };
    const auto go_on = [&](Hunter& hunter, const MethodOptions& how) { return eda_->run(hunter, how); };
    portfolio.run(kName, go_on, options);
    known_ = portfolio.result().best.length;
    if (portfolio.hunter().has_hit_memory()) eda_.reset();
    if (known_ < before) eliminate_until_nothing_goes(portfolio);
  }

 private:
  static constexpr const char* kName = "eda";
  static constexpr std::uint32_t kGenerations = 50;  // then it begins again
  static constexpr std::uint64_t kLongest = 2;       // paths, times the best trace

  std::optional<Eda> eda_;
  std::uint64_t seed_ = 0;
  std::uint64_t known_ = 0;  // the length of the best trace that it has learned from
};

}  // namespace

void make_shorter(Portfolio& portfolio) {
  if (portfolio.is_about_runs()) return make_run_shorter(portfolio);
  Evolution evolution;
  portfolio.improve("cut cycles", cut_cycles, 0);
  eliminate_until_nothing_goes(portfolio);
  std::uint64_t width = 4;
  for (std::uint64_t budget = kFirstBudget; !portfolio.is_over(); budget *= kBudgetGrowth, width *= 2) {
    const std::uint64_t near = std::max(budget, kBudgetPerStep * portfolio.result().best.length);
    while (!portfolio.is_over() && portfolio.improve("neighbourhood", search_neighbourhood, near))
      eliminate_until_nothing_goes(portfolio);
    evolution.attempt(portfolio, budget);
    for (const Attempt& how : kAttempts) {
      if (portfolio.is_over()) return;
      if (how.may_reduce && !portfolio.can_reduce()) continue;
      attempt(portfolio, how, budget, width);
    }
  }
}

}  // namespace spoor
