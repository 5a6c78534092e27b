// What statements read and write, as the stubborn sets need it (stubborn.h tells the story): cells, and per
// process type and location what the next statements access and what a process may ever access from there on.
//
// All this is computed once from the program, without a state. An access names a place or a channel by its
// expression; which cells that are is decided later, exactly where the state is known or the index never
// changes (`is_stable`), and otherwise as all cells that it could be.
//
// Tested by: tests/suites/test_reduction.py
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "promela/program.h"

namespace spoor::exec {

// A set of cells.
class Cells {
 public:
  static constexpr std::uint32_t kCount = 256;
  void add(std::uint32_t cell) { words_[cell / 64] |= std::uint64_t{1} << (cell % 64); }
  void add(const Cells& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  // The part of a set that lies in one word: most models have no more cells than that.
  std::uint64_t word(std::size_t i) const { return words_[i]; }
  friend bool operator==(const Cells&, const Cells&) = default;

 private:
  std::array<std::uint64_t, kCount / 64> words_{};
};

// What something reads and what it writes.
struct AccessSets {
  Cells reads, writes;
  void add(const AccessSets& other) {
    reads.add(other.reads);
    writes.add(other.writes);
  }
  friend bool operator==(const AccessSets&, const AccessSets&) = default;
};

// The cells that are neither variables nor channels: the table of processes.
enum ProcessCell : std::uint32_t {
  kBirths,  // run
  kDying,   // the death of a process that is next to die, of which there can be only one
  kDeaths,  // a death some time
  kFirstVariable,
};

// Something that a statement accesses.
struct Access {
  enum class Kind : std::uint8_t {
    kRead,
    kWrite,  // what: a PlaceId
    kSend,
    kSortedSend,
    kReceive,
    kQuestion,  // what: the ExprId of the channel
    kCount,     // _nr_pr
    kRun,
    kChild,  // what: the process type; started, and all it does later
    kEnd,
  } kind;
  std::uint32_t what = promela::kNone;
  friend bool operator==(const Access&, const Access&) = default;
};
// Several of them, as indices into the accesses of the process type, without repetitions.
using AccessList = std::vector<std::uint32_t>;

struct Conjunct {
  promela::ExprId expr = promela::kNone;
  std::uint32_t list = 0;
  bool can_fail = false;
};

// A transition, seen from its location. The numbers are those of lists.
struct Move {
  promela::StatementId statement = promela::kNone;
  std::uint32_t whole = 0;  // what the statement accesses, but for the channel that it is about
  std::uint32_t chain = 0;  // what may follow in the same step
  std::uint32_t aside = 0;  // what is read to know the channel and to compare a message
  // The access to the channel of a send or receive, where the channel never changes.
  std::uint32_t channel = promela::kNone;
  std::vector<Conjunct> conjuncts;  // of the guard; none: it is always true, or not that simple
};

struct LocationAccesses {
  bool is_mixed = false;     // an else or an unless asks whether one of the statements is not possible
  bool is_free = false;      // all of the statements are possible always, and what they access is stable
  std::uint32_t all = 0;     // what all steps from here access, questions included
  std::uint32_t future = 0;  // what is accessed from here on, at any later time
  std::vector<Move> moves;
};

struct TypeAccesses {
  std::vector<Access> accesses;
  std::vector<bool> is_stable;  // by access: its index never changes
  std::vector<AccessList> lists;
  std::vector<bool> is_list_stable;         // all of its accesses are
  std::vector<LocationAccesses> locations;  // by location
  std::uint32_t start = 0;                  // list: what is read when a process of this type is started
  bool has_stable_claims = true;            // the channels of xr and xs never change
  std::vector<promela::Scratch> key;        // the variables that stable indices hang on
};

struct ProgramAccesses {
  std::vector<std::uint32_t> cell_of_byte;  // of the global variables
  std::uint32_t first_channel_cell = 0;
  std::size_t words = 1;            // of the sets of cells that are in use
  std::uint32_t channel_slots = 1;  // channels from this number on share their cells
  std::vector<TypeAccesses> types;

  Cells head(std::uint32_t channel) const;
  Cells tail(std::uint32_t channel) const;
};

// REQUIRES: the program has nothing that makes more visible than accesses can say (stubborn.h).
ProgramAccesses find_accesses(const promela::Program& program, bool lose_messages);

// A part of an expression, or of the index of a place, can end in a run-time error.
bool can_fail(const promela::Program& program, promela::ExprId expr);

}  // namespace spoor::exec
