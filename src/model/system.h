// The central contract: what a search needs to know about a system, and nothing more.
//
// A state is an immutable sequence of bytes; equal bytes mean equal states. A TransitionSystem gives
// its initial state and, for any state, all successors, appended to one arena in an order that
// depends on the state alone: not on the search, on threads, on addresses or on time. Every step has a name
// at its source state (step_id.h), which is all that replay, scripts and traces need; `explain` turns it
// into the words of the language.
//
// What else is said about each step (which statement it is, which processes or threads take part) is asked
// for column by column: expansion.h.
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
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/source.h"
#include "model/expansion.h"
#include "model/finding.h"
#include "model/step_id.h"

namespace spoor {

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

// A process that does not move, in words.
struct Waiting {
  struct Option {
    Position position;
    std::string statement;
    std::string reason;  // why it cannot be executed; empty: unknown
  };
  std::string process;  // "A[2]"
  Position position;
  bool may_end_here = false;    // a valid end state
  std::vector<Option> options;  // what it waits for: each of them would be enough
};

// A unit of source whose change can matter: a control location with its statements, a declaration.
//
// Two versions of a model are compared element by element. Let some elements of the one stand for some of
// the other, one for one. An element is unchanged when it has a counterpart with an equal meaning, and each
// element that it names has the corresponding element of the counterpart's list for its counterpart. The
// choice of counterparts is free (model/compare_elements.h has one): a bad choice makes more elements count
// as changed, and does no other harm. The element "initial state", on which no state depends, tells whether
// both begin alike.
struct Element {
  std::string key;  // unique; survives changes elsewhere in the source
  Position position;
  std::string text;  // for people; says less than the meaning
  // Digest of all that matters to the successors of a state, but for what `names` tells.
  std::array<std::uint64_t, 2> meaning = {};
  // Elements that the meaning speaks of (where a step leads to), in a fixed order.
  std::vector<std::uint32_t> names = {};
  // The same in parts, in a fixed order, so that a comparison can say what differs. For people only: parts
  // that are equal prove nothing.
  struct Part {
    const char* name = "";  // completes "another ...": "capacity"
    std::uint64_t digest = 0;
  };
  std::vector<Part> parts = {};
};

class Guidance;
class Propositions;
class StateLayout;

class TransitionSystem {
 public:
  virtual ~TransitionSystem() = default;

  virtual std::vector<std::byte> initial_state() const = 0;

  // Appends all successors and findings of `state` to `out`, with the columns that are asked for, where the
  // caller has called clear() or begin_next(). The state's bytes do not lie in `out`.
  virtual void expand(StateBytes state, Expansion& out) const = 0;

  // Executes one step: appends its successor, if it has one, with the columns that are asked for, and what
  // goes wrong on it, without the other steps of the state. Which statements were executed, and which movers
  // could have moved instead, is not said. False: there is no such step, or the expansion gave up. The
  // default expands the state in full; systems that can do less do. REQUIRES: as for expand; `step` was
  // reported by expand for this state.
  virtual bool step(StateBytes state, StepId step, Expansion& out) const;

  // May these bytes, which come from a file, be expanded? True: they are laid out as a state of this system
  // is, whether it can be reached or not. The default vouches for nothing.
  virtual bool is_well_formed(StateBytes) const { return false; }

  // REQUIRES: `step` was reported by expand for this state.
  virtual Explanation explain(StateBytes state, StepId step) const = 0;

  // The state in words: one "name = value" per line, in a fixed order.
  virtual std::vector<std::string> describe(StateBytes state) const = 0;

  // What each process of a state without successors waits for. The default knows of no processes.
  virtual std::vector<Waiting> waiting(StateBytes) const { return {}; }

  virtual std::string message(const Finding& finding) const = 0;
  virtual Position place(const Finding& finding) const = 0;

  virtual const std::vector<Element>& elements() const = 0;
  // Appends the numbers of sets of elements. Together they hold all that the successors and findings of
  // `state` depend on, in full or with may_reduce: everything that one step from it can pass or look at.
  // While all of them are unchanged, the state has the same successors in the other version, in the same
  // order, and the same findings; so it has when it is expanded with may_reduce. What a claim asks is not
  // covered. May be called with any bytes, and then appends any numbers of sets, or none.
  virtual void element_sets_of(StateBytes state, std::vector<std::uint32_t>& out) const = 0;
  // Where states say which sets they have, for a reader of encoded states (evidence/touched_states.h).
  struct SetPlace {
    std::uint32_t offset = 0, bytes = 1;  // in the state; a number, the lowest byte first
    std::span<const std::uint32_t> sets;  // by that number; one that is no set: no state has it here
  };
  struct SetPlaces {
    std::vector<std::uint32_t> structure;  // offsets of single bytes
    std::vector<SetPlace> places;
  };
  // The sets of all states that are as long as this one and have the same bytes at the offsets of `structure`
  // are those that the places name. Nothing: it is not told.
  virtual std::optional<SetPlaces> set_places(StateBytes) const { return std::nullopt; }
  // Appends numbers of sets of elements: all that a state can have to which one comes from the initial state
  // by steps that execute no other statements than these (flags, as in Expansion::executed). There may be
  // more.
  virtual void element_sets_after(std::span<const std::uint8_t> executed,
                                  std::vector<std::uint32_t>& out) const;
  // Indices into elements(), ascending, at the same address whenever they are asked for.
  // REQUIRES: set < element_set_count().
  virtual std::span<const std::uint32_t> element_set(std::uint32_t set) const = 0;
  // How many sets there are; their numbers are below this.
  virtual std::uint32_t element_set_count() const = 0;

  // Everything that can be executed, in source order, for the report of what never was. An entry without key
  // and text is a statement that the user has not written as one; it can be a label all the same.
  virtual const std::vector<Element>& statements() const = 0;

  // The movers of a step have numbers below this, which is at most Expansion::kMostMovers. At a state with
  // more movers an expansion that asks for them throws NotSupported. 0: the system does not tell movers
  // apart.
  virtual std::uint32_t most_movers() const { return 0; }

  virtual const SourceSet& sources() const = 0;

  // Answers what a claim asks of the states of this system; null where it cannot.
  virtual const Propositions* propositions() const { return nullptr; }

  // Where things are in a state, so that states can be translated to another version (state_layout.h); null:
  // they cannot be.
  virtual const StateLayout* layout() const { return nullptr; }

  // What leads a search to errors sooner (guidance.h); null: nothing is known.
  virtual const Guidance* guidance() const { return nullptr; }
};

}  // namespace spoor
