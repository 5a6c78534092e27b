// A model that was edited, as a system that uses what is known of the version before.
//
// The idea. A state none of whose elements is changed has the same successors in both versions, in the same
// order (Element, model/system.h). So where such a state was expanded by the search that was recorded, its
// steps are read from the recording; every other state is expanded by the new version. The states of this
// system are numbers: first those of the recording, then, from its size on, new ones. A search of this
// system is a search of the new version that executes only what the edit can influence: it has the same
// states, steps, findings and executed statements, with every order, store and number of threads, and so has
// everything that is built upon a search. There is no second search to be trusted.
//
//   number of the recording, untouched        stored steps, a few nanoseconds each
//   number of the recording, touched, or      the state is translated to the new version (state_layout.h),
//   not expanded, or with findings            expanded, and its successors are looked up
//   another number                            the same without translation: it is kept as the new version
//                                             has it
//
// Looking up. A successor is translated to the old version and looked for among the recorded states. A state
// that is found counts only if its translation back is the successor itself: where the edit adds a variable,
// an old state stands for the new one with the initial value, and the others are new states. Where it removes
// one, several old states would be the same new one; the one with the initial value stands for it. That is
// enough: no step of an untouched state writes a variable which only one version has, because a statement
// that names it is changed; so the stored steps of a state that stands for a new one lead to states that do.
//
// Reductions. What the old version left out at an untouched state the new one leaves out, too: the flags that
// decide it belong to the elements (exec/elements.h; not so stubborn sets, which look at all the future: with
// them there is no recording). Whether leaving out was allowed depends on the search (the proviso), which
// decides it anew: of a state that was expanded twice both answers are stored.
//
// Names of steps. The k-th stored step of a state has a name that says so, `stored_step(k)`, and no step of a
// model has. `steps_below` turns a trace into one of the new version, by expanding the states along it.
//
// Thread safety: as TransitionSystem demands. Tested by: tests/unit/test_recorded_system.cpp,
// tests/suites/test_regression.py
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "evidence/recording.h"
#include "model/compare_elements.h"
#include "model/layer.h"
#include "model/state_layout.h"
#include "store/exact.h"

namespace spoor {

class RecordedSystem : public LayerOver<TransitionSystem> {
 public:
  struct Use {
    unsigned threads = 1;         // so many will expand at the same time
    bool deadlocks_only = false;  // leaving out steps has no proviso (Expansion::is_reduced_for_deadlocks)
  };
  // `before`: the version that was recorded. Null, with the reason in `why_not`, where the recording is of no
  // use for this version. The systems and the recording must live as long as this one.
  static std::unique_ptr<const RecordedSystem> make(const Recording& recording,
                                                    const TransitionSystem& before,
                                                    const TransitionSystem& after, Use use,
                                                    std::string& why_not);

  std::vector<std::byte> initial_state() const override;
  void expand(StateBytes state, Expansion& out) const override;
  Explanation explain(StateBytes state, StepId step) const override;

  // The state of the new version that a state of this system stands for.
  std::vector<std::byte> bytes_of(StateBytes state) const;
  // The same for many, one after the other; the bytes are valid until the next call.
  std::function<StateBytes(StateBytes)> bytes_reader() const;
  // The same steps from the initial state, with their names in the new version.
  std::vector<StepId> steps_below(const std::vector<StepId>& steps) const;

  struct Figures {
    std::size_t locations = 0;   // of the old version
    std::size_t changed = 0;     // of these: those that depend on an element that is changed or gone
    std::uint64_t recorded = 0;  // states
    std::uint64_t usable = 0;    // of these: those whose stored steps can be followed
    std::uint64_t expanded = 0;  // states that the new version has expanded, or is about to
  };
  Figures figures() const;

 private:
  struct Workspace;

  RecordedSystem(const Recording& recording, const TransitionSystem& before, const TransitionSystem& after,
                 Use use);
  // Why the recording cannot be used; empty: it can.
  std::string read_recording();
  bool is_usable(StateIndex number) const { return number < places_.size() && places_[number] != kUnusable; }

  StateBytes state_below(StateBytes state, std::vector<std::byte>& room) const override {
    room = bytes_of(state);
    return room;
  }
  std::shared_ptr<void> make_workspace() const;
  Workspace& workspace_of(Expansion& out) const;
  StateBytes bytes_of(StateIndex number, Workspace& own) const;
  StateIndex number_of(StateBytes bytes, Workspace& own) const;
  void read_stored(StateIndex number, RecordedState& stored) const;
  bool expand_stored(StateIndex number, Expansion& out) const;
  void expand_below(StateIndex number, Expansion& out) const;
  // The name of a stored step in the new version, and the successor. REQUIRES: there is such a step.
  StepId real_step(StateBytes bytes, StateIndex number, std::uint64_t ordinal,
                   std::vector<std::byte>& target) const;

  static constexpr std::uint64_t kUnusable = UINT64_MAX;

  const Recording& recording_;
  const TransitionSystem& before_;
  const Use use_;
  const ElementComparison to_after_, to_before_;
  Figures figures_;
  bool is_identity_ = false;
  ExactStore old_states_;
  mutable ExactStore new_states_;
  std::vector<std::uint64_t> places_;  // by recorded state: its entry in Recording::steps, or kUnusable
  std::vector<std::vector<std::uint32_t>> executed_;  // as in the recording, statements of the new version
  mutable std::vector<std::uint8_t> is_expanded_;     // by recorded state: by the new version
  mutable std::atomic<std::uint64_t> expanded_ = 0;   // so many of these
};

}  // namespace spoor
