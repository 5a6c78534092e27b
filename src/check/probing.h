// The probes that estimate the coverage of a search (search/probe.h, estimate/probes.h).
#pragma once

#include <cstdint>
#include <optional>

#include "base/state_sketch.h"
#include "estimate/estimator.h"
#include "model/system.h"
#include "search/search.h"

namespace spoor {

struct Probing {
  std::uint64_t from_bits = 0, to_bits = 0;  // the smallest and the largest filter; the sizes double
  std::uint64_t seed = 1;                    // of the search
  // The states met by a search with a filter of `beside_bits`; or null.
  const StateSketch* beside = nullptr;
  std::uint64_t beside_bits = 0;
  // Filters larger than `enough_bits` are used only within the first `further_s` seconds; 0: there is no such
  // restriction.
  std::uint64_t enough_bits = 0;
  double further_s = 0;
};

struct Probed {
  std::optional<ProbeFigures> figures;  // of the last two complete probes
  std::uint64_t bits = 0;               // of the filter of the larger probe
  std::optional<LimitHit> limit;        // the limit that ended the probes, if any
};

// Probes with filters of `from_bits` / 2, `from_bits` and so on. Only the limits (of all probes together)
// and `reduce` of `options` are used.
Probed probe_growing(const TransitionSystem& system, SearchOptions options, const Probing& how);

inline constexpr std::uint64_t kFewestProbeBits = std::uint64_t{1} << 10;
// The size of the filter of a probe beside a search that kept so many states.
std::uint64_t probe_bits_for(std::uint64_t states);

}  // namespace spoor
