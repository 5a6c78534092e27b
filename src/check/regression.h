// Checking an edited model again, with what an earlier check has recorded.
//
// A check of safety records the graph that it has seen (evidence/recorder.h) in a file. The next check of the
// same kind compares its version of the model with the recorded one, and searches a system that takes what
// the edit cannot influence from the file (evidence/recorded_system.h). Verdict, states, traces and unreached
// statements are those of a full check, because the search is the same one; and it leaves a recording of its
// own.
//
// Whether the recording is used is decided before the search: where it has no use, or most of its states are
// touched by the edit, the check is a full one. The file is a cache: one that is missing, damaged, or of
// another kind of check leads to a full check as well.
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
#include "evidence/recorded_system.h"
#include "evidence/recorder.h"
#include "evidence/recording.h"

namespace spoor {

class Regression {
 public:
  // Why checks of this kind are not recorded; empty: they are.
  static std::string why_not_recorded(const SourceModel& source, const LoadedModel& model,
                                      const CheckContext& context);
  // Null where they are not, or no recording is wanted. The arguments must live as long as the object.
  static std::unique_ptr<Regression> begin(const SourceModel& source, const LoadedModel& model,
                                           const CheckContext& context);

  // The result of the search, where the recording has it: nothing was changed that matters, and there was no
  // error. Otherwise there is something to be searched:
  const std::optional<SearchResult>& answer() const { return answer_; }
  // What that is, and the observer of the search.
  const TransitionSystem& system() const;
  Observer* observer() { return &*recorder_; }

  // After the search: its traces become those of the model, and the recording is written.
  void finish(CheckReport& report);

 private:
  Regression(const SourceModel& source, const LoadedModel& model, const CheckContext& context);
  // Why the recording is not used; empty: it is, or there is none.
  std::string use_recording();
  std::string read_old_version(const std::string& text);
  void take_answer(const RecordingHead& head, const ElementComparison& comparison);

  const SourceModel& source_;
  const LoadedModel& model_;
  const std::string& file_;
  const CheckOptions& wanted_;
  std::string options_;
  Recording recording_;
  std::unique_ptr<SourceModel> old_source_;
  std::optional<LoadedModel> old_model_;
  std::unique_ptr<const RecordedSystem> recorded_;  // null: the model itself is searched
  std::optional<SearchResult> answer_;
  std::optional<Recorder> recorder_;
  RecordedSystem::Figures figures_;
  std::string why_not_;
};

}  // namespace spoor
