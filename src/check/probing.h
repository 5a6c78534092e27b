// The probes that judge a search (search/probe.h, estimate/probes.h).
#pragma once

#include <cstdint>
#include <optional>

#include "base/state_sketch.h"
#include "estimate/estimator.h"
#include "model/system.h"
#include "search/search.h"

namespace spoor {

struct Probing {
  std::uint64_t from_bits = 0, to_bits = 0;  // of the filters: doubled from one to the other
  std::uint64_t seed = 1;                    // of the search
  // What a search with a filter of `to_bits` has met; or null.
  const StateSketch* beside = nullptr;
};

struct Probed {
  std::optional<ProbeFigures> figures;  // of the last two that came to their end
  std::uint64_t bits = 0;               // of the larger one's filter
  std::optional<LimitHit> limit;        // why there are no more
};

// Probes with filters of `from_bits` / 2, `from_bits` and so on. Of `options`, the limits (of all together)
// and reduce matter.
Probed probe_growing(const TransitionSystem& system, SearchOptions options, const Probing& how);

inline constexpr std::uint64_t kFewestProbeBits = std::uint64_t{1} << 10;
// How many bits the filter of a probe has that is to judge a search which kept so many states.
std::uint64_t probe_bits_for(std::uint64_t states);

}  // namespace spoor
