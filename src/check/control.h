// What a check is given in addition to its options: a listener, an interrupt flag, checkpoint files.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "check/check_options.h"
#include "check/loaded_model.h"
#include "evidence/certificate.h"
#include "search/observer.h"
#include "search/search.h"

namespace spoor {

// Receives the progress of a check. All calls come from the thread that runs the check. A property may need
// several searches; each makes the calls
//
//   on_search_begin, on_progress..., on_coverage_begin (where coverage is estimated), on_search_end
class CheckListener : public ProgressListener {
 public:
  void on_progress(const Statistics&, std::span<const Level>) override {}
  // The model is ready for its first property.
  virtual void on_model(const LoadedModel&) {}
  // From here to on_search_end the flag CheckControl::interrupt is polled.
  virtual void on_search_begin() {}
  virtual void on_coverage_begin() {}
  virtual void on_search_end() {}
};

// What a check leaves in the ledger.
enum class RecordingChoice : std::uint8_t {
  kNothing,
  // Its answer, and of a search that holds the states, which costs little.
  kStates,
  // The steps, too, which costs a part of the search.
  kGraph,
};

// In addition to the options; none of it changes the answer.
struct CheckControl {
  CheckpointOptions checkpoint;  // `identity` is ignored: the check computes it
  const std::atomic<bool>* interrupt = nullptr;
  CheckListener* listener = nullptr;
  double progress_interval_s = 0;  // between calls of on_progress; 0: never
  std::string recording = {};      // the file of a recording (regression.h); empty: none
  bool may_use_recording = true;   // the one of an earlier check
  RecordingChoice records = RecordingChoice::kGraph;
  std::string certificate = {};  // the file of a certificate (certification.h); empty: none
  std::optional<CertificateKind> certificate_kind =
      {};  // nothing: that of the property (run_certification.h)
};

// Calls the listener, if there is one, when a search begins, and always when it ends.
class SearchListening {
 public:
  explicit SearchListening(const CheckControl& control) : listener_(control.listener) {
    if (listener_ != nullptr) listener_->on_search_begin();
  }
  ~SearchListening() { end(); }
  SearchListening(const SearchListening&) = delete;
  SearchListening& operator=(const SearchListening&) = delete;

  void begin_coverage() {
    if (listener_ != nullptr) listener_->on_coverage_begin();
  }
  void end() {
    if (listener_ != nullptr) listener_->on_search_end();
    listener_ = nullptr;
  }

 private:
  CheckListener* listener_;
};

// The input of the search of one property.
struct CheckContext {
  const CheckOptions& options;
  const CheckControl& control;
  double spent_s = 0;  // the part of the time limit that other properties have used
};

}  // namespace spoor
