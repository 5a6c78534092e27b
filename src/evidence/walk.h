// Checks an edited model again by walking the graph of the version before.
//
// The idea. Breadth-first from the new initial state, by the numbers of a KnownGraph (known_graph.h): at a
// usable state the stored steps are followed, a few nanoseconds each; any other state is expanded by the new
// version, and its successors are looked up. A state is visited only over steps of the new version, and
// exactly its steps in the new version are followed. So the walk visits the states that a full search visits,
// and it visits them in the same order: a stored entry has the steps in the order of an expansion. Number of
// states, steps, depth and executed statements are those of a breadth-first search with one thread.
//
// Why not a search of the recorded system (recorded_system.h), which gives the same answers: that one
// decodes, hashes and stores every state, and so takes about as long as a full check. Here a state is a bit.
//
// What is left to that search: whatever needs more than figures. When the new version finds anything wrong
// at a state, the walk gives up, and the search of the recorded system finds it again, with its trace.
//
// In batches. The states that come next in the queue, as far as they have to be expanded, are expanded and
// their successors looked up before the first of them is visited: so that one wait for memory serves many.
// What a state leads to does not depend on what was visited, but for the proviso, which is asked when it is
// the state's turn. Where one of them finds something wrong, the walk has no result anyway.
//
// Reductions. Of a state that was reduced the stored steps are those of the reduced expansion, and the
// proviso (search/bfs.h: one of them leads to the next level) is asked here as it is there. Where it fails,
// the state is expanded in full; of a state for which it failed before, both answers are stored.
//
// The recording of the new version (known_expander.h). A recorded state that is not usable and was not
// visited gets an entry that says so: its steps are those of the old version. States that were not visited
// stay otherwise: their steps are right, and another edit may lead to them again.
//
// Cost: 20 to 40 instructions per stored step, 4 bytes for the queue and 1 for the mark per state.
// Thread safety: none. Tested by: tests/unit/test_recording.cpp, tests/suites/test_regression.py
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evidence/known_expander.h"
#include "evidence/known_graph.h"
#include "model/budget.h"
#include "search/search.h"

namespace spoor {

struct WalkOptions {
  bool reduces = false;         // steps are left out where that is sound (SearchOptions::reduce)
  bool deadlocks_only = false;  // and without a proviso
  bool records = true;          // save() may be called
  // Of the steps so far, so many may be executed, as a share. Where there are more, the walk gives up, once
  // it has visited a sixteenth of the recorded states.
  double most_executed = std::numeric_limits<double>::infinity();
  Limits limits;  // where one is reached, it gives up, too
  FindingKinds counted = FindingKinds::all();
};

class Walk {
 public:
  // The arguments must live as long as the walk.
  Walk(const KnownGraph& graph, const TransitionSystem& after, const WalkOptions& options);

  // The result of a search that holds; nothing where something is wrong, or it is time to give up. Throws
  // what KnownGraph and the system throw.
  std::optional<SearchResult> run();

  // States that the new version has expanded.
  std::uint64_t expanded() const { return expanded_; }
  // Why it has given up, if not because of something wrong.
  bool has_executed_too_many() const { return has_executed_too_many_; }
  bool has_reached_limit() const { return budget_.is_over(); }

  // Writes the graph of the new version (KnownExpander::save). `head`: what it is about; elements and number
  // of states are filled in. REQUIRES: run() has had a result; WalkOptions::records.
  void save(RecordingHead head, PackedStates&& states, FramedReader& before, const std::string& path);

 private:
  void visit(StateIndex number) {
    if (number >= marks_.size()) [[unlikely]]
      marks_.resize(std::max<std::size_t>(number + 1, marks_.size() * 5 / 4));
    if (marks_[number] != kUnknown) return;
    marks_[number] = kOfNextLevel;
    queue_.push_back(number);
  }
  bool is_of_next_level(StateIndex number) const { return marks_[number] == kOfNextLevel; }
  // Does the proviso allow an expansion with these targets to leave out steps?
  bool leads_on(std::span<const std::uint32_t> targets) const;

  using Batch = KnownExpander::Batch;

  // False, also below: something is wrong.
  bool follow(StateIndex number);
  bool follow_tried(StateIndex number);
  // Expands those of the next states in the queue that are not usable, and sets batch_end_.
  bool expand_batch(std::size_t begin);
  // Appends the answers for a state.
  bool expand(StateIndex number, bool may_reduce, Batch& batch);
  // It is the turn of a state of the batch.
  bool arrive(StateIndex number, const Batch& batch, const KnownExpander::State& state);
  bool expand_alone(StateIndex number);
  void take_targets(const Batch& batch, const KnownExpander::State& state);
  void count(std::uint64_t steps, std::uint64_t inner_steps) {
    transitions_ += steps;
    inner_steps_ += inner_steps;
  }
  // After so many states.
  bool must_give_up(std::size_t visited);
  std::uint64_t memory_bytes() const;
  std::vector<std::uint8_t> executed() const;  // flags
  SearchResult result() const;

  enum Mark : std::uint8_t { kUnknown, kVisited, kOfNextLevel };

  const KnownGraph& graph_;
  const TransitionSystem& after_;
  const WalkOptions options_;
  Budget budget_;
  KnownExpander expander_;
  std::vector<std::uint8_t> marks_;       // by number: a Mark
  std::vector<StateIndex> queue_;         // all that were visited, in order
  std::vector<std::uint8_t> is_set_met_;  // by set of statements of the recording
  std::uint64_t transitions_ = 1, inner_steps_ = 0, depth_ = 0;
  std::uint64_t expanded_ = 0;
  bool has_executed_too_many_ = false;

  Batch batch_, single_;
  std::size_t next_ = 0;       // state of batch_ whose turn it is
  std::size_t batch_end_ = 0;  // in the queue
  RecordedState stored_;
};

}  // namespace spoor
