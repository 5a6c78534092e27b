#include "check/probing.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "estimate/probes.h"
#include "search/thread_team.h"

namespace spoor {
namespace {

constexpr std::uint64_t kBitsPerState = 8;
constexpr std::uint64_t kOtherSeed = 1'000'003;  // different from the seed of the search
constexpr std::uint64_t kMostGrowth = 16;        // of the size, from one pair to the next
constexpr std::uint64_t kGrowthOfShort = 4;      // where the last pair was too short for a prediction
constexpr double kTooShort = 0.01;               // seconds
constexpr double kShareForJump = 0.8;            // of the time that is left, for a pair that is much larger
constexpr double kNearly = 1.8;                  // times the time that is left
constexpr double kSlower = 1.25;                 // than predicted: larger filters have more cache misses

bool is_lack_of_memory(std::optional<LimitHit> limit) {
  return limit == LimitHit::kMemory || limit == LimitHit::kOutOfMemory;
}

}  // namespace

GrowingProbes::GrowingProbes(const TransitionSystem& system, const SearchOptions& options, const Probing& how)
    : system_(system), options_(options), how_(how), is_parallel_(how.threads > 1), most_bits_(how.to_bits) {}

ProbeResult GrowingProbes::run(std::uint64_t bits, const Limits& limits) const {
  SearchOptions options = options_;
  options.limits = limits;
  options.filter.bits = bits;
  options.filter.seed = how_.seed + kOtherSeed +
                        static_cast<std::uint64_t>(std::countr_zero(how_.to_bits) - std::countr_zero(bits));
  return probe(system_, options);
}

// The sizes that have no complete probe yet, beside each other; each has half of the memory.
void GrowingProbes::run_beside(const std::vector<std::uint64_t>& sizes, const Budget& budget) {
  const Limits limits = budget.part({.memory = 1.0 / static_cast<double>(sizes.size())});
  std::vector<ProbeResult> results(sizes.size());
  std::atomic<std::size_t> next = 0;
  ThreadTeam team(static_cast<unsigned>(sizes.size()));
  team.run([&](unsigned) {
    for (std::size_t i = next++; i < sizes.size(); i = next++) results[i] = run(sizes[i], limits);
  });
  for (std::size_t i = 0; i < sizes.size(); ++i) keep(sizes[i], std::move(results[i]));
}

void GrowingProbes::keep(std::uint64_t bits, ProbeResult&& result) {
  if (result.limit) {
    probed_.limit = result.limit;
  } else {
    complete_.insert_or_assign(bits, std::move(result));
  }
}

bool GrowingProbes::run_pair(std::uint64_t bits, const Limits& limits) {
  const Budget budget(limits);
  probed_.limit.reset();
  std::vector<std::uint64_t> sizes;
  for (const std::uint64_t size : {bits / 2, bits}) {
    if (!complete_.contains(size)) sizes.push_back(size);
  }
  if (is_parallel_ && sizes.size() > 1) {
    run_beside(sizes, budget);
    if (is_lack_of_memory(probed_.limit)) {
      is_parallel_ = false;
      probed_.limit.reset();
    }
  }
  for (const std::uint64_t size : sizes) {
    if (!probed_.limit && !complete_.contains(size)) keep(size, run(size, budget.part()));
  }
  if (probed_.limit) return false;
  const ProbeResult &larger = complete_.at(bits), &smaller = complete_.at(bits / 2);
  probed_.figures = probe_figures(how_.beside, larger.met, smaller.met);
  if (probed_.figures->search)
    probed_.figures->search->log_size_ratio =
        std::log2(static_cast<double>(bits) / static_cast<double>(how_.beside_bits));
  probed_.bits = bits;
  return true;
}

// REQUIRES: a pair is complete.
double GrowingProbes::predicted_s(std::uint64_t bits) const {
  const ProbeResult& last = complete_.at(probed_.bits);
  const double growth = static_cast<double>(bits) / static_cast<double>(probed_.bits);
  double seconds = last.elapsed_s * growth;
  if (how_.states_of_search != 0 && last.expanded != 0 && bits <= how_.enough_bits) {
    const auto states = static_cast<double>(std::max(how_.states_of_search, last.expanded));
    seconds = std::min(seconds, last.elapsed_s * states / static_cast<double>(last.expanded));
  }
  return kSlower * (is_parallel_ || complete_.contains(bits / 2) ? seconds : 1.5 * seconds);
}

double GrowingProbes::left_s(std::uint64_t bits, const Budget& budget) const {
  const bool is_further = how_.enough_bits != 0 && bits > how_.enough_bits;
  return is_further ? std::min(budget.left_s(), how_.further_s - clock_.elapsed_s()) : budget.left_s();
}

// A pair that is much larger than the last one leaves time for another one, where its time was not predicted.
double GrowingProbes::seconds_for(std::uint64_t bits, const Budget& budget) const {
  const double left = left_s(bits, budget);
  return bits > 2 * probed_.bits ? kShareForJump * left : left;
}

// The largest that fits into the time; 0: none.
std::uint64_t GrowingProbes::next_size(const Budget& budget) const {
  if (probed_.bits == 0) {
    const std::uint64_t bits = std::min(how_.from_bits, most_bits_);
    if (!is_valid(FilterOptions{.bits = bits / 2})) return 0;  // no pair is so small
    return bits == how_.from_bits || (how_.least_bits != 0 && bits >= how_.least_bits) ? bits : 0;
  }
  const std::uint64_t growth =
      complete_.at(probed_.bits).elapsed_s < kTooShort ? kGrowthOfShort : kMostGrowth;
  for (std::uint64_t bits = std::min(growth * probed_.bits, most_bits_); bits > probed_.bits; bits /= 2) {
    if (predicted_s(bits) <= seconds_for(bits, budget)) return bits;
  }
  // Predictions are rather too high than too low, so twice the size is tried where it nearly fits.
  const std::uint64_t next = 2 * probed_.bits;
  return next <= most_bits_ && predicted_s(next) <= kNearly * left_s(next, budget) ? next : 0;
}

void GrowingProbes::grow(double seconds) {
  if (seconds <= 0) return;
  if (!is_lack_of_memory(probed_.limit)) most_bits_ = how_.to_bits;  // a limit of an earlier call
  Limits limits = options_.limits;
  limits.seconds = std::isfinite(seconds) ? seconds : 0;
  Budget budget(limits);
  for (std::uint64_t bits = next_size(budget); bits != 0; bits = next_size(budget)) {
    if (budget.poll()) {
      probed_.limit = budget.limit();
      return;
    }
    Limits of_pair = budget.part();
    const double seconds_of_pair = seconds_for(bits, budget);
    if (seconds_of_pair <= 0) return;
    if (std::isfinite(seconds_of_pair)) of_pair.seconds = seconds_of_pair;
    if (run_pair(bits, of_pair)) continue;
    if (budget.is_interrupted()) return;
    most_bits_ = bits / 2;
  }
}

Probed probe_growing(const TransitionSystem& system, const SearchOptions& options, const Probing& how) {
  GrowingProbes probes(system, options, how);
  const double seconds = options.limits.seconds;
  probes.grow(seconds == 0 ? std::numeric_limits<double>::infinity() : seconds);
  return probes.probed();
}

std::uint64_t probe_bits_for(std::uint64_t states) {
  return std::clamp(std::bit_floor(kBitsPerState * std::max<std::uint64_t>(1, states)), kFewestProbeBits,
                    std::uint64_t{1} << FilterOptions::kMostLogBits);
}

}  // namespace spoor
