// A sample of the states of a recording, in its head: what an edit touches, and whether it leads to other
// states altogether, is estimated before the recording is read.
//
// Two samples of all states, in the order in which they were found, both at regular distances: which sets of
// elements states have, so that the share that an edit touches is known; and hashes. States that the new
// version reaches are looked up among these (edit_walks.h): where the distance is d and k of n states are
// known, k/d of them are expected to be found.
//
// Cost: up to 200 KB of a file; a state is decoded for each. Tested by: tests/unit/test_state_sample.cpp
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/packed_numbers.h"
#include "model/system.h"

namespace spoor {

class StateSample {
 public:
  static constexpr std::uint64_t kElements = 4096, kHashes = 65536;  // states, about

  StateSample() = default;
  // Of so many states. Every state is asked for by its place in their order.
  explicit StateSample(std::uint64_t states);

  // The place of the state that is wanted next; larger than any other when there is none.
  std::uint64_t next() const { return std::min(next_elements_, next_hash_); }
  // That state. Empty: there is none at this place. `system`: the version that it is of.
  void add(const TransitionSystem& system, StateBytes state);

  // The share of the states that have one of these sets of elements (by set). Nothing: there is no sample.
  std::optional<double> share_with(const std::vector<bool>& sets) const;
  // Was this state sampled? (Two hashes of 31 bits may be equal by chance.)
  bool has(StateBytes state) const;
  // How many of so many recorded states `has` is true of; 0: no sample.
  double expected(std::uint64_t states) const {
    return hashes_.empty() ? 0 : static_cast<double>(states) / static_cast<double>(hash_stride_);
  }

  void put(std::string& to) const;
  // Throws FramedFileError (kDamaged).
  void read(RecordReader& reader);

 private:
  void add_elements(const TransitionSystem& system, StateBytes state);

  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

  std::map<std::vector<std::uint32_t>, std::uint32_t> counts_;  // by sets, ascending
  std::vector<std::uint32_t> hashes_;  // ascending where they were read, else in the order of the states
  std::uint64_t element_stride_ = 1, hash_stride_ = 1;
  std::uint64_t next_elements_ = kNone, next_hash_ = kNone;
};

}  // namespace spoor
