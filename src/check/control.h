// What a check is run with beside its options: a listener, a flag that interrupts it, checkpoint files.
#pragma once

#include <atomic>
#include <span>

#include "check/loaded_model.h"
#include "check/options.h"
#include "search/observer.h"
#include "search/search.h"

namespace spoor {

// Is told what a check does. All calls come from the thread that runs the check. A property may take several
// searches; for each there is
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

// What a check is run with, beside its options. None of it changes an answer.
struct CheckControl {
  CheckpointOptions checkpoint;  // `identity` is not looked at: the check makes its own
  const std::atomic<bool>* interrupt = nullptr;
  CheckListener* listener = nullptr;
  double progress_interval_s = 0;  // between calls of on_progress; 0: never
};

// Tells the listener, if there is one, that a search begins; and in any case that it has ended.
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

// What the search of one property is given.
struct CheckContext {
  const CheckOptions& options;
  const CheckControl& control;
  double spent_s = 0;  // of the time limit, on other properties
};

}  // namespace spoor
