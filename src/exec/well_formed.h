// Are these bytes a state that the program could be in, as far as its layout goes?
//
// States that a search computes are; states that are read from a file (certificates, recordings) may be
// anything, and `expand` requires a state. What is asked for here is what interpreter and native code rely
// on, and that equal states have equal bytes:
//
//   1. the processes are of types that can be started, and their blocks fill the bytes exactly;
//   2. every location is one of its process's, and has steps or is the end;
//   3. there are no more processes and channels than there can be;
//   4. no channel holds more messages than its capacity, and its unused slots are zero;
//   5. every variable and every field of a message has a value of its type;
//   6. scratch variables, and what is dead at a location, are zero;
//   7. the trace assertion is at one of its locations.
//
// It is not asked whether the state can be reached: that is what the file has to prove.
//
// Embedded C may rely on anything about its data, so no state of a program with embedded C is vouched for.
//
// How. After an edit each recorded state that is expanded is asked first, so the answer must be cheap next to
// an expansion. Most variables have a type that has every value of its bytes (byte, short, int, chan, mtype):
// these are not looked at. Of the others, and of the fields of messages, a table is made once per program.
//
// Cost: the processes, the variables in that table, and the bytes that must be zero; nothing is allocated.
// Thread safety: const. Tested by: tests/unit/test_well_formed.cpp, tests/fuzz/state.cpp
#pragma once

#include <cstdint>
#include <vector>

#include "model/system.h"
#include "promela/program.h"

namespace spoor::exec {

class WellFormedness {
 public:
  // The program must outlive this.
  explicit WellFormedness(const promela::Program& program);

  // May be called with any bytes.
  bool holds(StateBytes state) const;

 private:
  // A value that its bytes may contradict.
  struct Value {
    std::uint32_t offset = 0;
    promela::ScalarType type;
  };
  struct Buffer {
    std::uint32_t offset = 0;  // from the start of the block
    std::uint32_t capacity = 0, length_bytes = 0, slot_bytes = 0;
    std::vector<Value> fields;  // offsets from the start of a slot
  };
  // The globals, or the block of a process type.
  struct Block {
    std::vector<Value> values;
    std::vector<Buffer> buffers;
  };

  static void add_value(std::vector<Value>& values, std::uint32_t offset, const promela::ScalarType& type);
  Block block_of(const std::vector<promela::VariableInfo>& variables,
                 const std::vector<promela::ChannelInfo>& channels) const;
  // REQUIRES: all bytes of the block are there.
  static bool has_values(const Block& block, const std::byte* bytes);
  static bool has_messages(const Buffer& buffer, const std::byte* bytes);

  const promela::Program& program_;
  Block globals_;
  std::vector<Block> types_;  // by process type
};

}  // namespace spoor::exec
