// A search on disk: what is needed to go on with it after the process is gone.
//
// A breadth-first search is the same whatever happened before, if one knows all states that it has
// found, where the level begins that is to be expanded next, and what was counted and reported so
// far. A checkpoint file holds that. It only grows: each checkpoint adds the states found since the
// one before and then a mark, so that its cost is that of the new states. It is a framed file
// (base/framed_file.h; docs/formats.md has every byte) with the digest of what the search is about (model,
// options, version, in the caller's words) in its header, and two kinds of records:
//
//     's'  states: for each the ordinal of the state it was found from, less that of the state
//          before (signed; the first behind a mark: less 0), its length, its bytes
//     'm'  a mark: how far the search was when all states before it had been found
//
// Numbers in records are variable-length integers. What follows the last complete mark, or is not
// as it was written, does not count: a process may be killed at any moment, also while it writes. The
// file is synced after each mark. If the disk has the mark and not yet the states before it, the reader stops
// at those, and the mark before this one counts.
//
// A state's ordinal is its place in the file, and 0 is the initial state.
//
// Tested by: tests/unit/test_checkpoint.cpp, tests/suites/test_checkpoint.py, tests/fuzz/readers.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/framed_file.h"
#include "search/observer.h"

namespace spoor {

// What is wrong with the file, as part of a sentence: "is not a checkpoint".
using CheckpointError = FramedFileError;

struct CheckpointMark {
  std::uint64_t states = 0;       // before this mark
  std::uint64_t level_begin = 0;  // ordinal of the first state that is not expanded
  std::uint64_t depth = 0;        // of that level
  Statistics figures;
  std::vector<std::uint8_t> executed;
  std::vector<Violation> violations;
};

// Format 1 had another magic.
inline constexpr FileFormat kCheckpointFormat{"spoor-ck", 2, "checkpoint"};

class CheckpointReader {
 public:
  // Looks through the whole file. Throws CheckpointError.
  explicit CheckpointReader(const std::string& path);

  // Was it written with this identity?
  bool is_of(const std::string& identity) const;
  const CheckpointMark& mark() const { return mark_; }
  FilePosition end() const { return end_; }  // of the last mark

  // Calls `use` for the states up to the mark, in order, with the ordinal of the state that each was
  // found from (the initial state: 0). Throws CheckpointError.
  void each_state(const std::function<void(std::uint64_t, std::span<const std::byte>)>& use);

 private:
  FramedReader file_;
  FilePosition begin_;  // of the first record
  FilePosition end_;
  CheckpointMark mark_;
};

class CheckpointWriter {
 public:
  // A new file.
  CheckpointWriter(const std::string& path, const std::string& identity);
  // Goes on behind the last mark of a file that was read.
  CheckpointWriter(std::string path, const CheckpointReader& read);

  // How many there are in the file, and so the ordinal of the next.
  std::uint64_t states() const { return states_; }
  // Both throw CheckpointError; the file then counts up to its last mark, and the writer is of no
  // more use.
  void add(std::uint64_t parent, std::span<const std::byte> state);
  void commit(const CheckpointMark& mark);  // `states` is filled in here

 private:
  void write_states();

  FramedWriter file_;
  std::uint64_t states_ = 0;
  std::uint64_t last_parent_ = 0;
  std::string pending_;  // states that are not written yet
};

}  // namespace spoor
