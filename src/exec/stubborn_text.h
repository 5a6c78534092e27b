// What stubborn sets look at, written down so that it can be compared with another version of the model.
//
// Stubborn sets (stubborn.h) depend on more than the statements before the processes of a state: on all that
// a process may ever access from where it is. Put into the meaning of its location (elements.h), this makes a
// state whose elements are unchanged have the same stubborn set in both versions, so that the steps which
// were left out in the one may be left out in the other.
//
// StubbornSets::choose is a function of the state and of the tables (stubborn_tables.h). What it reads of
// these, and where that is written:
//
//   for each process, by its location
//     is_mixed, is_free, the moves           the statements are in the meaning of the location; here: whether
//                                            the accesses before the process are stable
//     the lists `all`, `chain`, `future`     of accesses whose cells depend on the state (a stable index, a
//                                            stable channel, a death of a process with channels): the
//                                            expressions; of the others: the names of the cells
//     is_watched                             a bit
//     `seen`                                 those variables of it that a step from here may write
//   once for all (of_program)
//     that there are sets; channel_slots; has_channel_claims; `seen`, as far as it is channels and the table
//     of processes; where variables share cells, all variables in their order
//
// A cell is named by the variables that share it, the ends of a channel by the number of the slot, so that
// numbers of cells, which shift when a variable is added, do not matter. Two sets meet in one version if and
// only if they meet in the other: equal names are equal cells in both. Where the state says which cell it is
// (an array element, a channel), that is the same variable or number in both versions, and the same cell,
// because sharing and the number of slots are the same.
//
// What is not named: channels that are accessed later are not looked at, only their numbers are; therefore
// their capacities do not matter here. The list of xr and xs and the number of local channels, which a death
// depends on, belong to the process type.
//
// Cost: per location the accesses of its future. Thread safety: const.
// Tested by: tests/unit/test_elements.cpp, tests/suites/test_elements.py
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exec/canonical_code.h"
#include "exec/stubborn_tables.h"

namespace spoor::exec {

class StubbornText {
 public:
  // REQUIRES: tables.is_useful. Both must live as long as this.
  StubbornText(const StubbornTables& tables, const CodeNames& names);

  std::string of_program() const;
  std::string of_location(std::uint32_t type, std::uint32_t location) const;

 private:
  std::vector<std::string> names_of(const Cells& cells) const;
  void add(const AccessSets& sets, CanonicalCode& out) const;
  // The cells are the same in each state.
  bool is_fixed(const TypeAccesses& type, std::uint32_t access) const;
  std::string text_of(std::uint32_t type, std::uint32_t access) const;
  // Accesses whose indices are those of the state, and of accesses at any time.
  void add_now(std::uint32_t type, std::uint32_t list, CanonicalCode& out) const;
  void add_later(std::uint32_t type, std::uint32_t list, CanonicalCode& out) const;

  const StubbornTables& tables_;
  const CodeNames& names_;
  std::vector<std::string> cell_names_;
  bool are_cells_shared_ = false;  // by several variables
  Cells variables_;                // all cells of variables
};

}  // namespace spoor::exec
