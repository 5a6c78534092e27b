// Expands states of a known graph by the new version, several at once, and writes down what it finds.
//
// What a walk (walk.h) and a closure check (closure_check.h) have in common: states that the recording cannot
// answer for are expanded, and their successors are looked up. One wait for memory serves a whole batch
// (known_graph.h). The entries of these states and the states that are new are the difference between the
// recording of the old version and one of the new version, which `save` writes.
//
// The new recording. All that is usable stays where it is, under its number. Behind it come the entries of
// the states that were expanded, and the states that are new. Where states have the same bytes in both
// versions, what is there is copied as it is stored. Where the layout has changed (a statement that is
// inserted gives other numbers to those below) each state is translated, and keeps its number.
//
// Invariant: a recording has only states that its version can express. Those that stand for none of the new
// version are left out: where a variable is gone, those in which it did not have its initial value; and those
// in which a variable has a value that is dead in the new version. No step of a state that stays leads to one
// of them (known_graph.h). If they stayed, the version after the next, in which the variable is live again,
// could meet them, and would take them for states of which all is known.
//
// Thread safety: none. Tested by: tests/unit/test_recording.cpp, tests/suites/test_regression.py
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "evidence/known_graph.h"
#include "evidence/step_code.h"
#include "model/budget.h"
#include "search/executed_sets.h"
#include "search/search.h"

namespace spoor {

class KnownExpander {
 public:
  // What is known of a state that was expanded.
  struct State {
    std::size_t first = 0, end = 0;  // its successors
    std::uint64_t inner_steps = 0;
    std::uint32_t executed = 0;  // number of a set of statements, for a recording
    bool is_reduced = false, is_reduced_for_deadlocks = false;
  };
  struct Batch {
    Expansion out;
    std::vector<State> states;
    std::vector<StateIndex> targets;  // by successor

    void clear() {
      out.clear();
      states.clear();
    }
    std::span<const StateIndex> targets_of(const State& state) const {
      return std::span(targets).subspan(state.first, state.end - state.first);
    }
  };

  // `records`: entries are written down. `counted`: findings of other kinds are not noticed. The arguments
  // must live as long as the object.
  KnownExpander(const KnownGraph& graph, const TransitionSystem& after, Budget& budget, bool records,
                FindingKinds counted);

  void prepare(Batch& batch);  // once, before its first use
  KnownGraph::Workspace& workspace() { return *own_; }
  // Appends the successors of a state. False: something is wrong there, or the budget is over. The bytes must
  // be those of a state of the new version.
  bool expand(StateBytes state, bool may_reduce, Batch& batch);
  // Looks up all successors of the batch.
  void find_targets(Batch& batch) { graph_.numbers_of(batch.out, batch.targets, *own_); }
  // Writes down what is known of this state.
  void add_entry(StateIndex number, const RecordedState& state) {
    if (records_) encoder_.add(number, state);
  }

  std::uint64_t executed_steps() const { return executed_steps_; }
  // Sets flags of statements that were executed, in one of these batches.
  void add_executed(std::span<const Batch* const> batches, std::vector<std::uint8_t>& flags) const;
  std::uint64_t memory_bytes() const { return new_steps_.memory_bytes(); }

  // Writes the recording of the new version. `head`: what it is about; the number of states is filled in.
  // `states`: those of the recording that the graph is of; both must not be used any more. `before`: the file
  // of it, from which is copied what stays as it is. `ranks`: of all states; null: they have none. Throws
  // FramedFileError, std::bad_alloc.
  void save(RecordingHead head, PackedStates&& states, FramedReader& before, const std::string& path,
            const StateRanks* ranks = nullptr);

 private:
  std::uint32_t take_executed(Expansion& out);
  StateSample sample();
  // Of the new version; chunks go to this file.
  PackedStates translated_states(FramedWriter& file);

  const KnownGraph& graph_;
  const TransitionSystem& after_;
  Budget& budget_;
  const bool records_;
  const FindingKinds counted_;
  std::unique_ptr<KnownGraph::Workspace> own_;
  std::uint64_t executed_steps_ = 0;
  ExecutedSets executed_sets_;
  Chunks new_steps_;
  StepEncoder encoder_{new_steps_};
};

}  // namespace spoor
