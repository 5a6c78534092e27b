// Checking an edited model again, with what an earlier check has recorded.
//
// A check of safety that holds leaves its states in a file, and where that is wanted their steps
// (evidence/recorder.h). The next check of the same kind compares its version of the model with the recorded
// one, and goes the cheapest way that is open:
//
//   1. No state of the recording has an element that is changed: the answer is the one that was recorded.
//   2. A search of the first few states finds an error.
//   3. The states that the edit touches, and what is new behind them, have no error
//      (evidence/closure_check.h): the model holds. The number of its states is then known as a bound.
//   4. The recorded graph is walked (evidence/walk.h), where steps were recorded: only states that the edit
//      touches are executed.
//   5. Where that finds something wrong, or another order of search is wanted, a system is searched that
//      takes what the edit cannot influence from the recording (evidence/recorded_system.h).
//   6. Where the recording is of little use, the model itself is searched.
//
// With --regression walk, 3 is left out: all figures are those of a full check. So it is by default where the
// recording is small: there a full check, with its figures, is a matter of a moment.
//
// The recording of the next version has the states of this one where they are, and what is new behind them.
// Where an edit has changed the layout of states (a statement that is inserted gives other numbers to those
// below), all of them would have to be translated, which takes half as long as a check. So the recording
// stays as it is, and the next version is compared with the one that was recorded; the answer about this one
// is kept in a file beside it, for a check of the same version and for edits that no run reaches. A walk
// translates them where the edits touch much.
//
// Verdict and traces are those of a full check, and but for 3 so are states and unreached statements. The
// next check has a recording of this version, or still that of the version before.
//
// With --regression prune, 2 to 5 are replaced by a search that leaves out what lies below states that
// cannot reach the edit (evidence/pruned_system.h). The recording must say what its states reach
// (evidence/reachable_sets.h); one that does not, because another check has made it, leads to a full check.
// Verdict, kinds of violation and unreached statements are those of a full check, figures are not.
//
// Whether the recording is used is decided before the search: where it has no use, or the edit touches too
// much of it, the check is a full one. So it is where a walk turns out to execute too much. The file is a
// cache: one that is missing, damaged, or of another kind of check leads to a full check as well.
//
// Not recorded are checks with embedded C (whose code may have state of its own), stubborn sets (which
// recordings of safety have not been tried with), stores that do not keep states, swarms, and checks that use
// checkpoints.
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
#include "evidence/closure_check.h"
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

  // The result of the search, where the recording is enough for it: nothing was changed that matters, or
  // nothing wrong was found in what the edit influences. `options`: those of the search.
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
  bool has_stored_answer() const { return answered_by_ != nullptr; }
  bool is_large() const;
  bool is_worth_reading() const;
  std::string why_not_read() const;
  // These say why the recording is not used; empty: it is, and there is a result, or a system that is to be
  // searched.
  std::string use_recording(const SearchOptions& options, std::optional<SearchResult>& found);
  std::string why_not_by_walks(const SearchOptions& options);
  std::string check_closure(const SearchOptions& options, std::optional<SearchResult>& found);
  std::string read_graph();
  std::string use_graph(const SearchOptions& options, std::optional<SearchResult>& found);
  std::string read_reachable_sets();  // for a pruned search instead
  // The answer of the full check, where it finds an error after few states.
  std::optional<SearchResult> find_early(const SearchOptions& options);
  RecordingHead head_of(const CheckReport& report) const;
  // For the next check. `is_whole`: the search has seen all states, and no error.
  void save_recording(const CheckReport& report, bool is_whole);
  // What the states of the new recording reach. Of a check that a limit has ended most states are open, and
  // its time is over: there it is not worth computing.
  void add_reachable_sets() const;

  const SourceModel& source_;
  const LoadedModel& model_;
  const CheckOptions& wanted_;
  const Budget began_;  // for its clock
  const double cpu_before_s_;
  RecordedVersion version_;
  RecordedVersion latest_;                        // whose answer was kept, and no states
  const RecordedVersion* answered_by_ = nullptr;  // of the two: the one that has the same answer as this
  const RecordingChoice records_;
  Recording recording_;
  bool is_found_early_ = false;
  std::unique_ptr<KnownGraph> graph_;
  std::optional<ClosureCheck> closure_;  // where it has had a result, and so:
  std::optional<Walk> walk_;
  std::optional<RecordedSystem> recorded_;
  std::unique_ptr<const PrunedSystem> pruned_;  // neither: the model itself is searched
  std::optional<Recorder> recorder_;
  ReuseFigures figures_;
};

}  // namespace spoor
