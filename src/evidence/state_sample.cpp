#include "evidence/state_sample.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace spoor {
namespace {

// 31 bits, so that there is always a number above it.
std::uint32_t short_hash(StateBytes state) { return static_cast<std::uint32_t>(hash_bytes(state) >> 33); }

}  // namespace

StateSample::StateSample(std::uint64_t states)
    : element_stride_(states / kElements + 1),
      hash_stride_(states / kHashes + 1),
      next_elements_(0),
      next_hash_(0) {}

void StateSample::add(const TransitionSystem& system, StateBytes state) {
  const std::uint64_t place = next();
  if (place == next_elements_) {
    next_elements_ += element_stride_;
    if (!state.empty()) add_elements(system, state);
  }
  if (place == next_hash_) {
    next_hash_ += hash_stride_;
    if (!state.empty()) hashes_.push_back(short_hash(state));
  }
}

void StateSample::add_elements(const TransitionSystem& system, StateBytes state) {
  std::vector<std::uint32_t> sets;
  system.element_sets_of(state, sets);
  std::ranges::sort(sets);
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  ++counts_[std::move(sets)];
}

std::optional<double> StateSample::share_with(const std::vector<bool>& sets) const {
  std::uint64_t with = 0, all = 0;
  for (const auto& [of_state, count] : counts_) {
    const bool has_one =
        std::ranges::any_of(of_state, [&](std::uint32_t set) { return set >= sets.size() || sets[set]; });
    with += has_one ? count : 0;
    all += count;
  }
  if (all == 0) return std::nullopt;
  return static_cast<double>(with) / static_cast<double>(all);
}

bool StateSample::has(StateBytes state) const {
  return std::ranges::binary_search(hashes_, short_hash(state));
}

void StateSample::put(std::string& to) const {
  spoor::put(to, counts_.size());
  for (const auto& [sets, count] : counts_) {
    spoor::put(to, count);
    put_ascending(to, sets);
  }
  std::vector<std::uint32_t> hashes = hashes_;
  std::ranges::sort(hashes);
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  spoor::put(to, hash_stride_);
  put_ascending(to, hashes);
}

void StateSample::read(RecordReader& reader) {
  for (std::uint64_t left = reader.number(); left > 0; --left) {
    const std::uint64_t count = reader.number();
    std::vector<std::uint32_t> sets;
    read_ascending(reader, sets);
    if (count > UINT32_MAX || !counts_.emplace(std::move(sets), static_cast<std::uint32_t>(count)).second)
      throw_damaged();
  }
  hash_stride_ = reader.number();
  if (hash_stride_ == 0) throw_damaged();
  read_ascending(reader, hashes_);
}

}  // namespace spoor
