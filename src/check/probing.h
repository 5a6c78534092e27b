// The probes that estimate the coverage of a search (search/probe.h, estimate/probes.h).
//
// The idea. Two probes, with filters of B and B/2 bits, are a pair. The larger the pair, the better the
// estimate. The time of a probe grows at most as the size of its filter does, but for cache misses; and a
// probe with a filter of the search's size expands about as many states as the search (median 1.06 times as
// many, in nine of ten cases less than 1.8). So the time of a small pair predicts that of a larger one: the
// next pair is the largest that fits into the time that is left, at most 16 times the size of the last one
// (four times where that took less than a hundredth of a second). A pair that the limit ends after all costs
// nothing but time: it has four fifths of what is left, and a smaller one follows. With two threads the
// probes of a pair run beside each other, unless the memory is not enough for both at a time.
//
// Rivals. A series of doubled sizes takes twice the time of its largest probe, and ends at a quarter to a
// half of the size that the time allows. A single pair of the predicted size has no answer where the
// prediction is wrong.
//
// Thread safety: one thread. Tested by: tests/unit/test_probing.cpp, tests/suites/test_coverage.py
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/state_sketch.h"
#include "estimate/estimator.h"
#include "model/system.h"
#include "search/probe.h"
#include "search/search.h"

namespace spoor {

struct Probing {
  std::uint64_t from_bits = 0, to_bits = 0;  // the first and the largest size of the larger probe's filter
  std::uint64_t seed = 1;                    // of the search
  // The states met by a search with a filter of `beside_bits`; or null.
  const StateSketch* beside = nullptr;
  std::uint64_t beside_bits = 0;
  // Filters larger than `enough_bits` are used only within the first `further_s` seconds; 0: there is no such
  // restriction.
  std::uint64_t enough_bits = 0;
  double further_s = 0;
  unsigned threads = 1;
  // A probe with a filter of `enough_bits` is expected to expand as many states as this; 0: unknown.
  std::uint64_t states_of_search = 0;
  // Where a limit ends the first pair, the size is halved, down to this; 0: it is not.
  std::uint64_t least_bits = 0;
};

struct Probed {
  std::optional<ProbeFigures> figures;  // of the last complete pair
  std::uint64_t bits = 0;               // of the filter of its larger probe
  std::optional<LimitHit> limit;        // the limit that ended the last pair, if any
};

class GrowingProbes {
 public:
  // Only the limits on memory, the interrupt and `reduce` of `options` are used.
  GrowingProbes(const TransitionSystem& system, const SearchOptions& options, const Probing& how);

  // Probes for at most so many seconds more, possibly infinite. Continues where the last call has ended.
  void grow(double seconds);
  const Probed& probed() const { return probed_; }

 private:
  // False: a limit ended it.
  bool run_pair(std::uint64_t bits, const Limits& limits);
  void run_beside(const std::vector<std::uint64_t>& sizes, const Budget& budget);
  ProbeResult run(std::uint64_t bits, const Limits& limits) const;
  void keep(std::uint64_t bits, ProbeResult&& result);
  std::uint64_t next_size(const Budget& budget) const;
  double predicted_s(std::uint64_t bits) const;
  double left_s(std::uint64_t bits, const Budget& budget) const;
  double seconds_for(std::uint64_t bits, const Budget& budget) const;

  const TransitionSystem& system_;
  SearchOptions options_;
  const Probing how_;
  bool is_parallel_;
  std::uint64_t most_bits_;
  const Budget clock_;                             // of all calls
  std::map<std::uint64_t, ProbeResult> complete_;  // by the size of the filter
  Probed probed_;
};

// All probes in one call. Only the limits (of all probes together) and `reduce` of `options` are used.
Probed probe_growing(const TransitionSystem& system, const SearchOptions& options, const Probing& how);

inline constexpr std::uint64_t kFewestProbeBits = std::uint64_t{1} << 10;
// The size of the filter of a probe beside a search that kept so many states.
std::uint64_t probe_bits_for(std::uint64_t states);

}  // namespace spoor
