// Random walks through an edited model: how much of what it can reach is new?
//
// The idea. Whether a closure check (closure_check.h) is worth its time depends on the number of new states,
// and reading the recording is most of its cost. So before the recording is read, its head decides. The head
// has a sample of the recorded states (state_sample.h), one of d. Random walks from the initial state see
// some n different states of the new version, those at which they are and all successors of these; if all of
// them were recorded, n/d of them would be in the sample. Where it has k of them, a share of about 1 - k*d/n
// of the states is new.
//
// Example: of 13 million states one of 200 is in the sample. Walks see 100,000 different states, and 330 of
// them are in the sample, where 500 are expected: about a third of the states is new.
//
// Rival: the first states of a breadth-first search. They are near the initial state, where an edit has had
// little time to make a difference: a counter that the edit adds is zero in most of them. A walk goes as deep
// as the runs of the model.
//
// An error that a walk meets is one that the new version can reach. A full check has to find it then, with
// its shortest trace, and the closure check would only meet it later.
//
// A walk prefers what has few runs to what has many; so the share is an estimate, which may be wrong without
// any bound. It decides which way an answer is found, and not what the answer is.
//
// A walk follows the reduced steps where the recorded search did: other steps lead to states that a reduced
// search does not have. It goes on to a successor at which no walk was before, drawn at random, and ends
// where there is none: many models end in a few states, among which a walk would stay otherwise (of 132,000
// steps through the elevator of the lab 1,100 led to another state). Each second walk begins at the initial
// state, the others at a state where one was, drawn from a few thousand.
// Invariant: the estimate depends on the two versions and the recording only.
// Cost: an expansion per step and a hash per successor; 50 bytes per state. Tested by:
// tests/unit/test_edit_walks.cpp
#pragma once

#include <cstdint>

#include "evidence/state_sample.h"
#include "model/state_layout.h"
#include "model/system.h"
#include "search/search.h"

namespace spoor {

struct EditWalks {
  std::uint64_t steps = 0;      // expansions
  std::uint64_t different = 0;  // states that were seen
  std::uint64_t known = 0;      // of these, in the sample
  bool has_error = false;       // that counts; the walks end there

  // The share of the states that is new; 0 where too few states were seen to tell. `sample`: the one that
  // was asked.
  double share_of_new(const StateSample& sample) const;
};

struct EditWalkOptions {
  std::uint64_t steps = 0;  // in all
  bool reduces = false;     // as the recorded search (SearchOptions::reduce)
  FindingKinds counted = FindingKinds::all();
};

// `back`: from the new version to the recorded one; null: no state of the new version was recorded.
EditWalks walk_edited(const TransitionSystem& system, const StateSample& sample, StateTranslator* back,
                      const EditWalkOptions& options);

}  // namespace spoor
