// The probes that judge a search (search/probe.h, estimate/probes.h).
#pragma once

#include <cstdint>
#include <optional>

#include "base/state_sketch.h"
#include "estimate/estimator.h"
#include "model/system.h"
#include "search/search.h"

namespace spoor::cli {

struct Probing {
  std::optional<ProbeFigures> figures;
  std::optional<LimitHit> limit;  // why there are none
};

// Two probes, one with a filter of this size and one of half of it. `options`: limits, for both together, reduce and interrupt. `beside`:
// what a search with a filter of the larger size has met, or null.
Probing probe_twice(const TransitionSystem& system, SearchOptions options, std::uint64_t bits, std::uint64_t seed, const StateSketch* beside);

// How many bits the filter of a probe has that is to judge a search which kept so many states.
std::uint64_t probe_bits_for(std::uint64_t states);

}  // namespace spoor::cli
