#include "ltl/bdd.h"

#include <algorithm>
#include <utility>

namespace spoor::ltl {

Bdds::Bdds() {
  nodes_.push_back({UINT32_MAX, kFalse, kFalse});
  nodes_.push_back({UINT32_MAX, kTrue, kTrue});
  grant(20'000'000, 500'000);
}

void Bdds::grant(std::size_t operations, std::size_t nodes) {
  operations_ = operations;
  limit_ = nodes_.size() + nodes;
}

Bdd Bdds::node(std::uint32_t variable, Bdd low, Bdd high) {
  if (low == high) return low;
  const Key key{variable, low, high};
  const auto found = unique_.find(key);
  if (found != unique_.end()) return found->second;
  // Throws before any change: the manager is used again afterwards.
  if (nodes_.size() >= limit_) throw TooLarge();
  const auto made = static_cast<Bdd>(nodes_.size());
  nodes_.push_back({variable, low, high});
  unique_.emplace(key, made);
  return made;
}

Bdd Bdds::variable(std::uint32_t index, bool positive) {
  return positive ? node(index, kFalse, kTrue) : node(index, kTrue, kFalse);
}

Bdd Bdds::if_then_else(Bdd f, Bdd g, Bdd h) {
  if (f == kTrue || g == h) return g;
  if (f == kFalse) return h;
  if (g == kTrue && h == kFalse) return f;
  if (operations_ == 0) throw TooLarge();
  --operations_;
  const Key key{f, g, h};
  const auto known = computed_.find(key);
  if (known != computed_.end()) return known->second;
  const std::uint32_t variable = std::min({top(f), top(g), top(h)});
  const auto half = [&](Bdd a, bool is_high) { return top(a) != variable ? a : is_high ? high(a) : low(a); };
  const Bdd when_low = if_then_else(half(f, false), half(g, false), half(h, false));
  const Bdd when_high = if_then_else(half(f, true), half(g, true), half(h, true));
  const Bdd result = node(variable, when_low, when_high);
  constexpr std::size_t kMaxRemembered = 2'000'000;
  if (computed_.size() > kMaxRemembered) computed_.clear();
  computed_.emplace(key, result);
  return result;
}

// Appends cubes of a set between `lower` and `upper`, and returns that set.
Bdd Bdds::cover(Bdd lower, Bdd upper, std::vector<Literals>& cubes) {
  if (lower == kFalse) return kFalse;
  if (upper == kTrue) {
    cubes.emplace_back();
    return kTrue;
  }
  const std::uint32_t variable = std::min(top(lower), top(upper));
  const auto half = [&](Bdd a, bool is_high) { return top(a) != variable ? a : is_high ? high(a) : low(a); };
  const Bdd lower_0 = half(lower, false), lower_1 = half(lower, true);
  const Bdd upper_0 = half(upper, false), upper_1 = half(upper, true);
  const std::size_t first = cubes.size();
  const Bdd only_0 = cover(without(lower_0, upper_1), upper_0, cubes);
  const std::size_t second = cubes.size();
  const Bdd only_1 = cover(without(lower_1, upper_0), upper_1, cubes);
  const std::size_t third = cubes.size();
  const Bdd rest_0 = without(lower_0, only_0);
  const Bdd rest = either(rest_0, without(lower_1, only_1));
  const Bdd common = cover(rest, both(upper_0, upper_1), cubes);
  for (std::size_t i = first; i < third; ++i) {
    cubes[i].insert(cubes[i].begin(), {variable, i >= second});
  }
  constexpr std::size_t kMaxCubes = 200'000;
  if (cubes.size() > kMaxCubes) throw TooLarge();
  const Bdd covered_0 = either(only_0, common);
  return node(variable, covered_0, either(only_1, common));
}

std::vector<Literals> Bdds::irredundant_cubes(Bdd a) {
  std::vector<Literals> cubes;
  cover(a, a, cubes);
  return cubes;
}

}  // namespace spoor::ltl
