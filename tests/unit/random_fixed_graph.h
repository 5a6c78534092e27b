// Random graphs with planted defects.
#pragma once

#include <cstdint>
#include <random>

#include "graph/fixed.h"
#include "model/system.h"

namespace spoor {

// `most_nodes`: of those that edges may mention.
inline FixedGraphOptions random_fixed_graph(std::uint64_t seed, std::uint64_t most_nodes = 200) {
  std::mt19937_64 random(seed);
  FixedGraphOptions options;
  const auto nodes = static_cast<std::uint32_t>(1 + random() % most_nodes);
  const auto edges = random() % (nodes * 3 + 1);
  for (std::uint64_t i = 0; i < edges; ++i) {
    options.edges.emplace_back(random() % nodes, random() % nodes);
  }
  const auto defects = random() % 6;
  for (std::uint64_t i = 0; i < defects; ++i) {
    const StepId step(random() % 3);
    const bool is_of_state = random() % 3 == 0;
    options.planted.push_back(
        {static_cast<std::uint32_t>(random() % nodes),
         {random() % 2 == 0 ? FindingKind::kAssertion : FindingKind::kRuntimeError,
          static_cast<std::uint32_t>(random() % 3), is_of_state ? Finding::kStateItself : step},
         !is_of_state && random() % 2 == 0});
  }
  options.has_deadlocks = random() % 4 == 0;
  options.is_ragged = random() % 2 == 0;
  return options;
}

// One without errors.
inline FixedGraphOptions faultless_fixed_graph(std::uint64_t seed, std::uint64_t most_nodes) {
  FixedGraphOptions options = random_fixed_graph(seed, most_nodes);
  options.planted.clear();
  options.has_deadlocks = false;
  return options;
}

}  // namespace spoor
