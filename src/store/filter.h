// A filter of bits as a user chooses it, and what it says about itself afterwards.
//
// A filter forgets states without noticing, so a search that used one owes its reader a figure for
// that. There are several, each with its own assumptions, and none of them is the truth:
//
//   fraction_set      the share p of the bits that are set.
//   hash_factor       bits per state, m/N. Holzmann's rule of thumb: above 100, all is well.
//   uninterrupted     how many new states in a row are expected to be noticed as new by the filter as
//                     it is in the end: 1/f - 1, if f is the chance to take a new state for a known
//                     one. For a classic filter f = p^k; for a blocked one the mean over its lines
//                     of (share of the line's bits that are set)^k. Both are exact.
//   omission_bound    a bound on the chance that anything was omitted, see below.
//
// What has no value is not given. How much of the model was seen is another question: src/estimate/.
//
// The bound. Up to the first omission the search is the one that an exact store would have made, and
// with i states in the filter exactly one new state is looked up. So the chance that the first
// omission came while there were at most N states is at most f(0) + ... + f(N), whatever the model and
// however many states it has: a search that ends with N states and says "at most x" is wrong with a
// probability of at most x. (If the hash functions are uniform and independent.) A filter that is
// filled well has a bound of 1: then there is no telling. For a blocked filter f(i) is the mean over a
// line's share of the i states, which is Poisson distributed; summed over i that is
//
//     lines * sum over j of g(j) P(a line gets more than j states)
//
// with g(j) the chance when j states share a line, which is computed throw by throw. To f(i), i/2^64
// is added, as positions are derived from a key of 64 bits.
//
// Cost: some milliseconds.
// Tested by: tests/unit/test_bitstate.cpp
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace spoor {

class DistinctCounter;
struct StateSketch;

enum class FilterKind : std::uint8_t { kClassic, kBlocked };
const char* to_string(FilterKind kind);

struct FilterOptions {
  static constexpr unsigned kLeastLogBits = 6;         // a word
  static constexpr unsigned kLeastLogBitsBlocked = 9;  // a line
  static constexpr unsigned kMostLogBits = 40;
  static constexpr unsigned kMostHashes = 8;
  static constexpr std::uint64_t kDefaultBits = std::uint64_t{1} << 30;

  std::uint64_t bits = kDefaultBits;  // m: a power of two within these bounds
  unsigned hashes = 3;                // k: from 1 on
  FilterKind kind = FilterKind::kClassic;
  std::uint64_t seed = 1;
  bool counts_met = false;  // count the different states that are met, and those that are new, by sketches
};
bool is_valid(const FilterOptions& options);
// Why not, as a sentence without its full stop; empty where they are.
std::string mistake_in(const FilterOptions& options);

// The largest filter that takes no more than this, within the bounds above.
std::uint64_t filter_bits_within(std::uint64_t bytes);

// Of a blocked filter.
inline constexpr unsigned kLineBits = 512;

struct FilterFigures {
  FilterOptions options;
  std::uint64_t states = 0;  // N: how many were new
  std::uint64_t bits_set = 0;
  double fraction_set = 0;
  std::optional<double> hash_factor;
  std::optional<double> uninterrupted;
  bool is_complete = false;  // the search went on until nothing was left to do
  // How many different states were met, those included that were taken for known; where
  // FilterOptions::counts_met.
  std::optional<double> met;
  std::shared_ptr<const StateSketch> met_sketch;
  std::shared_ptr<const DistinctCounter> seen;  // the states that were new; where they are counted
};

// The chance to take a new state for a known one when there are so many in the filter.
double false_positive_rate(const FilterOptions& options, double states);

// A bound on the chance that a search which ended with so many states has omitted any.
double omission_bound(const FilterOptions& options, std::uint64_t states);

// How many new states a classic filter takes for known, by itself, until it has this many.
double expected_omissions(const FilterOptions& options, std::uint64_t states);

}  // namespace spoor
