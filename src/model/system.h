// The central contract: what a search needs to know about a system, and nothing more.
//
// A state is an immutable sequence of bytes; equal bytes mean equal states. A TransitionSystem gives
// its initial state and, for any state, all successors, appended to one arena in an order that
// depends on the state alone: not on the search, on threads, on addresses or on time. Every step has a name
// at its source state (step_id.h), which is all that replay, scripts and traces need; `explain` turns it
// into the words of the language.
//
// What goes wrong is part of the answer of `expand`: a Finding belongs to the state itself (a
// deadlock, a guard that cannot be evaluated) or to one of its steps (an assertion that failed
// on the way). A step that failed may still lead somewhere (a failed assertion does; SPIN goes on past
// it), or may not (division by zero): then the finding has no successor.
//
// Thread safety: expand, explain and the other const members may be called from several threads at
// once as long as each thread passes its own Expansion.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/buffer.h"
#include "base/source.h"
#include "model/step_id.h"

namespace spoor {

using StateBytes = std::span<const std::byte>;

// The kinds of violation that the machine interface names; see docs/json.md. They are the same for all
// languages, and a language need not have all of them: those of observed communication are Promela's so far
// (`trace`, `xs` and `xr`). They are kinds of their own, not assertions with another message, because the
// names are stable and a program that reads them may want to tell them apart.
enum class FindingKind : std::uint8_t {
  kAssertion,
  kDeadlock,
  kAcceptanceCycle,
  kNonProgress,
  kRuntimeError,
  kTraceAssertion,    // what was sent and received is not what the model says it must be
  kChannelAssertion,  // a process uses a channel that is another's alone
  kClaim,             // a claim is violated by what has happened already
};
const char* to_string(FindingKind kind);

// Something wrong that was found while a state was expanded.
struct Finding {
  FindingKind kind = FindingKind::kRuntimeError;
  // What distinguishes this finding from others of its kind (e.g. the statement and the message);
  // equal identities at different states are the same defect to a user who wants each one once.
  std::uint32_t identity = 0;
  // The step on which it happened, whether it has a successor or not; kStateItself when it belongs to the
  // state and no step was taken.
  static constexpr StepId kStateItself = StepId::none();
  StepId step = kStateItself;
};

struct Successor {
  StepId step;               // its name at the source state
  std::uint32_t offset = 0;  // of the state's bytes in the arena
  std::uint32_t length = 0;
};

// The model has something that the way in which it is checked cannot deal with; found out on the way.
class NotSupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Properties of a step that matter to infinite runs, a bit each; see omega.h.
using Marks = std::uint64_t;

// What a single expansion may use up: an indivisible sequence can have more paths than there is time or
// memory for. A system asks now and then while it expands a state.
class ExpansionBudget {
 public:
  virtual ~ExpansionBudget() = default;
  // `bytes`: what this expansion occupies by now. True: give up; what was found so far is worthless.
  virtual bool is_exhausted(std::uint64_t bytes) = 0;
};

// Where `expand` writes its answer; reused from state to state so that nothing is allocated. It may
// hold the answers for several states, one behind the other.
struct Expansion {
  Buffer<std::byte> arena;
  Buffer<Successor> successors;
  Buffer<Marks> marks;  // of the successors, one each; written by systems that have marks (omega.h)
  // For fairness, written by systems that are told to: the processes that take part in each step, a bit
  // each, and (of the last state) those that can begin one. Who has more than kMostMovers processes throws
  // NotSupported. kPassedAccept: the step passes an accept label inside an indivisible sequence, where no
  // state shows it.
  Buffer<std::uint64_t> movers;
  std::uint64_t enabled = 0;
  static constexpr std::uint32_t kMostMovers = 60;
  static constexpr std::uint64_t kPassedAccept = std::uint64_t{1} << 63;
  std::vector<Finding> findings;
  // Where the answer for the last state begins.
  std::size_t first_successor = 0;
  std::size_t first_finding = 0;
  // The rest, as far as it is an answer, is for the last state only.
  // Steps inside indivisible sequences, whose targets are not states of their own: for statistics.
  std::uint64_t inner_steps = 0;
  // One flag per entry of TransitionSystem::statements(): set when the statement was executed.
  // Kept across clear(); empty when the caller does not want to know.
  std::vector<std::uint8_t> executed;
  // Set by the caller: a subset of the steps will do, where the system knows one that is enough for
  // deadlocks, assertions and run-time errors (partial-order reduction). The steps have the same names and
  // the same order as in an expansion in full.
  bool may_reduce = false;
  // Set by expand when it left steps out. Sound only if one of those given leads to a state that is
  // yet to be expanded; otherwise the caller expands the state again, in full.
  bool is_reduced = false;
  // Set instead where that condition does not matter (only deadlocks are looked for), or has been seen to
  // (search/reduction_plan.h).
  bool is_reduced_for_deadlocks = false;
  // Null: no bound.
  ExpansionBudget* budget = nullptr;
  // Set by expand when it gave up.
  bool was_cut = false;
  // Bytes of the workspace, as far as they matter; kept across clear().
  std::uint64_t workspace_bytes = 0;
  // The system's own working memory, kept from call to call; nobody else looks inside.
  std::shared_ptr<void> workspace;

  void clear() {
    arena.clear();
    successors.clear();
    marks.clear();
    movers.clear();
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
    successors.set_size(first_successor);
    if (marks.size() > first_successor) marks.set_size(first_successor);
    if (movers.size() > first_successor) movers.set_size(first_successor);
    findings.resize(first_finding);
    begin_next();
  }
  // Those of the last state.
  std::span<const Successor> last_successors() const {
    return {successors.begin() + first_successor, successors.end()};
  }
  std::span<const Finding> last_findings() const { return std::span(findings).subspan(first_finding); }
  StateBytes state(const Successor& s) const { return {arena.data() + s.offset, s.length}; }
};

// The part that an action plays in passing a message, for charts.
struct Message {
  enum class Role : std::uint8_t { kSend, kReceive, kCopy /* received, but left in the channel */ };
  Role role = Role::kSend;
  std::uint32_t channel = 0;  // which channel: equal numbers at different actions, the same channel
  std::string channel_name;   // as the statement calls it
  std::string text;           // the fields, "ping,1"
};

// One indivisible action as a person sees it; a step between two states may consist of several
// (an indivisible sequence, the two sides of a handshake).
struct Action {
  int process = -1;                  // -1: not a process (a claim, a graph without processes)
  std::string process_name;          // "A" of A[2]; empty where processes have no names
  Position position;                 // of the statement
  std::string statement;             // "q!x", in the language's own notation
  std::string key;                   // stable: proctype, location, statement; survives a rebuild
  std::uint32_t location = 0;        // where the process was before
  std::uint32_t transition = 0;      // which of the language's transitions, by its own count
  bool completes_with_next = false;  // the next action, of another process, is the other half of it
  std::string output;                // what printf printed on the way
  std::vector<std::string> changes;  // "x = 3", in display order
  std::optional<Message> message;    // absent where nothing is sent or received
};

// A step with all that is known about it.
struct Explanation {
  std::vector<Action> actions;
  std::vector<std::byte> target;  // empty where the step failed without a successor
  std::vector<Finding> findings;
};

// A unit of source whose change can matter: a control location with its statements, a declaration.
//
// Two versions of a model are compared element by element. Let some elements of the one stand for some of
// the other, one for one. An element is unchanged when it has a counterpart with an equal meaning, and each
// element that it names has the corresponding element of the counterpart's list for its counterpart. The
// choice of counterparts is free (model/compare_elements.h has one): a bad choice makes more elements count
// as changed, and does no other harm.
struct Element {
  std::string key;  // unique; survives changes elsewhere in the source
  Position position;
  std::string text;  // for people; says less than the meaning
  // Digest of all that matters to the successors of a state, but for what `names` tells.
  std::array<std::uint64_t, 2> meaning = {};
  // Elements that the meaning speaks of (where a step leads to), in a fixed order.
  std::vector<std::uint32_t> names = {};
};

class Propositions;

// Of the last state everything but one step is taken back. False: it has no such step.
bool keep_only(StepId step, Expansion& out);

class TransitionSystem {
 public:
  virtual ~TransitionSystem() = default;

  virtual std::vector<std::byte> initial_state() const = 0;

  // Appends all successors and findings of `state` to `out`, where the caller has called clear() or
  // begin_next(). The state's bytes do not lie in `out`.
  virtual void expand(StateBytes state, Expansion& out) const = 0;

  // Executes one step: appends its successor, if it has one, and what goes wrong on it, without the other
  // steps of the state. Which statements were executed, and who could have moved instead, is not said. False:
  // there is no such step, or the expansion gave up. The default expands the state in full; systems that can
  // do less do. REQUIRES: as for expand; `step` was reported by expand for this state.
  virtual bool step(StateBytes state, StepId step, Expansion& out) const;

  // May these bytes, which come from a file, be expanded? True: they are laid out as a state of this system
  // is, whether it can be reached or not. The default vouches for nothing.
  virtual bool is_well_formed(StateBytes) const { return false; }

  // REQUIRES: `step` was reported by expand for this state.
  virtual Explanation explain(StateBytes state, StepId step) const = 0;

  // The state in words: one "name = value" per line, in a fixed order.
  virtual std::vector<std::string> describe(StateBytes state) const = 0;

  virtual std::string message(const Finding& finding) const = 0;
  virtual Position place(const Finding& finding) const = 0;

  virtual const std::vector<Element>& elements() const = 0;
  // Appends the numbers of sets of elements. Together they hold all that the successors and findings of
  // `state` depend on, when it is expanded in full: everything that one step from it can pass or look at.
  // While all of them are unchanged, the state has the same successors in the other version, in the same
  // order, and the same findings. What a claim asks and stubborn sets are not covered.
  virtual void element_sets_of(StateBytes state, std::vector<std::uint32_t>& out) const = 0;
  // Indices into elements(), ascending, at the same address whenever they are asked for.
  // REQUIRES: element_sets_of said the number.
  virtual std::span<const std::uint32_t> element_set(std::uint32_t set) const = 0;

  // Everything that can be executed, in source order, for the report of what never was.
  virtual const std::vector<Element>& statements() const = 0;

  virtual const SourceSet& sources() const = 0;

  // Answers what a claim asks of the states of this system; null where it cannot.
  virtual const Propositions* propositions() const { return nullptr; }
};

}  // namespace spoor
