// A model that was edited, as a system that uses what is known of the version before.
//
// The states of this system are the numbers of a KnownGraph (known_graph.h): `expand` reads the steps of a
// usable state from the recording, and expands the others by the new version. A search of this system is a
// search of the new version that executes only what the edit can influence: it has the same states, steps,
// findings and executed statements, with every order, store and number of threads, and so has everything that
// is built upon a search. Where only the verdict and the figures of a breadth-first search are wanted, walk.h
// has them for less.
//
// Reductions. What the old version left out at an untouched state the new one leaves out, too: the flags that
// decide it belong to the elements (exec/elements.h; what stubborn sets look at does, too, but with them
// there is no recording of safety). Whether leaving out was allowed depends on the search (the proviso),
// which decides it anew: of a state that was expanded twice both answers are stored.
//
// Names of steps. The k-th stored step of a state has a name that says so, `stored_step(k)`, and no step of a
// model has. `steps_below` turns a trace into one of the new version, by expanding the states along it.
//
// Thread safety: as TransitionSystem demands. Tested by: tests/unit/test_recording.cpp,
// tests/suites/test_regression.py
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "evidence/known_graph.h"
#include "model/layer.h"

namespace spoor {

class RecordedSystem : public LayerOver<TransitionSystem> {
 public:
  // `deadlocks_only`: leaving out steps has no proviso (Expansion::is_reduced_for_deadlocks). The arguments
  // must live as long as this system.
  RecordedSystem(const KnownGraph& graph, const TransitionSystem& after, bool deadlocks_only);

  std::vector<std::byte> initial_state() const override;
  void expand(StateBytes state, Expansion& out) const override;
  Explanation explain(StateBytes state, StepId step) const override;

  // The state of the new version that a state of this system stands for.
  std::vector<std::byte> bytes_of(StateBytes state) const;
  // The same for many, one after the other; the bytes are valid until the next call.
  std::function<StateBytes(StateBytes)> bytes_reader() const;
  // The same steps from the initial state, with their names in the new version.
  std::vector<StepId> steps_below(const std::vector<StepId>& steps) const;

  // States that the new version has expanded, or is about to.
  std::uint64_t expanded() const { return expanded_.load(std::memory_order_relaxed) + graph_.new_states(); }

 private:
  struct Workspace;

  StateBytes state_below(StateBytes state, std::vector<std::byte>& room) const override {
    room = bytes_of(state);
    return room;
  }
  Workspace& workspace_of(Expansion& out) const;
  bool expand_stored(StateIndex number, Expansion& out) const;
  void expand_below(StateIndex number, Expansion& out) const;
  // The name of a stored step in the new version, and the successor. REQUIRES: there is such a step.
  StepId real_step(StateBytes bytes, StateIndex number, std::uint64_t ordinal,
                   std::vector<std::byte>& target) const;

  const KnownGraph& graph_;
  const bool deadlocks_only_;
  mutable std::vector<std::uint8_t> is_expanded_;    // by recorded state: by the new version
  mutable std::atomic<std::uint64_t> expanded_ = 0;  // so many of these
};

}  // namespace spoor
