// What an earlier check has found out about a claim, used by later checks of edited models.
//
// A check of a claim about infinite runs leaves a recording (evidence/recording.h) in a file of its own: the
// answer, which elements the states of its search can have, and, where recordings of graphs are wanted, the
// graph on which the claim was decided. The next check compares its version with the recorded one, and goes
// the cheapest way that is open:
//
//   1. Neither these elements nor the claim are changed: the answer is the same, and nothing is searched. So
//      an edit of one formula does not lead to checks of the others, and neither does an edit that no run
//      reaches.
//   2. A search of the first few states finds a violation.
//   3. The product with the claim is searched over the recorded graph (evidence/claim_graph.h), with
//      reductions over a plan that is made of it: only states that the edit touches are executed. The formula
//      may be another one.
//   4. Where the recording is of little use, the claim is checked in full (claim_search.h).
//
// Why the answer is the same in 1. The search of a product looks at states that are reachable in it, at the
// atoms there, and at the automaton. Statements that the search has executed lead to all of these states, so
// their elements are in the file; the atoms' elements are, too. If none of them is changed, the two products
// are the same graph with the same marks, step by step from the initial state, and one search of both has one
// answer. Fairness asks which processes can move, which depends on the elements of a state; reductions and
// their plans depend on the graph, on flags of locations and on what stubborn sets look at, which are part of
// the meaning of locations (exec/elements.h). In 3 the verdict is that of a full check, for the reasons in
// claim_graph.h; with reductions the product may have other states than that of a full check, and so the
// figures are other ones. The answer that is kept then has these figures.
//
// A violation is not reported from a file: it needs its trace, which a search finds again. Where no trace is
// needed (vacuity.h), the stored answer is enough.
//
// Of claims with weak fairness or accept labels inside indivisible sequences the answer alone is kept: they
// need to know the movers of each step, which is not recorded. So it is with several threads and a limit on
// the depth.
//
// Tested by: tests/suites/test_regression.py
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "check/check_report.h"
#include "check/claim_search.h"
#include "check/control.h"
#include "check/front_end.h"
#include "check/loaded_model.h"
#include "check/recorded_version.h"
#include "evidence/claim_graph.h"
#include "evidence/known_graph.h"
#include "evidence/recording.h"

namespace spoor {

class ClaimAnswer {
 public:
  // Null: answers of this check are not kept. The arguments must live as long as the object.
  static std::unique_ptr<ClaimAnswer> begin(const SourceModel& source, const LoadedModel& model,
                                            const ClaimChoice& claim, const CheckContext& context);

  // Nothing: it is not known.
  std::optional<bool> is_violated() const;
  // The result of the search: where it is known that the claim holds; or where a recorded graph, or one that
  // is made to be recorded, can be searched. Nothing: the claim is to be checked in full.
  std::optional<SearchResult> result(const RunsOptions& how, const SearchOptions& wanted);
  // Of the time of the check, so far.
  double spent_s() const { return began_.elapsed_s(); }
  // Keeps the answer of a search, and its graph: `plan` is the one of a check in full, if it has left one.
  void keep(const SearchResult& result, const ReductionPlan* plan = nullptr);
  // For the report.
  const ReuseFigures& figures() const { return figures_; }

 private:
  ClaimAnswer(const SourceModel& source, const LoadedModel& model, const ClaimChoice& claim,
              const CheckContext& context);
  bool has_graph() const { return version_.is_known() && figures_.recorded != 0; }
  // Is the graph of this check recorded?
  bool records_graph() const { return records_ == RecordingChoice::kGraph; }
  std::optional<SearchResult> search_first(const RunsOptions& how, const SearchOptions& wanted);
  // 3 in the essay. Nothing, with the reason in the figures: the recording is of no use.
  std::optional<SearchResult> search_recorded(const RunsOptions& how, const SearchOptions& wanted);
  std::string read_graph();
  // Makes a graph that can be recorded, of as many states as the search of it has; nothing where that are too
  // many (then there is a plan).
  std::optional<SearchResult> search_and_remember(const RunsOptions& how, const SearchOptions& wanted);
  // Nothing: too many states were expanded.
  std::optional<SearchResult> search_graph(const RunsOptions& how, SearchOptions options);
  std::optional<SearchResult> search_plan(const RunsOptions& how, const SearchOptions& wanted);
  // With names of steps and executed statements of this version.
  SearchResult finished(SearchResult result) const;
  void forget_graph();
  void save_to(const RecordingHead& head, const SearchResult& result, const ReductionPlan* plan);

  const LoadedModel& model_;
  const bool has_depth_limit_;
  const Budget began_;  // for its clock
  const double cpu_before_s_;
  RecordedVersion version_;
  const RecordingChoice records_;
  ReuseFigures figures_;
  Recording recording_;
  std::unique_ptr<const KnownGraph> known_;
  std::unique_ptr<const ClaimGraph> graph_;  // null: no graph was searched, or it was of no use
  std::uint64_t most_expanded_ = 0;          // by it
  std::unique_ptr<ReductionPlan> plan_;      // of the graph, where there are reductions
};

}  // namespace spoor
