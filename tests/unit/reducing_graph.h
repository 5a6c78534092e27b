// A graph some of whose states may be expanded in part: partial-order reduction as far as searches see it.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "base/hash.h"
#include "graph/fixed.h"

namespace spoor::certified {

class ReducingGraph : public FixedGraph {
 public:
  // Which states, and how many of their steps: the seed says.
  ReducingGraph(FixedGraphOptions options, std::uint64_t seed)
      : FixedGraph(std::move(options)), seed_(seed) {}

  void expand(StateBytes state, Expansion& out) const override {
    FixedGraph::expand(state, out);
    const std::uint64_t hash = (hash_bytes(state) ^ seed_) * 0x9e3779b97f4a7c15 >> 32;
    const std::size_t steps = out.last_successors().size();
    if (!out.asked.may_reduce || hash % 2 == 0 || steps < 2) return;
    out.keep_successors(out.first_successor + 1 + (hash >> 1) % (steps - 1));
    out.is_reduced = true;
    ++reduced_;
  }
  // How many expansions were reduced.
  std::uint64_t reduced() const { return reduced_; }

 private:
  const std::uint64_t seed_;
  mutable std::atomic<std::uint64_t> reduced_ = 0;
};

}  // namespace spoor::certified
