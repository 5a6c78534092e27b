// Curves through points: nonlinear least squares by the method of Levenberg and Marquardt (Eigen's).
//
// A curve is a function from its parameters to the residuals at all points. Only this file decides whether a
// fit has failed: the solver must report convergence, and every residual must be finite.
#pragma once

#include <optional>

#include <Eigen/Core>
#include <unsupported/Eigen/NonLinearOptimization>
#include <unsupported/Eigen/NumericalDiff>

namespace spoor {

// A curve that says there are over so many times the states that were seen has not been fitted to them.
constexpr double kMostTimesSeen = 1000;

// A curve in the form that Eigen's solver requires.
template <class Residuals>
struct ResidualsForEigen {
  using Scalar = double;
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

  const Residuals* curve;
  Eigen::Index parameters, points;

  int inputs() const { return static_cast<int>(parameters); }
  int values() const { return static_cast<int>(points); }
  int operator()(const Eigen::VectorXd& x, Eigen::VectorXd& out) const {
    curve->at(x, out);
    return out.allFinite() ? 0 : -1;
  }
};

// `Residuals`: a class with `void at(const Eigen::VectorXd& parameters, Eigen::VectorXd& residuals) const`.
// Nothing where the fit has failed.
template <class Residuals>
std::optional<Eigen::VectorXd> least_squares(const Residuals& residuals, Eigen::VectorXd parameters,
                                             Eigen::Index points) {
  using Adapter = ResidualsForEigen<Residuals>;
  const Adapter adapter{&residuals, parameters.size(), points};
  Eigen::NumericalDiff<Adapter> differentiated(adapter);
  Eigen::LevenbergMarquardt<Eigen::NumericalDiff<Adapter>> solver(differentiated);
  solver.parameters.maxfev = 2000;
  using namespace Eigen::LevenbergMarquardtSpace;
  const Status status = solver.minimize(parameters);
  const bool has_converged = status == RelativeReductionTooSmall || status == RelativeErrorTooSmall ||
                             status == RelativeErrorAndReductionTooSmall || status == CosinusTooSmall;
  return has_converged && parameters.allFinite() ? std::optional(parameters) : std::nullopt;
}

}  // namespace spoor
