#include "cli/probing.h"

#include <algorithm>
#include <bit>

#include "estimate/probes.h"
#include "search/probe.h"

namespace spoor::cli {
namespace {

constexpr std::uint64_t kBitsPerState = 8;
constexpr std::uint64_t kFewestBits = std::uint64_t{1} << 10;
constexpr std::uint64_t kOtherSeed = 1'000'003;  // than that of the search

}  // namespace

Probing probe_twice(const TransitionSystem& system, SearchOptions options, std::uint64_t bits, std::uint64_t seed, const StateSketch* beside) {
  options.filter.bits = bits;
  options.filter.seed = seed + kOtherSeed;
  const ProbeResult larger = probe(system, options);
  if (larger.limit) return {std::nullopt, larger.limit};
  options.filter.bits /= 2;
  options.filter.seed += 1;
  if (!is_valid(options.filter)) return {};
  if (options.limits.seconds != 0) options.limits.seconds = std::max(1e-3, options.limits.seconds - larger.elapsed_s);
  const ProbeResult smaller = probe(system, options);
  if (smaller.limit) return {std::nullopt, smaller.limit};
  return {probe_figures(beside, larger.met, smaller.met), std::nullopt};
}

std::uint64_t probe_bits_for(std::uint64_t states) {
  return std::clamp(std::bit_floor(kBitsPerState * std::max<std::uint64_t>(1, states)), kFewestBits, std::uint64_t{1} << FilterOptions::kMostLogBits);
}

}  // namespace spoor::cli
