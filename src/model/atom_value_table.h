// The truth of a claim's atoms in many states, in four bytes each: few combinations occur.
//
// Tested by: tests/unit/test_reduction_plan.cpp, tests/suites/test_regression.py
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/propositions.h"

namespace spoor {

class AtomValueTable {
 public:
  const AtomValues& operator[](std::uint32_t number) const { return values_[number]; }
  std::size_t size() const { return values_.size(); }

  // The number of these values, a new one if need be.
  std::uint32_t number_of(const AtomValues& values) {
    if (!values_.empty() && is_it(last_, values)) return last_;
    for (auto [at, end] = by_truth_.equal_range(values.truth); at != end; ++at) {
      if (is_it(at->second, values)) return last_ = at->second;
    }
    values_.push_back(values);
    last_ = static_cast<std::uint32_t>(values_.size() - 1);
    by_truth_.emplace(values.truth, last_);
    return last_;
  }

 private:
  bool is_it(std::uint32_t number, const AtomValues& values) const {
    return values_[number].truth == values.truth && values_[number].failed == values.failed;
  }

  std::vector<AtomValues> values_;  // each once
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_truth_;
  std::uint32_t last_ = 0;
};

}  // namespace spoor
