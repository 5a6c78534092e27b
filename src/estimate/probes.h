// Our estimator: the states that a search and two probes have in common.
//
// The idea. A search with a filter omits a state for two reasons: the filter confuses it with a known state,
// or it can be reached only through omitted states. A state of the first kind is met all the same, and those
// can be counted (FilterRun::met); the number of states met stops growing long before the number of states
// seen does. For the second kind there are two probes (search/probe.h), random depth-first searches with
// filters of their own, one of the same size and one of half of it: three random samples of the same states.
// If they have met the same states, there are hardly any others; if they share few, there are many (capture
// and recapture). The growth of the probes with the size of the filter is the other input.
//
// With A_m, A_a, A_c for what the search, the larger and the smaller probe have met, and U for their union:
//     g = ln(A_a / A_c)                    o = logit(|A_a and A_c| / A_c)
//     m = logit(|A_m and A_a| / A_a)       M = logit(|A_m and A_a| / A_m)
//     z = -0.8222 + 1.5826 g - 0.5893 m - 0.0766 M - 0.2948 o
//     the number of states is U (1 + e^z), and at least that of the search itself
// Where the larger probe has met 1.6 times what the search has, and nine tenths of that, the model has a
// long thin part that ended the search and not the probe; then the search is no third sample, and z =
// -1.7393 + 4.4878 g - 0.6555 o. An incomplete search that keeps the states is no third sample either; then
// z = -1.2650 + 4.9512 g - 0.6084 o, and U is that of the probes.
//
// Where the numbers come from. The five and three coefficients were fitted to 46 graphs (least absolute
// error of the coverage), none of them a model that the lab holds out; the interval is the 5 % and 95 %
// quantiles of ln(actual / estimated number) over ten folds by graph, by y = ln(1 + e^z), the part that was
// not met. More features and small neural networks were not better. The sketches' own error is in the fit.
//
// Other sizes. The filters of the probes can be larger than the search's, up to four times, or smaller where
// there is little time. The formula is the same: what a small probe has met is a small sample of the same
// states, and a larger probe is a better one. The interval has a table for each: larger, the same size or
// half of it, a quarter, smaller. Recorded searches with filters of 0.3 to 12 bits per state, k =
// 3 (45 models of the lab and of other people for the tables of the last two, 31 others held out), gave:
//
//     size           off by (median, mean, worst), interval right, its width; the same held out
//     a quarter      2.8, 8.7, 95.2 points, 91 %, 29;     4.1,  8.3, 63.4, 85 %, 30
//     an eighth      3.5, 10.1, 94.8,       94 %, 41;     4.3,  9.3, 63.3, 92 %, 44
//     a sixteenth    5.0, 11.2, 99.2,       94 %, 42;     4.8, 10.1, 63.1, 94 %, 45
//     smaller        5.5, 11.9, 97.7,       94 %, 44;     6.0, 11.3, 63.0, 92 %, 44
//
// and earlier ones, of larger filters and of the same size (k = 1 and 3; 49 models and 26 held out):
//
//     larger         1.8 (median), 2.8 (mean);     2.1, 3.3, 94 %, 11
//     the same size  2.1, 4.2;                     3.0, 5.1, 89 %, 21
//     half           3.1, 6.1;                     4.6, 7.5, 90 %, 27
//
// Long models. Where a breadth-first search has many levels for its number of states, ln(levels) /
// ln(states) at least 0.47 (towers of Hanoi: 0.67, most protocols: 0.3 to 0.45), a few confused states cut
// off large parts, and small probes end where the search ends. So small probes have intervals of their own
// there, which often reach from near 0 to 1. A formula for small probes with this figure, and with the ratio
// of the states met to those seen, was better on the models that it was fitted to (mean 8.6 for 11.2 points)
// and worse on those held out (11.1 for 10.1), and was rejected.
//
// Lines. On a line of states one confused state ends the search, and the probes end near it: all of them
// have met the same states, and there may be any number behind them. So where a breadth-first search has
// found fewer than 4.5 states per level, and the expected number of confused states on the path to the last
// one is more than 0.05, the interval has no lower end, and the estimate is half of its upper end.
//
// Weak points. Where the probes have no state in common, or there are 55 times as many states as all have
// met, the interval has no upper end: the error there was not measured. A wide part of the model that no
// probe has entered cannot be estimated. The interval is wide where half of the states were seen. Puzzles
// (towers of Hanoi) and small probes are off by up to 35 and 99 points. An incomplete search that keeps the
// states is measured by lab/results/montecarlo.md: off by 0.4 to 2.6 points on average, by 8.4 at most.
//
// Rivals: growth_curve.h needs five more searches, which cost less than the probes, and was five times as
// far off on average (held out, k = 1).
//
// Cost: the probes, together about one and a half times the search.
// Tested by: tests/unit/test_estimate.cpp
#pragma once

#include "base/state_sketch.h"
#include "estimate/estimator.h"

namespace spoor {

class Probes : public Estimator {
 public:
  Answer estimate(const Evidence& evidence) const override;
};

// The figures of the sets of states met that the estimator uses. `search`: a search with a filter of the
// larger size; or null.
ProbeFigures probe_figures(const StateSketch* search, const StateSketch& larger, const StateSketch& smaller);

// Has the larger probe entered a long thin part that ended the search?
bool is_structural(const ProbeFigures& figures);

// Has a breadth-first search found many levels for its number of states? Then a confused state hides many.
bool is_long(const FilterRun& run);

}  // namespace spoor
