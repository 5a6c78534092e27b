// The path of a depth-first search: an explicit stack, and what is yet to be followed from it.
//
// The path is a stack of frames: the state, the step by which it was entered, how many of its
// successors are still to be followed, and what the search at hand notes about it. Those successors lie
// on a second stack (pending_stack.h); they cannot be looked up when they are generated, because one of
// them may be reached first through another, and then the path on which it is visited, and with it every
// order that observers rely on, would be a different one.
//
// All successors of a state get their keys and their slots prefetched before the first is looked up;
// the majority of successors are known already, so several are looked up in a row.
//
// An observer is told of a state when it is left, with all of its steps; until then they are kept here
// (followed_steps.h).
//
// The states on the path are pinned, where the store forgets states.
//
// Which successors to enter, and when to leave a state, is the search's business: dfs.h, weak_cycles.h,
// components.h and nested_dfs.h.
//
// Cost: per state on the path 8 bytes, 8 more where the path is to be a trace, and the note; 32 bytes plus
// its length for every successor not yet followed.
//
// Invariants:
//   1. The sum of `pending` over all frames is the number of entries on the pending stack, and
//      the entries of deeper frames lie above those of shallower ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

#include "base/buffer.h"
#include "model/system.h"
#include "search/core.h"
#include "search/followed_steps.h"
#include "search/pending_stack.h"
#include "search/state_numbers.h"
#include "search/worker.h"
#include "store/chunked_vector.h"

namespace spoor {

// A name of a step that lies at a multiple of 4 bytes, because a frame has many of these.
class PackedStepId {
 public:
  PackedStepId() = default;
  PackedStepId(StepId step)  // NOLINT(google-explicit-constructor)
      : low_(static_cast<std::uint32_t>(step.number())),
        high_(static_cast<std::uint32_t>(step.number() >> 32)) {}
  operator StepId() const {  // NOLINT(google-explicit-constructor)
    return StepId(std::uint64_t{high_} << 32 | low_);
  }

 private:
  std::uint32_t low_ = 0, high_ = 0;
};
struct NoStepId {
  NoStepId() = default;
  NoStepId(StepId) {}  // NOLINT(google-explicit-constructor)
};

// `kKeepsSteps`: the search makes traces of the path.
template <VisitedSet Store, class Note, bool kKeepsSteps>
class SearchPath {
 public:
  struct Frame {
    StateIndex state = kNoState;
    std::uint32_t pending = 0;  // successors still to be followed
    [[no_unique_address]] Note note = {};
    // By which the state was entered; meaningless for the first.
    [[no_unique_address]] std::conditional_t<kKeepsSteps, PackedStepId, NoStepId> step = {};
  };
  // At the end of a step.
  struct Arrival {
    Insertion found;
    std::uint64_t key = 0;
    StepId step;
    Marks marks = 0;
    StateBytes bytes;  // valid until a state is entered
  };

  SearchPath(SearchCore<Store>& core, SearchWorker<Store>& worker) : core_(core), worker_(worker) {}
  // What is on the path when a search ends early is told all the same.
  ~SearchPath() {
    if (!worker_.tells_steps()) return;
    for (; !frames_.empty(); frames_.pop_back()) tell(false);
  }
  SearchPath(const SearchPath&) = delete;
  SearchPath& operator=(const SearchPath&) = delete;

  bool empty() const { return frames_.empty(); }
  std::size_t size() const { return frames_.size(); }
  const Frame& operator[](std::size_t i) const { return frames_[i]; }
  Frame& top() { return frames_.back(); }

  // The state becomes the last of the path, and is expanded. False: it must not be, because it is too deep;
  // the path is then as before.
  bool enter(StateIndex state, StateBytes bytes, StepId step, bool in_full) {
    const std::uint64_t depth = frames_.size();
    core_.note_depth(depth);
    if (core_.is_beyond_depth_limit(depth)) return false;
    frames_.push_back({state, 0, {}, step});
    is_reduced_ = false;
    if constexpr (Store::kForgetsStates) core_.store().pin(state);
    if (worker_.is_observed()) [[unlikely]] {
      if (frames_.size() == 1) numbers_.name({state, 1});
      if (worker_.tells_steps()) followed_.enter();
    }
    // The same bytes, decoded by the store, which helps it to compute the keys of the successors.
    if constexpr (Store::kKeepsBytes) bytes = core_.store().get(state, decode_buffer_);
    if (worker_.admit(numbers_[state], bytes, depth)) {
      expand(bytes, in_full);
    } else if (worker_.tells_steps()) {
      followed_.skip();
    }
    return true;
  }

  // Was the last expansion?
  bool is_reduced() const { return is_reduced_; }
  // The bytes of the state that was expanded last. REQUIRES: the store keeps bytes.
  StateBytes expanded() const { return expanded_; }

  // REQUIRES: nothing is pending at the last state, and the store keeps bytes.
  void expand_again_in_full() { expand(core_.store().get(top().state, decode_buffer_), true); }

  // Takes the next step of the last state. REQUIRES: there is one pending.
  Arrival follow() {
    Frame& frame = frames_.back();
    --frame.pending;
    const PendingStack::Entry next = pending_.pop();
    const Insertion found = worker_.arrive_at(next.key, next.bytes);
    worker_.count_steps(1, found.is_new ? 1 : 0);
    if (worker_.is_observed()) [[unlikely]] {
      const Insertion named = numbers_.name(found);
      if (worker_.tells_steps()) followed_.add(next.step, named);
    }
    return {found, next.key, next.step, next.marks, next.bytes};
  }

  void leave() {
    if (worker_.tells_steps()) [[unlikely]]
      tell(true);
    if constexpr (Store::kForgetsStates) core_.store().unpin(frames_.back().state);
    frames_.pop_back();
  }

  // Looks at clock and memory now and then; to be called once per state. `others`: bytes that the search
  // has beside the path.
  void poll(std::uint64_t others) {
    if (++since_poll_ < kPollEvery) return;
    since_poll_ = 0;
    worker_.poll(memory_bytes() + others);
    core_.show_progress();
  }
  std::uint64_t memory_bytes() const {
    return frames_.memory_bytes() + pending_.memory_bytes() + decode_buffer_.memory_bytes() +
           followed_.memory_bytes() + numbers_.memory_bytes();
  }

 private:
  // States between two looks at clock and memory.
  static constexpr unsigned kPollEvery = 32;

  void expand(StateBytes state, bool in_full) {
    Frame& frame = frames_.back();
    expanded_ = state;
    worker_.clear();
    worker_.expand(frame.state, state, frames_.size() - 1, in_full);
    worker_.prepare(decode_buffer_);
    const Expansion& expansion = worker_.expansion();
    const Buffer<Successor>& successors = expansion.successors;
    const bool is_shuffled = core_.options().shuffle != 0 && successors.size() > 1;
    if (is_shuffled) shuffle(successors.size());
    for (std::size_t at = successors.size(); at-- > 0;) {
      const std::size_t i = is_shuffled ? shuffled_[at] : at;
      const Marks marks = i < expansion.marks.size() ? expansion.marks[i] : 0;
      pending_.push(worker_.keys()[i], successors[i].step, marks, expansion.state(successors[i]));
    }
    is_reduced_ = expansion.is_reduced;
    if (worker_.tells_steps()) [[unlikely]] {
      followed_.expand(expansion, worker_.last_executed(), in_full);
      for (std::size_t i = 0; i < expansion.labels.size(); ++i)
        followed_.add_label(expansion.labels[is_shuffled ? shuffled_[i] : i]);
      for (std::size_t i = 0; i < expansion.marks.size(); ++i)
        followed_.add_marks(expansion.marks[is_shuffled ? shuffled_[i] : i]);
    }
    frame.pending = static_cast<std::uint32_t>(successors.size());
    worker_.count_steps(0, 0, expansion.inner_steps);
  }

  // Reports the last state of the path.
  void tell(bool is_complete) {
    followed_.leave(numbers_[frames_.back().state], is_complete,
                    [&](const ExpandedEvent& event) { worker_.tell_expanded(event); });
  }

  // A random order of so many.
  void shuffle(std::size_t count) {
    shuffled_.resize(count);
    std::iota(shuffled_.begin(), shuffled_.end(), 0u);
    std::shuffle(shuffled_.begin(), shuffled_.end(), random_);
  }

  SearchCore<Store>& core_;
  SearchWorker<Store>& worker_;
  std::mt19937_64 random_{core_.options().shuffle};
  std::vector<std::uint32_t> shuffled_;
  ChunkedVector<Frame> frames_;
  PendingStack pending_;
  FollowedSteps followed_;                      // where there is an observer
  StateNumbers<Store> numbers_;                 // the same
  typename Store::DecodeBuffer decode_buffer_;  // of the state expanded last
  StateBytes expanded_;
  unsigned since_poll_ = 0;
  bool is_reduced_ = false;
};

}  // namespace spoor
