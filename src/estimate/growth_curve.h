// The growth curve of Ikeda, Jibiki and Kuno, fitted to six runs.
//
// The idea. As long as a filter is far too small, all its bits are set at the end, and a filter of twice the
// size sees twice the states; when it is large enough, all M states are seen and more bits change nothing. In
// between, the growth slows down with the share of states seen, the more so the fewer hash functions there
// are: with t = log2(m), dN/dt = r (1 - (N/M)^k) N, so
//
//     N(t) = M / (1 + C e^(-k r t))^(1/k)                                                     (4)
//
// M, C and r are fitted to the last six sizes by nonlinear least squares (Levenberg and Marquardt;
// Eigen's). Where that does not converge, r is fixed at ln 2, the rate of a filter that is filled; where
// that does not converge either, there is no estimate. The coverage is N/M of the largest run.
//
// The paper does not define when a fit has failed. Here it has failed when the solver says so, when r is not
// positive, and when M is more than a thousand times the states of the largest run: then the growth of the
// runs does not slow down, and M is noise. A fit whose M is smaller than the N of the largest run means that
// all states were seen.
//
// The parameters are log M and log C, which keeps both positive, and t counts from the largest run, which
// keeps C in a range that a solver can handle. The residuals are those of N itself, as in the paper: large
// runs have more weight.
//
// Citation: S. Ikeda, M. Jibiki, Y. Kuno, "Coverage estimation in model checking with bitstate hashing",
// IEEE TSE 39(4), 2013.
// Tested by: tests/unit/test_estimate.cpp
#pragma once

#include "estimate/estimator.h"

namespace spoor {

class GrowthCurve : public Estimator {
 public:
  static constexpr std::size_t kRuns = 6;

  // A fitted curve; t counts from the size of the largest run.
  struct Fit {
    double total = 0;          // M
    double constant = 0;       // C
    double rate = 0;           // r
    double determination = 0;  // R^2: the share of the variation of N that the curve explains
    bool has_fixed_rate = false;
  };

  Answer estimate(const Evidence& evidence) const override;

  // The fit to all runs; nothing where it fails. REQUIRES: objection() is empty for the runs.
  static std::optional<Fit> fit(std::span<const FilterRun> runs);
  // N of a filter with `hashes` functions, at t.
  static double value(const Fit& fit, unsigned hashes, double t);
};

}  // namespace spoor
