// Stubborn sets: which processes may move while all the others wait, decided state by state.
//
// The idea (Valmari 1988). Let S be a set of processes such that nothing that the others do, now or
// later, for as long as S rests, matters to what S can do next: it neither enables, nor disables, nor
// disturbs a step of S, nor sees it. Then whatever happens from here on could as well begin with a step
// of S, and it is enough to follow those. promela/ample.cpp finds processes of which this can be told
// from their location alone, whatever the others are up to; here the others are looked at, as they are in
// this state.
//
// S is found by closure. Begin with one process; for every process p in S and every statement that p
// has before it:
//   - it can run: add each process that may ever, from where it is, do something that conflicts with it
//     (one writes what the other reads or writes);
//   - it cannot run: something in its guard is false. Add each process that may ever write what this
//     part of the guard reads, and no other: until one of those moves, the statement stays blocked
//     (a necessary enabling set, as in guard-based reduction; what the rest of the guard and the
//     statement itself access is of no interest).
// Every process of S whose turn it could be is a seed; the smallest result wins.
//
// Example: philosophers, fork[i] between philosophers i-1 and i. One that waits for its right fork
// conflicts with its right neighbour only; if that one waits for the same fork, as its left, the two are
// closed under the rules, and all others wait. SPIN's ample sets find nothing here, because no
// statement is local.
//
// "May ever" is a summary per location, computed once: all that the statements reachable from there
// access. Which element of an array, which channel of an array of channels, is known where the index
// hangs on constants, _pid and variables that are never assigned (mostly parameters); of the statements
// before a process it is known exactly, by evaluating the index here and now. A process that can start
// others accesses all that they can.
//
// What is accessed ("cells"): each global variable and array element; of each channel its two ends. A send
// writes the tail, a receive the head, a question (len, full, poll) reads both; so a send and a receive on
// one channel do not conflict: a receive that is possible takes the same message before and after the send, a
// send that is possible appends the same one. A blocked send waits for the head, a receive from an empty
// channel for the tail. A send or receive also counts as a question where it matters to another statement
// that it is not possible: inside an atomic sequence (which would be interrupted), beside an else, beside an
// unless, within a d_step. A rendezvous is a step of two: a process before one needs all that may ever come
// to be its partners. The table of processes is a cell too: run changes it, death changes it, _nr_pr reads
// it; a process that waits to die waits for the last one.
//
// Why nothing is lost. (1) Deadlocks: on the way to one, some process of S moves; its first step is
// possible here already and commutes with all before it. (2) Failed assertions and run-time errors are
// outcomes of steps, or of guards that are evaluated, and depend only on what these read; so the same
// exchange moves them nowhere. One case needs care: p in S may be before a guard of which a part other
// than the false one can go wrong after others have moved. So the false part is the first one in the
// order of evaluation, and where a part before it can go wrong, what that one reads counts as well. (3)
// No step is ignored (postponed forever): that is the proviso of the searches. All steps of S stay
// possible, whichever way it goes, so any one of them may be the one that meets the proviso. (4) A
// timeout can only happen where no process can move, hence not before S has moved. (5) If something goes
// wrong on a step of S itself, or S cannot move after all, the state is expanded in full.
//
// With a claim about infinite runs (Program::claim) two things more are asked for (Peled 1994): what is
// left of a state's steps must not change what the claim sees, and on every cycle some state is expanded in
// full. The first is seen to here: a set with a visible step is not chosen. The second is
// search/reduction_plan.h's.
//
// Not at all in models in which more is visible than this: priorities, provided, _last, enabled, pc_value,
// references to other processes but for labels in the claim, trace assertions, D_proctype, embedded C, and
// rendezvous offers whose refusal shows (Locality::notices_offers).
//
// Rivals: per transition instead of per process the sets are smaller still (LTSmin) and the bookkeeping
// larger; processes are what both tiers can be told to expand.
//
// Cost: per state and process some tens of instructions for the statement before it, and a few per
// pair of processes. What a process may ever access is looked up by (process, location) and computed once.
//
// Literature: Valmari, "Error detection by reduced reachability graph generation", 1988, and "Stubborn
// sets for reduced state space generation", 1991; Godefroid, LNCS 1032 (persistent sets); Geldenhuys,
// Hansen, Valmari, "Exploring the scope for partial order reduction", ATVA 2009; Laarman, Pater, van de
// Pol, Hansen, "Guard-based partial-order reduction", STTT 2016.
//
// Invariants:
//  1. choose() is a function of the state alone.
//  2. A cell stands for one or more variables or channel ends, never the other way round: two accesses
//     to the same thing share a cell.
//
// Thread safety: choose() may be called from several threads, each with its own Memory.
// Tested by: tests/suites/test_reduction.py (verdicts, --check-reduction, states left)
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "exec/machine.h"

namespace spoor::exec {

struct StubbornTables;

class StubbornSets {
 public:
  // Bit i: process i. Sets are looked for in states of up to 64 processes.
  using Processes = std::uint64_t;

  // What was computed once and is needed again; one per thread.
  class Memory {
   public:
    Memory();
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

   private:
    friend class StubbornSets;
    struct Content;
    std::unique_ptr<Content> content_;
  };

  // `machine` must outlive this. `lose_messages`: a send to a full channel is possible.
  StubbornSets(const Machine& machine, bool lose_messages);
  ~StubbornSets();
  StubbornSets(const StubbornSets&) = delete;
  StubbornSets& operator=(const StubbornSets&) = delete;

  // False: never will a set be found; do not ask.
  bool is_useful() const;

  // What it is decided by, beside the state.
  const StubbornTables& tables() const;

  // The processes whose steps are enough, or 0 where all are needed.
  // REQUIRES: is_useful(), and `state` is one of the program's.
  Processes choose(std::span<const std::byte> state, Memory& memory) const;

 private:
  std::unique_ptr<const StubbornTables> tables_;
};

}  // namespace spoor::exec
