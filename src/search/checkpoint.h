// A search on disk: what is needed to go on with it after the process is gone.
//
// A breadth-first search is the same whatever happened before, if one knows all states that it has
// found, where the level begins that is to be expanded next, and what was counted and reported so
// far. A checkpoint file holds that. It only grows: each checkpoint adds the states found since the
// one before and then a mark, so that its cost is that of the new states. The file is a sequence of
// frames:
//
//     "spoor-c1"                                             8 bytes
//     kind (1), length of the payload (8), payload, XXH3 of all three (8)
//
//     'i'  what the search is about, in the caller's words: model, options, version
//     's'  states: for each the ordinal of the state it was found from, less that of the state
//          before (signed; the first behind a mark: less 0), its length, its bytes
//     'm'  a mark: how far the search was when all states before it had been found
//
// Numbers in payloads are variable-length integers. What follows the last complete mark, or is not
// as it was written, does not count: a process may be killed at any moment, also while it writes. A
// new file gets its name with its first mark; until then it is called FILE.part.
//
// A state's ordinal is its place in the file, and 0 is the initial state.
//
// Tested by: tests/unit/test_checkpoint.cpp, tests/suites/test_checkpoint.py, tests/fuzz/readers.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "search/observer.h"

namespace spoor {

// What is wrong with the file, as part of a sentence: "is not a checkpoint".
struct CheckpointError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct CheckpointMark {
  std::uint64_t states = 0;       // before this mark
  std::uint64_t level_begin = 0;  // ordinal of the first state that is not expanded
  std::uint64_t depth = 0;        // of that level
  Statistics figures;
  std::vector<std::uint8_t> executed;
  std::vector<Violation> violations;
};

// A frame as it stands in the file, and what stands before the first.
std::string checkpoint_frame(char kind, std::string_view payload);
std::string_view checkpoint_magic();

class OpenFile {
 public:
  explicit OpenFile(int number) : number_(number) {}
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  operator int() const { return number_; }

 private:
  int number_;
};

class CheckpointReader {
 public:
  // Looks through the whole file. Throws CheckpointError.
  explicit CheckpointReader(const std::string& path);

  const std::string& identity() const { return identity_; }
  const CheckpointMark& mark() const { return mark_; }
  std::uint64_t end() const { return end_; }  // of the last mark, in bytes

  // Calls `use` for the states up to the mark, in order, with the ordinal of the state that each was
  // found from (the initial state: 0). Throws CheckpointError.
  void each_state(const std::function<void(std::uint64_t, std::span<const std::byte>)>& use) const;

 private:
  struct Frame;
  bool read_frame(std::uint64_t& at, Frame& frame) const;

  OpenFile file_;
  std::string identity_;
  CheckpointMark mark_;
  std::uint64_t end_ = 0;
};

class CheckpointWriter {
 public:
  // A new file.
  CheckpointWriter(std::string path, const std::string& identity);
  // Goes on behind the last mark of a file that was read.
  CheckpointWriter(std::string path, const CheckpointReader& read);
  ~CheckpointWriter();
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  // How many there are in the file, and so the ordinal of the next.
  std::uint64_t states() const { return states_; }
  // Both throw CheckpointError; the file then counts up to its last mark, and the writer is of no
  // more use.
  void add(std::uint64_t parent, std::span<const std::byte> state);
  void commit(const CheckpointMark& mark);  // `states` is filled in here

 private:
  void write_states();

  std::string path_;
  OpenFile file_;
  bool has_name_ = false;
  std::uint64_t states_ = 0;
  std::uint64_t last_parent_ = 0;
  std::string payload_;  // states that are not written yet
};

}  // namespace spoor
