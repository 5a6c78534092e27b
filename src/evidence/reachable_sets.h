// Of every recorded state: what can be reached from it. The recording of Yang, Dwyer and Rothermel
// (Regression Model Checking, ICSM 2009); how a later check prunes with it, is said in pruned_system.h.
//
// The set of a state has the locations (sets of elements, TransitionSystem::element_sets_of) of all states
// that can be reached from it, itself included, and the statements that are executed on the way. A state is
// *open* if a state can be reached from it that has a finding, or whose steps are not all known: of an open
// state nothing is promised, whatever an edit changes, and so it needs no set.
//
// Example. Three states, with their locations a, b, c, and steps a -> b, b -> a, b -> c:
//
//     component {c}     first, because no other component is below it      its set is {c}
//     component {a, b}  its own locations, and the set of {c}              its set is {a, b, c}
//
// Computation. The states of a strongly connected component reach the same, so the components of the recorded
// graph are found first (Tarjan 1972, without recursion). They come in an order in which all components below
// one are finished before it; so the union of what its states have, and of the sets of the components that
// its steps lead to, is final. Few sets differ: each is kept once, as a row of bits, and a state has its
// number.
//
// What is published differs: there a depth-first search carries the sets along. At a step to a state that is
// on its path, the states of the cycle share a set from then on; at a step to any other known state, that
// one's set is copied as it is. But that state may belong to a component which is not finished: it is not on
// the path any more, and a state of its component still is. What the component reaches later does not come to
// the copy. Pair 52 of the study is a model of 20 lines for which the published check then misses a
// violation. Components cost a pass over the graph after the search; they are right for every order of the
// search.
//
// Reductions. The graph is the reduced one, and so are the sets; why this is enough is said in
// pruned_system.h. A state for which the proviso failed has its steps in full. Where the search did not keep
// what it tried first (depth-first search), such a state counts as one whose steps are not known, as in a
// walk: after a depth-first search with partial-order reduction most states are open.
//
// Cost: each state is decoded once, each step is read twice. 16 bytes per state while it is computed, and 24
// per state on the longest path of the depth-first search; 4 per state in the end; and a bit per location and
// statement for each distinct set of a state (its own locations) or component.
// Thread safety: none. Tested by: tests/unit/test_reachable_sets.cpp, tests/fuzz/recording.cpp
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/chunks.h"
#include "model/system.h"

namespace spoor {

struct Recording;

struct ReachableSets {
  // The number of the set of all open states, which is empty.
  static constexpr std::uint32_t kOpen = 0;

  struct Set {
    std::vector<std::uint32_t> locations;   // numbers of sets of elements, ascending
    std::vector<std::uint32_t> statements;  // ascending
    friend bool operator==(const Set&, const Set&) = default;
  };
  std::vector<Set> sets;                 // all different
  std::vector<std::uint32_t> number_of;  // by state: which set; kOpen where there is no such state
  friend bool operator==(const ReachableSets&, const ReachableSets&) = default;

  // For a file. Throw std::bad_alloc.
  std::string sets_text() const;
  Chunks numbers() const;
  // Throw FramedFileError (kDamaged) where the text cannot have been written.
  void read_sets(std::string_view text);
  void read_numbers(std::string_view chunk);
  // When all was read: throws it unless each number is that of a set, and there is one for each state.
  void require_complete(std::uint32_t states) const;
};

// `system`: the version that was recorded. Throws std::bad_alloc; FramedFileError where the recording
// contradicts itself.
ReachableSets reachable_sets(const Recording& recording, const TransitionSystem& system);

}  // namespace spoor
