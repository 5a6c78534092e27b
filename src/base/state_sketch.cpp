#include "base/state_sketch.h"

#include <algorithm>
#include <iterator>

namespace spoor {

void HashSample::add(const HashSample& other) {
  end_ = std::min(end_, other.end_);
  for (const std::uint64_t hash : other.kept_) add(hash);
  shrink();
}

std::vector<std::uint64_t> HashSample::hashes() const {
  std::vector<std::uint64_t> sorted = kept_;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  sorted.erase(std::lower_bound(sorted.begin(), sorted.end(), end_), sorted.end());
  return sorted;
}

void HashSample::shrink() {
  kept_ = hashes();
  if (kept_.size() <= kSize) return;
  end_ = kept_[kSize];
  kept_.resize(kSize);
}

SharedPart shared_part(const HashSample& of, const HashSample& with) {
  const std::uint64_t end = std::min(of.end(), with.end());
  std::vector<std::uint64_t> first = of.hashes();
  const std::vector<std::uint64_t> second = with.hashes();
  first.erase(std::lower_bound(first.begin(), first.end(), end), first.end());
  std::vector<std::uint64_t> both;
  std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(both));
  if (first.empty()) return {};
  return {static_cast<double>(both.size()) / static_cast<double>(first.size()), first.size()};
}

}  // namespace spoor
