// Checking an edited model again, with what an earlier check has recorded.
//
// A check of safety records the graph that it has seen (evidence/recorder.h) in a file. The next check of the
// same kind compares its version of the model with the recorded one, and goes the cheapest way that is open:
//
//   1. No state of the recording has an element that is changed: the answer is the one that was recorded.
//   2. A search of the first few states finds an error.
//   3. The recorded graph is walked (evidence/walk.h): only states that the edit touches are executed.
//   4. Where that finds something wrong, or another order of search is wanted, a system is searched that
//      takes what the edit cannot influence from the recording (evidence/recorded_system.h).
//   5. Where the recording is of little use, the model itself is searched.
//
// Verdict, states, traces and unreached statements are those of a full check. The next check has a recording
// of this version, or still that of the version before.
//
// With --regression prune, 2 to 4 are replaced by a search that leaves out what lies below states that
// cannot reach the edit (evidence/pruned_system.h). The recording must say what its states reach
// (evidence/reachable_sets.h); one that does not, because another check has made it, leads to a full check.
// Verdict, kinds of violation and unreached statements are those of a full check, figures are not.
//
// Whether the recording is used is decided before the search: where it has no use, or the edit touches too
// much of it, the check is a full one. So it is where a walk turns out to execute too much. The file is a
// cache: one that is missing, damaged, or of another kind of check leads to a full check as well.
//
// Not recorded are checks with embedded C (whose code may have state of its own), stubborn sets (which look
// at more than a state's elements), stores that do not keep states, swarms, and checks that use checkpoints.
//
// Tested by: tests/suites/test_regression.py
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "check/check_report.h"
#include "check/control.h"
#include "check/front_end.h"
#include "check/loaded_model.h"
#include "check/recorded_version.h"
#include "evidence/known_graph.h"
#include "evidence/pruned_system.h"
#include "evidence/recorded_system.h"
#include "evidence/recorder.h"
#include "evidence/recording.h"
#include "evidence/walk.h"

namespace spoor {

class Regression {
 public:
  // Why checks of this kind are not recorded; empty: they are.
  static std::string why_not_recorded(const SourceModel& source, const LoadedModel& model,
                                      const CheckContext& context);
  // Null where they are not, or no recording is wanted. The arguments must live as long as the object.
  static std::unique_ptr<Regression> begin(const SourceModel& source, const LoadedModel& model,
                                           const CheckContext& context);

  // The result of the search, where the recording is enough for it: nothing was changed that matters, or a
  // walk of the recorded graph has found nothing wrong. `options`: those of the search.
  std::optional<SearchResult> answer(const SearchOptions& options);
  // Otherwise there is something to be searched, with this observer; null where nothing is recorded.
  const TransitionSystem& system() const;
  Observer* observer() { return recorder_ ? &*recorder_ : nullptr; }
  // Of the time of the check, so far.
  double spent_s() const { return began_.elapsed_s(); }

  // After the search: its traces become those of the model, and the recording is written.
  void finish(CheckReport& report);

 private:
  Regression(const SourceModel& source, const LoadedModel& model, const CheckContext& context);
  void read_head();
  bool has_stored_answer() const { return version_.answer() != nullptr; }
  // These say why the recording is not used; empty: it is.
  std::string read_graph();
  // Walks the graph, which finds a result or not; or makes a system of it that is to be searched.
  std::string use_graph(const SearchOptions& options, std::optional<SearchResult>& found);
  std::string read_reachable_sets();  // for a pruned search instead
  // The answer of the full check, where it finds an error after few states.
  std::optional<SearchResult> find_early(const SearchOptions& options) const;
  RecordingHead head_of(const CheckReport& report) const;
  // Leaves the answer alone, for the next check.
  void save_answer(const CheckReport& report) const;
  // What the states of the new recording reach. Of a check that a limit has ended most states are open, and
  // its time is over: there it is not worth computing.
  void add_reachable_sets() const;

  const SourceModel& source_;
  const LoadedModel& model_;
  const CheckOptions& wanted_;
  // Is the graph of this check recorded?
  bool records_graph() const {
    return records_ == RecordingChoice::kGraph ||
           (records_ == RecordingChoice::kWhenEdited && version_.is_known());
  }
  const Budget began_;  // for its clock
  const double cpu_before_s_;
  RecordedVersion version_;
  const RecordingChoice records_;
  Recording recording_;
  bool is_found_early_ = false;
  std::unique_ptr<const KnownGraph> graph_;
  std::optional<Walk> walk_;  // where it has had a result
  std::optional<RecordedSystem> recorded_;
  std::unique_ptr<const PrunedSystem> pruned_;  // neither: the model itself is searched
  std::optional<Recorder> recorder_;
  ReuseFigures figures_;
};

}  // namespace spoor
