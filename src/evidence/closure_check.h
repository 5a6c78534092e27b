// Checks an edited model again by looking only at the states that the edit touches.
//
// The idea. A recorded search has found no error in a set of states, which has the initial state and all
// successors of its members. After an edit, the members that the edit touches are expanded by the new version
// and their successors looked up in the set; those that are not there are new, and are expanded, too, until
// none is left. Nothing else is looked at: the cost is that of reading the states once, and of what is
// executed.
//
// Why that is right. Let K be the recorded states, as states of the new version, and the new ones. K has the
// initial state of the new version: it is looked up like a successor. K has all successors of its members in
// the new version: those of a state that the edit does not touch are the same in both versions, and the old
// search had them; all other members were expanded. So all states that the new version can reach are in K. No
// member has an error: of an untouched one the old search would have found it, the others were looked at.
// Hence the new version holds.
//
// K may have states that cannot be reached any more. So an error that is found may be one of a state that no
// run meets: then there is no answer, and a search decides (walk.h, or a full check). The number of states is
// a bound (where steps are left out, it is one that is enough), and so are the statements that were executed:
// one that is not among them is never executed. Neither transitions nor depth are known. The walk knows all
// of that, needs the steps of all states, and takes several times as long.
//
// Which recorded states are members. One that stands for no state of the new version is none
// (KnownGraph::new_bytes_of): one at a location that is gone; one in which a variable that is gone did not
// have its initial value, or one that is dead now was not cleared. No member has a step to such a state: of
// an untouched member, because a step that leads there writes the variable, or leaves it alone where it is
// dead, and either is an element that is changed.
//
// Reductions. An untouched state has the steps that the old search has followed there, with some left out
// perhaps. Nothing is lost by that as long as no step is postponed for ever: from every state of which steps
// were left out (reduced, for short) there must be a path to one that was expanded in full. A breadth-first
// search sees to that by its proviso: a reduced state has a step to the next level. Where states are numbered
// by levels (RecordingHead::is_ordered) that is a step to a higher number. So the rule here is: a touched or
// new state may be reduced where one of its steps leads to a state of higher rank (state_ranks.h): a higher
// number, and new states are ranked right behind one of the states that lead to them. Then every reduced
// state of K leads to one of higher rank, and the last one on such a path is expanded in full. The order is
// part of the next recording. Where it is not known, all that is expanded here is expanded in full: the path
// from a reduced state that the old search had is still there, or it meets a touched state, which is expanded
// in full. (On the alarm clock of the lab one changed assertion touches 94,000 of 6.2 million states;
// expanded in full, they lead to 534,000 new ones.)
//
// When it gives up. New states can be many times those of the new version that can be reached (an edit of the
// study: 600 times), so there is a bound on them. A statement that is inserted makes about one new state for
// each touched one, and all of them are found when the touched states have been expanded, because the steps
// of other processes lead from one to another. So where the new states then become more than two and a half
// times as many, there is no end in sight.
//
// An error near the initial state is one that a full check finds soon. So before the table of states is made,
// which is most of the cost, some of the first touched states are expanded: `may_fail_early`.
//
// Rival: to walk the whole recorded graph (walk.h). docs/adr/0021 has figures.
// Thread safety: none. Tested by: tests/unit/test_closure_check.cpp, tests/suites/test_regression.py
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evidence/known_expander.h"
#include "evidence/known_graph.h"
#include "model/budget.h"
#include "search/search.h"

namespace spoor {

struct ClosureOptions {
  bool reduces = false;  // steps may be left out where that is sound (SearchOptions::reduce)
  bool records = true;   // save() may be called
  // New states; with more it gives up.
  std::uint64_t most_new = std::numeric_limits<std::uint64_t>::max();
  Limits limits;  // where one is reached, it gives up, too
  FindingKinds counted = FindingKinds::all();
};

class ClosureCheck {
 public:
  enum class Answer : std::uint8_t {
    kHolds,
    kError,    // of a state that may be reachable
    kTooMany,  // new states
    kLimit
  };

  // The recording must be that of a complete search without an error. The arguments must live as long as the
  // check.
  ClosureCheck(const KnownGraph& graph, const TransitionSystem& before, const TransitionSystem& after,
               const ClosureOptions& options);

  // Is there an error at one of the first touched states? May be asked before the states are read
  // (KnownGraph::read_states), and is not the last word.
  bool may_fail_early();
  // Throws what KnownGraph and the system throw. REQUIRES: the states were read.
  Answer run();

  // REQUIRES, from here on: the answer is kHolds. States that the new version has expanded.
  std::uint64_t expanded() const { return expanded_; }
  // What a full check would have had, at most: states and executed statements. The other figures are zero.
  SearchResult result() const;
  // Which elements the states of the new version can have, ascending.
  std::vector<std::uint32_t> elements() const;
  // Writes the recording of the new version (KnownExpander::save). `head`: what it is about, with its answer;
  // elements and number of states are filled in. REQUIRES: ClosureOptions::records.
  void save(RecordingHead head, PackedStates&& states, FramedReader& file, const std::string& path);

 private:
  // False: that is the end (answer_).
  bool expand(StateIndex number, StateBytes state);
  // Ranks what is new among the successors of the batch.
  void rank_targets(const KnownExpander::Batch& batch, std::span<const StateIndex> sources);
  bool finish_batch();
  // The proviso of a state of the batch is not met.
  bool expand_in_full(StateIndex number);
  void note_error(const KnownExpander::Batch& batch);
  bool must_end();

  const KnownGraph& graph_;
  const TransitionSystem& before_;
  const TransitionSystem& after_;
  const ClosureOptions options_;
  Budget budget_;
  KnownExpander expander_;
  KnownExpander::Batch batch_, single_;
  std::vector<StateIndex> numbers_;  // of the states of the batch
  StateRanks ranks_;                 // of all states, also where the old ones have no order
  bool is_behind_recorded_ = false;  // all recorded states that are touched were expanded
  RecordedState stored_;
  std::uint64_t expanded_ = 0;
  std::uint64_t most_new_;
  std::vector<bool> has_set_;  // by set of elements of the new version: an expanded state has it
  std::vector<std::uint32_t> sets_;
  Answer answer_ = Answer::kHolds;
};

}  // namespace spoor
