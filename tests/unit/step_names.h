// Names of steps as tests write them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "model/step_id.h"

namespace spoor {

// Of a system with one group: the ordinals are the names.
inline std::vector<StepId> step_names(std::initializer_list<std::uint64_t> ordinals) {
  std::vector<StepId> names;
  for (const std::uint64_t ordinal : ordinals) names.emplace_back(ordinal);
  return names;
}

}  // namespace spoor
