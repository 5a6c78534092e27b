// The version of a model that a recording is of, compared with the one that is checked.
//
// The head of a recording (evidence/recording.h) has the text of its model, what the check has answered, and
// which elements its states can have. The text is compiled again, and the two versions are compared element
// by element. Where no element of the head is changed and the initial state is the same, both versions have
// the same graph, and a check of the same kind has the same answer.
//
// For a claim about infinite runs the same is true of the product with the claim, if the claim is the same:
// the automaton, and the elements that its atoms depend on (Propositions::elements_of_atoms), which are in
// the head, too. The claim of the recorded version is the one of the same name.
//
// Cost: to compile the text once more, without native code. Tested by: tests/suites/test_regression.py
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "check/check_report.h"
#include "check/control.h"
#include "check/front_end.h"
#include "check/loaded_model.h"
#include "evidence/recording.h"
#include "model/compare_elements.h"
#include "model/state_layout.h"

namespace spoor {

// Why versions of this model, or answers of this kind of check, are not compared; empty: they are.
std::string why_not_compared(const SourceModel& source, const LoadedModel& model,
                             const CheckContext& context);

class RecordedVersion {
 public:
  // `model`: the version that is checked, prepared for `claim`. `file`: of the recording. The arguments but
  // the last two must live as long as the object.
  RecordedVersion(const SourceModel& source, const LoadedModel& model, const CheckOptions& wanted,
                  const ClaimChoice& claim, std::string file);

  // Calls a function that returns why the recording is of no use, or nothing; also where it throws, because
  // the file is damaged (it is set aside) or there is no memory.
  std::string attempt(const std::function<std::string()>& read) const;
  // Reads the head. Why the recording is of no use; empty: it may be, or there is none. Throws
  // FramedFileError, std::bad_alloc.
  std::string read();

  // After read(): is there a recording that may be of use? REQUIRED by what follows.
  bool is_known() const { return comparison_.has_value(); }
  const LoadedModel& model() const { return *old_model_; }
  FramedReader& file() { return *file_; }  // which another check may replace meanwhile
  const RecordingHead& head() const { return head_; }
  // Locations, and how many are changed; recorded states.
  ReuseFigures figures() const;
  // From this version to the recorded one; null: their states have nothing to do with each other.
  std::unique_ptr<StateTranslator> translator_back() const;
  // The share of the recorded states that the edit touches, by a sample; 0 where there is none.
  double touched_share() const;
  // What the check of the recorded version has answered, where this version must have the same answer.
  const RecordedAnswer* answer() const { return answer_ ? &*answer_ : nullptr; }
  // The same as the result of a search that holds, in terms of this version.
  SearchResult result() const;

  const std::string& path() const { return path_; }
  // What is left of what a check may leave, where the folder cannot be written.
  RecordingChoice possible(RecordingChoice wanted) const;
  // The head of a recording of this version; elements and number of states are left to be filled in.
  RecordingHead head_of(const SearchResult& result) const;

 private:
  std::string load(const std::string& text);
  std::optional<ClaimChoice> claim_in(const SourceModel& source) const;
  bool has_same_claim() const;
  bool has_same_beginning() const;
  std::optional<RecordedAnswer> answer_of(const RecordingHead& head) const;
  std::string set_aside(const FramedFileError& error) const;

  const SourceModel& source_;
  const LoadedModel& model_;
  const CheckOptions& wanted_;
  const ClaimChoice claim_;
  const std::string path_;
  const std::string options_;  // what must be equal for a recording to be of use, apart from the model
  std::optional<FramedReader> file_;
  std::unique_ptr<SourceModel> old_source_;
  std::optional<LoadedModel> old_model_;
  std::optional<ElementComparison> comparison_;
  RecordingHead head_;
  std::optional<RecordedAnswer> answer_;  // its statements are those of this version
};

}  // namespace spoor
