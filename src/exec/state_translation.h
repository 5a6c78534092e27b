// States of a Promela model as states of another version of it: the layout of a program
// (model/state_layout.h).
//
// The idea. Two versions declare mostly the same things, at other places. So a state is carried over by name:
//
//   variable    by its name (distinct_names), in the globals or in the block of its process. One that is gone
//               is left out. One that is added has its initial value, where that is a constant
//   process     by its number; its type is the one of the same name
//   location    the one whose element is the counterpart; also that of the trace assertion
//   channel     the one with the same index among the channels of the same owner, message by message
//   _last, priorities   as they are
//
// The other version cannot express a state with: a process whose type, or whose location, has no counterpart;
// a value that does not fit; messages in a channel that is gone, is too short or has another number of
// fields; an added variable whose initial value is computed or is a new local channel; more than 255
// channels.
//
// Values are numbers, and so are channels and mtypes: what a variable or a field of type chan or mtype holds
// is carried over as a number. In a version that numbers its channels differently (a global channel added in
// front of others or, where processes have channels of their own, anywhere), or its mtypes, the translated
// state may therefore name another channel or mtype than the old state did. It is a state of that version all
// the same. That is on purpose: Promela can compute with these numbers (`byte b = q`, `m + 1`, `m == 3`), so
// no other translation agrees with the steps of unchanged elements. The number of a channel belongs to the
// meaning of its element (elements.h), that of an mtype to the statements that name it: no unchanged element
// sends to, receives from or names what has another number in the other version.
//
// Dead and scratch variables (promela/dead.cpp, hidden.h) are carried over like the others. What is dead in
// the other version only is not cleared, so that the translation depends on nothing but the layouts. Such a
// state can be expanded, but is_well_formed refuses it.
//
// There and back again is the same state, where both translations exist and no variable was left out on the
// way that has another value than its initial one.
//
// Cost. Names are looked up once, in the constructor of the translator, which makes a table per block: bytes
// to copy, values to convert, buffers with another capacity or other fields, and the bytes that the block has
// otherwise. Per state that is a copy of each block and of a few stretches. Where only the numbers of types
// and locations differ, which is all that most edits of statements do, it is one copy of the state, in which
// these are replaced; where both versions have the same layout (is_identity), one copy.
//
// Tested by: tests/unit/test_state_translation.cpp; by the successors of the translated states:
// tests/unit/test_elements.cpp, tests/suites/test_elements.py
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "exec/elements.h"
#include "model/state_layout.h"
#include "promela/program.h"

namespace spoor::exec {

class ProgramLayout : public StateLayout {
 public:
  // REQUIRES: the program has no embedded C, or nothing is translated. Both must outlive this.
  ProgramLayout(const promela::Program& program, const Elements& elements)
      : program_(program), elements_(elements) {}

  // Null also where only one of the two programs uses priorities, _last or a trace assertion.
  std::unique_ptr<StateTranslator> translator_to(const StateLayout& other,
                                                 const ElementComparison& counterparts) const override;
  std::vector<std::uint32_t> statements_in(const StateLayout& other,
                                           const ElementComparison& counterparts) const override;

  const promela::Program& program() const { return program_; }
  const Elements& elements() const { return elements_; }

 private:
  const promela::Program& program_;
  const Elements& elements_;
};

}  // namespace spoor::exec
