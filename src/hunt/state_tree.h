// The states that a method has found, each with the step that led to it: a visited set and a search tree.
//
// States are kept by the exact store, which gives them numbers 0, 1, 2, ...; what is known of a state is in
// an array beside it. Where a shorter way to a state is found, it gets another parent (`shorten`): depths of
// the states below it are then bounds, and traces are shorter than they say. A parent's depth is always less
// than that of the state, so no way leads back to itself.
//
// Cost: the store's bytes per state, and 16. Thread safety: none. Tested by: tests/unit/test_hunt.cpp
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hunt/method.h"
#include "model/system.h"
#include "store/exact.h"

namespace spoor {

class StateTree {
 public:
  StateTree() { store_.enter(); }
  ~StateTree() { store_.leave(); }
  StateTree(const StateTree&) = delete;
  StateTree& operator=(const StateTree&) = delete;

  // The state, with this way to it if it is new. `parent`: kNoState for the initial state.
  Insertion add(StateBytes state, StateIndex parent, StepId step) {
    const Insertion inserted = store_.insert(writer_, ExactStore::key(state), state);
    if (inserted.is_new) {
      nodes_.push_back({step, parent, parent == kNoState ? 0 : nodes_[parent].depth + 1});
      depth_ = std::max(depth_, nodes_.back().depth);
    }
    return inserted;
  }
  bool contains(StateBytes state) const { return store_.find(ExactStore::key(state), state) != kNoState; }
  // Valid until the next call. The state is not moved by `add`.
  StateBytes bytes(StateIndex state) { return store_.get(state, buffer_); }

  // Takes this way if it is shorter than the known one.
  bool shorten(StateIndex state, StateIndex parent, StepId step) {
    if (nodes_[parent].depth + 1 >= nodes_[state].depth) return false;
    nodes_[state] = {step, parent, nodes_[parent].depth + 1};
    return true;
  }

  std::uint32_t depth(StateIndex state) const { return nodes_[state].depth; }
  std::uint64_t size() const { return nodes_.size(); }
  std::uint32_t greatest_depth() const { return depth_; }

  std::vector<StepId> steps_to(StateIndex state) const {
    std::vector<StepId> steps;
    for (StateIndex at = state; nodes_[at].parent != kNoState; at = nodes_[at].parent)
      steps.push_back(nodes_[at].step);
    std::ranges::reverse(steps);
    return steps;
  }
  // The trace to a finding of the state, or of one of its steps.
  Violation violation(StateIndex state, const Finding& finding) const {
    Violation found{finding, steps_to(state)};
    if (finding.step != Finding::kStateItself) found.steps.push_back(finding.step);
    return found;
  }

  std::uint64_t memory_bytes() const {
    return store_.memory_bytes() + nodes_.capacity() * sizeof(Node) + buffer_.memory_bytes();
  }

 private:
  struct Node {
    StepId step;
    StateIndex parent = kNoState;
    std::uint32_t depth = 0;
  };

  ExactStore store_{1};
  ExactStore::Writer writer_;
  ExactStore::DecodeBuffer buffer_;
  std::vector<Node> nodes_;
  std::uint32_t depth_ = 0;
};

// The number of steps of a trace to this finding of a state at this depth, or of one of its steps.
inline std::uint32_t length_of(const Finding& finding, std::uint32_t depth) {
  return finding.step == Finding::kStateItself ? depth : depth + 1;
}

}  // namespace spoor
