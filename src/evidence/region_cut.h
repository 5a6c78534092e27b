// Where the tree of new transitions is cut into regions (certificate.h), and how large these are.
//
// The idea. Producers tell of states such that all children of a state come before it. A state joins the
// pieces of its children: each is a part of the tree that hangs together, with the child as its root. A piece
// that is large enough is not joined; it becomes a region, to which the state refers. Large enough is one
// with `least` transitions. Where the joined piece would be larger than twice that, because many small ones
// come together, the largest of them become regions, too, unless they have less than an eighth of `least`.
// So a region has 2 * least transitions at most where no state has more than some ten children.
//
// How large. Roots are most of what a region adds to the file, so that large regions make small files. But
// workers take regions as they become free, and the one that takes the last is late by a region. That is what
// bounds the size: at the end, and only there. Let T be all transitions, R those of the regions that are yet
// to come, in the order of the file, and let n workers take regions of s transitions. The next to be free has
// taken at most (T - R) / n, so that it has (T - R) / n + s with the next one. The largest task is then T /
// n, and a part of T that is tolerated, where
//
//     s <= R / n + tolerated * T          for each region.
//
// So the first regions may be large, and they become smaller as the file ends, as in guided self-scheduling
// (Polychronopoulos and Kuck 1987), where loops are divided like that. Here n = 100, a thousandth is
// tolerated, and `least` is half of this bound. Example: of 1,000,000 transitions the first regions could
// have 5,500 at least, the last ones have 500. Rival: equal regions of T / 2000, of which there are more than
// 1,000. R is an estimate: a piece may wait for its parent while other regions are written, longest in low
// and wide trees. Where it is too large for its place, the certifier helps, which takes the largest of a
// group first.
//
// A hundred workers with equal parts are not the only aim: regions are also what is done again when a worker
// dies, and what the memory of a certifier depends on. So there is a largest size (`most_least`), and T /
// 10,000 above it for large models; and kFewestSteps, below which roots would be most of the file.
//
// A reduced state keeps one child, the smallest, because the certifier demands a new transition of it.
//
// Cost: none for a state whose joined piece is small, which is nearly every state; otherwise its children are
// sorted. Invariant: the sum of all pieces that were cut off and that of the root is T.
// Tested by: tests/unit/test_region_cut.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

namespace spoor {

class RegionCut {
 public:
  static constexpr std::uint64_t kOneRegion = UINT64_MAX;  // of most_least: nothing is cut
  static constexpr std::uint64_t kLeastSteps = 1000;       // of most_least, where nothing else is wanted
  static constexpr std::uint64_t kMostRegions = 10'000;    // about
  static constexpr std::uint64_t kFewestSteps = 250;
  static constexpr std::uint64_t kWorkers = 100, kTolerated = 1000;  // a thousandth

  // `steps`: of all states.
  RegionCut(std::uint64_t most_least, std::uint64_t steps)
      : most_least_(std::max(most_least, steps / kMostRegions)),
        tolerated_(steps / kTolerated),
        rest_(steps) {
    set_least();
  }

  // Must choose() be asked? Otherwise a state with a joined piece of so many transitions keeps all children.
  bool is_large(std::uint64_t joined) const { return joined >= least_; }

  // Which children of a state are cut off, by their indexes in `pieces`, which are their transitions.
  // `joined`: those of the state and of all pieces; those that stay together are left. The answer is there
  // until the next call.
  std::span<const std::size_t> choose(bool was_reduced, std::span<const std::uint64_t> pieces,
                                      std::uint64_t& joined) {
    order_.resize(pieces.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, std::greater(), [&](std::size_t child) { return pieces[child]; });
    const std::size_t most = pieces.size() - (was_reduced && !pieces.empty() ? 1 : 0);
    std::size_t cut = 0;
    for (; cut < most; ++cut) {
      const std::uint64_t piece = pieces[order_[cut]];
      const bool makes_room = joined / 2 >= least_ && piece >= least_ / 8;
      if (piece < least_ && !makes_room) break;
      joined -= piece;
      rest_ -= piece;
    }
    if (cut != 0) set_least();
    return std::span(order_).first(cut);
  }

 private:
  void set_least() {
    const std::uint64_t guided = std::max((rest_ / kWorkers + tolerated_) / 2, kFewestSteps);
    least_ = most_least_ == kOneRegion ? kOneRegion : std::min(guided, most_least_);
  }

  const std::uint64_t most_least_, tolerated_;
  std::uint64_t rest_;  // steps of regions that are yet to come
  std::uint64_t least_ = 0;
  std::vector<std::size_t> order_;
};

}  // namespace spoor
