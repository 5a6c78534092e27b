// The steps of a search with their marks, and the ranks that prove that no cycle of them is bad.
//
// While a search runs, the graph of what it follows is kept in memory: for each state the numbers of the
// targets of its steps, and which marks they have. When it is over, one depth-first search over the numbers
// finds the strongly connected components (Tarjan), each when all that it leads to have their ranks. A
// component gets the lowest rank that all its steps allow (rank_rule.h):
//
//   m is the highest rank that its steps lead to (0: it leads nowhere else). The rank is m, if those steps
//   may keep m, and the steps within the component may; otherwise the first number above that the steps
//   within may keep. There is one among the next k numbers, because a component that is not bad lacks a
//   mark.
//
// Under the rule kEveryStep only steps with all marks count. Without a bad cycle these have no cycle at all,
// every component is a state, and its rank is the length of the longest path of such steps.
//
// Low ranks that change seldom make small files: a step to a state of the same rank costs nothing there
// (closed_set.h). Rival: a rank per component, numbered in their order, which is simpler and has as many
// ranks as components.
//
// Invariant: a target that has no rank yet when a component is completed belongs to the component.
// Cost: 2 to 6 bytes per step, 4 per state; while the ranks are computed 8 per state, and up to 150 per state
// on the path of that search. Thread safety: none.
// Tested by: tests/unit/test_rank_certificate.cpp, tests/fuzz/ranked_set.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "evidence/chunks.h"
#include "evidence/memory_share.h"
#include "evidence/rank_rule.h"
#include "store/visited_set.h"

namespace spoor {

struct RunStep {
  StateNumber target = 0;
  Marks marks = 0;
};

class RunGraph {
 public:
  // All steps of a state, in the order of its expansion. To be called once per state. Throws std::bad_alloc.
  void add(StateNumber source, std::span<const RunStep> steps);
  // Adds the states of another graph, which has none of those here.
  void add(const RunGraph& other);

  // The numbers of states are below this.
  std::size_t bound() const { return entries_.size(); }
  bool contains(StateNumber state) const { return state < entries_.size() && entries_[state] != kNone; }
  std::uint64_t steps() const { return steps_; }
  std::uint64_t memory_bytes() const {
    return bytes_.memory_bytes() + entries_.capacity() * sizeof(Place) + marks_.capacity() * sizeof(Marks);
  }

  // The steps of a state one by one. REQUIRES: the graph contains it.
  class Steps {
   public:
    Steps(const RunGraph& graph, StateNumber source);
    bool is_at_end() const { return left_ == 0; }
    RunStep next();

   private:
    const RunGraph* graph_;
    const std::uint8_t* at_;
    StateNumber source_;
    std::uint64_t left_;
  };

 private:
  using Place = Chunks::Place;
  static constexpr Place kNone = UINT32_MAX;

  Chunks bytes_;
  std::vector<Place> entries_;  // by state
  std::vector<Marks> marks_;    // those that there are
  std::unordered_map<Marks, std::uint32_t> number_of_;
  std::uint64_t steps_ = 0;
};

// By state; of states that the graph does not contain, any number. Nothing: there is a bad cycle. REQUIRES:
// the graph contains all states that its steps lead to. `memory`: in which this has to be done. Throws
// std::bad_alloc, MemoryShare::Exceeded.
std::optional<std::vector<Rank>> ranks_of(const RunGraph& graph, const RankRule& rule,
                                          const MemoryShare& memory = MemoryShare());

}  // namespace spoor
