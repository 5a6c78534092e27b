// The steps that were followed from the states on the path of a depth-first search, for its observer.
//
// A depth-first search follows the steps of a state one by one, and other states' in between; its observer is
// told of all of them together (observer.h). So they wait here, on a stack: those of the last state of the
// path lie above those of the states before it.
//
// An expansion of the same state in full (dfs.h) begins anew: the steps of the reduced one do not count.
//
// The labels of a state's steps are known when it is expanded, and wait on a stack of their own: those of
// steps that were not followed are left out in the end.
//
// Cost: 16 bytes per step of a state on the path, 4 more for its label. Nothing where there is no observer.
// Tested by: tests/unit/test_observer.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/observer.h"

namespace spoor {

class FollowedSteps {
 public:
  // A state becomes the last of the path.
  void enter() { frames_.push_back({steps_.size(), labels_.size(), marks_.size(), findings_.size()}); }
  // It is not expanded.
  void skip() { frames_.back().is_skipped = true; }
  // It is, once more perhaps.
  void expand(const Expansion& expansion, std::uint32_t executed, bool in_full) {
    Frame& frame = frames_.back();
    cut_to(frame);
    const std::span<const Finding> findings = expansion.last_findings();
    findings_.insert(findings_.end(), findings.begin(), findings.end());
    frame.was_reduced = expansion.is_reduced || expansion.is_reduced_for_deadlocks;
    frame.is_again_in_full = in_full;
    frame.inner_steps = expansion.inner_steps;
    frame.executed = executed;
  }
  // The label of the next of its steps, in the order in which they will be followed.
  void add_label(std::uint32_t label) { labels_.push_back(label); }
  // The same of its marks.
  void add_marks(Marks marks) { marks_.push_back(marks); }
  void add(StepId step, Insertion arrival) {
    steps_.push_back(step);
    arrivals_.push_back(arrival);
  }
  // The last state of the path leaves it. `tell` gets an ExpandedEvent, if the state was expanded.
  template <class Tell>
  void leave(StateIndex state, bool is_complete, const Tell& tell) {
    const Frame frame = frames_.back();
    frames_.pop_back();
    if (!frame.is_skipped) {
      const std::span<const std::uint32_t> labels = std::span(labels_).subspan(frame.first_label);
      const std::span<const Marks> marks = std::span(marks_).subspan(frame.first_marks);
      const std::size_t followed = steps_.size() - frame.first_step;
      ExpandedEvent event;
      event.source = state;
      event.steps = StepNames(std::span<const StepId>(steps_).subspan(frame.first_step));
      event.arrivals = std::span(arrivals_).subspan(frame.first_step);
      event.labels = labels.first(std::min(labels.size(), followed));
      event.marks = marks.first(std::min(marks.size(), followed));
      event.findings = std::span(findings_).subspan(frame.first_finding);
      event.was_reduced = frame.was_reduced;
      event.is_again_in_full = frame.is_again_in_full;
      event.is_complete = is_complete;
      event.inner_steps = frame.inner_steps;
      event.executed = frame.executed;
      tell(event);
    }
    cut_to(frame);
  }

  std::uint64_t memory_bytes() const {
    return frames_.capacity() * sizeof(Frame) + steps_.capacity() * sizeof(StepId) +
           arrivals_.capacity() * sizeof(Insertion) + labels_.capacity() * sizeof(std::uint32_t) +
           marks_.capacity() * sizeof(Marks) + findings_.capacity() * sizeof(Finding);
  }

 private:
  struct Frame {
    std::size_t first_step = 0;
    std::size_t first_label = 0;
    std::size_t first_marks = 0;
    std::size_t first_finding = 0;
    std::uint64_t inner_steps = 0;
    std::uint32_t executed = 0;
    bool was_reduced = false;
    bool is_again_in_full = false;
    bool is_skipped = false;
  };

  void cut_to(const Frame& frame) {
    steps_.resize(frame.first_step);
    arrivals_.resize(frame.first_step);
    labels_.resize(frame.first_label);
    marks_.resize(frame.first_marks);
    findings_.resize(frame.first_finding);
  }

  std::vector<Frame> frames_;
  std::vector<StepId> steps_;
  std::vector<Insertion> arrivals_;
  std::vector<std::uint32_t> labels_;
  std::vector<Marks> marks_;
  std::vector<Finding> findings_;
};

}  // namespace spoor
