// Recordings of graphs on which claims about infinite runs were decided (claim_graph.h).
//
// They are recordings like others (recording.h, docs/formats.md) with two sets of statements: the entries of
// all states name set 0, which is empty, because what a single state executes is of no interest here; set 1
// has all statements that were executed. It names no state, so a statement that an edit removes makes no
// entry useless.
//
// The entry of a state with findings is not of use (RecordedState::kSpecial). A plan is written as a whole,
// so its recording has no states but those of this version. The graph of a search without reductions adds to
// the recording before, whose states stay: the entry of a state that is touched and was not visited says so.
//
// Tested by: tests/suites/test_regression.py
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "evidence/claim_graph.h"
#include "evidence/recording.h"
#include "search/reduction_plan.h"

namespace spoor {

// By statement of the new version: all that may lead to a state of the graph were executed before the edit,
// or are among these. REQUIRES: the graph is that of a recording made here.
std::vector<std::uint8_t> executed_so_far(const KnownGraph& graph, std::span<const std::uint8_t> executed,
                                          std::size_t statements);

// `head`: what the recording is about; the number of states is filled in. `executed`: flags. `graph`: what
// the plan is of; null: the model itself. All throw FramedFileError, std::bad_alloc.
void save_plan(const ReductionPlan& plan, const ClaimGraph* graph, std::span<const std::uint8_t> executed,
               RecordingHead head, const std::string& path);

struct ClaimGraphParts {
  const KnownGraph& known;
  const ClaimGraph& graph;
  std::span<const std::uint8_t> executed;
  PackedStates&&
      states;  // those of the recording that the graph is of; must not be used any more, nor may it
  FramedReader* before = nullptr;  // its file, from which is copied what stays as it is; null: there is none
};
// REQUIRES: KnownGraph::is_identity().
void save_graph(ClaimGraphParts parts, RecordingHead head, const std::string& path);

}  // namespace spoor
