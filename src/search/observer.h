// What can be told about a search while it runs, and what can be answered.
//
// An observer is where recording, scripts and counting live, so that no search has to know of them.
// It is told of every step; a progress listener, now and then, of the figures. All members of an
// observer have a default that does nothing and agrees to everything.
//
// Order of calls. on_state(s) comes once for every state that is about to be expanded (so not for
// those at a depth limit) and precedes every on_step that leaves s; the steps of s are reported in
// the order of TransitionSystem::expand. A breadth-first search asks about a small batch of states
// before it follows their steps; both sequences are in the order of the states' indexes. Once a
// violation has decided it, it may still ask about the rest of the level, whose steps it does not
// follow. A depth-first search reports the arrival at a new state, then all that happens below
// it, then on_leave, then the next step of its source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/level.h"
#include "model/system.h"
#include "store/visited_set.h"

namespace spoor {

struct Violation {
  Finding finding;
  // The trace: ordinals of attempts, from the initial state on. For a finding of a step the last
  // one is that step; for a finding of a state they lead to that state.
  std::vector<std::uint32_t> attempts;
  // Of a cycle: how many steps lead to it; those behind them are the cycle, and can be repeated for ever.
  std::optional<std::size_t> loop = std::nullopt;
};

struct Statistics {
  std::uint64_t states = 0;       // distinct, the initial one included
  std::uint64_t transitions = 0;  // arrivals: the initial state, and every successor generated
  std::uint64_t matched = 0;      // arrivals at a state that was there already
  std::uint64_t inner_steps = 0;  // inside indivisible sequences
  std::uint64_t skipped = 0;      // states that the observer did not want expanded
  std::uint64_t depth = 0;        // steps from the initial state to the deepest one, on the search's path
  std::uint64_t findings = 0;     // occurrences of counted findings, not distinct ones
  double elapsed_s = 0;
  double cpu_s = 0;
  std::uint64_t memory_bytes = 0;  // peak of what the search allocated
};

// kSkip: the observer vouches that nothing below this state needs to be looked at; the verdict of
// the search is then only as good as its word. kStop: end with LimitHit::kObserver.
enum class Visit : std::uint8_t { kExpand, kSkip, kStop };

struct StateEvent {
  StateIndex index = kNoState;
  StateBytes bytes;
  std::uint64_t depth = 0;
};

struct StepEvent {
  StateIndex source = kNoState;
  std::uint32_t attempt = 0;
  StateIndex target = kNoState;
  bool is_new = false;  // the first arrival at the target
};

class Observer {
 public:
  virtual ~Observer() = default;

  virtual Visit on_state(const StateEvent&) { return Visit::kExpand; }
  virtual void on_step(const StepEvent&) {}
  // Depth-first only: all steps of this state have been followed. Comes once for every on_state,
  // except for what is on the path when a search ends early.
  virtual void on_leave(StateIndex) {}
  // Once per distinct defect; a second time where a breadth-first search then meets it on a shorter
  // trace within the same level.
  virtual void on_violation(const Violation&) {}
};

class ProgressListener {
 public:
  virtual ~ProgressListener() = default;
  // `levels`: of a breadth-first search; see SearchResult.
  virtual void on_progress(const Statistics&, std::span<const Level> levels) = 0;
};

}  // namespace spoor
