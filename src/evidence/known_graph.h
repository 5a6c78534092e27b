// What a recording knows about an edited model: which states it has, and whose steps can be taken from it.
//
// The idea. A state none of whose elements is changed has the same successors in both versions, in the same
// order (Element, model/system.h). So where such a state was expanded by the search that was recorded, its
// steps can be followed without executing the model: it is *usable*. Every other state has to be expanded by
// the new version. States are numbers here: first those of the recording, then, from its bound on, states
// that the old version did not have.
//
// Looking up. A state of the new version is translated to the old one (state_layout.h) and looked for among
// the recorded states. A state that is found counts only if its translation back is the one that was looked
// for: where the edit adds a variable, an old state stands for the new one with the initial value, and the
// others are new states. Where it removes one, several old states would be the same new one; the one with the
// initial value stands for it. That is enough: no step of a usable state writes a variable which only one
// version has, because a statement that names it is changed; so the stored steps of a state that stands for a
// new one lead to states that do. Where the edit adds no variable the translation back need not be made: it
// is certain to be the same (StateTranslator::is_undone_by).
//
// What is trusted. A file has checksums, which exclude accidents. Of a recorded state that is to be expanded
// it is asked whether the model can have it, so that no file, however made, leads to more
// than a wrong answer.
//
// Several at once. What a lookup costs is waiting for memory: for the slot of the table, the place of the
// code, the code. The states of a batch are therefore looked up in step: each stage asks for what the next
// one reads, of all of them. States that are known to be new are looked for first: these are not translated,
// and an edit that leads to many new states comes to most of them several times.
//
// Cost: one pass over the recording: the code of each state is hashed, and asked where processes are
// (touched_states.h). 10 to 20 bytes per state for the table of states, a bit for the question whether it is
// usable.
// Thread safety: const members, each thread with a Workspace of its own, between enter() and leave().
// Tested by: tests/unit/test_recording.cpp, tests/suites/test_regression.py
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "evidence/recording.h"
#include "evidence/state_table.h"
#include "model/compare_elements.h"
#include "model/state_layout.h"
#include "model/system.h"
#include "store/exact.h"

namespace spoor {

// By set of elements of the old version: does it have one that is changed?
std::vector<bool> changed_sets(const TransitionSystem& before, const ElementComparison& comparison);

struct KnownGraphOptions {
  unsigned threads = 1;  // so many will look up states at the same time
  // A state is usable only if its steps are recorded. Without, no steps are read, and it is enough that the
  // edit does not touch the state.
  bool needs_steps = true;
  // The share of the recorded steps (without steps: states) that must be those of usable states, or the
  // recording is of no use. That is asked of a sample, before the states are read.
  double least_usable = 0;
  // The caller calls read_states() when it wants to look up states. Before that no state is usable.
  bool reads_later = false;
};

class KnownGraph {
 public:
  static constexpr std::size_t kBatch = 32;  // states that are looked up at once

  // `before`: the version that was recorded. Null, with the reason in `why_not`, where the recording is of no
  // use for the version `after`. The first three arguments must live as long as the graph. Throws
  // FramedFileError where the recording contradicts itself.
  static std::unique_ptr<KnownGraph> make(const Recording& recording, const TransitionSystem& before,
                                          const TransitionSystem& after, const KnownGraphOptions& options,
                                          std::string& why_not);

  // Makes the table of states. With KnownGraphOptions::reads_later, to be called once.
  void read_states();

  struct Figures {
    std::size_t locations = 0;   // of the old version
    std::size_t changed = 0;     // of these: those that depend on an element that is changed or gone
    std::uint64_t recorded = 0;  // states
    std::uint64_t usable = 0;    // of these
  };
  const Figures& figures() const { return figures_; }

  // A state that is looked for.
  struct Sought {
    std::vector<std::byte> translated;
    PackedStates::Sought old;     // as a state of the old version; empty: that cannot express it
    StateTable::Place place = 0;  // of the first candidate
    std::size_t at = 0;           // in the batch
  };
  // States of the new version, as they are looked for among those that are new.
  struct AmongNew {
    std::array<std::uint64_t, kBatch> keys, hints;
    std::array<ExactStore::Code, kBatch> codes;
  };
  // What one thread needs.
  struct Workspace {
    ExactStore::Writer writer;
    ExactStore::DecodeBuffer new_room;
    PackedStates::Cursor old_room, compared;
    std::unique_ptr<StateTranslator> to_after, to_before;  // null: bytes are the same
    std::vector<std::byte> translated, back;
    std::array<Sought, kBatch> sought;
    AmongNew among_new;
  };
  std::unique_ptr<Workspace> make_workspace() const;
  void enter() const { new_states_.enter(); }
  void leave() const { new_states_.leave(); }

  // Numbers of recorded states are below this one.
  std::uint32_t bound() const { return bound_; }
  bool is_usable(StateIndex number) const { return number < is_usable_.size() && is_usable_[number]; }
  // Does the edit touch a recorded state, whose bytes these are? `sets`: scratch.
  bool is_touched(StateBytes bytes, std::vector<std::uint32_t>& sets) const;
  // The steps of those that are usable.
  const RecordedSteps& steps() const { return recording_.steps; }
  // Are all statements that were executed known in the new version, one by one?
  bool knows_all_statements() const {
    return std::ranges::all_of(is_known_, [](bool is) { return is; });
  }
  // Sets of executed statements, by their numbers in the recording; statements of the new version.
  const StatementSets& executed() const { return executed_; }

  // The state of the new version that a number stands for, valid until the next call. Throws FramedFileError
  // where the recording has no such state of the model.
  StateBytes bytes_of(StateIndex number, Workspace& own) const;
  // The state of the new version that a recorded one stands for, valid until the next call. Empty: there is
  // no such recorded state, or it stands for none. REQUIRES: number < bound().
  StateBytes new_bytes_of(StateIndex number, Workspace& own) const;
  // Is there a recorded state that stands for none? A recording of the new version must not have it: a later
  // version could meet it, and nothing is known of it.
  bool leaves_out_states(Workspace& own) const;
  // The number that stands for a state, which is a new one if need be. Throws IndexesExhausted.
  StateIndex number_of(StateBytes bytes, Workspace& own) const;
  // The same for all successors of an expansion.
  void numbers_of(const Expansion& out, std::vector<StateIndex>& numbers, Workspace& own) const;
  std::uint64_t new_states() const { return new_states_.size(); }
  // The one with this number, less the bound. Valid until the next call.
  StateBytes new_state(std::uint64_t i, Workspace& own) const {
    return new_states_.get(static_cast<StateIndex>(i), own.new_room);
  }
  // Asks of all recorded states whether the model can have them, so that bytes_of does not throw. Throws
  // FramedFileError.
  void require_states() const;

  const Recording& recording() const { return recording_; }
  // From the old version to the new one.
  const ElementComparison& comparison() const { return to_after_; }
  // Do states have the same bytes in both versions?
  bool is_identity() const { return is_identity_; }
  std::uint64_t memory_bytes() const {
    return is_usable_.capacity() / 8 + table_.memory_bytes() + new_states_.memory_bytes();
  }

 private:
  KnownGraph(const Recording& recording, const TransitionSystem& before, const TransitionSystem& after,
             const KnownGraphOptions& options);
  std::string why_not_usable(double least_usable);
  // The share of the recorded steps that are those of usable states, estimated.
  double usable_share() const;
  bool can_be_followed(std::uint32_t number) const;
  // A batch of at most kBatch states; they lie at `arena`, and an extent has an offset and a length.
  template <class Extent>
  void look_up(const std::byte* arena, std::span<const Extent> extents, StateIndex* numbers,
               Workspace& own) const;
  // The stages of a lookup among the recorded states.
  void prepare(StateBytes bytes, Sought& sought, Workspace& own) const;
  void find_candidate(Sought& sought) const;
  void prefetch_candidate(const Sought& sought) const;
  StateIndex find_recorded(StateBytes bytes, const Sought& sought, Workspace& own) const;

  const Recording& recording_;
  const TransitionSystem& before_;
  const TransitionSystem& after_;
  const ElementComparison to_after_, to_before_;
  const bool asks_steps_;
  const std::uint32_t bound_;
  Figures figures_;
  bool is_identity_ = false;
  bool is_undone_ = false;          // a state that is translated to the old version comes back as the same
  bool all_stand_ = false;          // the same of old states that are translated to the new version
  std::vector<bool> is_known_;      // by set of statements: all of them are in the new version
  std::vector<bool> is_dangerous_;  // by set of elements: one of them is changed
  std::vector<bool> is_usable_;     // by recorded state
  StateTable table_;                // of the recorded states
  StatementSets executed_;
  mutable ExactStore new_states_;
};

// While it lives, this thread looks up states.
class LookingUp {
 public:
  explicit LookingUp(const KnownGraph& graph) : graph_(graph) { graph.enter(); }
  ~LookingUp() { graph_.leave(); }
  LookingUp(const LookingUp&) = delete;
  LookingUp& operator=(const LookingUp&) = delete;

 private:
  const KnownGraph& graph_;
};

}  // namespace spoor
