// A sketch of a set of states that is not stored: the number of states, and a sample that shows how many
// states two sets share.
//
// The sample. Of all hashes the 4096 smallest are kept. They are a random choice of the states, and the
// same choice in every set: below the end of the sample that ends first, two sets have an element in
// common if and only if both samples have it. (Samples of the k smallest values: Cohen and Kaplan, PODC
// 2007.)
//
// Cost: a comparison per hash that is not among the smallest, beside that of distinct_counter.h; 80 KiB.
// Tested by: tests/unit/test_distinct_counter.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/distinct_counter.h"

namespace spoor {

class HashSample {
 public:
  static constexpr std::size_t kSize = 4096;

  void add(std::uint64_t hash) {
    if (hash >= end_) [[likely]]
      return;
    kept_.push_back(hash);
    if (kept_.size() >= 2 * kSize) shrink();
  }
  void add(const HashSample& other);

  // Ascending, each once.
  std::vector<std::uint64_t> hashes() const;
  // All hashes below it are in the sample.
  std::uint64_t end() const { return end_; }

 private:
  void shrink();

  std::vector<std::uint64_t> kept_;  // in any order, possibly with duplicates
  std::uint64_t end_ = UINT64_MAX;
};

struct StateSketch {
  DistinctCounter count;
  HashSample sample;

  void add(std::uint64_t hash) {
    count.add(hash);
    sample.add(hash);
  }
  void add(const StateSketch& other) {
    count.add(other.count);
    sample.add(other.sample);
  }
};

// The share of the states of one set that are in the other, and the number of sampled states that it is
// computed from.
struct SharedPart {
  double share = 0;
  std::size_t sampled = 0;
};
SharedPart shared_part(const HashSample& of, const HashSample& with);

}  // namespace spoor
