// A level of a breadth-first search: the states at one distance from the initial one.
#pragma once

#include <cstdint>

namespace spoor {

struct Level {
  std::uint64_t states = 0;       // all of the level
  std::uint64_t transitions = 0;  // of the search when it began to expand the level

  bool operator==(const Level&) const = default;
};

}  // namespace spoor
