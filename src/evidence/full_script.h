// Full search scripts: certificates as Taleghani published them (thesis, chapter 3), for comparison with our
// compact form (certificate.h).
//
// A full script is a depth-first search, written down: each transition with the number of the state that it
// leads to, and each return from a state (*backtrack*). States are numbered in the order in which they were
// found; the initial state has the number 0. So the number of a new state need not be written. Beside it
// stand, for a new state, the *size* of its subtree (how many transitions start from it and from the states
// below it: the list Subgraphs of Algorithm 3.2), and its *uses*: how many later transitions lead to it. A
// certifier that has seen all uses of a number forgets the state's fingerprint (section 4.4).
//
// A trustful script (section 3.1.3) has the steps to new states only, a spanning tree, without uses.
//
// Example: 0 -> 1, 0 -> 2, 1 -> 2, 2 -> 0, with the steps a, b at 0 and a at 1 and 2.
//
//     full      a new      a new      a -> 0     B  B  b -> 2  B        (state 0: 1 use; 1: none; 2: 1 use)
//     trustful  a new      a new      B  B  B
//
// State 2 is left first, then 1; the transition b leads to a known state, from which there is no return. The
// thesis writes a return there, too; it says nothing, because every such transition has one.
//
// Steps. The file has a table of steps; an instruction has an index into it. A step is the name that it has
// at its source state (model/step_id.h: the process, and which of its steps) and the stable key of its
// statement (proctype, location, statement), by which a reader with other names can find it. A certifier
// compares both.
//
// Parts. The script is cut into parts, records of some ten thousand instructions in columns: columns of equal
// things compress better, and reading can begin at any part. Reading needs no more memory than one part.
//
// Why not the marks of the thesis: it marks the last transition to each state. "Last" is an order of the
// script, and regions that are certified at the same time have no order. A number of uses says the same to a
// certifier that goes through the script from its beginning, and can be counted down in any order
// (full_script_fingerprints.h).
//
// Invariants, of a file that was read:
//   1. No declared size or number is believed before memory is allocated for it: records are bounded, and a
//      part is decoded where it lies.
//   2. The reader gives numbers below that of the next new state, and steps of the table; all else is damage
//      or an error with its place.
//
// docs/formats.md has the bytes. Thread safety: a reader belongs to one thread; readers share the file.
// Tested by: tests/unit/test_full_script.cpp, tests/unit/test_full_script_attacks.cpp,
// tests/suites/test_full_script.py, tests/fuzz/full_script.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/framed_file.h"
#include "base/packed_numbers.h"
#include "evidence/certificate.h"
#include "model/step_id.h"

namespace spoor {

inline constexpr std::size_t kMostPartBytes = std::size_t{1} << 24;
inline constexpr std::size_t kMostNamedSteps = std::size_t{1} << 22;  // in the table
// States have numbers below this.
inline constexpr std::uint64_t kMostScriptStates = UINT32_MAX;

// What a script says of a state where it first leads there.
struct ScriptTarget {
  std::uint64_t uses = 0;  // full scripts: later transitions to it
  std::uint64_t size = 0;  // transitions of its subtree; trustful: steps to new states
  bool in_full = false;    // it is expanded in full although it could be reduced

  friend bool operator==(const ScriptTarget&, const ScriptTarget&) = default;
};

struct FullScriptClaim {
  CertificateClaim common;  // regions: 0. Trustful: `steps` are those to new states
  bool is_trustful = false;
  ScriptTarget initial;  // of the initial state

  friend bool operator==(const FullScriptClaim&, const FullScriptClaim&) = default;
};
std::string encoded_script_claim(const FullScriptClaim& claim);
// Throws FramedFileError (kDamaged).
FullScriptClaim decoded_script_claim(std::string_view record);

struct NamedStep {
  StepId name;
  std::string key;  // of the statement, TransitionSystem::statements()

  friend bool operator==(const NamedStep&, const NamedStep&) = default;
};
void put_step(std::string& record, const NamedStep& step);
// Appends the steps of a record. Throws FramedFileError (kDamaged).
void decode_steps(std::string_view record, std::vector<NamedStep>& steps);

struct ScriptInstruction {
  enum class Kind : std::uint8_t { kBacktrack, kKnown, kNew };
  Kind kind = Kind::kBacktrack;
  std::uint32_t step = 0;    // into the table
  std::uint32_t number = 0;  // kKnown: of the target
  ScriptTarget target;       // kNew

  friend bool operator==(const ScriptInstruction&, const ScriptInstruction&) = default;
};

// What writer and reader of a part have in common: a number is written as its difference from the last one
// that a similar step led to.
class TargetNumbers {
 protected:
  std::uint32_t& last(std::uint32_t step) { return last_[step % kRemembered]; }
  void forget() { last_.fill(0); }

 private:
  static constexpr std::size_t kRemembered = 256;
  std::array<std::uint32_t, kRemembered> last_ = {};
};

// Puts instructions into parts.
class ScriptPartWriter : private TargetNumbers {
 public:
  static constexpr std::size_t kUsualInstructions = std::size_t{1} << 15;

  explicit ScriptPartWriter(bool is_trustful) : is_trustful_(is_trustful) {}
  // Afterwards take() is due where this says so.
  bool add(const ScriptInstruction& instruction, std::size_t most = kUsualInstructions);
  bool is_empty() const { return count_ == 0; }
  // The record. The next instruction begins another part.
  std::string take();

 private:
  const bool is_trustful_;
  std::size_t count_ = 0;
  std::string codes_, numbers_, uses_, sizes_;
};

// Reads the instructions of one part. The record must live as long. All members throw FramedFileError
// (kDamaged).
class ScriptPartReader : private TargetNumbers {
 public:
  ScriptPartReader(std::string_view record, std::size_t steps, bool is_trustful);

  // False: the part is at its end.
  bool next(ScriptInstruction& instruction);
  std::uint64_t left() const { return left_; }  // instructions

 private:
  std::size_t steps_;
  bool is_trustful_;
  std::uint64_t left_ = 0;
  RecordReader codes_, numbers_, uses_, sizes_;
};

// Where an instruction is: the part (from 1), and which of its instructions (from 1).
struct ScriptPlace {
  std::uint64_t part = 0, instruction = 0;

  friend auto operator<=>(const ScriptPlace&, const ScriptPlace&) = default;  // NOLINT(modernize-use-nullptr)
};

// The parts of a file, which several readers share.
struct ScriptParts {
  // `file_behind_steps`: its position is that of the first part.
  ScriptParts(FramedReader& file_behind_steps, std::size_t steps_of_table, bool is_trustful_script)
      : file(file_behind_steps),
        begin(file.position()),
        steps(steps_of_table),
        is_trustful(is_trustful_script) {}

  FramedReader& file;
  const FilePosition begin;
  const std::size_t steps;
  const bool is_trustful;
  std::mutex lock;  // of the file: one part is read at a time
};

// Reads the instructions of a file. Members throw FramedFileError.
class ScriptReader {
 public:
  explicit ScriptReader(ScriptParts& parts) : parts_(parts) {}
  ScriptReader(const ScriptReader&) = delete;
  ScriptReader& operator=(const ScriptReader&) = delete;

  // False: the script is at its end.
  bool next(ScriptInstruction& instruction);
  // Of the instruction that was read last.
  ScriptPlace place() const { return place_; }
  // Where its part begins in the file.
  FilePosition part_begin() const { return part_begin_; }
  // To the instruction behind the one at this place. REQUIRES: `begin` is where the place's part begins.
  void go_behind(const ScriptPlace& place, const FilePosition& begin);
  std::uint64_t memory_bytes() const { return record_.content.capacity(); }

 private:
  bool read_part();

  ScriptParts& parts_;
  FilePosition at_ = parts_.begin;  // of the next part
  FileRecord record_;
  ScriptPartReader part_{std::string_view("\0\0\0\0\0", 5), 0, false};
  ScriptPlace place_;
  FilePosition part_begin_;
};

}  // namespace spoor
