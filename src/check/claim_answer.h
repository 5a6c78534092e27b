// What an earlier check has answered about a claim, kept for later checks of edited models.
//
// A check of a claim about infinite runs leaves the head of a recording (recorded_version.h) in a file of its
// own: the answer, and which elements the states of its search can have. After an edit that changes none of
// these elements, nor the claim, the answer is the same, and nothing is searched. So an edit of one formula
// does not lead to checks of the others, and neither does an edit that no run reaches. The graph is not kept:
// after any other edit the claim is checked in full.
//
// Why that is right. The search of a product looks at states that are reachable in it, at the atoms there,
// and at the automaton. Statements that the search has executed lead to all of these states, so their
// elements are in the file; the atoms' elements are, too. If none of them is changed, the two products are
// the same graph with the same marks, step by step from the initial state, and one search of both has one
// answer. Fairness asks which processes can move, which depends on the elements of a state; reductions and
// their plans depend on the graph and on flags of locations, which are part of their meaning. Stubborn sets,
// which are the default here, depend on more: then an edit that no run reaches leads to a check, too.
//
// A violation is not reported from a file: it needs its trace, which a search finds again. Where no trace is
// needed (vacuity.h), the stored answer is enough.
//
// Tested by: tests/suites/test_regression.py
#pragma once

#include <memory>
#include <optional>

#include "check/check_report.h"
#include "check/control.h"
#include "check/front_end.h"
#include "check/loaded_model.h"
#include "check/recorded_version.h"

namespace spoor {

class ClaimAnswer {
 public:
  // Null: answers of this check are not kept. The arguments must live as long as the object.
  static std::unique_ptr<ClaimAnswer> begin(const SourceModel& source, const LoadedModel& model,
                                            const ClaimChoice& claim, const CheckContext& context);

  // Nothing: it is not known.
  std::optional<bool> is_violated() const;
  // The result of the search, where it is known that the claim holds.
  std::optional<SearchResult> result() const;
  // Keeps the answer of a search.
  void keep(const SearchResult& result);
  // For the report.
  const ReuseFigures& figures() const { return figures_; }

 private:
  ClaimAnswer(const SourceModel& source, const LoadedModel& model, const ClaimChoice& claim,
              const CheckContext& context);

  const LoadedModel& model_;
  const bool has_depth_limit_;
  RecordedVersion version_;
  const RecordingChoice records_;
  ReuseFigures figures_;
};

}  // namespace spoor
