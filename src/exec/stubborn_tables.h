// What stubborn sets know of a program before they see a state (stubborn.h tells the story): what its
// statements access, what a process that is started may ever access, and what the claim sees.
//
// `exec/stubborn_text.h` writes down what of this concerns a location: who adds a table adds it there.
//
// Thread safety: const, after construction. Tested by: tests/suites/test_reduction.py
#pragma once

#include <cstdint>
#include <vector>

#include "exec/access_sets.h"
#include "exec/machine.h"
#include "exec/state_evaluator.h"
#include "promela/reduce.h"

namespace spoor::exec {

struct StubbornTables {
  StubbornTables(const Machine& machine, bool lose_messages);

  const Machine& machine;
  const promela::Program& program;
  const bool lose_messages;
  bool is_useful = false;
  ProgramAccesses accesses;
  std::vector<AccessSets> child;  // by type: what a new process may ever access, its own children included
  // What the claim sees: cells, and by type and location the steps that lead from or to a place that it
  // asks for.
  Cells seen;
  std::vector<std::vector<bool>> is_watched;
  bool sees_places = false;

  bool can_be_seen(const AccessSets& sets, std::uint32_t type, std::uint32_t location) const {
    for (std::size_t i = 0; i < accesses.words; ++i) {
      if ((sets.writes.word(i) & seen.word(i)) != 0) return true;
    }
    return sees_places && is_watched[type][location];
  }

  // ---- From accesses to cells. `state` null: nothing is known.

  AccessSets sets_of(StateEvaluator* state, int pid, const Access& access) const;
  void add_ends(std::uint32_t channel, Access::Kind kind, AccessSets& out) const;
  void add_channel(StateEvaluator* state, int pid, promela::ExprId chan, Access::Kind kind,
                   AccessSets& out) const;
  void add_death(StateEvaluator* state, int pid, std::uint32_t type, ProcessCell cell, AccessSets& out) const;
  // What a process reads when it is started.
  AccessSets start_of(std::uint32_t type) const;

 private:
  void find_visible();
  void add_seen(const promela::ExprCode& e);
  bool leads_past(const promela::Locality& locality, std::uint32_t type, std::uint32_t from,
                  std::vector<std::uint32_t> passed) const;
  void add_place(StateEvaluator* state, int pid, promela::PlaceId id, Cells& out) const;
  void find_children();
};

}  // namespace spoor::exec
