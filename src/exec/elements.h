// Elements: what the successors of a state of a Promela model depend on, in parts that can be compared with
// those of another version of the model.
//
// The idea. Take a state of the old version and the state of the new one that has the same values and stands
// at corresponding locations. Both versions make a step; everything that the old one looks at on the way
// belongs to some element. While these elements are unchanged the new version sees the same, does the same,
// and looks at the same next. So nothing differs in the end: it is enough that the elements of a state are
// *closed* over what one of its steps can pass or look at, in the old version alone.
//
//   initial state values by name, processes by number. No state depends on it: it tells whether two
//                 versions begin alike
//   program       what concerns every step: priorities, _last, hidden variables that are cleared, C code
//   chan q        number, capacity and fields of a channel
//   proctype P    what a process is subject to wherever it is: provided, D_proctype, xr and xs, how many
//                 channels it has (they are numbered through); of a trace assertion: what it watches
//   run P         what a run makes: parameters, variables with their initial values, where P begins
//   claim         the atoms of the claim that the program is compiled for, if any; no state depends on it
//   P/path:text   a location: its labels that mean something, is_ample, and its transitions in order, each
//                 with compiled code, escape, stays_atomic, and its target with labels and dead variables
//
// An element *names* the locations that its code speaks of (targets, P@label), and it *needs* others:
//   a location    its proctype, the channels that its statements can use, the `run` of processes it starts,
//                 the targets of steps that stay atomic (statement merging included): the same step goes on
//                 there. Where a receiver can hand the turn back, also the target of a handshake's sender
//   run P         the location where P begins: an atomic sequence can meet the new process in a handshake
//   proctype P    the program, and the channels of the provided clause
//   program       the trace assertion with all its locations: one step may be several events
// The set of a location is what it needs, directly or not; the elements of a state are the sets of all its
// processes. Therefore `else`, `timeout`, `enabled` and the other side of a handshake need nothing more: the
// processes that they look at are there.
//
// Why a digest and a list of names, and not one digest of everything: then a location whose statement is
// edited would be another target to all that lead there, and those would count as changed, too. Why not the
// text of the statements: it is shortened, and says nothing of types, targets, numbers of mtypes.
//
// Keys are for finding the counterpart of a location in another version: the process type, the guards around
// it (promela/flow_paths.cpp), its first statement and, among equals, a number. They need not be good for a
// comparison to be right. Locations that no process can come to have no element.
//
// SPIN's numbers of locations are values where pc_value, P:_p or embedded C may read them; then they belong
// to the meaning. So do channel numbers, always.
//
// Stubborn sets look at all that a process may ever do. Where they are in use, what they look at is part of
// the meaning of each location, and of the program (stubborn_text.h): states whose elements are unchanged
// have the same reduced expansion. So an access that is added or taken away far behind a location touches it,
// and another statement with the same accesses does not.
//
// Not elements: the automaton of the claim, options (--strict, --lose-messages), and files that embedded C
// includes. That there is a `timeout` somewhere (Program::uses_timeout) only makes the interpreter look
// twice.
//
// Cost: made when first asked for; one pass over the code, and per location the size of its set. A sequence
// of n indivisible locations has n sets of up to n elements; beyond kMostEntries numbers in all, the rest of
// the locations share the set of everything. Asking for the sets of a state is one load per process.
//
// Thread safety: const, after construction. Tested by: tests/unit/test_elements.cpp (each kind of
// dependency by itself), tests/suites/test_elements.py (random edits of random models).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "exec/machine.h"
#include "model/system.h"
#include "promela/program.h"

namespace spoor::exec {

struct StubbornTables;

class Elements {
 public:
  // `initial_problems`: of `initial`, which no other state has. `stubborn`: null where they are not in use.
  Elements(const promela::Program& program, StateBytes initial,
           const std::vector<ProblemAt>& initial_problems, const StubbornTables* stubborn = nullptr);

  const std::vector<Element>& all() const { return elements_; }
  void sets_of(StateBytes state, std::vector<std::uint32_t>& out) const;
  std::optional<TransitionSystem::SetPlaces> set_places(StateBytes like) const;
  // `program`: the one that they were made of.
  void sets_after(const promela::Program& program, std::span<const std::uint8_t> executed,
                  std::vector<std::uint32_t>& out) const;
  std::span<const std::uint32_t> set(std::uint32_t number) const { return sets_[number]; }
  std::uint32_t set_count() const { return static_cast<std::uint32_t>(sets_.size()); }

  // What the atoms of the claim depend on.
  const std::vector<std::uint32_t>& claim() const { return claim_; }

  // The element of a location; promela::kNone where no process can be.
  std::uint32_t location(std::uint32_t process, std::uint32_t location) const {
    return locations_[process][location];
  }

  static constexpr std::size_t kMostEntries = std::size_t{1} << 22;

 private:
  class Builder;

  // By process type.
  struct Block {
    std::uint32_t bytes = 0;
    std::vector<std::uint32_t> sets;  // by location
  };

  std::vector<Element> elements_;
  std::vector<std::vector<std::uint32_t>> locations_;  // by process type and location
  std::vector<std::vector<std::uint32_t>> sets_;       // each once
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> claim_;
  std::uint32_t globals_size_ = 0;
  std::uint32_t location_bytes_ = 1;
};

}  // namespace spoor::exec
