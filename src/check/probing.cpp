#include "check/probing.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "estimate/probes.h"
#include "search/probe.h"

namespace spoor {
namespace {

constexpr std::uint64_t kBitsPerState = 8;
constexpr std::uint64_t kOtherSeed = 1'000'003;  // different from the seed of the search

}  // namespace

Probed probe_growing(const TransitionSystem& system, SearchOptions options, const Probing& how) {
  Probed probed;
  Budget budget(options.limits);
  std::optional<StateSketch> smaller;
  for (std::uint64_t bits = how.from_bits / 2; bits <= how.to_bits; bits *= 2) {
    options.filter.bits = bits;
    options.filter.seed = how.seed + kOtherSeed +
                          static_cast<std::uint64_t>(std::countr_zero(how.to_bits) - std::countr_zero(bits));
    if (!is_valid(options.filter)) continue;
    options.limits = budget.part();
    if (how.enough_bits != 0 && bits > how.enough_bits) {
      const double left_s = how.further_s - budget.elapsed_s();
      if (left_s <= 0) break;
      options.limits.seconds = std::min(left_s, budget.left_s());
    }
    ProbeResult larger = probe(system, options);
    probed.limit = larger.limit;
    if (larger.limit) break;
    if (smaller) {
      probed.figures = probe_figures(how.beside, larger.met, *smaller);
      if (probed.figures->search)
        probed.figures->search->log_size_ratio =
            std::log2(static_cast<double>(bits) / static_cast<double>(how.beside_bits));
      probed.bits = bits;
    }
    smaller = std::move(larger.met);
    if (bits == how.to_bits || !budget.poll()) continue;
    probed.limit = budget.limit();
    break;
  }
  return probed;
}

std::uint64_t probe_bits_for(std::uint64_t states) {
  return std::clamp(std::bit_floor(kBitsPerState * std::max<std::uint64_t>(1, states)), kFewestProbeBits,
                    std::uint64_t{1} << FilterOptions::kMostLogBits);
}

}  // namespace spoor
