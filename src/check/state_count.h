// The number of states, found by keeping all of them: the most exact measure of coverage where it is
// affordable.
//
// The idea. A search that missed states in a second, because its filter was small or its depth limited,
// often belongs to a model whose states can all be kept within two. No estimate from samples is as good as
// that number: long lines of states and graphs of permutations, where samples share few states with each
// other, mislead every estimator. So before any probe (probing.h) the states are counted, by the search in
// the same order and with the same reductions, with 64-bit hashes in memory (StoreKind::kCompact). It is
// given up at a limit on time or memory; the states counted until then are a lower bound. An error that it
// meets ends it: nobody should be told that there is none.
//
// Why hashes. They take a fifth to a half of the memory of the states, and the bound on the probability that
// one state is omitted is far below that of any filter: 10^-6 for a million states.
//
// When. After a short search at once. After a long one when its cost can be predicted: the number of states
// is then estimated by small probes, and the time per state is that of the search. A search with a filter
// has one thread, because its result depends on the order of insertions; that of a count does not, so a
// count can use all threads.
//
// The search in the same order, and not a probe: with partial-order reduction the number of states depends
// on the order.
//
// Cost: the time of a complete search, as far as the limits allow.
// Tested by: tests/suites/test_coverage.py, tests/unit/test_probing.cpp
#pragma once

#include <cstdint>
#include <vector>

#include "model/system.h"
#include "search/search.h"

namespace spoor {

struct StateCount {
  std::uint64_t states = 0;
  bool is_complete = false;  // false: a limit or an error ended the count, and there may be more states
  std::vector<Violation> violations;  // as SearchResult has them
};

// `of_search`: the options of the search whose coverage is asked for; its order, reduction, threads and
// kinds of errors are used. `limits`: of the count. Without `finds_errors` none are looked for.
StateCount count_states(const TransitionSystem& system, const SearchOptions& of_search, const Limits& limits,
                        bool finds_errors);

// The cost of a count of so many states after this search.
struct CountCost {
  double seconds = 0;
  double bytes = 0;
};
// `threads`: of the count. The search had those of `of_search`.
CountCost predicted_count(const Statistics& statistics, const SearchOptions& of_search, unsigned threads,
                          double states);

}  // namespace spoor
