// Random graphs, for tests and experiments that need a state space and no language.
#pragma once

#include <cstdint>

#include "graph/graph.h"

namespace spoor {

struct RandomGraphOptions {
  std::uint64_t seed = 1;
  std::uint32_t states = 100;
  // Each state has 0 to 2 * degree edges, every number equally likely; targets are uniform. From a
  // degree of about 2 on most states can be reached.
  std::uint32_t degree = 2;
  std::uint32_t labels = 4;
};

// The same options give the same graph on every machine. The initial state is 0.
// REQUIRES: states > 0, labels > 0.
Graph random_graph(const RandomGraphOptions& options);

}  // namespace spoor
