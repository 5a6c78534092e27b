// Estimates the number of distinct hashes, in 16 KiB for any number, with an error of about one percent.
//
// The idea (HyperLogLog; Flajolet, Fusy, Gandouet, Meunier 2007). The last bits of a hash choose one of
// 2^14 registers, which keeps the longest run of zeros at the end of the rest of any hash. Long runs are
// rare, so the registers show how many hashes there were; a repeated hash changes nothing. The maximum of the
// registers of two counters is the counter of the union, so the states that several searches have seen
// together are counted without keeping them.
//
// The estimate is Ertl's ("New cardinality estimation algorithms for HyperLogLog sketches", 2017): one
// formula for all sizes, without the tables and thresholds of the original.
//
// Rivals. Linear counting is as good for few hashes and useless for many; the k smallest hashes also tell
// which states two searches share, at 8 bytes each.
//
// Cost: a count of zeros and a comparison per hash. The standard error is 0.81 %.
// Tested by: tests/unit/test_distinct_counter.cpp
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace spoor {

class DistinctCounter {
 public:
  static constexpr unsigned kIndexBits = 14;
  static constexpr double kStandardError = 0.0081;  // 1.04 / sqrt(2^14)

  // Equal things have equal hashes. REQUIRES: a hash all of whose bits are good (hash.h).
  void add(std::uint64_t hash) {
    std::uint8_t& longest = registers_[hash % kRegisters];
    const auto run = static_cast<std::uint8_t>(1 + std::countr_zero(hash >> kIndexBits | kEnd));
    if (run > longest) [[unlikely]]
      longest = run;
  }

  // The result is as if all hashes of the other counter had been added to this one.
  void add(const DistinctCounter& other);

  double estimate() const;

 private:
  static constexpr std::size_t kRegisters = std::size_t{1} << kIndexBits;
  static constexpr unsigned kLongest = 64 - kIndexBits;
  static constexpr std::uint64_t kEnd = std::uint64_t{1} << kLongest;  // no run is longer than there are bits

  std::array<std::uint8_t, kRegisters> registers_{};
};

}  // namespace spoor
