// An expansion: what is asked about the successors of a state, what is answered, and scratch memory.
//
// The answer is a table with one row per successor. Name and place of the state (Successor) are always there;
// the rest are columns, each an array of its own that has either no entries or one per successor, in the same
// order. A search that needs no column pays for none. Columns:
//
// clang-format off
//   marks     what the step means to infinite runs; written by every OmegaSystem (omega.h), asked or not
//   movers    which movers take part in the step. A mover is what takes steps: a process, a thread
//   labels    which statement the step is: an index into TransitionSystem::statements(), without any text
//   executed  not per successor but per statement: was it executed? Flags add up from state to state
// clang-format on
//
// A column is asked for in `asked.columns`, by the caller, and nowhere else. A system writes the columns
// that it is asked for, in every tier (interpreter, native code), or throws NotSupported; those
// that it is not asked for stay empty. Layers pass the question on (layer.h).
//
// Example, of a state with two successors, all columns asked for:
//
//     successors  s1  s2      movers  {P0, P1}  {P2}      labels  4  7      executed  4, 5, 7
//
// The step to s1 is a handshake of P0 and P1: statement 4, the send, names it; statement 5 is the receive.
//
// Cost: none where no column is asked for. Labels from native code: 3.5 % of the instructions of a check of
// phils (N=8), 6 % of one of swp; docs/adr/0016 has the figures. Tested by: tests/unit/test_columns.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/buffer.h"
#include "model/finding.h"
#include "model/step_id.h"

namespace spoor {

using StateBytes = std::span<const std::byte>;

struct Successor {
  StepId step;               // its name at the source state
  std::uint32_t offset = 0;  // of the state's bytes in the arena
  std::uint32_t length = 0;
};

// Properties of a step that matter to infinite runs, a bit each; see omega.h.
using Marks = std::uint64_t;

// A set of columns.
struct Columns {
  bool movers = false;
  bool labels = false;
  bool executed = false;

  // Those with one entry per successor.
  bool has_any_of_steps() const { return movers || labels; }
  bool operator==(const Columns&) const = default;
  Columns& operator|=(const Columns& others) {
    movers |= others.movers;
    labels |= others.labels;
    executed |= others.executed;
    return *this;
  }
};

// What a single expansion may use up: an indivisible sequence can have more paths than there is time or
// memory for. A system asks now and then while it expands a state.
class ExpansionBudget {
 public:
  virtual ~ExpansionBudget() = default;
  // `bytes`: what this expansion occupies by now. True: give up; what was found so far is worthless.
  virtual bool is_exhausted(std::uint64_t bytes) = 0;
};

// What the caller wants. Kept across clear().
struct ExpansionRequest {
  // A subset of the steps will do, where the system knows one that is enough for deadlocks, assertions and
  // run-time errors (partial-order reduction). The steps have the same names and the same order as in an
  // expansion in full.
  bool may_reduce = false;
  // Does not change between two calls of clear().
  Columns columns;
  // Null: no bound.
  ExpansionBudget* budget = nullptr;
};

// The system's own memory, kept from call to call.
struct ExpansionScratch {
  std::shared_ptr<void> workspace;    // only the system that made it looks inside
  std::uint64_t workspace_bytes = 0;  // its bytes, as far as they matter
};

// Where the `expand` of one system writes its answer; reused from state to state so that nothing is
// allocated. It may hold the answers for several states, one behind the other.
struct Expansion {
  ExpansionRequest asked;

  // ---- The answers, for all states since clear().
  Buffer<std::byte> arena;
  Buffer<Successor> successors;
  Buffer<Marks> marks;
  // The movers that take part in each step, a bit each, and kPassesAccepting. How many movers there can
  // be, TransitionSystem::most_movers() says.
  Buffer<std::uint64_t> movers;
  static constexpr std::uint32_t kMostMovers = 63;
  // In `movers`: the step passes an accepting point that no state shows, because it lies inside an
  // indivisible sequence.
  static constexpr std::uint64_t kPassesAccepting = std::uint64_t{1} << kMostMovers;
  // The statement that the step is named by: the first that is executed on it; of a handshake, the sender's.
  // It is that of the first action of TransitionSystem::explain.
  Buffer<std::uint32_t> labels;
  // The label of a step on which the system does nothing (StepId::stutter()); no mover takes part in it.
  static constexpr std::uint32_t kStutterLabel = UINT32_MAX;
  std::vector<Finding> findings;
  // One flag per entry of TransitionSystem::statements(): set when the statement was executed. Kept across
  // clear(). The system makes it as long as it must be.
  std::vector<std::uint8_t> executed;

  // ---- The answers for the last state.
  // Where its successors and findings begin.
  std::size_t first_successor = 0;
  std::size_t first_finding = 0;
  // With `movers`: those that can begin a step. Of a reduced expansion: those that begin one of its steps.
  std::uint64_t enabled = 0;
  // Steps inside indivisible sequences, whose targets are not states of their own: for statistics.
  std::uint64_t inner_steps = 0;
  // Set by expand when it left steps out. Sound only if one of those given leads to a state that is
  // yet to be expanded; otherwise the caller expands the state again, in full.
  bool is_reduced = false;
  // Set instead where that condition does not matter (only deadlocks are looked for), or has been seen to
  // (search/reduction_plan.h).
  bool is_reduced_for_deadlocks = false;
  // Set by expand when it gave up.
  bool was_cut = false;

  ExpansionScratch scratch;

  void clear() {
    arena.clear();
    successors.clear();
    marks.clear();
    movers.clear();
    labels.clear();
    findings.clear();
    begin_next();
  }
  // What is there stays, and another state follows.
  void begin_next() {
    first_successor = successors.size();
    first_finding = findings.size();
    inner_steps = 0;
    was_cut = false;
    enabled = 0;
    is_reduced = is_reduced_for_deadlocks = false;
  }
  // The last state never was: what was said about it is taken back.
  void forget_last() {
    keep_successors(first_successor);
    findings.resize(first_finding);
    begin_next();
  }
  // Takes back the successors from number `count` on, with their columns.
  void keep_successors(std::size_t count) {
    successors.set_size(count);
    if (marks.size() > count) marks.set_size(count);
    if (movers.size() > count) movers.set_size(count);
    if (labels.size() > count) labels.set_size(count);
  }
  // The successor `from`, with its columns, takes the place of the successor `to`.
  void move_successor(std::size_t from, std::size_t to) {
    successors[to] = successors[from];
    if (from < marks.size()) marks[to] = marks[from];
    if (from < movers.size()) movers[to] = movers[from];
    if (from < labels.size()) labels[to] = labels[from];
  }
  // Where a system sets the flags of executed statements; null: they are not asked for.
  std::uint8_t* executed_flags(std::size_t statements) {
    if (!asked.columns.executed) return nullptr;
    if (executed.size() < statements) [[unlikely]]
      executed.resize(statements);
    return executed.data();
  }

  // Those of the last state.
  std::span<const Successor> last_successors() const {
    return {successors.begin() + first_successor, successors.end()};
  }
  std::span<const Finding> last_findings() const { return std::span(findings).subspan(first_finding); }
  StateBytes state(const Successor& s) const { return {arena.data() + s.offset, s.length}; }

  std::uint64_t memory_bytes() const {
    return arena.capacity() + successors.capacity() * sizeof(Successor) +
           (marks.capacity() + movers.capacity()) * sizeof(std::uint64_t) +
           labels.capacity() * sizeof(std::uint32_t) + findings.capacity() * sizeof(Finding) +
           scratch.workspace_bytes;
  }
};

// Of the last state everything but one step is taken back. False: it has no such step.
bool keep_only(StepId step, Expansion& out);

}  // namespace spoor
