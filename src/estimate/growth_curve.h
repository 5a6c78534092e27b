// The growth curve of Ikeda, Jibiki and Kuno, fitted to six runs.
//
// The idea. As long as a filter is far too small, all its bits are set in the end, and twice the bits see
// twice the states; when it is large enough, all M states are seen and more bits change nothing. In between
// the growth is held back by what has been seen already, the more so the fewer hash functions there are:
// with t = log2(m), dN/dt = r (1 - (N/M)^k) N, so
//
//     N(t) = M / (1 + C e^(-k r t))^(1/k)                                                     (4)
//
// M, C and r are fitted to the last six sizes by nonlinear least squares (Levenberg and Marquardt;
// Eigen's). Where that does not converge, r is fixed at ln 2, the rate of a filter that is filled; where
// that does not either, there is no estimate. The coverage is N/M of the largest run.
//
// What the paper leaves open: when a fit has failed. Here it has when the solver says so, when r is not
// positive, and when M comes out at more than a thousand times the states of the largest run: then the runs
// show no sign of an end, and the number is noise. A fit whose M is smaller than the N of the largest run
// means that all was seen.
//
// The fit is in log M and log C, which keeps both positive, and t counts from the largest run, which keeps
// C of a size that a solver can deal with. The residuals are those of N itself, as in the paper: the large
// runs count for more.
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
    double determination = 0;  // R^2: how much of the variation of N the curve explains
    bool has_fixed_rate = false;
  };

  Answer estimate(const Evidence& evidence) const override;

  // Of all the runs; nothing where it fails. REQUIRES: there is no objection to them.
  static std::optional<Fit> fit(std::span<const FilterRun> runs);
  // N of a filter with `hashes` functions, at t.
  static double value(const Fit& fit, unsigned hashes, double t);
};

}  // namespace spoor
